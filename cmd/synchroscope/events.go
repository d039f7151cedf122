package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"
	"syscall"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// eventsOptions are the flags of events, understood.
type eventsOptions struct {
	json, count, sync bool
	host, name        string // name is a glob; "" means all
	begin, end        int64  // ns, [begin, end)
	limit             int64  // 0: none
}

func eventsCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("events", "[FLAGS] PATH...", `Decodes the events of all traces and prints them merged by time: each host's
own time, or reference time with --sync. A line of text is

  SECONDS HOST cpu=CPU NAME FIELDS | CONTEXT

A time T is a number of nanoseconds since the epoch, or of seconds if it has a
decimal point.`)
	format := fs.String("format", "text", "text, or json for one object a line")
	begin := fs.String("begin", "", "print events at or after `T` only")
	end := fs.String("end", "", "print events before `T` only")
	o := eventsOptions{begin: math.MinInt64, end: math.MaxInt64}
	fs.BoolVar(&o.count, "count", false, "print totals only")
	fs.BoolVar(&o.sync, "sync", false, "synchronize the hosts first; all times are reference times")
	fs.StringVar(&o.host, "host", "", "print the events of this `host` only")
	fs.StringVar(&o.name, "name", "", "print events whose name fits the `glob` only, such as 'sched_*'")
	fs.Int64Var(&o.limit, "limit", 0, "stop after `N` events")
	paths, code, done := parse(fs, args, stdout, stderr)
	if done {
		return code
	}
	var err error
	switch {
	case len(paths) == 0:
		err = errors.New("a PATH is missing")
	case *format != "text" && *format != "json":
		err = fmt.Errorf("the format %q is neither text nor json", *format)
	case o.limit < 0:
		err = fmt.Errorf("the limit %d is negative", o.limit)
	}
	o.json = *format == "json"
	if err == nil && *begin != "" {
		o.begin, err = parseTime(*begin)
	}
	if err == nil && *end != "" {
		o.end, err = parseTime(*end)
	}
	if err == nil {
		_, err = path.Match(o.name, "")
	}
	if err != nil {
		return misuse("events", stderr, err.Error())
	}

	opened := openPaths(paths)
	defer opened.close()
	for _, err := range opened.errs {
		fault(stderr, err)
	}
	out := bufio.NewWriterSize(stdout, 64<<10)
	err = printEvents(opened, o, out)
	if ferr := out.Flush(); err == nil {
		err = ferr
	}
	switch {
	case errors.Is(err, syscall.EPIPE): // the reader, such as head, has enough
		return exitOK
	case err != nil:
		return fault(stderr, err)
	case len(opened.errs) > 0:
		return exitFault
	}
	return exitOK
}

// parseTime reads ns, or seconds with up to nine decimals, since the epoch.
func parseTime(s string) (int64, error) {
	whole, decimals, seconds := strings.Cut(s, ".")
	digits := whole
	if seconds {
		if len(decimals) > 9 {
			return 0, fmt.Errorf("the time %q has more than nine decimals", s)
		}
		digits += decimals + strings.Repeat("0", 9-len(decimals))
	}
	ns, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || strings.TrimPrefix(whole, "-") == "" {
		return 0, fmt.Errorf("%q is no time: nanoseconds, or seconds with a decimal point, since the epoch", s)
	}
	return ns, nil
}

// printEvents prints what o asks for.
func printEvents(opened *opened, o eventsOptions, out *bufio.Writer) error {
	hosts, err := chooseHosts(opened.hosts, o.host)
	if err != nil {
		return err
	}
	clocks, err := referenceClocks(opened.hosts, o.sync)
	if err != nil {
		return err
	}
	if o.count && o.everything() {
		counts, err := countAll(hosts)
		if err != nil {
			return err
		}
		return counts.print(out, opened, o.json)
	}
	m, err := newMerge(hosts, clocks, o)
	if err != nil {
		return err
	}
	defer m.close()
	print := printText
	if o.json {
		print = printJSON
	}
	counts := newEventCounts(hosts)
	var line []byte
	for o.limit == 0 || counts.total < o.limit {
		s, err := m.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("host %s: %w", s.host.Name, err)
		}
		counts.add(s)
		if o.count {
			continue
		}
		line = print(line[:0], s)
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	if o.count {
		return counts.print(out, opened, o.json)
	}
	return nil
}

func chooseHosts(hosts []ctf.HostTraces, name string) ([]ctf.HostTraces, error) {
	if name == "" {
		return hosts, nil
	}
	var names []string
	for _, h := range hosts {
		if h.Name == name {
			return []ctf.HostTraces{h}, nil
		}
		names = append(names, h.Name)
	}
	return nil, fmt.Errorf("no host is called %q; there are: %s", name, strings.Join(names, ", "))
}

// printText writes time, host, CPU, name, the payload, and the contexts behind a bar.
func printText(b []byte, s *source) []byte {
	b = trace.AppendTime(b, s.recorded)
	b = append(b, ' ')
	b = append(b, s.host.Name...)
	if s.event.CPU >= 0 {
		b = append(b, " cpu="...)
		b = strconv.AppendInt(b, int64(s.event.CPU), 10)
	}
	b = append(b, ' ')
	b = append(b, s.event.Class.Name...)
	b = append(b, ' ')
	b = s.event.AppendText(b)
	const bar = " | "
	n := len(b)
	b = s.event.AppendContext(append(b, bar...))
	if len(b) == n+len(bar) {
		b = bytes.TrimRight(b[:n], " ")
	}
	return b
}

// printJSON writes one object. The time is a string, as it does not fit a
// double; the CPU is -1 where the trace does not say; fields and context have the
// form of the text.
func printJSON(b []byte, s *source) []byte {
	b = append(b, `{"time":"`...)
	b = strconv.AppendInt(b, s.recorded, 10)
	b = append(b, `","host":`...)
	b = append(b, s.hostJSON...)
	b = append(b, `,"cpu":`...)
	b = strconv.AppendInt(b, int64(s.event.CPU), 10)
	b = append(b, `,"name":`...)
	b = appendJSONString(b, s.event.Class.Name)
	b = append(b, `,"fields":`...)
	b = appendJSONString(b, string(s.event.AppendText(nil)))
	b = append(b, `,"context":`...)
	b = appendJSONString(b, string(s.event.AppendContext(nil)))
	return append(b, '}')
}

func appendJSONString(b []byte, s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil { // a string always marshals
		panic(err)
	}
	return append(b, quoted...)
}

// eventCounts counts events by host and trace.
type eventCounts struct {
	hosts []ctf.HostTraces
	by    [][]int64
	total int64
}

func newEventCounts(hosts []ctf.HostTraces) *eventCounts {
	c := &eventCounts{hosts: hosts, by: make([][]int64, len(hosts))}
	for i, h := range hosts {
		c.by[i] = make([]int64, len(h.Traces))
	}
	return c
}

func (c *eventCounts) add(s *source) {
	c.by[s.index][s.event.Trace]++
	c.total++
}

// print writes a line for each trace, and the total at the end.
func (c *eventCounts) print(out io.Writer, opened *opened, asJSON bool) error {
	type count struct {
		Host   string `json:"host"`
		Path   string `json:"path"`
		Events int64  `json:"events"`
	}
	traces := []count{}
	for i, h := range c.hosts {
		for j, t := range h.Traces {
			traces = append(traces, count{h.Name, opened.shown[t], c.by[i][j]})
		}
	}
	if asJSON {
		return json.NewEncoder(out).Encode(struct {
			Traces []count `json:"traces"`
			Events int64   `json:"events"`
		}{traces, c.total})
	}
	for _, t := range traces {
		if _, err := fmt.Fprintf(out, "%12d  %s  %s\n", t.Events, t.Host, t.Path); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "%12d  total\n", c.total)
	return err
}

// wanted tells whether the event passes the filter on names; classes keeps the answers.
func wanted(classes *[]uint8, class *trace.Class, glob string) bool {
	const yes, no = 1, 2
	if glob == "" {
		return true
	}
	for class.Index >= len(*classes) {
		*classes = append(*classes, 0)
	}
	answer := &(*classes)[class.Index]
	if *answer == 0 {
		*answer = no
		if fits, _ := path.Match(glob, class.Name); fits {
			*answer = yes
		}
	}
	return *answer == yes
}
