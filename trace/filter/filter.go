// Package filter decides which events are wanted, by an expression such as
//
//	tid == 42 && name =~ "sched_*"
//
// docs/guide/filter.md is the grammar and what it means.
//
// A filter goes through three forms. [Parse] turns the text into a tree that knows no trace. Compile
// resolves the tree for one class of events: paths become fields, everything that
// depends on the class or the host alone is decided, and what it decides is folded away, so that an event of
// another name costs one comparison. What is left is a tree of conditions that
// load fields by a segment and a distance (see package trace): [Program.Match] allocates nothing.
//
// A comparison that makes no sense for an event, because it has no such field or one of another
// kind, is false; that is no error, as the events of a trace differ in their fields. There is no
// arithmetic and no way to look at other events: a filter that remembers is a program, and
// the text and JSON of the events command are there for programs.
package filter

import (
	"unicode/utf8"

	"synchroscope/trace"
)

// What Parse accepts. Filters come from query strings, so their cost is bounded.
const (
	MaxLength = 4096 // bytes of a filter

	maxDepth   = 64  // parentheses and negations within each other
	maxPath    = 32  // elements of a path
	maxPattern = 256 // bytes of a glob
)

// A Filter is an expression that was understood. It does not change; any number
// of goroutines may use it.
type Filter struct {
	root node
}

// Parse reads a filter. Its error is an *[Error].
func Parse(text string) (*Filter, error) { return parse(text, nil) }

func parse(text string, check func(Comparison) error) (*Filter, error) {
	if len(text) > MaxLength {
		return nil, &Error{Column: utf8.RuneCountInString(text[:MaxLength]) + 1, Problem: "the filter is longer than 4096 bytes"}
	}
	p := parser{lexer: lexer{text: text}, check: check}
	if err := p.advance(); err != nil {
		return nil, err
	}
	root, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.token.kind != tokenEnd {
		return nil, p.expected("&&, || or the end of the filter")
	}
	return &Filter{root}, nil
}

// Name is the filter that wants the events whose name fits.
func Name(g *Glob) *Filter {
	return &Filter{fits{path: &path{names: []string{"name"}, element: -1, property: nameProperty}, glob: g}}
}

// All is the filter that wants what all filters want, nil if there are none.
func All(filters ...*Filter) *Filter {
	var nodes and
	for _, f := range filters {
		nodes = append(nodes, f.root)
	}
	switch len(nodes) {
	case 0:
		return nil
	case 1:
		return filters[0]
	}
	return &Filter{nodes}
}

// AsksThread reports whether f asks which thread was on the CPU.
func (f *Filter) AsksThread() bool {
	asks := false
	f.root.paths(func(p *path) { asks = asks || p.property == threadProperty })
	return asks
}

// String writes the filter so that Parse reads the same from it.
func (f *Filter) String() string { return string(f.root.append(nil)) }

// Missing returns the paths in f that no one of the classes has a field for, in the order they
// are written: most likely misspelt.
func (f *Filter) Missing(classes []*trace.Class) []string {
	var missing []string
	seen := make(map[string]bool)
	f.root.paths(func(p *path) {
		text := string(p.append(nil))
		if p.property != noProperty || seen[text] {
			return
		}
		seen[text] = true
		for _, c := range classes {
			if p.resolve(c) != nil {
				return
			}
		}
		missing = append(missing, text)
	})
	return missing
}
