package filter_test

import (
	"os"
	"strings"
	"testing"

	"synchroscope/trace/filter"
	"synchroscope/trace/tracetest"
)

// Whatever is typed is refused with a place inside of it, or comes back the same when written and read again,
// and is evaluated without harm.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"testdata/parse", "testdata/match"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			f.Add(strings.TrimSpace(line))
		}
	}
	ev := tracetest.Parse(f, `1.5 cpu=2 sched_switch prev_comm="bash" prev_tid=12 load=0.25 family=2:"AF_INET" addr=[10,0,0,1] net.ip.ttl=64`)[0]
	f.Fuzz(func(t *testing.T, text string) {
		x, err := filter.Parse(text)
		if err != nil {
			wrong, ok := err.(*filter.Error)
			if !ok || wrong.Column < 1 || wrong.Column > len(text)+1 || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		want := x.Compile(ev.Class, "web").Match(ev, ev.Time)
		written := x.String()
		if len(written) > filter.MaxLength {
			return
		}
		again, err := filter.Parse(written)
		if err != nil || again.String() != written {
			t.Fatalf("%q is written as %q and read as %v, %v", text, written, again, err)
		}
		if got := again.Compile(ev.Class, "web").Match(ev, ev.Time); got != want {
			t.Fatalf("%q is %v, written as %q it is %v", text, want, written, got)
		}
	})
}
