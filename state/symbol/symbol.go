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
	"slices"
	"strings"
)

// MaxText is how many bytes a text has at most.
const MaxText = 4 << 20

// A Table has the functions of programs and libraries, by the names of their files. It does not change, and nil is an empty one.
type Table struct {
	files map[string][]symbol // by address, each address once
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
	t := &Table{files: make(map[string][]symbol)}
	file, number := "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, " \t\r\n")
		of, rest := prefixed(line)
		if of == "" {
			if head, ok := heading(line); ok {
				file = head
				continue
			}
			of = file
		}
		s, is, err := parseLine(rest)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		case !is:
		case of == "":
			return nil, fmt.Errorf("%s:%d: of which file this is, is not said; nm -A says it", name, number)
		default:
			t.files[of] = append(t.files[of], s)
		}
	}
	for of, list := range t.files {
		slices.SortStableFunc(list, func(a, b symbol) int {
			return cmp.Or(cmp.Compare(a.address, b.address), cmp.Compare(a.rank, b.rank))
		})
		t.files[of] = slices.Clip(slices.CompactFunc(list, func(a, b symbol) bool { return a.address == b.address }))
	}
	return t, nil
}

// Files are the names of the files of which functions are known, in order.
func (t *Table) Files() []string {
	if t == nil {
		return nil
	}
	files := make([]string, 0, len(t.files))
	for of := range t.files {
		files = append(files, of)
	}
	slices.Sort(files)
	return files
}

// Function finds the function that an address of a file is in, and how many bytes behind its beginning. Where
// the size of a function is unknown, only its beginning is in it.
func (t *Table) Function(file string, address uint64) (name string, offset uint64, ok bool) {
	if t == nil {
		return "", 0, false
	}
	list := t.files[file]
	i, exact := slices.BinarySearchFunc(list, address, func(s symbol, a uint64) int { return cmp.Compare(s.address, a) })
	if exact {
		return list[i].name, 0, true
	}
	if i == 0 {
		return "", 0, false
	}
	s := &list[i-1]
	offset = address - s.address
	return s.name, offset, offset < s.size
}
