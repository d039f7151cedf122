package ctf2

import "fmt"

// A place is where something stands in the text, both counted from 1, columns in bytes.
type place struct{ line, column int }

// behind is the place where s ends that begins at p.
func (p place) behind(s string) place {
	for i := range len(s) {
		if p.column++; s[i] == '\n' {
			p.line, p.column = p.line+1, 1
		}
	}
	return p
}

// An Error says what is wrong with a metadata text, and where.
type Error struct {
	place
	Fragment int    // its number, from 1
	Type     string // of the fragment, "" if not known
	Path     string // of the JSON value in it, "" for the fragment itself
	Message  string // what was expected and what was found
}

// Line and Column tell where in the text it is, both from 1.
func (e *Error) Line() int { return e.line }

// Column is in bytes.
func (e *Error) Column() int { return e.column }

func (e *Error) Error() string {
	s := fmt.Sprintf("%d:%d: ", e.line, e.column)
	if e.Fragment > 0 {
		s += fmt.Sprintf("fragment %d", e.Fragment)
		if e.Type != "" {
			s += " (" + e.Type + ")"
		}
		s += ": "
	}
	if e.Path != "" {
		s += e.Path + ": "
	}
	return s + e.Message
}
