package ctf_test

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/text/texttest"
)

// Between two recordings of one machine's kernel, and behind the last while others of the host go on, nothing is known: that is told, wherever the reader is
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
	} {
		var archive strings.Builder
		for i, r := range c.recordings {
			domain, packets, _ := strings.Cut(r, "file")
			head := strings.Replace(texttest.Counted(fmt.Sprintf("domain=%q", domain)), "ctf 1.8 le", fmt.Sprintf("ctf 1.8 le uuid=00010203-0405-0607-0809-0a0b0c0d0e0%d", i), 1)
			head = strings.Replace(head, "stream 0", "packet-header {uuid [16]u8; stream_id u32; stream_instance_id u64}\nstream 0", 1)
			for _, cpu := range []string{"0", "1"} {
				packets = strings.ReplaceAll(packets, "cpu="+cpu+"\n", "cpu="+cpu+" instance="+cpu+"\n")
			}
			fmt.Fprintf(&archive, "-- %d.trace --\n%sfile%s", i, head, packets)
		}
		dirs, err := ctf.Discover(texttest.Dir(t, archive.String()))
		if err != nil {
			t.Fatal(err)
		}
		var traces []*ctf.Trace
		for _, dir := range dirs {
			x, err := ctf.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			traces = append(traces, x)
		}
		for stop := range 8 {
			var got strings.Builder
			var position []byte
			for turn := range 2 {
				r, err := ctf.NewReader(traces, ctf.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if turn == 1 {
					if err := r.Seek(position); err != nil {
						t.Fatal(err)
					}
				}
				for n := 0; turn == 1 || n < stop; n++ {
					_, err := r.Next()
					if err != nil && err != io.EOF {
						t.Fatal(err)
					}
					for _, l := range r.Losses() {
						switch {
						case l.CPU != -1: // of a last packet that is full
						case l.End == math.MaxInt64:
							fmt.Fprintf(&got, "%d: %d on; ", l.Trace, l.Begin/1e9)
						default:
							fmt.Fprintf(&got, "%d: %d to %d; ", l.Trace, l.Begin/1e9, l.End/1e9)
						}
					}
					if err == io.EOF {
						break
					}
				}
				position = r.Position()
				r.Close()
			}
			if got.String() != c.want {
				t.Errorf("%s, going on behind event %d: %q, want %q", what, stop, got.String(), c.want)
			}
		}
	}
}
