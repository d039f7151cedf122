package handlers

import (
	"synchroscope/ingest"
	"synchroscope/trace/filter"
)

// A missingField is what a filter names, and no kind of event has.
type missingField struct {
	Path string   `json:"path"`
	Near []string `json:"near"` // fields that may be meant, the likeliest first
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
	var out []missingField
	for _, path := range missing {
		near := filter.Nearest(path, names)
		if near == nil {
			near = []string{}
		}
		out = append(out, missingField{path, near})
	}
	return out, nil
}
