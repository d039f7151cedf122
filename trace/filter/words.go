package filter

import (
	"slices"

	"synchroscope/trace"
)

// Words returns f with the words that it compares name or host with as strings, where no one of the
// classes has a field of that name: host == db is then host == "db". It asks for the classes only if
// there are such words.
func (f *Filter) Words(classes func() ([]*trace.Class, error)) (*Filter, error) {
	var bare []*path
	f.root.compared(func(p *path, o *operand) {
		if p.isWord() && o.isNamed() {
			bare = append(bare, p)
		}
	})
	if bare == nil {
		return f, nil
	}
	all, err := classes()
	if err != nil {
		return nil, err
	}
	words := make(map[*path]bool)
	for _, p := range bare {
		words[p] = !slices.ContainsFunc(all, func(c *trace.Class) bool { return p.resolve(c) != nil })
	}
	return &Filter{f.root.spell(words)}, nil
}

// Unquoted returns those of the paths in f that no one of the classes has a field for and that are compared
// with a text: perhaps they are strings that lack their quotes. They are written as [Filter.Missing] does.
func (f *Filter) Unquoted(classes []*trace.Class) []string {
	missing := f.Missing(classes)
	var out []string
	f.root.compared(func(p *path, o *operand) {
		text := string(p.append(nil))
		if p.where == anywhere && p.element < 0 && slices.Contains(missing, text) && !slices.Contains(out, text) && o.hasText(classes) {
			out = append(out, text)
		}
	})
	return out
}

// isWord tells whether the path is written like a word, and is no property.
func (p *path) isWord() bool {
	return p.where == anywhere && p.property == noProperty && len(p.names) == 1 && p.element < 0
}

// isNamed tells whether the operand is the name of the event or of its host.
func (o *operand) isNamed() bool {
	return o.property() == nameProperty || o.property() == hostProperty
}

// hasText tells whether the operand is a text, or has labels, in events of one of the classes.
func (o *operand) hasText(classes []*trace.Class) bool {
	if !o.isPath() || o.kind() != anything {
		return o.isPath() && o.kind() == aString
	}
	return slices.ContainsFunc(classes, func(c *trace.Class) bool {
		s := (&compilation{class: c}).source(o)
		return s.text != nil || s.labels != nil
	})
}

func (n or) compared(visit func(*path, *operand)) {
	for _, part := range n {
		part.compared(visit)
	}
}

func (n and) compared(visit func(*path, *operand)) { or(n).compared(visit) }
func (n has) compared(func(*path, *operand))       {}
func (n fits) compared(func(*path, *operand))      {}

func (n compare) compared(visit func(*path, *operand)) {
	for _, side := range [...][2]*operand{{&n.left, &n.right}, {&n.right, &n.left}} {
		if side[0].isPath() {
			visit(side[0].path, side[1])
		}
	}
}

func (n or) spell(words map[*path]bool) node {
	parts := make(or, len(n))
	for i, part := range n {
		parts[i] = part.spell(words)
	}
	return parts
}

func (n and) spell(words map[*path]bool) node { return and(or(n).spell(words).(or)) }
func (n not) spell(words map[*path]bool) node { return not{n.node.spell(words)} }
func (n has) spell(map[*path]bool) node       { return n }
func (n fits) spell(map[*path]bool) node      { return n }

func (n compare) spell(words map[*path]bool) node {
	for _, o := range [...]*operand{&n.left, &n.right} {
		if o.isPath() && words[o.path] {
			*o = operand{form: aString, text: o.path.names[0]}
		}
	}
	return n
}
