// Package simulate makes a cluster of what a scenario says and lets it run: machines with
// their clocks, the network between them, and the programs on them. What a tracer would
// have recorded on each machine is written, and the truth beside it.
//
// All of it happens in one goroutine, and all chance comes from the seed, so
// equal scenarios and seeds make equal bytes. docs/simulator.md has the model.
package simulate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"synchroscope/simulate/machine"
	"synchroscope/simulate/scenario"
	"synchroscope/trace/ctf/writer"
)

// Options are what is given beside a scenario.
type Options struct {
	Seed   uint64
	Out    string // the directory that is written to; it is made, or empty
	Format writer.Format
	// Progress is told now and then how much of all true time is over, ns; nil if nobody asks.
	Progress func(done, all int64)
	// Observe is told what each thread of a host really does, at every change, and since when by the clock of the
	// host, in local ns as a reader of its traces computes them. It is the truth that the traces are held
	// against, so nothing of it comes from them: it is told of hosts that nobody traces too. nil if nobody asks.
	Observe func(host string, local int64, c *machine.Change)
}

// A Summary is what was written.
type Summary struct {
	Scenario string  `json:"scenario"`
	Seed     uint64  `json:"seed,string"`
	End      int64   `json:"end,string"` // true ns; it began at 0
	Events   int64   `json:"events"`
	Lost     int64   `json:"lost_events"`
	Messages int64   `json:"messages"`
	Hosts    []Count `json:"hosts"`
}

// A Count is what the traces of a host hold, and what their packets say was lost.
type Count struct {
	Name   string `json:"name"`
	Events int64  `json:"events"`
	Lost   int64  `json:"lost_events"`
}

// How much true time passes between two reports of progress, and how many things are done at most between two
// looks at the context: a busy cluster takes long for the time.
const (
	step  = 50_000_000
	stint = 250
)

// Run simulates a scenario from its beginning to its end. If that fails or ctx is
// done before, what is in the directory has no truth.json.
func Run(ctx context.Context, s *scenario.Scenario, o Options) (*Summary, error) {
	if err := prepare(o.Out); err != nil {
		return nil, err
	}
	c, err := newCluster(s, o)
	if err != nil {
		return nil, err
	}
	for now := int64(0); now < s.Duration && err == nil; {
		now = min(now+step, s.Duration)
		for over := false; !over && err == nil; {
			over = c.agenda.Some(now, stint)
			if err = ctx.Err(); err == nil {
				err = c.err
			}
		}
		if o.Progress != nil {
			o.Progress(now, s.Duration)
		}
	}
	if err != nil {
		c.abort()
		return nil, err
	}
	return c.finish()
}

// prepare makes sure that the directory is there and nothing is in it.
func prepare(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s: there is something in it already", dir)
	}
	return nil
}
