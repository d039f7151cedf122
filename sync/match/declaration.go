package match

import (
	"fmt"
	"slices"
	"strings"

	"synchroscope/trace/filter"
)

// Declarations name events of applications as endpoints, for the traces of
// user space. They are read from text: docs/format/declarations.md. Nil is an empty one.
type Declarations struct {
	list []declaration
}

// A declaration is a line of the text.
type declaration struct {
	message   string // the kind: the keys of different kinds do not mix
	line      int
	direction Direction
	event     *filter.Glob
	key, end  []string
	peer      string
	bytes     string
}

// MaxDeclarations is how many bytes a text has at most.
const MaxDeclarations = 64 << 10

// What it may hold at most.
const (
	maxDeclaredEvents  = 256
	maxDeclaredFields  = 8
	maxDeclaredMessage = 100 // bytes of a name
)

// builtin are declarations of events that only programs have which we know.
const builtin = `
message dist
send     dist:msg_send  key=conn,seq  end=vpid,conn  bytes=len
receive  dist:msg_recv  key=conn,seq  end=vpid,conn  bytes=len
`

var builtinDeclarations = func() *Declarations {
	d, err := ParseDeclarations("built-in", builtin)
	if err != nil {
		panic(err)
	}
	return d
}()

// ParseDeclarations reads a text; errors begin with name and the line.
func ParseDeclarations(name, text string) (*Declarations, error) {
	if len(text) > MaxDeclarations {
		return nil, fmt.Errorf("%s has more than %d bytes, the most that declarations have", name, MaxDeclarations)
	}
	d := new(Declarations)
	message, number, first := "", 0, 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		err := error(nil)
		if words[0] == "message" {
			if err = d.whole(message, first); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, first, err)
			}
			if message, err = d.name(words[1:]); err == nil {
				first = number
			}
		} else {
			err = d.event(message, number, words)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	if err := d.whole(message, first); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, first, err)
	}
	return d, nil
}

// name reads the rest of a line that begins a kind of message, or goes on with one.
func (d *Declarations) name(words []string) (string, error) {
	switch {
	case len(words) != 1:
		return "", fmt.Errorf("message wants one name, here are %d", len(words))
	case len(words[0]) > maxDeclaredMessage:
		return "", fmt.Errorf("the name of a message has more than %d bytes", maxDeclaredMessage)
	}
	return words[0], nil
}

// event reads a line that says what is an end of a message.
func (d *Declarations) event(message string, number int, words []string) error {
	e := declaration{message: message, line: number}
	switch {
	case words[0] == "receive":
		e.direction = Receive
	case words[0] != "send":
		return fmt.Errorf("a line begins with message, send or receive, not with %q", words[0])
	}
	switch {
	case message == "":
		return fmt.Errorf("a line with message NAME must come before the first %s", words[0])
	case len(words) < 2 || strings.Contains(words[1], "="):
		return fmt.Errorf("%s wants the name of an event", words[0])
	case len(d.list) == maxDeclaredEvents:
		return fmt.Errorf("more than %d events are declared", maxDeclaredEvents)
	}
	var err error
	if e.event, err = filter.NewGlob(words[1]); err != nil {
		return err
	}
	for _, word := range words[2:] {
		if err := e.option(word); err != nil {
			return err
		}
	}
	if len(e.key) == 0 {
		return fmt.Errorf("key=FIELD,... is missing")
	}
	if n := slices.IndexFunc(d.list, func(o declaration) bool { return o.message == message }); n >= 0 {
		switch o := d.list[n]; {
		case len(o.key) != len(e.key):
			return fmt.Errorf("the key has %s, that of line %d has %d; both ends of a message have the same", fields(len(e.key)), o.line, len(o.key))
		case (o.peer == "") != (e.peer == ""):
			return fmt.Errorf("either all events of a message have a peer or none; line %d differs", o.line)
		}
	}
	d.list = append(d.list, e)
	return nil
}

func fields(n int) string {
	if n == 1 {
		return "1 field"
	}
	return fmt.Sprintf("%d fields", n)
}

// option reads one name=value.
func (e *declaration) option(word string) error {
	name, value, ok := strings.Cut(word, "=")
	if !ok || value == "" {
		return fmt.Errorf("%q is not of the form NAME=FIELD", word)
	}
	list := strings.Split(value, ",")
	if slices.Contains(list, "") || len(list) > maxDeclaredFields {
		return fmt.Errorf("%q does not name 1 to %d fields with commas between them", word, maxDeclaredFields)
	}
	single := func(to *string) error {
		if len(list) != 1 || *to != "" {
			return fmt.Errorf("%s wants one field", name)
		}
		*to = value
		return nil
	}
	several := func(to *[]string) error {
		if *to != nil {
			return fmt.Errorf("%s is given twice", name)
		}
		*to = list
		return nil
	}
	switch name {
	case "key":
		return several(&e.key)
	case "end":
		return several(&e.end)
	case "peer":
		return single(&e.peer)
	case "bytes":
		return single(&e.bytes)
	}
	return fmt.Errorf("%q is none of key, end, peer and bytes", name)
}

// whole reports a kind of message that lacks an end.
func (d *Declarations) whole(message string, line int) error {
	if message == "" {
		return nil
	}
	var has [2]bool
	for _, e := range d.list {
		if e.message == message {
			has[e.direction] = true
		}
	}
	switch {
	case !has[Send]:
		return fmt.Errorf("message %s has no send", message)
	case !has[Receive]:
		return fmt.Errorf("message %s has no receive", message)
	}
	return nil
}

// find returns the first declaration of an event, the built-in ones last.
func (d *Declarations) find(event string) *declaration {
	name := []byte(event)
	for _, of := range []*Declarations{d, builtinDeclarations} {
		if of == nil {
			continue
		}
		for i := range of.list {
			if of.list[i].event.Match(name) {
				return &of.list[i]
			}
		}
	}
	return nil
}
