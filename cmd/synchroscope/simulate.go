package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/workload"
	"synchroscope/trace/ctf/writer"
)

// simulateCommand writes the traces of a simulated cluster, or validates some.
func simulateCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("simulate", "--out DIR [--scenario NAME|FILE] [--seed N] [--hosts N] [--duration D]\n       synchroscope simulate --list\n       synchroscope simulate --validate DIR",
		`Simulates a cluster of machines and writes the kernel traces that LTTng would
have recorded on them, with the truth about their clocks and messages in
truth.json. Equal scenario, seed and flags make equal bytes.`)
	out := fs.String("out", "", "the `directory` to write to, which must be empty or not there")
	name := fs.String("scenario", "web", "the scenario: a `name` of the library, or a file")
	seed := fs.Uint64("seed", 1, "the `number` that all chance comes from")
	hosts := fs.Int("hosts", 0, "`N` machines, where the scenario allows it")
	duration := fs.Duration("duration", 0, "it lasts `D` in true time, such as 90s or 4h, instead of what the scenario says")
	format := fs.String("format", "ctf1.8", "the `format` of the traces: ctf1.8 or ctf2")
	list := fs.Bool("list", false, "print the scenarios of the library")
	proven := fs.String("validate", "", "prove the traces and the truth in a `directory` consistent")
	asJSON := fs.Bool("json", false, "print JSON")
	rest, code, done := parse(fs, args, stdout, stderr)
	formats := map[string]writer.Format{"ctf1.8": writer.CTF18, "ctf2": writer.CTF2}
	_, known := formats[*format]
	switch {
	case done:
		return code
	case len(rest) > 0:
		return misuse("simulate", stderr, fmt.Sprintf("%q is no flag; it takes no PATH", rest[0]))
	case *list:
		return listScenarios(*asJSON, stdout, stderr)
	case *proven == "" && *out == "":
		return misuse("simulate", stderr, "--out is missing")
	case !known:
		return misuse("simulate", stderr, fmt.Sprintf("--format is %q; it can be ctf1.8 or ctf2", *format))
	case isSet(fs, "hosts") && *hosts <= 0:
		return misuse("simulate", stderr, "--hosts must be above 0")
	case isSet(fs, "duration") && *duration <= 0:
		return misuse("simulate", stderr, "--duration must be above 0")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if *proven != "" {
		return validateTraces(ctx, *proven, *asJSON, stdout, stderr)
	}
	s, err := scenario.Load(*name, scenario.Options{Seed: *seed, Hosts: *hosts, Duration: int64(*duration), Workload: workload.Check})
	if err != nil {
		return fault(stderr, err)
	}
	for _, b := range s.Beyond {
		fmt.Fprintf(stderr, "synchroscope: %s\n", printable(b.Error()))
	}
	began := time.Now()
	shown := newProgress("simulating")
	sum, err := simulate.Run(ctx, s, simulate.Options{Seed: *seed, Out: *out, Format: formats[*format], Progress: shown.show})
	shown.end()
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(stderr, "synchroscope: interrupted; what is in %s is no whole simulation\n", printable(*out))
		return exitInterrupt
	case err != nil:
		return fault(stderr, err)
	case *asJSON:
		return printed(stdout, stderr, sum)
	}
	if err := simulationText(stdout, sum, time.Since(began)); err != nil {
		return fault(stderr, err)
	}
	return exitOK
}
