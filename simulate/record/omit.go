package record

import "path"

// omits reports whether a kind of event is not recorded: as with a tracer it was not enabled in, it is not in the metadata either.
func (o *Options) omits(name string) bool {
	for _, p := range o.Omit {
		if fits, _ := path.Match(p, name); fits {
			return true
		}
	}
	return false
}

// omitted are the kinds of events, by number, that are not recorded; nil if all are.
func (o *Options) omitted() []bool {
	if len(o.Omit) == 0 {
		return nil
	}
	events := layout().base.Streams[0].Events
	all := make([]bool, len(events))
	for _, e := range events {
		all[e.ID] = o.omits(e.Name)
	}
	return all
}
