package ctf_test

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/text/texttest"
)

// Between two recordings of one machine's kernel, or of its users' applications, and behind the last while others of the host go on, nothing is known: that is told, wherever the reader is
// stopped in between. A stream that begins late, of a CPU that is switched on, is no recording of its own.
func TestBetweenRecordings(t *testing.T) {
	packet := func(cpu, begin, end int) string {
		return fmt.Sprintf("file s_%d\npacket begin=%d.000000000 end=%d.000000000 seq=0 discarded=0 cpu=%d\n%d.100000000 e\n%d.900000000 e\n", cpu, begin, end, cpu, begin, end-1)
	}
	for what, c := range map[string]struct {
		recordings []string // domain and packets
		want       string
	}{
		"one":                      {[]string{"kernel" + packet(0, 1, 4) + packet(1, 1, 4)}, ""},
		"one after the other":      {[]string{"kernel" + packet(0, 1, 4) + packet(1, 1, 4), "kernel" + packet(0, 6, 8) + packet(1, 7, 8)}, "0: 4 to 6; "},
		"both at one time":         {[]string{"kernel" + packet(0, 1, 4), "kernel" + packet(0, 3, 8)}, ""},
		"three":                    {[]string{"kernel" + packet(0, 1, 2), "kernel" + packet(0, 5, 8), "kernel" + packet(0, 3, 4)}, "0: 2 to 3; 2: 4 to 5; "},
		"the kernel for less long": {[]string{"kernel" + packet(0, 1, 4), "ust" + packet(0, 2, 8)}, "0: 4 on; "},
		"the kernel in between":    {[]string{"ust" + packet(0, 1, 3), "kernel" + packet(0, 2, 7), "ust" + packet(0, 6, 9)}, "1: 7 on; "},
		"a CPU that comes late":    {[]string{"kernel" + packet(0, 1, 4) + packet(1, 6, 8)}, ""},
		"of users":                 {[]string{"ust uid" + packet(0, 1, 3), "kernel" + packet(0, 2, 7), "ust uid" + packet(0, 6, 9)}, "0: 3 to 6; 1: 7 on; "},
		"of a user and others":     {[]string{"ust uid" + packet(0, 1, 3), "kernel" + packet(0, 2, 7), "ust" + packet(0, 2, 5)}, ""},
		"of switches for less":     {[]string{"kernel+" + packet(0, 1, 4), "kernel" + packet(0, 1, 8)}, "0: 4 on; "},
		"of all else for less":     {[]string{"kernel" + packet(0, 1, 4), "kernel+" + packet(0, 1, 8)}, ""},
	} {
		var archive strings.Builder
		for i, r := range c.recordings {
			domain, packets, _ := strings.Cut(r, "file")
			domain, switches := strings.CutSuffix(domain, "+")
			domain, users := strings.CutSuffix(domain, " uid")
			head := strings.Replace(texttest.Counted(fmt.Sprintf("domain=%q", domain)), "ctf 1.8 le", fmt.Sprintf("ctf 1.8 le uuid=00010203-0405-0607-0809-0a0b0c0d0e0%d", i), 1)
			if users {
				head = strings.Replace(head, "env ", "env tracer_buffering_scheme=\"uid\"\nenv ", 1)
			}
			head = strings.Replace(head, "stream 0", "packet-header {uuid [16]u8; stream_id u32; stream_instance_id u64}\nstream 0", 1)
			if switches {
				head += "event 1 sched_switch\n"
			}
			for _, cpu := range []string{"0", "1"} {
				packets = strings.ReplaceAll(packets, "cpu="+cpu+"\n", "cpu="+cpu+" instance="+cpu+"\n")
			}
			fmt.Fprintf(&archive, "-- %d.trace --\n%sfile%s", i, head, packets)
		}
		traces := tracesOf(t, archive.String())
		for stop := range 8 {
			var got strings.Builder
			inTwo(t, traces, ctf.Options{}, stop, func(r *ctf.Reader, _ *trace.Event) {
				for _, l := range r.Losses() {
					switch {
					case l.CPU != -1: // of a last packet that is full
					case l.End == math.MaxInt64:
						fmt.Fprintf(&got, "%d: %d on; ", l.Trace, l.Begin/1e9)
					default:
						fmt.Fprintf(&got, "%d: %d to %d; ", l.Trace, l.Begin/1e9, l.End/1e9)
					}
				}
			})
			if got.String() != c.want {
				t.Errorf("%s, going on behind event %d: %q, want %q", what, stop, got.String(), c.want)
			}
		}
	}
}

// Where a session was stopped and started again packets and events go on by their numbers. Nothing is known of the time that no packet covers, wherever the reader is stopped; but
// streams that rest one by one, or for less than a second, rest because nothing happens there.
func TestStoppedInBetween(t *testing.T) {
	for what, c := range map[string]struct{ packets, want string }{
		"one CPU":                  {"0 1000 3000, 0 7000 9000", "3000 to 7000; "},
		"two":                      {"0 1000 3000, 1 1000 3001, 1 6000 9000, 0 7000 9000", "3001 to 6000; "},
		"twice":                    {"0 1000 3000, 1 1000 3001, 1 6000 9000, 0 7000 9000, 0 11000 12000, 1 12500 12700", "3001 to 6000; 9000 to 11000; "},
		"one of them rests":        {"0 1000 3000, 0 7000 9000, 1 1000 9000", ""},
		"they rest in turn":        {"0 1000 3000, 0 5000 9000, 1 1000 5500, 1 8000 9000", ""},
		"for too short":            {"0 1000 3000, 1 1000 3000, 0 3900 5000, 1 3950 5000", ""},
		"one of them for less":     {"0 1000 3000, 1 1000 3500, 0 4600 6000, 1 4700 6000", "3500 to 4600; "},
		"an empty packet between":  {"0 1000 3000, 0 3900 4000 -, 0 7000 9000", "4000 to 7000; "},
		"one that is gone on with": {"0 1000 3000, 1 1000 3000, 1 3000 5000, 0 7000 9000, 1 7500 9000", "5000 to 7000; "},
	} {
		for domain, class := range map[string]string{"kernel": "sched_switch", "kernel ": "other", "ust": "sched_switch"} {
			files := make(map[string]string)
			numbers := make(map[string]int)
			for p := range strings.SplitSeq(c.packets, ", ") {
				var cpu string
				var begin, end int
				empty := ""
				fmt.Sscanf(p, "%s %d %d %s", &cpu, &begin, &end, &empty)
				files[cpu] += fmt.Sprintf("packet begin=%d.%03d end=%d.%03d seq=%d discarded=0 cpu=%s\n", begin/1000, begin%1000, end/1000, end%1000, numbers[cpu], cpu)
				if empty == "" {
					files[cpu] += fmt.Sprintf("%d.%03d e\n%d.%03d e\n", begin/1000, begin%1000, (end-1)/1000, (end-1)%1000)
				}
				numbers[cpu]++
			}
			text := strings.Replace(texttest.Counted(fmt.Sprintf("domain=%q", strings.TrimSpace(domain))), "event 0 e", "event 0 e\nevent 1 "+class, 1)
			for cpu, packets := range files {
				text += "file s_" + cpu + "\n" + packets
			}
			x, err := ctf.Open(texttest.Dir(t, text))
			if err != nil {
				t.Fatal(err)
			}
			want := c.want
			if domain != "kernel" {
				want = ""
			}
			for _, ahead := range []int{-1, 1} {
				for stop := range 14 {
					var got strings.Builder
					inTwo(t, []*ctf.Trace{x}, ctf.Options{Ahead: ahead}, stop, func(r *ctf.Reader, ev *trace.Event) {
						for _, l := range r.Losses() {
							if l.CPU != -1 { // of a last packet that is full
								continue
							}
							fmt.Fprintf(&got, "%d to %d; ", l.Begin/1e6, l.End/1e6)
							if l.Count != 0 || l.Packets != 0 || ev == nil || ev.Time < l.End {
								t.Errorf("%s: %+v is told too late, or as a loss of events", what, l)
							}
						}
					})
					if got.String() != want {
						t.Errorf("%s, %s %s, going on behind event %d: %q, want %q", what, domain, class, stop, got.String(), want)
					}
				}
			}
		}
	}
}

// Of two recordings of a kernel at one time the events that both have are told to be doubled in the second, from its beginning until the first is over, wherever the reader is stopped.
func TestDoubled(t *testing.T) {
	var archive strings.Builder
	for i, r := range []struct{ domain, class, packets string }{
		{"kernel", "a", "packet begin=2.000000000 end=5.000000000 cpu=0 instance=0\n2.500000000 e\n4.500000000 e\n"},
		{"kernel", "b", "packet begin=1.000000000 end=7.000000000 cpu=0 instance=0\n1.500000000 e\n3.100000000 e\n3.200000000 b\n6.000000000 e\n"},
		{"ust", "a", "packet begin=1.000000000 end=7.000000000 cpu=0 instance=0\n3.000000000 e\n"},
	} {
		head := strings.Replace(texttest.Counted(fmt.Sprintf("domain=%q", r.domain)), "ctf 1.8 le", fmt.Sprintf("ctf 1.8 le uuid=00010203-0405-0607-0809-0a0b0c0d0e0%d", i), 1)
		head = strings.Replace(head, "stream 0", "packet-header {uuid [16]u8; stream_id u32; stream_instance_id u64}\nstream 0", 1)
		fmt.Fprintf(&archive, "-- %d.trace --\n%sevent 1 %s\nfile s\n%s", i, head, r.class, r.packets)
	}
	traces := tracesOf(t, archive.String())
	for stop := range 8 {
		r, err := ctf.NewReader(traces, ctf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for n := 0; ; n++ {
			if n == stop {
				position := r.Position()
				r.Close()
				if r, err = ctf.NewReader(traces, ctf.Options{}); err != nil {
					t.Fatal(err)
				}
				if err := r.Seek(position); err != nil {
					t.Fatal(err)
				}
			}
			ev, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.Doubled(ev) {
				fmt.Fprintf(&got, "%d ", ev.Time/1e8)
			}
		}
		r.Close()
		if got.String() != "31 " {
			t.Errorf("going on behind event %d doubled are those at %s, want 31", stop, got.String())
		}
	}
}

// tracesOf opens the traces of an archive in words.
func tracesOf(t *testing.T, archive string) (traces []*ctf.Trace) {
	t.Helper()
	dirs, err := ctf.Discover(texttest.Dir(t, archive))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		x, err := ctf.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		traces = append(traces, x)
	}
	return traces
}
