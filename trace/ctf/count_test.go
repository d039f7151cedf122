package ctf

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// Counting finds what reading finds.
func TestCountIsReading(t *testing.T) {
	for _, name := range append(resumable, "scp.tar.gz") {
		traces := openAll(t, unpack(t, name))
		r := newReader(t, traces)
		want := make([]int64, len(traces))
		for {
			e, err := r.Next()
			if err != nil {
				break
			}
			want[e.Trace]++
		}
		c := newReader(t, traces)
		got, err := c.Count()
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: counted %v, %v, want %v", name, got, err, want)
		}
		if report(c) != report(r) || c.Bytes() != r.Bytes() {
			t.Errorf("%s: counting met\n%sreading met\n%s", name, report(c), report(r))
		}
		if _, err := c.Count(); err == nil {
			t.Error("a reader counted twice")
		}
	}
}

// report is what a reader met, in no order; but not what is missing between recordings, of which nothing was counted.
func report(r *Reader) string {
	var out bytes.Buffer
	for _, l := range r.Losses() {
		if l.CPU < 0 && l.Count == 0 && l.Packets == 0 {
			continue
		}
		fmt.Fprintln(&out, l)
	}
	for _, a := range r.Anomalies() {
		fmt.Fprintln(&out, a)
	}
	return sorted(out.String())
}
