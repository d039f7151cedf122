package match

import (
	"slices"

	"synchroscope/trace"
	"synchroscope/trace/filter"
)

// Unmet says, in a sentence for each, which events, and fields of their keys and ends, are declared that none of all classes of a set has, and
// which may be meant instead. What some of them lack is nothing to be told of.
func (d *Declarations) Unmet(classes []*trace.Class) (sentences []string) {
	for i := range d.list {
		o := &d.list[i]
		line := "send " + o.event.String()
		if o.direction == Receive {
			line = "receive " + o.event.String()
		}
		fields := slices.Concat(o.key, o.end, []string{o.peer, o.bytes})
		fields = slices.DeleteFunc(fields, func(f string) bool { return f == "" })
		slices.Sort(fields)
		sentences = append(sentences, filter.Unmet(line, o.event, slices.Compact(fields), classes)...)
	}
	return sentences
}
