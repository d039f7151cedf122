package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
	"synchroscope/trace/filter"
)

// eventsOptions are the flags of events, understood.
type eventsOptions struct {
	json, count, sync bool
	host              string
	begin, end        bound          // [begin, end); the latest time there is for end means no end
	limit             int64          // 0: none
	where             *filter.Filter // nil: all
}

func eventsCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("events", "[FLAGS] PATH...", `Decodes the events of all traces and prints them merged by time: each host's
own time, or reference time with --sync. A line of text is

  SECONDS HOST cpu=CPU NAME FIELDS | CONTEXT

A time T is a number of nanoseconds since the epoch, or of seconds if it has a
decimal point. With a + before it, it counts from the first event; such a time
may also be a duration, as +1.5s or +20ms. A filter F is such as

  tid == 42 && name =~ "sched_*"

of fields by their path, name, host, cpu and time; docs/guide/filter.md has all of it.`)
	var o eventsOptions
	format := fs.String("format", "text", "text, or json for one object a line")
	begin := fs.String("begin", "", "print events at or after `T` only")
	end := fs.String("end", "", "print events before `T` only")
	name := fs.String("name", "", "print events whose name fits the `glob` only, such as 'sched_*'")
	where := fs.String("where", "", "print events that the filter `F` wants only")
	fs.BoolVar(&o.count, "count", false, "print totals only")
	fs.BoolVar(&o.sync, "sync", false, "synchronize the hosts first; all times are reference times")
	fs.StringVar(&o.host, "host", "", "print the events of this `host` only")
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
	if err == nil {
		o.begin, err = parseBound("--begin", *begin, math.MinInt64)
	}
	if err == nil {
		o.end, err = parseBound("--end", *end, math.MaxInt64)
	}
	if err == nil && *begin != "" && *end != "" && o.begin.relative == o.end.relative && o.begin.ns >= o.end.ns {
		err = fmt.Errorf("--begin %s is not before --end %s", *begin, *end)
	}
	if err == nil {
		o.where, err = parseFilter(*name, *where)
	}
	if err != nil {
		return misuse("events", stderr, err.Error())
	}

	opened := openPaths(paths)
	defer opened.close()
	failed := len(opened.errs) > 0
	for _, err := range opened.errs {
		fault(stderr, err)
	}
	if len(opened.hosts) == 0 {
		return exitFault
	}
	if o.where != nil {
		o.where, _ = o.where.Words(func() ([]*trace.Class, error) {
			all, _ := opened.classes() // what cannot be read is told of when it is read
			return all, nil
		})
	}
	out := bufio.NewWriterSize(stdout, 64<<10)
	err = printEvents(opened, o, out, func(err error) {
		failed = true
		fault(stderr, err)
	})
	if ferr := out.Flush(); err == nil {
		err = ferr
	}
	if err != nil {
		return fault(stderr, err)
	}
	missing, unquoted := opened.missing(o.where)
	for _, path := range missing {
		hint := ""
		if slices.Contains(unquoted, path) {
			hint = "; a text stands in quotes: " + strconv.Quote(path)
		}
		fmt.Fprintf(stderr, "synchroscope: the filter asks for %s, which no event of these traces has%s\n", printable(path), hint)
	}
	if failed {
		return exitFault
	}
	return exitOK
}

// parseFilter makes one filter of the flags --name and --where, nil if both are empty.
func parseFilter(name, where string) (*filter.Filter, error) {
	var all []*filter.Filter
	if name != "" {
		g, err := filter.NewGlob(name)
		if err != nil {
			return nil, fmt.Errorf("--name: %w", err)
		}
		all = append(all, filter.Name(g))
	}
	if where != "" {
		f, err := filter.Parse(where)
		if err != nil {
			return nil, fmt.Errorf("--where: %w", err)
		}
		all = append(all, f)
	}
	return filter.All(all...), nil
}

// printEvents prints what o asks for. A host that cannot be read on is told
// to unreadable, and the others are printed nevertheless.
func printEvents(opened *opened, o eventsOptions, out *bufio.Writer, unreadable func(error)) error {
	hosts, err := chooseHosts(opened.hosts, o.host)
	if err != nil {
		return err
	}
	clocks, err := referenceClocks(opened, o.sync)
	if err != nil {
		return err
	}
	ended := func(h ctf.HostTraces, err error) { unreadable(opened.renamed(h, err)) }
	if o.count && o.everything() {
		return countAll(hosts, ended).print(out, opened, o.json)
	}
	m := newMerge(hosts, clocks, o, ended)
	defer m.close()
	appendLine := (*source).appendText
	if o.json {
		appendLine = (*source).appendJSON
	}
	counts := newEventCounts(hosts)
	for o.limit == 0 || counts.total < o.limit {
		s := m.next()
		if s == nil {
			break
		}
		counts.add(s)
		if o.count {
			continue
		}
		if _, err := out.Write(append(appendLine(s, out.AvailableBuffer()), '\n')); err != nil {
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
