package filter

import (
	"maps"
	"slices"
	"strconv"

	"synchroscope/trace"
)

// A node is a part of a filter as it is written.
type node interface {
	append(b []byte) []byte
	paths(visit func(*path))
	compared(visit func(p *path, with *operand))              // the paths in comparisons, and what is on the other side
	named(visit func(text string, is func(name string) bool)) // what the names of events are compared with
	spell(words map[*path]bool) node                          // the same with such paths as strings
	compile(c *compilation) condition
}

type (
	or  []node
	and []node
	not struct{ node }
	has struct{ path *path }

	compare struct {
		left, right operand
		order       order
	}

	// fits is a comparison with a pattern.
	fits struct {
		path   *path
		glob   *Glob
		negate bool
	}
)

// A path says where a value is.
type path struct {
	names    []string
	element  int // of an array, -1 for none
	where    where
	property property // if the path is not that of a field
}

// where a path is looked for.
type where uint8

const (
	anywhere where = iota // properties, then payload, then contexts
	fields                // payload, then contexts
	contexts
)

// A property is what an event has besides fields.
type property uint8

const (
	noProperty property = iota
	nameProperty
	hostProperty
	cpuProperty
	timeProperty
	localProperty  // time by the host's own clock
	fieldsProperty // the payload in the text form
	threadProperty // who was on the CPU
)

var properties = map[string]property{
	"name": nameProperty, "host": hostProperty, "cpu": cpuProperty, "time": timeProperty, "local_time": localProperty, "fields": fieldsProperty,
	"thread": threadProperty,
}

// Properties are the names of what every event has besides fields.
func Properties() []string { return slices.Sorted(maps.Keys(properties)) }

// A kind is what is known of an operand before there is a class.
type kind uint8

const (
	anything kind = iota
	aNumber
	aString
)

func (k kind) String() string { return [...]string{"anything", "a number", "a string"}[k] }

// An operand is one side of a comparison: a path, or a value as it is written.
type operand struct {
	path   *path
	form   kind
	text   string
	number number
}

func (o *operand) isPath() bool { return o.path != nil }

func (o *operand) property() property {
	if o.path == nil {
		return noProperty
	}
	return o.path.property
}

func (o *operand) kind() kind {
	switch o.property() {
	case nameProperty, hostProperty, fieldsProperty:
		return aString
	case cpuProperty, timeProperty, localProperty, threadProperty:
		return aNumber
	}
	return o.form
}

// meant reads a value anew that is compared with a property: seconds with a time.
func (o *operand) meant(p property) error {
	if p != timeProperty && p != localProperty || o.form != aNumber || o.number.form != float {
		return nil
	}
	ns, err := trace.ParseTime(o.text)
	o.number = integer(ns)
	return err
}

func (p *path) append(b []byte) []byte {
	b = append(b, [...]string{"", ".", "$ctx."}[p.where]...)
	for i, name := range p.names {
		if i > 0 {
			b = append(b, '.')
		}
		plain := isLetter(name[0])
		for _, c := range []byte(name) {
			plain = plain && (isLetter(c) || isDigit(c))
		}
		if plain {
			b = append(b, name...)
		} else {
			b = strconv.AppendQuote(b, name)
		}
	}
	if p.element >= 0 {
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(p.element), 10)
		b = append(b, ']')
	}
	return b
}

func (o *operand) append(b []byte) []byte {
	switch {
	case o.isPath():
		return o.path.append(b)
	case o.form == aString:
		return strconv.AppendQuote(b, o.text)
	}
	return append(b, o.text...)
}

// inner appends a part of a larger filter, in parentheses where it binds less than what is around it.
func inner(b []byte, n node) []byte {
	switch n.(type) {
	case or, and:
		return append(n.append(append(b, '(')), ')')
	}
	return n.append(b)
}

func (n or) append(b []byte) []byte {
	for i, part := range n {
		if i > 0 {
			b = append(b, " || "...)
		}
		if _, chain := part.(and); chain {
			b = part.append(b)
		} else {
			b = inner(b, part)
		}
	}
	return b
}

func (n and) append(b []byte) []byte {
	for i, part := range n {
		if i > 0 {
			b = append(b, " && "...)
		}
		b = inner(b, part)
	}
	return b
}

func (n not) append(b []byte) []byte { return inner(append(b, '!'), n.node) }
func (n has) append(b []byte) []byte { return append(n.path.append(append(b, "has("...)), ')') }

func (n compare) append(b []byte) []byte {
	b = append(n.left.append(b), ' ')
	b = append(append(b, n.order.String()...), ' ')
	return n.right.append(b)
}

func (n fits) append(b []byte) []byte {
	b = append(n.path.append(b), " =~ "...)
	if n.negate {
		b[len(b)-3] = '!'
	}
	return strconv.AppendQuote(b, n.glob.text)
}

func (n or) paths(visit func(*path)) {
	for _, part := range n {
		part.paths(visit)
	}
}

func (n and) paths(visit func(*path)) { or(n).paths(visit) }
func (n has) paths(visit func(*path)) { visit(n.path) }

func (n compare) paths(visit func(*path)) {
	for _, o := range [...]operand{n.left, n.right} {
		if o.isPath() {
			visit(o.path)
		}
	}
}

func (n fits) paths(visit func(*path)) { visit(n.path) }
