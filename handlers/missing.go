package handlers

import (
	"slices"
	"strconv"

	"synchroscope/ingest"
	"synchroscope/trace/filter"
)

// A missingField is what a filter names, and no kind of event has.
type missingField struct {
	Path string   `json:"path"`
	Near []string `json:"near"` // what may be meant: fields, the likeliest first, and the path as a string
}

// missingFields are those of a filter that no event of the host, "" any, can have: most likely they are misspelt.
func missingFields(set *ingest.Set, f *filter.Filter, host string) ([]missingField, error) {
	classes, err := set.Classes(host)
	if err != nil {
		return nil, err
	}
	missing := f.Missing(classes)
	if len(missing) == 0 {
		return nil, nil
	}
	names := filter.Properties()
	for _, c := range classes {
		c.Paths(func(path string) { names = append(names, path) })
	}
	unquoted := f.Unquoted(classes)
	var out []missingField
	for _, path := range missing {
		near := filter.Nearest(path, names)
		if slices.Contains(unquoted, path) {
			near = append(near, strconv.Quote(path))
		}
		if near == nil {
			near = []string{}
		}
		out = append(out, missingField{path, near})
	}
	return out, nil
}
