package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"synchroscope/sync/baseline"
	"synchroscope/sync/clock"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/sync/report"
	"synchroscope/trace/ctf"
)

func syncCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("sync", "[--json] [--reference HOST] [--method METHOD | --compare] [--exclude A,B] [--window BEGIN,END] [--between A,B] [--endpoints FILE] PATH...", `Matches the messages that the hosts sent to each other, synchronizes their
clocks by them and prints the result. All PATHs are one trace set. Messages of
applications are known by what a file declares; docs/guide/endpoints.md has how.
Only the method hull bounds its error; the others are there to compare with.`)
	asJSON := fs.Bool("json", false, "print JSON")
	reference := fs.String("reference", "", "the `HOST` whose time is reference time; the best one if not given")
	method := fs.String("method", network.MethodHull, "how to estimate a link: "+strings.Join(baseline.Names(), ", "))
	ways := fs.String("paths", "", "how other methods than hull choose ways to the reference: tree, dijkstra, all-pairs; what their authors did if not given")
	compare := fs.Bool("compare", false, "print what every method makes of the set, and how far it is from a truth.json in a PATH")
	declarations, files, part := endpointsFlag(fs), exportFlags(fs), partsFlags(fs)
	var between pairs
	fs.Func("between", "two hosts to be compared directly, as their names: `A,B`; may be given again", between.add)
	paths, code, done := parse(fs, args, stdout, stderr)
	switch {
	case done:
		return code
	case len(paths) == 0:
		return misuse("sync", stderr, "a PATH is missing")
	case !slices.Contains(baseline.Names(), *method):
		return misuse("sync", stderr, fmt.Sprintf("there is no method %q, there is %s", *method, strings.Join(baseline.Names(), ", ")))
	case *compare && isSet(fs, "method"):
		return misuse("sync", stderr, "--compare is of all methods; --method is of one")
	case *compare && part.window != nil:
		return misuse("sync", stderr, "--compare is of all messages; --window is of some")
	case *compare && len(between) > 0:
		return misuse("sync", stderr, "--compare is of all methods; --between is of one")
	case *compare && files.wanted():
		return misuse("sync", stderr, "--compare is of all methods; --report, --csv and --jsonl are of one")
	}
	var other baseline.Config
	if *ways != "" {
		p, ok := baseline.ParsePaths(*ways)
		switch {
		case !ok:
			return misuse("sync", stderr, fmt.Sprintf("there are no paths %q, there are tree, dijkstra, all-pairs", *ways))
		case *method == network.MethodHull && !*compare:
			return misuse("sync", stderr, "--paths is of other methods; hull uses the tree")
		}
		other.Paths = &p
	}

	declared, err := declarations.read()
	if err != nil {
		return fault(stderr, err)
	}
	opened := openPaths(paths)
	defer opened.close()
	code = exitOK
	for _, err := range opened.errs {
		code = fault(stderr, err)
	}
	hosts := opened.hosts
	if len(hosts) == 0 {
		return exitFault // each path has its sentence
	}
	if *reference != "" && !slices.ContainsFunc(hosts, func(h ctf.HostTraces) bool { return h.Name == *reference }) {
		return fault(stderr, fmt.Errorf("there is no host %q among %s", *reference, hostNames(hosts)))
	}
	tellUnmet(stderr, declared, opened.traces)
	tellUnmet(stderr, opened.declared, opened.traces)
	config := network.Config{Reference: *reference, Exclude: part.exclude, Window: part.window}
	defer func() { tellHarmed(stderr, opened) }()
	if *compare {
		if err := printComparison(stdout, *asJSON, opened, declared, config, other, paths); err != nil {
			return fault(stderr, err)
		}
		return code
	}
	if config.Settled, err = files.open(paths, hosts); err != nil {
		return fault(stderr, err)
	}
	defer files.close()
	solution, comparing, err := synchronizeBy(opened, declared, config, *method, other)
	if err == nil {
		err = part.check(solution)
	}
	var compared []network.Comparison
	if err == nil && len(between) > 0 {
		compared, err = comparing(between...)
	}
	if err == nil && files.wanted() {
		solution, err = paired(solution, comparing)
	}
	if err == nil {
		err = files.write(solution)
	}
	if err != nil {
		return fault(stderr, err)
	}
	if *asJSON {
		enc := json.NewEncoder(stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(newSyncReport(solution, compared))
	} else if err = solutionText(stdout, solution); err == nil {
		err = betweenText(stdout, compared)
	}
	if err != nil {
		return fault(stderr, err)
	}
	return code
}

func hostNames(hosts []ctf.HostTraces) string {
	names := make([]string, len(hosts))
	for i, h := range hosts {
		names[i] = h.Name
	}
	return strings.Join(names, ", ")
}

// feed is one host on its way into the network.
type feed struct {
	host       int32
	reader     *ctf.Reader
	extractor  *match.Extractor
	ticks      clock.Ticks
	all        int64 // bytes
	begin, end int64
	any        bool
	rising     bool // its clock surely never went back
}

// feedAll reads all hosts into a network, and tells each message and each retraction unless told is
// nil. It reads the hosts in step, whatever their clocks show, so that few endpoints wait.
func feedAll(o *opened, declared string, config network.Config, told func(match.Message)) (*network.Network, error) {
	declarations, err := match.ParseDeclarations("endpoints", declared+"\n"+o.declared)
	if err != nil {
		return nil, err
	}
	net := network.New(config)
	feeds := make([]*feed, 0, len(o.hosts))
	defer func() {
		for _, f := range feeds {
			f.reader.Close()
		}
	}()
	var all, read int64
	for _, h := range o.hosts {
		reader, err := ctf.NewReader(h.Traces, ctf.Options{})
		if err != nil {
			return nil, err
		}
		f := &feed{host: net.AddHost(h.Name, h.ID), reader: reader}
		f.rising = h.Ordered()
		f.extractor = match.NewExtractor(f.host)
		f.extractor.Declare(declarations, h.Name)
		for _, t := range h.Traces {
			f.all += t.Info().Bytes
		}
		all += f.all
		feeds = append(feeds, f)
	}
	progress := newProgress("synchronizing")
	defer progress.end()
	pace := match.NewPace(len(feeds))
	for {
		next := pace.Next()
		if next < 0 {
			o.harmed = nil
			for i, f := range feeds {
				if words := harm(f.reader.Anomalies()); words != "" {
					o.harmed = append(o.harmed, o.hosts[i].Name+": "+words)
				}
			}
			return net, nil
		}
		f := feeds[next]
		before := f.reader.Bytes()
		if err := f.step(net, pace, told); err != nil {
			return nil, err
		}
		read += f.reader.Bytes() - before
		progress.show(read, all)
	}
}

// step feeds the next events to the network.
func (f *feed) step(net *network.Network, pace *match.Pace, told func(match.Message)) error {
	matched := pace.Message
	if told != nil {
		matched = func(m match.Message) {
			pace.Message(m)
			told(m)
		}
	}
	for range progressStep {
		ev, err := f.reader.Next()
		if err == io.EOF {
			if f.any {
				net.Span(f.host, f.begin, f.end)
				net.Tick(f.host, f.ticks.Tick())
				net.Rising(f.host, f.rising)
			}
			net.Done(f.host, told)
			pace.Done(f.host)
			return nil
		}
		if err != nil {
			return err
		}
		if !f.any {
			f.begin, f.end, f.any = ev.Time, ev.Time, true
		}
		f.begin, f.end = min(f.begin, ev.Time), max(f.end, ev.Time)
		f.ticks.Add(ev.Recorded)
		f.rising = f.rising && ev.Recorded >= ev.Time
		if f.reader.Doubled(ev) && f.extractor.Wants(ev.Class) {
			continue
		}
		if e, ok := f.extractor.Extract(ev); ok {
			net.Endpoint(e, matched)
		}
	}
	pace.At(f.host, float64(f.reader.Bytes())/float64(max(f.all, 1)), f.end)
	return nil
}

// solutionText prints the result for people.
func solutionText(out io.Writer, s *network.Solution) error {
	r := s.Report()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "HOST\tCOMPONENT\tRATE AGAINST THE REFERENCE\tERROR")
	for _, h := range r.Hosts {
		rate, bound := "-", "unknown"
		if len(h.Map) > 0 {
			rate = rates(h.Map)
		}
		if h.Error != nil {
			bound = fmt.Sprintf("%s to %s", micros(h.Error.Min), micros(h.Error.Max))
		}
		if h.Reference {
			rate = "reference"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", h.Name, h.Component, rate, bound)
	}
	fmt.Fprintln(w, "\nLINK\tCLASS\tMESSAGES\tRATE OF THE SECOND AGAINST THE FIRST\tERROR (MEDIAN)\tLATENCY (MIN)\tVIOLATIONS")
	violations, early := 0, false
	for _, l := range r.Links {
		violations += l.Violations
		for _, q := range []*network.QuantilesReport{l.Latency.AToB, l.Latency.BToA} {
			early = early || q != nil && q.Min < -2
		}
		rate, bound := "-", "unknown"
		if l.Alpha != nil {
			rate = ppm(*l.Alpha)
		} else if l.Segments > 0 {
			rate = plural(int64(l.Segments), "piece", "pieces")
		}
		if l.Error != nil {
			bound = micros(l.Error.Median)
		}
		tree := ""
		if !l.InTree {
			tree = " (not used)"
		}
		if l.Excluded {
			tree = " (excluded)"
		}
		fmt.Fprintf(w, "%s - %s%s\t%s\t%d, %d\t%s\t%s\t%s, %s\t%d\n", l.A, l.B, tree, l.Class,
			l.Messages.AToB, l.Messages.BToA, rate, bound, shortest(l.Latency.AToB), shortest(l.Latency.BToA), l.Violations)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if violations == 0 && early {
		fmt.Fprintln(out, "\nlatencies below zero are of messages close to where a clock was set, and within the error there: they count as no violations")
	}
	if r.Options.Window != nil {
		fmt.Fprintln(out, "\nonly the messages of the window count; outside of it errors are of clocks that go on as within it, without being set")
		if names := report.Unstated(s); len(names) > 0 {
			fmt.Fprintf(out, "messages outside of the window show that a clock was set there: beyond that no error is stated of %s\n", strings.Join(names, ", "))
		}
	}
	if p := r.Pinned; p != nil {
		fmt.Fprintf(out, "\n%s is pinned; %s would be the better reference%s\n", p.Host, p.Best, loss(p))
	}
	for _, h := range r.Hosts {
		if h.Tick > 0 {
			fmt.Fprintf(out, "\n%s has a clock that advances by %s at once: what it recorded happened up to that much later, and errors include it\n", h.Name, micros(h.Tick))
		}
	}
	if err := contradictionsText(out, r.Links); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%s\n", matchingText(&r.Matching))
	return err
}

// loss says what a pinned reference costs, as far as that is known.
func loss(p *network.PinnedReport) string {
	if p.Loss == nil {
		return ""
	}
	return fmt.Sprintf(": the errors of the %d hosts add up to %s more", p.Hosts, micros(*p.Loss))
}

// matchingText says what became of the recorded packets.
func matchingText(m *network.MatchingReport) string {
	return fmt.Sprintf("%s of %d sent and %d received packets; seen twice %d, ambiguous %d, local %d, pieces of others %d, without partner %d and %d, given up %d",
		plural(m.Matched, "message", "messages"), m.Sent, m.Received, m.Retransmitted, m.Ambiguous, m.Loopback, m.Pieces, m.UnmatchedSent, m.UnmatchedReceived, m.Evicted)
}

// contradictionsText names the messages that show that a clock stepped, or
// that nothing explains.
func contradictionsText(out io.Writer, links []network.LinkReport) error {
	for _, l := range links {
		what := "a clock was set"
		if l.Class == "fail" {
			what = "no clocks explain the messages"
		}
		for _, c := range l.Cuts {
			if _, err := fmt.Fprintf(out, "\n%s - %s: %s; these contradict each other (sent and received, ns):\n", l.A, l.B, what); err != nil {
				return err
			}
			for _, p := range c.Upper {
				if _, err := fmt.Fprintf(out, "  %s at %d to %s at %d\n", l.A, p[0], l.B, p[1]); err != nil {
					return err
				}
			}
			for _, p := range c.Lower {
				if _, err := fmt.Fprintf(out, "  %s at %d to %s at %d\n", l.B, p[1], l.A, p[0]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func ppm(rate network.Float) string { return fmt.Sprintf("%+.3f ppm", 1e6*(float64(rate)-1)) }

// rates is how much faster the clock of a map's host runs than the reference's, or the least and the greatest of that over its pieces but for those in which the clock was set.
func rates(pieces []network.Piece) string {
	least, most := report.RateRange(pieces)
	if least == most {
		return ppm(network.Float(least))
	}
	return ppm(network.Float(least)) + " to " + ppm(network.Float(most))
}

func shortest(q *network.QuantilesReport) string {
	if q == nil {
		return "-"
	}
	return micros(q.Min)
}

func micros(ns int64) string { return fmt.Sprintf("%.1f µs", float64(ns)/1e3) }
