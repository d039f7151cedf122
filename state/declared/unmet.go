package declared

import (
	"slices"

	"synchroscope/trace"
	"synchroscope/trace/filter"
)

// Unmet says, in a sentence for each, which events and fields are declared that none of all classes of a set has, and which may be meant
// instead. What some of them lack is nothing to be told of.
func (d *Declarations) Unmet(classes []*trace.Class) (sentences []string) {
	for i := range d.list {
		o := &d.list[i]
		line := "end " + o.event.String()
		if o.begins {
			line = "begin " + o.event.String()
		}
		sentences = append(sentences, filter.Unmet(line, o.event, o.fields(), classes)...)
	}
	return sentences
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
