package filter

import (
	"fmt"
	"slices"
	"strings"

	"synchroscope/trace"
)

// Unmet says, in a sentence for each that begins with line, that none of the classes has an event that fits, or that none which fits has
// a field, and what may be meant instead. A line is what asks for them.
func Unmet(line string, event *Glob, fields []string, classes []*trace.Class) (sentences []string) {
	var names, paths []string
	var fit []*trace.Class
	for _, c := range classes {
		names = append(names, c.Name)
		if event.Match([]byte(c.Name)) {
			fit = append(fit, c)
			c.Paths(func(path string) { paths = append(paths, path) })
		}
	}
	if len(fit) == 0 {
		return []string{fmt.Sprintf("%s: no trace has an event with that name%s", line, maybe(event.String(), names))}
	}
	for _, f := range fields {
		if !slices.ContainsFunc(fit, func(c *trace.Class) bool { return c.Field(f) != nil }) {
			sentences = append(sentences, fmt.Sprintf("%s: no such event has a field %s%s", line, f, maybe(f, paths)))
		}
	}
	return sentences
}

// Taken says of a line, by its number in the file, that another before it takes all events that it asks for.
func Taken(number int, line string, by int, before string) string {
	return Idle(number, line, fmt.Sprintf("line %d, %s, is before it and takes all events that fit", by, before))
}

// Idle says of a line, by its number in the file, why nothing comes of it.
func Idle(number int, line, why string) string {
	return fmt.Sprintf("line %d: %s: nothing comes of it, for %s", number, line, why)
}

// maybe asks for the names that are most like one that there is not.
func maybe(name string, names []string) string {
	near := Nearest(name, names)
	if len(near) == 0 {
		return ""
	}
	return "; is " + strings.Join(near, " or ") + " meant?"
}
