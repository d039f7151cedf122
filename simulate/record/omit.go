package record

import "path"

// omitted are the kinds of events, by number, that fit one of the patterns; nil if there are no patterns.
func omitted(patterns []string) []bool {
	if len(patterns) == 0 {
		return nil
	}
	events := layout().base.Streams[0].Events
	all := make([]bool, len(events))
	for _, e := range events {
		for _, p := range patterns {
			fits, _ := path.Match(p, e.Name)
			all[e.ID] = all[e.ID] || fits
		}
	}
	return all
}
