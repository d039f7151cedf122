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
func TestTracesOfOneClockHaveOneOrigin(t *testing.T) {
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

// Three recordings of one clock, between which that of the day was set, count from the origin of the last that began, whose events are behind those of the others; one of another clock, and one
// whose clock runs at another rate, keep theirs.
func TestClockOfTheDayWasSet(t *testing.T) {
	root := t.TempDir()
	metadata := func(clock string, freq, offset int64) string {
		text := strings.Replace(chunkMetadata, "stream {", fmt.Sprintf("clock { name = c; uuid = \"00000000-0000-0000-0000-00000000000%s\"; freq = %d; offset_s = %d; };\ntypealias integer { size = 8; align = 8; map = clock.c.value; } := t8;\nstream {", clock, freq, offset), 1)
		text = strings.ReplaceAll(text, "u8 timestamp_begin; u8 timestamp_end", "t8 timestamp_begin; t8 timestamp_end")
		return strings.ReplaceAll(text, "u8 timestamp;", "t8 timestamp;")
	}
	for name, x := range map[string]struct {
		clock        string
		freq, offset int64
		begin, after int
	}{
		"a": {"1", 1e9, 9000, 10, 1}, "b": {"1", 1e9, 9003, 40, 1}, "c": {"1", 1e9, 1800, 70, 1},
		"d": {"1", 1e6, 9500, 90, 1}, "e": {"2", 1e9, 9000, 90, 2},
	} {
		writeChunk(t, filepath.Join(root, name), metadata(x.clock, x.freq, x.offset), map[string]string{
			"s": fmt.Sprintf("00 u8=64 u8=%d u8=%d u8=0 u8=0  01 u8=%d", x.begin, x.begin+5, x.begin+x.after),
		})
	}
	var got []string
	for _, h := range Group(openAll(t, root)) {
		for i, line := range eventsOf(t, h.Traces) {
			got = append(got, fmt.Sprintf("%s %d: %s", h.ID[len(h.ID)-1:], i, line))
		}
		for _, a := range newReader(t, h.Traces).Anomalies() {
			got = append(got, a.Stream+" "+a.Kind+": "+a.Message)
		}
	}
	want := []string{
		"1 0: 0 1800000000011 a", "1 1: 1 1800000000041 a", "1 2: 2 1800000000071 a", "1 3: 3 9500000091000 a",
		`a/metadata clock-set: this recording has the origin of clock "c" 2h0m0s later than another recording of the same clock, by which all times are told: that of the day was set in between`,
		`b/metadata clock-set: this recording has the origin of clock "c" 2h0m3s later than another recording of the same clock, by which all times are told: that of the day was set in between`,
		"2 0: 0 9000000000092 a",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
