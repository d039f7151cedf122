// Package rowfilter decides which rows of threads are wanted, by an expression such as
//
//	host == web1 && status == blocked && syscall =~ "futex"
//
// docs/guide/rows.md is what it means, docs/guide/fine-print/rows.md has the grammar. The language is that of
// package filter; what differs is what it speaks of. A row is wanted if there is a moment in the stretch that is asked about at which the
// whole expression is true of its thread. So what a thread does (its status, its system call, its CPU) is
// compared at one and the same moment.
//
// The package knows no history. Who asks brings what is known: first the thread alone, then all values
// that each thing it did had in the stretch, then, where that leaves a doubt, moment by moment. [Filter.Of]
// answers from any of these whether the expression can be true, and whether it can be false.
package rowfilter

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"synchroscope/trace/filter"
)

// A Filter is an expression that was understood. It does not change; any number of
// goroutines may use it.
type Filter struct {
	test  test
	deeds []Deed
}

// A Verdict says what an expression can be of what is known: Never, Always or either.
type Verdict uint8

// The verdicts. Perhaps is both: what is known does not decide it.
const (
	Always  Verdict = 1 << iota // it is true
	Never                       // it is false
	Perhaps = Always | Never
)

type test func(*Subject) Verdict

// Parse reads a filter. Its error is an *[Error].
func Parse(text string) (*Filter, error) {
	f := new(Filter)
	parsed, err := filter.ParseFor(text, func(c filter.Comparison) error {
		_, err := f.leaf(c)
		return err
	})
	if err != nil {
		return nil, err
	}
	f.test = filter.Fold(parsed, filter.Algebra[test]{
		Leaf: func(c filter.Comparison) test { t, _ := f.leaf(c); return t },
		Not: func(t test) test {
			return func(s *Subject) Verdict { v := t(s); return v>>1&1 | v<<1&2 }
		},
		And: func(ts []test) test { return chain(ts, Always, Never) },
		Or:  func(ts []test) test { return chain(ts, Never, Always) },
	})
	return f, nil
}

// chain is what one part alone decides if it is decisive, and all together if they are the opposite.
func chain(ts []test, all, decisive Verdict) test {
	return func(s *Subject) Verdict {
		out := all
		for _, t := range ts {
			v := t(s)
			if v == decisive {
				return decisive
			}
			if v == Perhaps {
				out = Perhaps
			}
		}
		return out
	}
}

// Of tells what the expression is of a subject.
func (f *Filter) Of(s *Subject) Verdict { return f.test(s) }

// Deeds are what the filter asks of moments, each once; none if the thread alone decides.
func (f *Filter) Deeds() []Deed { return f.deeds }

// leaf reads one comparison.
func (f *Filter) leaf(c filter.Comparison) (test, error) {
	field := func(o *filter.Operand) {
		if name, ok := also[o.Path]; ok {
			o.Path = name
		}
	}
	field(&c.Left)
	left, ok := fields[c.Left.Path]
	if !ok {
		field(&c.Right) // beside a field it is a word
		if _, right := fields[c.Right.Path]; right && c.Right.Path != "" && c.Sign != "=~" && c.Sign != "!~" {
			return f.leaf(c.Swapped())
		}
		return nil, refuse(c.Left, fmt.Sprintf("rows have no %s%s; they have %s", written(c.Left), meant(c.Left), names))
	}
	if left.deed != NoDeed && !slices.Contains(f.deeds, left.deed) {
		f.deeds = append(f.deeds, left.deed)
	}
	if c.Sign == "has" {
		return present(left), nil
	}
	if right, ok := fields[c.Right.Path]; ok && c.Right.Path != "" && left.kind != word {
		return between(c, left, right)
	}
	text := c.Right.Text
	if c.Right.Path != "" {
		if !plain(c.Right.Path) {
			return nil, refuse(c.Right, "a value with other characters than letters, digits and _ stands in quotes")
		}
		text = c.Right.Path
	}
	switch left.kind {
	case number:
		if !c.Right.Number {
			return nil, refuse(c.Right, fmt.Sprintf("%s is a number, %q is none", c.Left.Path, text))
		}
		return left.test(func(v Value) bool { return c.Number(v.Number) }), nil
	case word:
		return status(c, left, text)
	}
	return left.test(func(v Value) bool { return c.Texts(v.Text, text) }), nil
}

// between compares two fields of a row.
func between(c filter.Comparison, left, right field) (test, error) {
	switch {
	case left.deed != NoDeed || right.deed != NoDeed:
		return nil, refuse(c.Right, fmt.Sprintf("%s is the name of a field, and fields of moments are compared with values; the word stands in quotes", c.Right.Path))
	case left.kind != right.kind:
		return nil, refuse(c.Right, fmt.Sprintf("of %s and %s one is a number, the other a text; the word stands in quotes", c.Left.Path, c.Right.Path))
	case left.kind == number:
		return func(s *Subject) Verdict { return decided(c.Numbers(left.of(s).Number, right.of(s).Number)) }, nil
	}
	return func(s *Subject) Verdict { return decided(c.Texts(left.of(s).Text, right.of(s).Text)) }, nil
}

func present(f field) test {
	return func(s *Subject) Verdict {
		if f.deed == NoDeed {
			return Always
		}
		return s.Deeds[f.deed].is(func(v Value) bool { return true })
	}
}

func decided(b bool) Verdict {
	if b {
		return Always
	}
	return Never
}

// meant asks whether a field is meant by what is none.
func meant(o filter.Operand) string {
	near := filter.Nearest(o.Path, slices.Sorted(maps.Keys(fields)))
	if near == nil {
		return ""
	}
	return " (did you mean " + strings.Join(near, " or ") + "?)"
}

func written(o filter.Operand) string {
	if o.Path != "" {
		return o.Path
	}
	return fmt.Sprintf("%.40q", o.Text)
}

// refuse says what is wrong at an operand. While a filter is folded nothing can be wrong any more.
func refuse(o filter.Operand, problem string) error { return o.Wrong(problem) }

func plain(path string) bool { return !strings.ContainsAny(path, `."[$`) }

// An Error says what is wrong with a filter, and where.
type Error = filter.Error
