package match

import (
	"slices"

	"synchroscope/trace"
	"synchroscope/trace/filter"
)

// Unmet says, in a sentence for each, which events, and fields of their keys and ends, are declared that none of all classes of a set has, and
// which may be meant instead, and which lines have nothing left of all events that they fit, as lines before them take these. What some of the classes lack is
// nothing to be told of.
func (d *Declarations) Unmet(classes []*trace.Class) (sentences []string) {
	for i := range d.list {
		o := &d.list[i]
		line := o.words()
		fields := slices.Concat(o.key, o.end, []string{o.peer, o.bytes})
		fields = slices.DeleteFunc(fields, func(f string) bool { return f == "" })
		slices.Sort(fields)
		sentences = append(sentences, filter.Unmet(line, o.event, slices.Compact(fields), classes)...)
		if by := d.taker(o, classes); by != nil {
			sentences = append(sentences, filter.Taken(o.line, line, by.line, by.words()+" of message "+by.message))
		}
	}
	return sentences
}

// words are how a line begins.
func (o *declaration) words() string {
	if o.direction == Receive {
		return "receive " + o.event.String()
	}
	return "send " + o.event.String()
}

// taker is the line that takes the first of the events that another fits, if none is left of them by the lines before it.
func (d *Declarations) taker(o *declaration, classes []*trace.Class) (by *declaration) {
	for _, c := range classes {
		if !o.event.Match([]byte(c.Name)) {
			continue
		}
		first := d.find(c.Name)
		if first == o {
			return nil
		}
		if by == nil {
			by = first
		}
	}
	return by
}
