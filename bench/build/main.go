// Build measures a whole import beside babeltrace2, which merely decodes the same traces into nothing: the two run in turn, and
// what each took of time, of the processor and of memory is printed as a table, with the ratio.
//
//	go run ./bench/build [-cache DIR] [-program FILE] [-scenario cluster-20] [-length 30m] [-seed 7] [-runs 5]
//
// The traces are simulated once and kept in the cache directory: about 600 MB, and as much for a while with the set that is built.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"synchroscope/bench/traces"
)

type options struct {
	cache   string
	program string
	decoder string
	key     traces.Key
	runs    int
}

func main() {
	var o options
	flag.StringVar(&o.cache, "cache", filepath.Join(os.TempDir(), "synchroscope-bench-build"), "keep the traces in `directory`")
	flag.StringVar(&o.program, "program", "", "the synchroscope to measure, instead of one built from the sources here")
	flag.StringVar(&o.decoder, "babeltrace2", "babeltrace2", "the babeltrace2 to measure it against")
	o.key.Flags()
	flag.IntVar(&o.runs, "runs", 5, "how often each runs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench/build:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.runs < 1 {
		return fmt.Errorf("%d runs are none", o.runs)
	}
	if _, err := exec.LookPath(o.decoder); err != nil {
		return err
	}
	program, err := traces.Program(ctx, o.cache, o.program)
	if err != nil {
		return err
	}
	dir, err := traces.Keep(ctx, o.cache, program, o.key)
	if err != nil {
		return err
	}
	bytes, err := readAll(dir) // so that the first run finds the files in memory as the others do
	if err != nil {
		return err
	}
	load := traces.MachineLoad()
	var built, decoded []cost
	var first *outcome
	for i := range o.runs {
		b, result, err := build(ctx, program, o.cache, dir)
		if err != nil {
			return err
		}
		if first == nil {
			first = result
		}
		d, err := decode(ctx, o.decoder, dir)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "run %d of %d: build %v; babeltrace2 %v\n", i+1, o.runs, b, d)
		built, decoded = append(built, b), append(decoded, d)
	}
	fmt.Printf("%s for %v, seed %d: %d hosts, %d events, %d MB of traces; of them %d messages, %d MB stored; load %s before, %s after\n\n",
		o.key.Scenario, o.key.Length, o.key.Seed, len(first.Hosts), first.Events, bytes/1e6, first.Messages, first.stored()/1e6, load, traces.MachineLoad())
	compare(os.Stdout, first.Events, built, decoded)
	return nil
}
