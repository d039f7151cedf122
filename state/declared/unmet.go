package declared

import (
	"fmt"
	"slices"

	"synchroscope/trace"
	"synchroscope/trace/filter"
)

// Unmet says, in a sentence for each, which events and fields are declared that none of all classes of a set has, and which may be meant
// instead, and which lines have nothing left of all events that they fit, as lines before them take these. What some of the classes lack is nothing to be told of.
func (d *Declarations) Unmet(classes []*trace.Class) (sentences []string) {
	for i := range d.list {
		o := &d.list[i]
		sentences = append(sentences, filter.Unmet(o.words(), o.event, o.fields(), classes)...)
		if by := d.taker(i, classes); by != nil {
			sentences = append(sentences, filter.Taken(o.number, o.words(), by.number, fmt.Sprintf("%s of %s", by.words(), d.kinds[by.kind].words())))
		}
	}
	return sentences
}

// words are the line of a kind.
func (k kind) words() string {
	if k.spans {
		return "spans " + k.name
	}
	return "calls " + k.name
}

// words are how a line begins.
func (o *declaration) words() string {
	if o.begins {
		return "begin " + o.event.String()
	}
	return "end " + o.event.String()
}

// taker is the line that takes the first of the events that declaration i fits, if none is left of them by the lines before it.
func (d *Declarations) taker(i int, classes []*trace.Class) (by *declaration) {
	for _, c := range classes {
		if !d.means(i, c) {
			continue
		}
		before := 0
		for before < i && !d.means(before, c) {
			before++
		}
		if before == i {
			return nil
		}
		if by == nil {
			by = &d.list[before]
		}
	}
	return by
}

// means tells whether a declaration fits a class, whatever those before it take.
func (d *Declarations) means(i int, c *trace.Class) bool {
	o := &d.list[i]
	b := binding{class: c, tid: first(c, "vtid", "tid")}
	return o.event.Match([]byte(c.Name)) && b.declare(o, d.kinds[o.kind])
}

// fields are those that a line names, each once.
func (o *declaration) fields() (all []string) {
	for _, f := range slices.Concat(o.id, []string{o.what, o.row}) {
		if f != "" && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}
