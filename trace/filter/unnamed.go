package filter

import (
	"slices"
	"strings"

	"synchroscope/trace"
)

// Unnamed returns the names and patterns of names that f asks for and that none of the classes has, in the order they are written: most likely
// misspelt, or of what was not recorded.
func (f *Filter) Unnamed(classes []*trace.Class) []string {
	var out []string
	f.root.named(func(text string, is func(name string) bool) {
		if !slices.Contains(out, text) && !slices.ContainsFunc(classes, func(c *trace.Class) bool { return is(c.Name) }) {
			out = append(out, text)
		}
	})
	return out
}

// NearestPattern returns what [Nearest] does, of a name or a pattern of names.
func NearestPattern(meant string, names []string) []string {
	return Nearest(strings.ReplaceAll(meant, "*", ""), names)
}

func (n or) named(visit func(string, func(string) bool)) {
	for _, part := range n {
		part.named(visit)
	}
}

func (n and) named(visit func(string, func(string) bool)) { or(n).named(visit) }
func (n has) named(func(string, func(string) bool))       {}

func (n fits) named(visit func(string, func(string) bool)) {
	if n.path.property == nameProperty {
		visit(n.glob.text, func(name string) bool { return n.glob.Match([]byte(name)) })
	}
}

func (n compare) named(visit func(string, func(string) bool)) {
	for _, side := range [...][2]*operand{{&n.left, &n.right}, {&n.right, &n.left}} {
		if side[0].property() == nameProperty && !side[1].isPath() && (n.order == equal || n.order == less|greater) {
			visit(side[1].text, func(name string) bool { return name == side[1].text })
		}
	}
}
