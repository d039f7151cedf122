package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"synchroscope/ingest"
	"synchroscope/state/history"
)

// buildReport is the JSON of build.
type buildReport struct {
	Set         string           `json:"set"`
	Name        string           `json:"name"`
	Events      int64            `json:"events"`
	LostEvents  int64            `json:"lost_events"`
	LostPackets int64            `json:"lost_packets,omitempty"` // whole ones, of an unknown number of events
	Anomalies   int64            `json:"anomalies"`
	Messages    int64            `json:"messages"`
	Hosts       []buildHost      `json:"hosts"`
	Odd         []ingest.Oddity  `json:"odd"` // the anomalies by kind, in words
	Stages      []ingest.Stage   `json:"stages"`
	Bytes       map[string]int64 `json:"bytes"` // by what they are: "history", "endpoints", "messages", "traces", "checkpoints"
	Elapsed     time.Duration    `json:"ns"`
}

type buildHost struct {
	Name        string `json:"name"`
	State       string `json:"state"`
	Events      int64  `json:"events"`
	LostEvents  int64  `json:"lost_events"`
	LostPackets int64  `json:"lost_packets,omitempty"`
}

// buildCommand imports a trace set into a data directory without a server.
func buildCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("build", "[--json] --data DIR --name NAME [--endpoints FILE] [--compress] PATH...",
		"Imports traces as one set into a data directory, without a server, and prints sizes, counts and the time of each stage.\nOf PATHs of which something cannot be read the rest is imported; then it exits 1, after a sentence for each on stderr.\nEach run makes a set of its own. One that was interrupted is gone on with: the next build or serve on the directory finishes it as well, so serve alone resumes it.")
	asJSON := fs.Bool("json", false, "print JSON")
	data := fs.String("data", "", "the data `directory`")
	name := fs.String("name", "", "the `name` of the set")
	workers := fs.Int("workers", 0, "`number` of hosts read at once, 0 for one per processor")
	memory := memoryFlag(fs)
	compress := compressFlag(fs)
	declarations := endpointsFlag(fs)
	paths, code, done := parse(fs, args, stdout, stderr)
	switch {
	case done:
		return code
	case *data == "":
		return misuse("build", stderr, "--data is missing")
	case *name == "":
		return misuse("build", stderr, "--name is missing")
	case len(paths) == 0:
		return misuse("build", stderr, "a PATH is missing")
	case *memory < leastMemory:
		return misuse("build", stderr, tooLittleMemory)
	}
	defer pace(int64(*memory) << 20)()
	declared, err := declarations.read()
	if err != nil {
		return fault(stderr, err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	engine, err := ingest.Open(*data, ingest.Options{Workers: *workers, Declarations: declared, History: history.Options{Compress: *compress}, Log: logger(stderr, false)})
	if err != nil {
		return fault(stderr, err)
	}
	report, err := build(ctx, engine, *name, paths, *data)
	if ctx.Err() == nil {
		err = errors.Join(err, finishOthers(ctx, engine, stderr))
	}
	closing, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if err := errors.Join(err, engine.Close(closing)); err != nil {
		return fault(stderr, err)
	}
	code = exitOK
	for _, sentence := range report.leftOut() {
		code = fault(stderr, errors.New(sentence))
	}
	if *asJSON {
		enc := json.NewEncoder(stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(report)
	} else {
		err = report.text(stdout)
	}
	if err != nil {
		return fault(stderr, err)
	}
	return code
}

func build(ctx context.Context, engine *ingest.Engine, name string, paths []string, data string) (*buildReport, error) {
	begin := time.Now()
	set, err := engine.ImportPaths(name, paths...)
	if err != nil {
		return nil, err
	}
	if err := follow(ctx, set); err != nil {
		if st := set.Status(); st.State == ingest.Failed && !st.Halted {
			return nil, errors.Join(err, engine.Delete(set.ID()))
		}
		return nil, err
	}
	st := set.Status()
	report := &buildReport{
		Set: st.ID, Name: st.Name, Events: st.Events, LostEvents: st.LostEvents, LostPackets: st.LostPackets, Anomalies: st.Anomalies,
		Odd: set.Report().Anomalies, Stages: set.Stages(), Elapsed: time.Since(begin),
	}
	for _, h := range st.Hosts {
		report.Hosts = append(report.Hosts, buildHost{h.Name, h.State, h.Events, h.LostEvents, h.LostPackets})
	}
	if s := set.Solution(); s != nil {
		report.Messages = s.Counts.Matched
	}
	report.Bytes, err = sizes(filepath.Join(data, "sets", st.ID))
	return report, err
}

// finishOthers waits for the sets whose imports were interrupted before, which the engine has gone on with. One that fails is told of.
func finishOthers(ctx context.Context, engine *ingest.Engine, stderr io.Writer) error {
	for _, set := range engine.Sets() {
		if set.Status().State != ingest.Importing {
			continue
		}
		fmt.Fprintf(stderr, "synchroscope build: %s was interrupted before and is finished as well\n", set.Status().Name)
		if err := follow(ctx, set); err != nil {
			if ctx.Err() != nil {
				return err
			}
			fmt.Fprintf(stderr, "synchroscope build: %s: %v\n", set.Status().Name, err)
		}
	}
	return nil
}

// follow waits for an import and shows how far it has come.
func follow(ctx context.Context, set *ingest.Set) error {
	shown := newProgress("import")
	defer shown.end()
	ended := make(chan error, 1)
	go func() { ended <- set.Wait(ctx) }()
	for {
		changed := set.Changed()
		select {
		case err := <-ended:
			return err
		case <-changed:
			shown.show(int64(1000*set.Status().Progress), 1000)
		}
	}
}

// sizes sums up the files of a set by what they are.
func sizes(dir string) (map[string]int64, error) {
	sum := make(map[string]int64)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		in, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		kind := "traces"
		switch base := filepath.Base(path); {
		case filepath.Dir(in) == ".":
			kind = base // messages, solution
		case filepath.Base(filepath.Dir(filepath.Dir(path))) == "hosts" && base == "history.tree":
			kind = "history"
		case filepath.Base(filepath.Dir(filepath.Dir(path))) == "hosts" && base == "endpoints":
			kind = base
		case filepath.Base(filepath.Dir(filepath.Dir(path))) == "hosts":
			kind = "checkpoints"
		}
		sum[kind] += info.Size()
		return nil
	})
	return sum, err
}

func (r *buildReport) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "set\t%s (%s)\n", r.Name, r.Set)
	fmt.Fprintf(t, "events\t%s, %s, %s anomalies, %s messages\n",
		humanize.Comma(r.Events), lostText(r.LostEvents, r.LostPackets, humanize.Comma), humanize.Comma(r.Anomalies), humanize.Comma(r.Messages))
	for _, h := range r.Hosts {
		fmt.Fprintf(t, "host %s\t%s, %s events, %s\n", h.Name, h.State, humanize.Comma(h.Events), lostText(h.LostEvents, h.LostPackets, humanize.Comma))
	}
	for _, kind := range []string{"traces", "history", "endpoints", "messages", "solution", "checkpoints"} {
		if n := r.Bytes[kind]; n > 0 {
			fmt.Fprintf(t, "%s\t%s\n", kind, humanize.IBytes(uint64(n)))
		}
	}
	for _, s := range r.Stages {
		fmt.Fprintf(t, "%s\t%s\n", s.Name, s.Time.Round(time.Millisecond))
	}
	fmt.Fprintf(t, "together\t%s\n", r.Elapsed.Round(time.Millisecond))
	if err := t.Flush(); err != nil {
		return err
	}
	return r.oddities(w)
}

// leftOut are sentences on what could not be read of the input.
func (r *buildReport) leftOut() (sentences []string) {
	for _, o := range r.Odd {
		if !o.LeavesOut() {
			continue
		}
		for _, p := range o.Places {
			if p.Host != "" {
				p.Message = fmt.Sprintf("%s could not be read to its end: %s", printable(p.Host), p.Message)
			}
			sentences = append(sentences, p.Message)
		}
		if o.Others > 0 {
			sentences = append(sentences, fmt.Sprintf("%s more of the kind %s", plural(int64(o.Others), "place", "places"), o.Kind))
		}
	}
	return sentences
}

// mostPlaces of what was odd are written for a kind.
const mostPlaces = 5

// oddities writes what was odd, by kind: what it means, and where it was most often.
func (r *buildReport) oddities(out io.Writer) error {
	var b strings.Builder
	for _, o := range r.Odd {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(o.What+" "+o.Means))
		shown := o.Places[:min(len(o.Places), mostPlaces)]
		for _, p := range shown {
			fmt.Fprintf(&b, "  %s, ", o.Kind)
			if p.Count > 1 {
				fmt.Fprintf(&b, "%s times, first ", humanize.Comma(p.Count))
			}
			if p.Host != "" {
				fmt.Fprintf(&b, "on %s, ", printable(p.Host))
			}
			if p.Host != "" && p.Stream != "" {
				fmt.Fprintf(&b, "in %s at byte %d: ", printable(p.Stream), p.Offset)
			}
			fmt.Fprintf(&b, "%s\n", printable(p.Message))
		}
		if n := int64(o.Others + len(o.Places) - len(shown)); n > 0 {
			fmt.Fprintf(&b, "  and in %s\n", plural(n, "other place", "other places"))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
