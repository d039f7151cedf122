package attribute

import (
	"slices"
	"strings"
)

var escaper = strings.NewReplacer(`\`, `\\`, `/`, `\/`)

// Full returns the path of q with '/' between the elements, such as
// "Threads/42/Status". A '/' or '\' inside a name follows a '\'. It returns ""
// if q does not exist.
func (t *Tree) Full(q Quark) string {
	var names []string
	for ; t.has(q); q = t.Parent(q) {
		names = append(names, escaper.Replace(t.name(q)))
	}
	slices.Reverse(names)
	return strings.Join(names, "/")
}

// Match returns, in ascending order, all quarks whose path fits a pattern such
// as "CPUs/*/Current_thread". Elements are separated and escaped as by
// [Tree.Full]; a '*' in an element stands for any run of characters within it,
// an element "**" for any number of elements, and the empty pattern for "**".
func (t *Tree) Match(pattern string) []Quark {
	elements := split(pattern)
	if pattern == "" {
		elements = []element{{deep: true}}
	}
	found := make(map[Quark]struct{})
	seen := make(map[visit]struct{})
	t.match(Root, elements, found, seen)
	matched := make([]Quark, 0, len(found))
	for q := range found {
		matched = append(matched, q)
	}
	slices.Sort(matched)
	return matched
}

// A visit is a place in the search: two "**" can reach one place by many ways.
type visit struct {
	q    Quark
	left int
}

func (t *Tree) match(q Quark, rest []element, found map[Quark]struct{}, seen map[visit]struct{}) {
	if len(rest) == 0 {
		if q != Root {
			found[q] = struct{}{}
		}
		return
	}
	if _, ok := seen[visit{q, len(rest)}]; ok {
		return
	}
	seen[visit{q, len(rest)}] = struct{}{}
	e := rest[0]
	if e.deep {
		t.match(q, rest[1:], found, seen)
		for c := t.newest(q); c != None; c = t.before(c) {
			t.match(c, rest, found, seen)
		}
		return
	}
	if len(e.parts) == 1 {
		if c := t.Child(q, e.parts[0]); c != None {
			t.match(c, rest[1:], found, seen)
		}
		return
	}
	for c := t.newest(q); c != None; c = t.before(c) {
		if e.fits(t.name(c)) {
			t.match(c, rest[1:], found, seen)
		}
	}
}

// An element of a pattern is the literal text between its stars.
type element struct {
	parts []string
	deep  bool // "**"
}

func (e element) fits(name string) bool {
	head, tail := e.parts[0], e.parts[len(e.parts)-1]
	name, ok := strings.CutPrefix(name, head)
	if !ok {
		return false
	}
	if name, ok = strings.CutSuffix(name, tail); !ok {
		return false
	}
	for _, part := range e.parts[1 : len(e.parts)-1] {
		if _, name, ok = strings.Cut(name, part); !ok {
			return false
		}
	}
	return true
}

func split(pattern string) []element {
	var elements []element
	var e element
	var part strings.Builder
	stars := 0
	flush := func() {
		e.parts = append(e.parts, part.String())
		part.Reset()
	}
	end := func() {
		flush()
		e.deep = stars == 2 && strings.Join(e.parts, "") == ""
		elements = append(elements, e)
		e, stars = element{}, 0
	}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			part.WriteByte(pattern[i])
		case c == '*':
			flush()
			stars++
		case c == '/':
			end()
		default:
			part.WriteByte(c)
		}
	}
	end()
	return elements
}
