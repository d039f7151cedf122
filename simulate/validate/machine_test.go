package validate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
	"synchroscope/trace/tracetest"
)

// problems are what a machine finds in events, one line each.
func problems(events []*trace.Event, losses []ctf.Loss) string {
	r := newReport()
	m := newMachine("", r, newGaps(losses))
	for _, ev := range events {
		m.take(ev)
	}
	var b strings.Builder
	for _, c := range r.Checks {
		for _, p := range c.Problems {
			fmt.Fprintf(&b, "# %s: %s\n", c.Name, p)
		}
	}
	return b.String()
}

// TestBroken: the traces under testdata are told what is wrong with them, in comments at their end. A line
// "# lost CPU BEGIN END" says that events are lost there.
func TestBroken(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no traces", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, one := range strings.Split(string(text), "\n---\n") {
			var want strings.Builder
			var losses []ctf.Loss
			for line := range strings.Lines(one + "\n") {
				var l ctf.Loss
				switch {
				case strings.HasPrefix(line, "# lost "):
					if _, err := fmt.Sscanf(line, "# lost %d %d %d", &l.CPU, &l.Begin, &l.End); err != nil {
						t.Fatal(f, err)
					}
					l.Begin, l.End = l.Begin*1e9, l.End*1e9
					losses = append(losses, l)
				case strings.HasPrefix(line, "# "):
					want.WriteString(line)
				}
			}
			if got := problems(tracetest.Parse(t, one), losses); got != want.String() {
				t.Errorf("%s, part %d: found\n%sit should be\n%s", f, i+1, got, want.String())
			}
		}
	}
}
