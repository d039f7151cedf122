package declared

import (
	"fmt"
	"slices"

	"synchroscope/trace"
	"synchroscope/trace/filter"
)

// Unmet says, in a sentence for each, which events and fields are declared that none of all classes of a set has, and which may be meant
// instead, and which lines nothing can come of: as lines before them take all events that they fit, as only the kernel has such events, whose classes are given apart, or
// as no event has what the line wants. What some of the classes lack is nothing to be told of.
func (d *Declarations) Unmet(classes, kernel []*trace.Class) (sentences []string) {
	for i := range d.list {
		o := &d.list[i]
		if !slices.ContainsFunc(classes, o.names) && slices.ContainsFunc(kernel, o.names) {
			sentences = append(sentences, filter.Idle(o.number, o.words(), "only traces of the kernel have events with that name, and states are declared of those of applications"))
			continue
		}
		sentences = append(sentences, filter.Unmet(o.words(), o.event, o.fields(), classes)...)
		if why := d.obstacle(i, classes); why != "" {
			sentences = append(sentences, filter.Idle(o.number, o.words(), why))
		}
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

// names tells whether a line names the events of a class.
func (o *declaration) names(c *trace.Class) bool { return o.event.Match([]byte(c.Name)) }

// obstacle says why none of the classes that declaration i names has an event that it can be of, as to the one that is nearest to it; "" where one has, and where
// there is no such event or field at all.
func (d *Declarations) obstacle(i int, classes []*trace.Class) (why string) {
	o := &d.list[i]
	absent := slices.Concat(o.id, []string{o.row})
	var nearest *obstacle
	for _, c := range classes {
		if !o.names(c) {
			continue
		}
		_, in := d.means(i, c)
		if in == nil {
			return ""
		}
		absent = slices.DeleteFunc(absent, func(f string) bool { return f == "" || c.Field(f) != nil })
		if nearest == nil || in.sort > nearest.sort {
			nearest, why = in, in.words(c.Name)
		}
	}
	if len(absent) > 0 {
		return ""
	}
	return why
}

// taker is the line that takes the first of the events that declaration i fits, if none is left of them by the lines before it.
func (d *Declarations) taker(i int, classes []*trace.Class) (by *declaration) {
	for _, c := range classes {
		if !d.list[i].names(c) {
			continue
		}
		a, why := d.means(i, c)
		if why != nil {
			continue
		}
		before := 0
		for before < i && !d.takes(before, c, a) {
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

// takes tells whether a declaration takes all events of a class that have what another needs.
func (d *Declarations) takes(i int, c *trace.Class, other meaning) bool {
	if !d.list[i].names(c) {
		return false
	}
	a, why := d.means(i, c)
	return why == nil && other.under(a)
}

// means is what a declaration makes of a class that it names, whatever those before it take.
func (d *Declarations) means(i int, c *trace.Class) (meaning, *obstacle) {
	b := bare(c)
	return b.declare(&d.list[i], d.kinds[d.list[i].kind])
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
