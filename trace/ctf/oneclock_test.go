package ctf

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// eventsOf are the times and names of what a reader reads, each with the trace that it is of.
func eventsOf(t *testing.T, traces []*Trace) (list []string) {
	t.Helper()
	r := newReader(t, traces)
	for {
		ev, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%d %d %s", ev.Trace, ev.Time, ev.Class.Name))
	}
}

// The recordings of a kernel and of an application on one machine, whose origins were measured 40 ns apart, tell times by that of the kernel, in whichever order they are
// grouped, and however often; whoever opens them later has the same by moving them as far.
func TestTracesOfOneSession(t *testing.T) {
	root := unpack(t, "multi-domains.tar.gz")
	open := func() []*Trace {
		traces := openAll(t, root)
		if len(traces) != 2 || filepath.Base(traces[0].Dir()) != "kernel" {
			t.Fatalf("%d traces", len(traces))
		}
		return traces
	}
	by := func(traces []*Trace) string { return fmt.Sprint(traces[0].Moved(), traces[1].Moved()) }
	traces := open()
	own := eventsOf(t, traces)
	Group(traces)
	Group(traces)
	if by(traces) != "0 40" {
		t.Fatalf("moved by %s", by(traces))
	}
	backwards := open()
	Group([]*Trace{backwards[1], backwards[0]})
	if by(backwards) != "0 40" {
		t.Errorf("grouped the other way round they are moved by %s", by(backwards))
	}
	var want []string
	for _, line := range own {
		var trace, time int64
		var name string
		fmt.Sscan(line, &trace, &time, &name)
		want = append(want, fmt.Sprintf("%d %d %s", trace, time+40*trace, name))
	}
	got := eventsOf(t, traces)
	if len(got) != 4272 || !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("%d events, which are not those of before with the application's 40 ns later", len(got))
	}
	later := open()
	later[1].Move(40)
	if !slices.Equal(eventsOf(t, later), got) {
		t.Error("moved by hand they tell other times")
	}
	if a := newReader(t, traces).Anomalies(); len(a) > 0 {
		t.Errorf("what measuring comes to is told: %v", a)
	}
}

// Recordings of one clock, between which that of the day was set: those that were made before it was set back count from the origin of the next, so that all is in order; those before it was set forward
// keep theirs, but where they, or one before them, went on beside the next, and so do those of another clock, or at another rate. Of a session, in chunks or not, the kernel's origin holds, for a trace that does not say its clock, too.
func TestClockOfTheDayWasSet(t *testing.T) {
	root := t.TempDir()
	for number, x := range []struct {
		dir, clock   string
		freq, offset int64
		begin        int
	}{
		{"back/1/archives/1/kernel", "1", 1e9, 9000e9, 1}, {"back/1/kernel", "1", 1e9, 9000e9, 70}, {"back/1/ust/uid/0/64-bit", "1", 1e9, 9000e9 + 40, 20}, {"back/1/ust/pid/old-12", "", 1e9, 9000e9, 24},
		{"back/2", "1", 1e9, 9003e9, 90}, {"back/3", "1", 1e9, 1800e9, 110}, {"back/4", "1", 1e9, 1800e9 + 700, 130},
		{"forward/1", "2", 1e9, 5e9, 0}, {"forward/2", "2", 1e9, 5e9 + 60e9, 30}, {"forward/3", "2", 1e9, 5e9 + 30e9, 60},
		{"aside/1", "5", 1e9, 5e9, 10}, {"aside/2", "5", 1e9, 5e9 + 60e9, 40}, {"aside/3", "5", 1e9, 5e9 + 90e9, 70},
		{"between/1", "6", 1e9, 5e9, 10}, {"between/2", "6", 1e9, 5e9, 20}, {"between/3", "6", 1e9, 3605e9, 40},
		{"empty/1", "7", 1e9, 3605e9, -1}, {"empty/2", "7", 1e9, 5e9, 10}, {"empty/3", "7", 1e9, 6e9, 20},
		{"rate/1", "3", 1e6, 9e6, 10}, {"rate/2", "3", 1e9, 8e9, 30}, {"other", "4", 1e9, 9e9, 10},
	} {
		words := fmt.Sprintf("00 u8=64 u8=%d u8=%d u8=0 u8=0  01 u8=%d", x.begin, x.begin+5, x.begin+1)
		if x.dir == "aside/1" || x.dir == "between/1" { // goes on beside the next
			words += " \n 00 u8=64 u8=50 u8=55 u8=0 u8=1  01 u8=51"
		}
		if x.begin < 0 {
			words = ""
		}
		uuid := ""
		if x.clock != "" {
			uuid = fmt.Sprintf("uuid = \"00000000-0000-0000-0000-00000000000%s\";", x.clock)
		}
		declared := fmt.Sprintf("env { hostname = \"web\"; };\nclock { name = c; %s freq = %d; offset = %d; };", uuid, x.freq, x.offset)
		writeChunk(t, filepath.Join(root, x.dir), clockedMetadata(number, declared), map[string]string{
			"s": words,
		})
	}
	traces := openAll(t, root)
	slices.Reverse(traces)
	Group(traces)
	Group(traces)
	var got []string
	for _, tr := range traces {
		own := append(eventsOf(t, []*Trace{tr}), "nothing")
		in, _ := filepath.Rel(root, tr.Dir())
		line := fmt.Sprintf("%s: %s, moved %d", filepath.ToSlash(in), own[0], tr.Moved())
		for _, a := range newReader(t, []*Trace{tr}).Anomalies() {
			line += ", " + a.Kind + " in " + a.Stream + ": " + a.Message
		}
		got = append(got, line)
	}
	slices.Sort(got)
	set := func(by string) string {
		return `this recording has the origin of clock "c" ` + by + " than another recording of the same clock, by which its times are told: that of the day was set in between"
	}
	want := []string{
		"aside/1: 0 65000000011 a, moved 60000000000, clock-set in 1/metadata: " + set("1m0s earlier"),
		"aside/2: 0 65000000041 a, moved 0",
		"aside/3: 0 95000000071 a, moved 0",
		"back/1/archives/1/kernel: 0 1800000000702 a, moved -7199999999300, clock-set in kernel/metadata: " + set("1h59m59.9999993s later"),
		"back/1/kernel: 0 1800000000771 a, moved -7199999999300, clock-set in kernel/metadata: " + set("1h59m59.9999993s later"),
		"back/1/ust/pid/old-12: 0 1800000000725 a, moved -7199999999300, clock-set in old-12/metadata: " + set("1h59m59.9999993s later"),
		"back/1/ust/uid/0/64-bit: 0 1800000000721 a, moved -7199999999340, clock-set in 64-bit/metadata: " + set("1h59m59.99999934s later"),
		"back/2: 0 1800000000791 a, moved -7202999999300, clock-set in 2/metadata: " + set("2h0m2.9999993s later"),
		"back/3: 0 1800000000811 a, moved 700",
		"back/4: 0 1800000000831 a, moved 0",
		"between/1: 0 3605000000011 a, moved 3600000000000, clock-set in 1/metadata: " + set("1h0m0s earlier"),
		"between/2: 0 3605000000021 a, moved 3600000000000, clock-set in 2/metadata: " + set("1h0m0s earlier"),
		"between/3: 0 3605000000041 a, moved 0",
		"empty/1: nothing, moved 0",
		"empty/2: 0 5000000011 a, moved 0",
		"empty/3: 0 6000000021 a, moved 0",
		"forward/1: 0 5000000001 a, moved 0",
		"forward/2: 0 35000000031 a, moved -30000000000, clock-set in 2/metadata: " + set("30s later"),
		"forward/3: 0 35000000061 a, moved 0",
		"other: 0 9000000011 a, moved 0",
		"rate/1: 0 9000011000 a, moved 0",
		"rate/2: 0 8000000031 a, moved 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
