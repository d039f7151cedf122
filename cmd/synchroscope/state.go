package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"synchroscope/ingest"
	"synchroscope/state/kernel"
	"synchroscope/state/query"
	"synchroscope/trace"
)

// stateCommand tells what an imported trace set knows of one instant.
func stateCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("state", "[--json] [--data DIR] --set NAME --time T [--host H] [--path PATTERN] [--local]",
		`Prints the attributes of the hosts of a trace set at a time, and what they hold.
In a PATTERN such as "CPUs/*/Current_thread" a star stands for anything within
an element, and ** for any number of elements. Nothing of the data is changed:
a set that must be read again is read into the temporary directory.`)
	asJSON := fs.Bool("json", false, "print JSON")
	data := fs.String("data", dataDir(), "the `directory` of the server's data; no server may be running on it")
	name := fs.String("set", "", "the `NAME` or id of the trace set; of several with one name the newest")
	at := fs.String("time", "", "the `time`: ns of reference time, or seconds with a point")
	host := fs.String("host", "", "only this `host`")
	pattern := fs.String("path", "", "only attributes whose path fits this `pattern`")
	local := fs.Bool("local", false, "the time is each host's own")
	rest, code, done := parse(fs, args, stdout, stderr)
	switch {
	case done:
		return code
	case len(rest) > 0:
		return misuse("state", stderr, fmt.Sprintf("it takes no %q", rest[0]))
	case *name == "":
		return misuse("state", stderr, "--set is missing")
	case *at == "":
		return misuse("state", stderr, "--time is missing")
	case *data == "":
		return misuse("state", stderr, "there is no home directory for the data, so --data is needed")
	}
	t, err := trace.ParseTime(*at)
	if err != nil {
		return misuse("state", stderr, fmt.Sprintf("--time: %v", err))
	}
	states, err := statesOf(context.Background(), stderr, *data, *name, moment{t, *local}, *host, *pattern)
	if err == nil && *asJSON {
		enc := json.NewEncoder(stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(stateReport{ns(t), *local, states})
	} else if err == nil {
		err = stateText(stdout, states)
	}
	if err != nil {
		return fault(stderr, err)
	}
	return exitOK
}

// A moment is a time in ns, of reference or local clocks.
type moment struct {
	time  int64
	local bool
}

// stateReport is the JSON of the command, and that of GET state.
type stateReport struct {
	Time  ns          `json:"time"` // as asked for
	Local bool        `json:"local"`
	Hosts []hostState `json:"hosts"`
}

type hostState struct {
	Host       string           `json:"host"`
	LocalTime  ns               `json:"local_time"`
	Known      bool             `json:"known"`           // the host's history covers the time
	Error      string           `json:"error,omitempty"` // why there is no history
	Attributes []attributeState `json:"attributes"`
}

type attributeState struct {
	query.Attribute
	Begin ns `json:"begin"` // of the interval, local
	End   ns `json:"end"`
}

// ns is a time in ns, which JSON gets as a string: it may be over 2^53.
type ns int64

func (t ns) MarshalText() ([]byte, error) { return strconv.AppendInt(nil, int64(t), 10), nil }

// statesOf looks into a data directory, which it does not change, and asks the hosts of a set. Where that is read again first, stderr is told.
func statesOf(ctx context.Context, stderr io.Writer, dir, name string, m moment, only, pattern string) (states []hostState, err error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, err // what Open makes is no place to look into
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	engine, err := ingest.OpenLook(dir, name, ingest.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, engine.Close(context.WithoutCancel(ctx))) }()
	set := findSet(engine.Engine, name)
	if set == nil {
		return nil, fmt.Errorf("%s: there is no trace set %q", dir, name)
	}
	if set.Again() {
		fmt.Fprintf(stderr, "synchroscope state: %s is read again first: a history of it is damaged, or another version of the program made it\n", name)
		if err := set.Wait(ctx); err != nil {
			return nil, err
		}
	}
	known, fault := false, error(nil)
	var names []string
	for _, h := range set.Hosts() {
		names = append(names, h.Name())
		if only != "" && h.Name() != only {
			continue
		}
		s, err := hostStateAt(ctx, set, h, m, pattern)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name(), err)
		}
		if s.Error != "" {
			fault = errors.Join(fault, fmt.Errorf("%s: the history cannot be read: %s", h.Name(), s.Error))
		}
		states, known = append(states, s), known || s.Known
	}
	switch {
	case names == nil:
		return nil, fmt.Errorf("%s: the trace set has no hosts that can be asked: it is %s", name, set.Status().State)
	case states == nil:
		return nil, fmt.Errorf("%s: there is no host %q among %s", name, only, strings.Join(names, ", "))
	case !known && fault != nil:
		return nil, fault
	case !known:
		return nil, fmt.Errorf("%s: the history does not cover the time %d ns", name, m.time)
	}
	return states, nil
}

// findSet returns the newest set of that name, or the one of that id; nil if there is none.
func findSet(engine *ingest.Engine, name string) *ingest.Set {
	for _, s := range engine.Sets() {
		if s.Status().Name == name {
			return s
		}
	}
	s, _ := engine.Set(name)
	return s
}

// hostStateAt asks one host.
func hostStateAt(ctx context.Context, set *ingest.Set, host *ingest.Host, m moment, pattern string) (hostState, error) {
	t := m.time
	if solution := set.Solution(); !m.local && solution != nil && int(host.Index()) < len(solution.Hosts) {
		t = solution.Hosts[host.Index()].Map.Local(t)
	}
	s := hostState{Host: host.Name(), LocalTime: ns(t), Attributes: []attributeState{}}
	history := host.History()
	if history == nil {
		s.Error = host.Unreadable()
		return s, nil
	}
	if begin, end := history.Bounds(); t < begin || t >= end {
		return s, nil
	}
	s.Known = true
	all, err := query.All(ctx, history, pattern, t)
	for _, a := range all {
		s.Attributes = append(s.Attributes, attributeState{a, ns(a.Begin), ns(a.End)})
	}
	return s, err
}

// stateText prints a line per attribute that has a value, below its host.
func stateText(stdout io.Writer, states []hostState) error {
	w := bufio.NewWriter(stdout)
	for _, s := range states {
		fmt.Fprintf(w, "%s at %d ns, local time\n", s.Host, s.LocalTime)
		switch {
		case s.Error != "":
			fmt.Fprintf(w, "  the history cannot be read: %s\n", s.Error)
		case !s.Known:
			fmt.Fprint(w, "  the history does not cover it\n")
		}
		for _, a := range s.Attributes {
			switch v := a.Value.(type) {
			case nil:
			case string:
				fmt.Fprintf(w, "  %s = %q\n", a.Path, v)
			case int64:
				fmt.Fprintf(w, "  %s = %d%s\n", a.Path, v, inWords(a.Path, v))
			default:
				fmt.Fprintf(w, "  %s = %v\n", a.Path, v)
			}
		}
	}
	return w.Flush()
}

// inWords is what a number means, in parentheses; "" for one that is just that.
func inWords(path string, n int64) string {
	if word := kernel.Word(path, n); word != "" {
		return " (" + word + ")"
	}
	return ""
}
