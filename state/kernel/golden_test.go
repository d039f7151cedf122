package kernel_test

import (
	"flag"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"synchroscope/state/history"
	"synchroscope/state/kernel/kerneltest"
)

var update = flag.Bool("update", false, "rewrite the expected states")

// Each file in testdata is a trace as text and what must follow from it:
//
//	-- recorded -- the names of all events that the trace can hold; without it nobody told
//	-- streams --  the numbers of the CPUs of which there are packets; without it nobody knows
//	-- trace --    events, and lines "lost cpu=0 BEGIN END" at the place where the reader reports the loss
//	-- states --   for each attribute, when it took which value
//	-- threads --  the rows
//
// The history begins at 0 and ends a second after the last event. The same must
// follow when the import is stopped and resumed after any of the events, and whether or not the model keeps at hand what has ended.
func TestGolden(t *testing.T) {
	kerneltest.RunGolden(t, *update, func(t *testing.T, g *kerneltest.Golden, stop int) []txtar.File {
		h := kerneltest.New(t, 0, history.Options{NodeSize: 1024})
		if names, ok := g.Sections["recorded"]; ok {
			h.Recorded(names)
		}
		if list, ok := g.Sections["streams"]; ok {
			cpus := []int32{}
			for _, number := range strings.Fields(list) {
				n, err := strconv.ParseInt(number, 10, 32)
				if err != nil {
					t.Fatal(err)
				}
				cpus = append(cpus, int32(n))
			}
			h.Streams(cpus)
		}
		for i, s := range g.Steps {
			h.Take(t, s)
			if i == stop {
				h = h.Restart(t)
				if stop%2 == 0 {
					h.Model.LetGoAtOnce()
				}
			}
		}
		h.Finish(t, g.End)
		return []txtar.File{{Name: "states", Data: []byte(h.Dump(t))}, {Name: "threads", Data: []byte(h.Rows())}}
	})
}
