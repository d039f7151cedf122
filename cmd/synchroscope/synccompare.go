package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"synchroscope/sync/baseline"
	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// A comparison is one trace set synchronized by every method, all to the same references.
type comparison struct {
	Messages int       `json:"messages"` // looked at
	Thinned  bool      `json:"thinned"`  // fewer than there were, to bound the memory
	Methods  []outcome `json:"methods"`
}

// An outcome is what one method makes of the set.
type outcome struct {
	Method     string        `json:"method"`
	Reference  string        `json:"reference"`      // "" without hosts
	Choice     string        `json:"own_reference"`  // what the method would choose
	Cost       network.Float `json:"ns_per_message"` // to estimate the links, of processor time of one core
	Violations int           `json:"violations"`     // messages received before they are sent
	InTree     int           `json:"violations_in_tree"`
	Hosts      []hostOutcome `json:"hosts"`
	Links      []linkOutcome `json:"links"`

	Truth *baseline.Score `json:"truth"` // null where the truth is not known

	solution *network.Solution
}

type hostOutcome struct {
	Name      string         `json:"name"`
	Component int            `json:"component"`
	Reference bool           `json:"reference"`
	Alpha     *network.Float `json:"alpha"` // reference = alpha·local + beta; null if there are several pieces
	Beta      *network.Float `json:"beta"`
	Offset    offsets        `json:"offset_ns"`
	Bound     *int64         `json:"error_ns"` // the largest; null where there is none
}

// Offsets are one clock less another at the beginning, in the middle and at the end.
type offsets struct {
	Begin  network.Time `json:"begin"`
	Middle network.Time `json:"middle"`
	End    network.Time `json:"end"`
}

type linkOutcome struct {
	A          string         `json:"a"`
	B          string         `json:"b"`
	InTree     bool           `json:"in_tree"`
	Alpha      *network.Float `json:"alpha"` // b = alpha·a + beta; null if there are several pieces, or nothing
	Beta       *network.Float `json:"beta"`
	Pieces     int            `json:"segments"`
	Offset     offsets        `json:"offset_ns"` // b's mapped time is a's, by the hosts' maps
	Violations int            `json:"violations"`
}

// compareMethods synchronizes by all methods. own is by package network.
func compareMethods(own *network.Solution, messages *baseline.Messages, readings [][]baseline.Reading, other baseline.Config) *comparison {
	links := messages.Links()
	p := parts{exclude: own.Options.Exclude}
	used := p.without(slices.Clone(links), own)
	c := &comparison{Messages: messages.Len(), Thinned: messages.Thinned()}
	add := func(name string, s *network.Solution, choice int32, took time.Duration) {
		o := outcome{
			Method: name, Reference: hostName(s, s.Reference), Choice: hostName(s, choice),
			Cost: network.Float(float64(took.Nanoseconds()) / float64(max(1, c.Messages))), solution: s,
		}
		o.describe(s, links)
		if readings != nil {
			if score, ok := baseline.Compare(s, readings); ok {
				o.Truth = &score
			}
		}
		c.Methods = append(c.Methods, o)
	}
	add(network.MethodHull, own, own.Reference, hullCost(used))
	var references []int32
	for i, h := range own.Hosts {
		if int(h.Reference) == i {
			references = append(references, int32(i))
		}
	}
	for _, m := range baseline.Methods() {
		began := time.Now()
		for i := range used {
			m.Estimate(&used[i], other)
		}
		took := time.Since(began)
		pinned := other
		pinned.References = references
		free := baseline.Solve(own, used, m, other)
		add(m.String(), baseline.Solve(own, used, m, pinned), free.Reference, took)
	}
	return c
}

// compareOpened reads all hosts, and the truth if one of the PATHs has it, and compares the methods.
func compareOpened(o *opened, declared string, config network.Config, other baseline.Config, paths []string) (*comparison, error) {
	known, err := readTruth(paths)
	if err != nil {
		return nil, err
	}
	net, messages, err := feedKeeping(o, declared, config)
	if err != nil {
		return nil, err
	}
	own := net.Solution()
	p := parts{exclude: config.Exclude}
	if err := p.check(own); err != nil {
		return nil, err
	}
	var clocks [][]baseline.Reading
	if known != nil {
		clocks = readings(known, own.Hosts)
	}
	return compareMethods(own, messages, clocks, other), nil
}

// printComparison does so, and prints.
func printComparison(out io.Writer, asJSON bool, o *opened, declared string, config network.Config, other baseline.Config, paths []string) error {
	c, err := compareOpened(o, declared, config, other, paths)
	if err != nil {
		return err
	}
	if !asJSON {
		return comparisonText(out, c)
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(c)
}

// hullCost is how long the links take with package hull.
func hullCost(links []baseline.Link) time.Duration {
	began := time.Now()
	for i := range links {
		var h hull.Hull
		var s hull.Series
		for _, m := range links[i].Messages {
			h.Add(m.Side, m.At)
			s.Add(m.Side, m.At)
		}
		if c := h.Class(); c == hull.Accurate || c == hull.Fail {
			s.Fit()
		}
	}
	return time.Since(began)
}

func hostName(s *network.Solution, host int32) string {
	if host < 0 {
		return ""
	}
	return s.Hosts[host].Name
}

func (o *outcome) describe(s *network.Solution, links []baseline.Link) {
	for i := range s.Hosts {
		h := &s.Hosts[i]
		out := hostOutcome{Name: h.Name, Component: h.Component, Reference: int(h.Reference) == i}
		if k := h.Map.Knots(); len(k) == 2 {
			alpha := h.Map.Rate(h.Begin)
			beta := float64(h.Map.Reference(h.Begin)) - alpha*float64(h.Begin)
			out.Alpha, out.Beta = number(alpha), number(beta)
		}
		at := func(x int64) network.Time { return network.Time(h.Map.Reference(x) - x) }
		out.Offset = offsets{at(h.Begin), at(h.Begin + (h.End-h.Begin)/2), at(h.End)}
		if worst, ok := h.Map.Worst(h.Begin, h.End); ok && !out.Reference {
			out.Bound = &worst
		}
		o.Hosts = append(o.Hosts, out)
	}
	violations := make(map[[2]int32]int)
	for i := range links {
		n, _ := baseline.Delays(s, &links[i])
		violations[[2]int32{links[i].A, links[i].B}] = n
	}
	for i := range s.Links {
		k := &s.Links[i]
		a, b := &s.Hosts[k.A], &s.Hosts[k.B]
		out := linkOutcome{
			A: a.Name, B: b.Name, InTree: k.InTree, Pieces: k.Pieces,
			Violations: violations[[2]int32{k.A, k.B}],
		}
		if k.Alpha != nil {
			alpha, _ := k.Alpha.Float64()
			beta, _ := k.Beta.Float64()
			out.Alpha, out.Beta = number(alpha), number(beta)
		}
		at := func(x int64) network.Time { return network.Time(b.Map.Local(a.Map.Reference(x)) - x) }
		out.Offset = offsets{at(a.Begin), at(a.Begin + (a.End-a.Begin)/2), at(a.End)}
		o.Violations += out.Violations
		if k.InTree {
			o.InTree += out.Violations
		}
		o.Links = append(o.Links, out)
	}
}

func number(f float64) *network.Float {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	v := network.Float(f)
	return &v
}

// comparisonText prints a comparison for people.
func comparisonText(out io.Writer, c *comparison) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "METHOD\tREFERENCE\tVIOLATIONS (IN USED LINKS)\tCOST PER MESSAGE\tTRUE ERROR (MEDIAN, WORST)\tBOUND (OUTSIDE)")
	for _, o := range c.Methods {
		truth, bound := "unknown", "none"
		if t := o.Truth; t != nil {
			truth = fmt.Sprintf("%s, %s", micros(t.Median), micros(t.Worst))
			if t.Bounded > 0 {
				bound = fmt.Sprintf("%s (%d of %d)", micros(t.Bound), t.Outside, t.Bounded)
			}
		} else if b, ok := widest(o.Hosts); ok {
			bound = micros(b)
		}
		fmt.Fprintf(w, "%s\t%s\t%d (%d)\t%.0f ns\t%s\t%s\n", o.Method, o.Choice, o.Violations, o.InTree, float64(o.Cost), truth, bound)
	}
	fmt.Fprintln(w, "\nHOST\tMETHOD\tRATE AGAINST THE REFERENCE\tREFERENCE AHEAD BY (BEGIN, MIDDLE, END)")
	for i := range c.Methods[0].Hosts {
		for _, o := range c.Methods {
			h := &o.Hosts[i]
			rate := "pieces"
			switch {
			case h.Reference:
				rate = "reference"
			case h.Alpha != nil:
				rate = ppm(1 / *h.Alpha)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", h.Name, o.Method, rate, h.Offset)
		}
	}
	fmt.Fprintln(w, "\nLINK\tMETHOD\tRATE OF THE SECOND AGAINST THE FIRST\tSECOND AHEAD BY (BEGIN, MIDDLE, END)\tVIOLATIONS")
	for i := range c.Methods[0].Links {
		for _, o := range c.Methods {
			l := &o.Links[i]
			rate := "-"
			switch {
			case l.Alpha != nil:
				rate = ppm(*l.Alpha)
			case l.Pieces > 0:
				rate = plural(int64(l.Pieces), "piece", "pieces")
			}
			used := ""
			if !l.InTree {
				used = " (not used)"
			}
			fmt.Fprintf(w, "%s - %s%s\t%s\t%s\t%s\t%d\n", l.A, l.B, used, o.Method, rate, l.Offset, l.Violations)
		}
	}
	return w.Flush()
}

func widest(hosts []hostOutcome) (worst int64, ok bool) {
	for _, h := range hosts {
		if h.Bound != nil {
			worst, ok = max(worst, *h.Bound), true
		}
	}
	return worst, ok
}

// String is in seconds to the nanosecond.
func (o offsets) String() string {
	return fmt.Sprintf("%+.9f s, %+.9f s, %+.9f s", float64(o.Begin)/1e9, float64(o.Middle)/1e9, float64(o.End)/1e9)
}
