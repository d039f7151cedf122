package scenario

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// A statement is one line of a file.
type statement struct {
	line  int
	words []string // the keyword, and what is not key=value
	args  []arg
	under []statement // the indented lines below it
}

type arg struct{ key, value string }

// An Error is what is wrong with a scenario.
type Error struct {
	File string
	Line int // 0 if it is no line in particular
	Text string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Text
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

const (
	maxLine  = 64 << 10
	maxLines = 100_000
)

// lex splits a file into statements. The errors have a line, but no file yet.
func lex(r io.Reader) ([]statement, error) {
	var all []statement
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if n > maxLines {
			return nil, &Error{Line: n, Text: fmt.Sprintf("a scenario has %d lines at most", maxLines)}
		}
		text := lines.Text()
		s := statement{line: n}
		if err := s.split(text); err != nil {
			return nil, &Error{Line: n, Text: err.Error()}
		}
		switch {
		case len(s.words) == 0 && len(s.args) == 0:
		case len(s.words) == 0:
			return nil, &Error{Line: n, Text: "a line begins with a keyword"}
		case text[0] != ' ' && text[0] != '\t':
			all = append(all, s)
		case len(all) == 0:
			return nil, &Error{Line: n, Text: "the first statement is indented, but there is none above that it could belong to"}
		default:
			above := &all[len(all)-1]
			above.under = append(above.under, s)
		}
	}
	if err := lines.Err(); err != nil {
		if err == bufio.ErrTooLong {
			return nil, &Error{Text: fmt.Sprintf("a line is longer than %d bytes", maxLine)}
		}
		return nil, err
	}
	return all, nil
}

// split takes a line apart at blanks. What is between double quotes stays together; # and what follows is left out.
func (s *statement) split(text string) error {
	for {
		text = strings.TrimLeft(text, " \t\r")
		if text == "" || text[0] == '#' {
			return nil
		}
		var word strings.Builder
		key, keyed, quoted := "", false, false
		i := 0
	scan:
		for ; i < len(text); i++ {
			c := text[i]
			switch {
			case c == '"':
				quoted = !quoted
			case quoted:
				word.WriteByte(c)
			case c == ' ' || c == '\t' || c == '\r':
				break scan
			case c == '=' && !keyed:
				key, keyed = word.String(), true
				word.Reset()
			default:
				word.WriteByte(c)
			}
		}
		if quoted {
			return fmt.Errorf("a quotation has no end")
		}
		text = text[i:]
		switch {
		case !keyed && len(s.args) > 0:
			return fmt.Errorf("%q comes after key=value", word.String())
		case !keyed:
			s.words = append(s.words, word.String())
		case key == "" || word.Len() == 0:
			return fmt.Errorf("key=value needs both")
		default:
			s.args = append(s.args, arg{key, word.String()})
		}
	}
}
