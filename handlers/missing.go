package handlers

import (
	"slices"
	"strconv"

	"synchroscope/ingest"
	"synchroscope/trace"
	"synchroscope/trace/filter"
)

// A missingField is what a filter names, and no kind of event has.
type missingField struct {
	Path  string   `json:"path"`
	Near  []string `json:"near"`            // what may be meant: fields, the likeliest first, and the path as a string
	Other bool     `json:"other,omitempty"` // kinds of events have it that the pattern of names leaves out
}

// missingFields are those of a filter that no event of the host, "" any, can have that named, nil for all, lets through: most likely they are misspelt,
// or fields of other events.
func missingFields(set *ingest.Set, f, named *filter.Filter, host string) ([]missingField, error) {
	classes, err := set.Classes(host)
	if err != nil {
		return nil, err
	}
	through := classes
	if named != nil {
		through = slices.DeleteFunc(slices.Clone(classes), func(c *trace.Class) bool { return named.Compile(c, host).Never() })
	}
	if len(through) == 0 {
		through = classes // the name is what is wrong
	}
	missing := f.Missing(through)
	if len(missing) == 0 {
		return nil, nil
	}
	names := filter.Properties()
	for _, c := range through {
		c.Paths(func(path string) { names = append(names, path) })
	}
	switches := slices.ContainsFunc(classes, func(c *trace.Class) bool { return c.Name == "sched_switch" })
	unquoted, nowhere := f.Unquoted(through), f.Missing(classes)
	var out []missingField
	for _, path := range missing {
		near := filter.Nearest(path, names)
		if switches && slices.Contains(threadNames, path) {
			near = append([]string{"thread"}, near...)
		}
		if slices.Contains(unquoted, path) {
			near = append(near, strconv.Quote(path))
		}
		if near == nil {
			near = []string{}
		}
		out = append(out, missingField{path, near, !slices.Contains(nowhere, path)})
	}
	return out, nil
}

// A missingName is a name of events that a filter asks for, or a pattern of them, and that no kind of event has.
type missingName struct {
	Name string   `json:"name"`
	Near []string `json:"near"` // what may be meant, the likeliest first
}

// missingNames are those of a filter that no event of the host, "" any, has.
func missingNames(set *ingest.Set, f *filter.Filter, host string) ([]missingName, error) {
	classes, err := set.Classes(host)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range classes {
		names = append(names, c.Name)
	}
	var out []missingName
	for _, name := range f.Unnamed(classes) {
		near := filter.NearestPattern(name, names)
		if near == nil {
			near = []string{}
		}
		out = append(out, missingName{name, near})
	}
	return out, nil
}

// threadNames are what fields are called elsewhere that say which thread caused an event.
var threadNames = []string{"tid", "pid", "vtid", "vpid"}
