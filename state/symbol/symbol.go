// Package symbol knows what the functions of programs and libraries are called, from what nm prints
// of them. docs/format/symbols.md has the format.
//
// # What we chose not to do
//
// Programs themselves are not read: they are large, most are stripped where traces are recorded, and a
// reader of hostile ELF and DWARF is much code for what a line of nm says. Nor is a function guessed by the nearest symbol
// before an address: of a list that lacks some functions that gives the name of another.
package symbol

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// MaxText is how many bytes a text has at most.
const MaxText = 4 << 20

// A Table has the functions of programs and libraries, by the names of their files. It does not change, and nil is an empty one.
type Table struct {
	lists map[string][]*list // by the name of the file, without its folder
}

// A list is what is told of one file. Of several with one name, such as builds of a program in two folders or of two hosts, each is a list.
type list struct {
	path    string   // of a long one the end
	symbols []symbol // by address, each address once
}

// A symbol is a function.
type symbol struct {
	address, size uint64 // in its file; size 0 is unknown
	name          string // a part of the text
	rank          uint8  // of several names of one address the least holds
}

// Parse reads a text; errors begin with name and the line. The table keeps the text.
func Parse(name, text string) (*Table, error) {
	if len(text) > MaxText {
		return nil, fmt.Errorf("%s has more than %d bytes, the most that names of functions have", name, MaxText)
	}
	t := &Table{lists: make(map[string][]*list)}
	var into *list
	head, current, number, seen := "", "", 0, false // seen tells whether anything stands below the heading
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, " \t\r\n")
		of, rest := prefixed(line)
		if of == "" {
			if file, ok := heading(line); ok {
				head, into, seen = file, nil, false
				continue
			}
			of = head
		}
		s, is, err := parseLine(rest)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		case line == "":
			if seen { // another text may begin
				head, into = "", nil
			}
			continue
		case !is:
		case of == "":
			return nil, fmt.Errorf("%s:%d: of which file this is, is not said; nm -A says it", name, number)
		default:
			if into == nil || current != of {
				current = of
				if into = t.add(of); into == nil {
					return nil, fmt.Errorf("%s:%d: this is the beginning of list %d of files called %s: lines of one file belong together", name, number, maxLists+1, path.Base(of))
				}
			}
			into.symbols = append(into.symbols, s)
		}
		seen = true
	}
	for _, lists := range t.lists {
		for _, l := range lists {
			l.sort()
		}
	}
	return t, nil
}

// maxLists of files with one name there may be.
const maxLists = 64

// maxPath is how much is kept of a path, bytes: what is longer is compared by its end.
const maxPath = 255

// add begins a list, or returns nil if there are too many.
func (t *Table) add(of string) *list {
	base := path.Base(of)
	if len(t.lists[base]) == maxLists {
		return nil
	}
	l := &list{path: of[max(0, len(of)-maxPath):]}
	t.lists[base] = append(t.lists[base], l)
	return l
}

func (l *list) sort() {
	slices.SortStableFunc(l.symbols, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(a.address, b.address), cmp.Compare(a.rank, b.rank))
	})
	l.symbols = slices.Clip(slices.CompactFunc(l.symbols, func(a, b symbol) bool { return a.address == b.address }))
}

// function finds the function that an address is in.
func (l *list) function(address uint64) (name string, offset uint64, ok bool) {
	i, exact := slices.BinarySearchFunc(l.symbols, address, func(s symbol, a uint64) int { return cmp.Compare(s.address, a) })
	if exact {
		return l.symbols[i].name, 0, true
	}
	if i == 0 {
		return "", 0, false
	}
	s := &l.symbols[i-1]
	offset = address - s.address
	return s.name, offset, offset < s.size
}

// Files are the names of the files of which functions are known, in order.
func (t *Table) Files() []string {
	if t == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(t.lists))
}

// Function finds the function that an address of the file at a path is in, and how many bytes behind its beginning. Where
// the size of a function is unknown, only its beginning is in it. Of several files with that name those hold whose paths end like this one for longest; where
// these say different things of the address, nobody knows.
func (t *Table) Function(file string, address uint64) (name string, offset uint64, ok bool) {
	if t == nil {
		return "", 0, false
	}
	lists := t.lists[path.Base(file)]
	longest := 0
	if len(lists) > 1 {
		for _, l := range lists {
			longest = max(longest, common(l.path, file))
		}
	}
	for _, l := range lists {
		if longest > 0 && common(l.path, file) < longest {
			continue
		}
		of, at, knows := l.function(address)
		switch {
		case !knows:
		case !ok:
			name, offset, ok = of, at, true
		case of != name || at != offset:
			return "", 0, false
		}
	}
	return name, offset, ok
}

// common counts the last elements that two paths have in common.
func common(a, b string) (n int) {
	for {
		i, k := strings.LastIndexByte(a, '/'), strings.LastIndexByte(b, '/')
		if a[i+1:] != b[k+1:] {
			return n
		}
		if n++; i < 0 || k < 0 {
			return n
		}
		a, b = a[:i], b[:k]
	}
}

// differs reports whether another list says something else of where a function begins in one of them.
func (l *list) differs(from *list) bool {
	return slices.ContainsFunc(l.symbols, func(s symbol) bool {
		name, offset, ok := from.function(s.address)
		return ok && (name != s.name || offset != 0)
	})
}

// Doubtful are the names of the files of which several lists with one path tell different things: where they do, nothing is known.
func (t *Table) Doubtful() (files []string) {
	for _, base := range t.Files() {
		lists := t.lists[base]
		if slices.ContainsFunc(lists, func(a *list) bool {
			return slices.ContainsFunc(lists, func(b *list) bool { return a != b && a.path == b.path && a.differs(b) })
		}) {
			files = append(files, base)
		}
	}
	return files
}
