package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/validate"
)

// simulationText prints what was written, a line for each machine.
func simulationText(w io.Writer, sum *simulate.Summary, took time.Duration) error {
	name := len("HOST")
	for _, h := range sum.Hosts {
		name = max(name, len(h.Name))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s  %12s  %10s\n", name, "HOST", "EVENTS", "LOST")
	for _, h := range sum.Hosts {
		fmt.Fprintf(&b, "%-*s  %12d  %10d\n", name, h.Name, h.Events, h.Lost)
	}
	fmt.Fprintf(&b, "\n%s, seed %d: %s of %s, %s events, %s lost, %s messages; made in %s\n",
		sum.Scenario, sum.Seed, time.Duration(sum.End), plural(int64(len(sum.Hosts)), "machine", "machines"), humanize.Comma(sum.Events), humanize.Comma(sum.Lost),
		humanize.Comma(sum.Messages), took.Round(10*time.Millisecond))
	_, err := io.WriteString(w, b.String())
	return err
}

// listed is a scenario of the library.
type listed struct {
	Name     string        `json:"name"`
	About    string        `json:"about"`
	Hosts    int           `json:"hosts"`
	Duration time.Duration `json:"duration_ns"`
}

func listScenarios(asJSON bool, stdout, stderr io.Writer) int {
	var all []listed
	for _, name := range scenario.Names() {
		s, err := scenario.Load(name, scenario.Options{})
		if err != nil {
			return fault(stderr, err)
		}
		all = append(all, listed{s.Name, s.About, len(s.Hosts), time.Duration(s.Duration)})
	}
	if asJSON {
		return printed(stdout, stderr, all)
	}
	t := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "SCENARIO\tMACHINES\tLASTS\tIS\n")
	for _, l := range all {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\n", l.Name, l.Hosts, l.Duration, l.About)
	}
	if err := t.Flush(); err != nil {
		return fault(stderr, err)
	}
	return exitOK
}

// validateTraces proves what is in a directory consistent, or says what is not.
func validateTraces(ctx context.Context, dir string, asJSON bool, stdout, stderr io.Writer) int {
	report, err := validate.Dir(ctx, dir)
	if errors.Is(err, context.Canceled) {
		return exitInterrupt
	}
	if err != nil {
		return fault(stderr, err)
	}
	code := exitOK
	if asJSON {
		code = printed(stdout, stderr, report)
	} else if _, err := report.WriteTo(stdout); err != nil {
		code = fault(stderr, err)
	}
	if code == exitOK && !report.OK() {
		code = exitFault
	}
	return code
}

// printed prints JSON.
func printed(stdout, stderr io.Writer, v any) int {
	enc := json.NewEncoder(stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fault(stderr, err)
	}
	return exitOK
}
