package filter

import "strings"

// A Comparison is a comparison as it is written, for those to whom the language speaks of
// other things than events: rows, for instance. See [ParseFor] and [Fold].
type Comparison struct {
	Left, Right Operand // Right is empty for has
	Sign        string  // "==", "!=", "<", "<=", ">", ">=", "=~", "!~" or "has"

	order  order
	glob   *Glob
	negate bool
}

// An Operand is one side of a comparison: a path or a value.
type Operand struct {
	Path   string // as it is written, "" for a value
	Text   string // of a value: the number as it is written, or what stands between the quotes
	Number bool   // the value is a number

	number number
	wrong  func(problem string) error
}

// Wrong is the error that says what is wrong with the operand, and where it is. Only a
// check of [ParseFor] may ask for it.
func (o Operand) Wrong(problem string) error { return o.wrong(problem) }

// Swapped is the same comparison with its sides exchanged; a pattern has none.
func (c Comparison) Swapped() Comparison {
	c.Left, c.Right, c.order = c.Right, c.Left, c.order.swapped()
	c.Sign = c.order.String()
	return c
}

// Numbers tells whether the comparison, of an order, holds between two integers.
func (c Comparison) Numbers(left, right int64) bool {
	order, _ := compareNumbers(integer(left), integer(right))
	return c.order.has(order)
}

// Number tells whether the comparison holds between an integer and the number on the right.
func (c Comparison) Number(left int64) bool {
	order, ok := compareNumbers(integer(left), c.Right.number)
	return ok && c.order.has(order) || !ok && c.order == less|greater
}

// Texts tells whether the comparison holds between two strings; a pattern is compared with the left one.
func (c Comparison) Texts(left, right string) bool {
	if c.glob != nil {
		return c.glob.Match([]byte(left)) != c.negate
	}
	return c.order.has(strings.Compare(left, right))
}

// ParseFor is Parse for a filter whose comparisons check looks at, from left to right. What check
// has against one is the error, best one that [Operand.Wrong] made.
func ParseFor(text string, check func(Comparison) error) (*Filter, error) {
	return parse(text, check)
}

// An Algebra says what a filter comes to, from its comparisons upwards.
type Algebra[T any] struct {
	Leaf    func(Comparison) T
	Not     func(T) T
	And, Or func([]T) T
}

// Fold computes what f comes to.
func Fold[T any](f *Filter, a Algebra[T]) T { return fold(f.root, a) }

func fold[T any](n node, a Algebra[T]) T {
	all := func(parts []node) []T {
		out := make([]T, len(parts))
		for i, part := range parts {
			out[i] = fold(part, a)
		}
		return out
	}
	switch n := n.(type) {
	case or:
		return a.Or(all(n))
	case and:
		return a.And(all(n))
	case not:
		return a.Not(fold(n.node, a))
	case compare:
		return a.Leaf(n.comparison())
	case fits:
		return a.Leaf(n.comparison())
	}
	return a.Leaf(n.(has).comparison())
}

func (n compare) comparison() Comparison {
	return Comparison{Left: n.left.exported(), Right: n.right.exported(), Sign: n.order.String(), order: n.order}
}

func (n fits) comparison() Comparison {
	sign := "=~"
	if n.negate {
		sign = "!~"
	}
	return Comparison{Left: n.path.exported(), Right: Operand{Text: n.glob.text}, Sign: sign, glob: n.glob, negate: n.negate}
}

func (n has) comparison() Comparison { return Comparison{Left: n.path.exported(), Sign: "has"} }

func (p *path) exported() Operand { return Operand{Path: string(p.append(nil))} }

func (o *operand) exported() Operand {
	if o.isPath() {
		return o.path.exported()
	}
	return Operand{Text: o.text, Number: o.form == aNumber, number: o.number}
}
