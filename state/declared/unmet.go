package declared

import (
	"fmt"
	"slices"
	"strings"

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
		var names, paths []string
		var fit []*trace.Class
		for _, c := range classes {
			names = append(names, c.Name)
			if o.event.Match([]byte(c.Name)) {
				fit = append(fit, c)
				c.Paths(func(path string) { paths = append(paths, path) })
			}
		}
		if len(fit) == 0 {
			sentences = append(sentences, fmt.Sprintf("%s: no trace has an event with that name%s", line, meant(o.event.String(), names)))
			continue
		}
		for _, f := range o.fields() {
			if !slices.ContainsFunc(fit, func(c *trace.Class) bool { return c.Field(f) != nil }) {
				sentences = append(sentences, fmt.Sprintf("%s: no such event has a field %s%s", line, f, meant(f, paths)))
			}
		}
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

// meant asks for the names that are most like one that there is not.
func meant(name string, names []string) string {
	near := filter.Nearest(name, names)
	if len(near) == 0 {
		return ""
	}
	return "; is " + strings.Join(near, " or ") + " meant?"
}
