package declared

import (
	"fmt"
	"slices"
	"strings"

	"synchroscope/state/kernel"
	"synchroscope/trace/filter"
)

// Declarations say which events of applications begin and end a state. They are read from
// text: docs/format/states.md. Nil is an empty one.
type Declarations struct {
	kinds []kind
	list  []declaration
}

// A kind is a group of declarations.
type kind struct {
	name  string
	spans bool // each of its own, by an id; calls of a thread, one inside the other, otherwise
	line  int
}

// A declaration is a line about events.
type declaration struct {
	kind   int
	number int // of the line
	begins bool
	event  *filter.Glob
	id     []string
	what   string // the field that names the state
	code   bool   // what is an address, and the state is called as the function there is
	text   string // its name, where it is always the same
	row    string // the field that says whose state it is, "" for the thread's
	as     kernel.Status
}

// MaxDeclarations is how many bytes a text has at most.
const MaxDeclarations = 64 << 10

// What it may hold at most.
const (
	maxDeclared = 256
	maxID       = 8
	maxName     = 100 // bytes
)

// builtin are the events that LTTng's own libraries record for every program.
const builtin = `
calls function
begin lttng_ust_cyg_profile*:func_entry function=addr
end   lttng_ust_cyg_profile*:func_exit  function=addr
`

var builtinDeclarations = func() *Declarations {
	d, err := Parse("built-in", builtin)
	if err != nil {
		panic(err)
	}
	return d
}()

// Parse reads a text; errors begin with name and the line.
func Parse(name, text string) (*Declarations, error) {
	d, err := ParseTaken(name, text)
	if err != nil {
		return nil, err
	}
	if number, err := d.endless(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, number, err)
	}
	return d, nil
}

// ParseTaken is Parse for a text that was taken before, when calls that no end can end were not refused yet.
func ParseTaken(name, text string) (*Declarations, error) {
	if len(text) > MaxDeclarations {
		return nil, fmt.Errorf("%s has more than %d bytes, the most that declarations of states have", name, MaxDeclarations)
	}
	d := new(Declarations)
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if err := d.line(number, words); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	if n := len(d.kinds); n > 0 {
		if err := d.whole(n - 1); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, d.kinds[n-1].line, err)
		}
	}
	return d, nil
}

func (d *Declarations) line(number int, words []string) error {
	switch words[0] {
	case "calls", "spans":
		if n := len(d.kinds); n > 0 {
			if err := d.whole(n - 1); err != nil {
				return fmt.Errorf("before this line: %w", err)
			}
		}
		switch {
		case len(words) != 2:
			return fmt.Errorf("%s wants one name, here are %d", words[0], len(words)-1)
		case len(words[1]) > maxName:
			return fmt.Errorf("the name of a kind has more than %d bytes", maxName)
		case slices.ContainsFunc(d.kinds, func(k kind) bool { return k.name == words[1] }):
			return fmt.Errorf("%s is declared twice", words[1])
		}
		d.kinds = append(d.kinds, kind{words[1], words[0] == "spans", number})
		return nil
	case "begin", "end":
		return d.event(number, words)
	}
	return fmt.Errorf("a line begins with calls, spans, begin or end, not with %.40q", words[0])
}

// whole checks that a kind can do anything.
func (d *Declarations) whole(n int) error {
	var begins, ends bool
	for _, o := range d.list {
		if o.kind == n {
			begins, ends = begins || o.begins, ends || !o.begins
		}
	}
	if !begins || !ends {
		return fmt.Errorf("%s wants at least one begin and one end", d.kinds[n].name)
	}
	return nil
}

// endless finds calls that no end of their kind can end, as each says by what= which one it ends and they say it not: the line of the first.
func (d *Declarations) endless() (number int, err error) {
	for i := range d.list {
		o := &d.list[i]
		if k := d.kinds[o.kind]; k.spans || !o.begins || o.what != "" || slices.ContainsFunc(d.list, func(p declaration) bool {
			return p.kind == o.kind && !p.begins && p.what == ""
		}) {
			continue
		}
		return o.number, fmt.Errorf("nothing ends what %s begins: each end of %s says with what= which one it ends, and this begin has no what=; give it to both or to none",
			o.event, d.kinds[o.kind].name)
	}
	return 0, nil
}

// event reads a line that begins or ends a state.
func (d *Declarations) event(number int, words []string) error {
	o := declaration{kind: len(d.kinds) - 1, number: number, begins: words[0] == "begin", as: kernel.User}
	switch {
	case o.kind < 0:
		return fmt.Errorf("a line with calls NAME or spans NAME must come before the first %s", words[0])
	case len(words) < 2 || strings.Contains(words[1], "="):
		return fmt.Errorf("%s wants the name of an event", words[0])
	case len(d.list) == maxDeclared:
		return fmt.Errorf("more than %d events are declared", maxDeclared)
	}
	var err error
	if o.event, err = filter.NewGlob(words[1]); err != nil {
		return err
	}
	given := make(map[string]bool)
	for _, word := range words[2:] {
		name, value, ok := strings.Cut(word, "=")
		if !ok || value == "" {
			return fmt.Errorf("%.40q is not of the form NAME=VALUE", word)
		}
		if given[name] {
			return fmt.Errorf("%s is given twice", name)
		}
		given[name] = true
		if err := o.option(name, value); err != nil {
			return err
		}
	}
	return d.add(o)
}

// statuses are what a state can be shown as.
var statuses = map[string]kernel.Status{
	"user": kernel.User, "syscall": kernel.Syscall, "blocked": kernel.Blocked, "wait": kernel.Wait,
}

func (o *declaration) option(name, value string) error {
	if len(value) > maxName {
		return fmt.Errorf("what %s is given has more than %d bytes", name, maxName)
	}
	switch name {
	case "id":
		o.id = strings.Split(value, ",")
		if slices.Contains(o.id, "") || len(o.id) > maxID {
			return fmt.Errorf("id does not name 1 to %d fields with commas between them", maxID)
		}
	case "what", "function":
		if o.what != "" {
			return fmt.Errorf("what and function both name the state")
		}
		o.what, o.code = value, name == "function"
	case "text":
		o.text = value
	case "row":
		o.row = value
	case "as":
		s, ok := statuses[value]
		if !ok {
			return fmt.Errorf("as is user, syscall, blocked or wait, not %q", value)
		}
		o.as = s
	default:
		return fmt.Errorf("there is no option %.40q; there are id, what, function, text, row and as", name)
	}
	return nil
}

// naming is the option that names what.
func (o *declaration) naming() string {
	if o.code {
		return "function"
	}
	return "what"
}

// add checks that the options of a line go together, and with the other lines of its kind.
func (d *Declarations) add(o declaration) error {
	spans := d.kinds[o.kind].spans
	switch {
	case spans && len(o.id) == 0:
		return fmt.Errorf("id=FIELD,... is missing: it tells which begin and end of spans belong together")
	case !spans && len(o.id) > 0:
		return fmt.Errorf("calls have no id: they end in the opposite order; spans do")
	case spans && o.row != "":
		return fmt.Errorf("spans have rows of their own; row goes with calls")
	case !o.begins && (o.text != "" || o.as != kernel.User):
		return fmt.Errorf("text and as go with begin")
	case o.text != "" && o.what != "":
		return fmt.Errorf("%s and text both name the state", o.naming())
	}
	for _, p := range d.list {
		if p.kind == o.kind && len(p.id) != len(o.id) {
			return fmt.Errorf("the ids of %s have %d fields, this has %d", d.kinds[o.kind].name, len(p.id), len(o.id))
		}
		if p.kind == o.kind && (p.row == "") != (o.row == "") {
			return fmt.Errorf("either all events of %s have a row or none", d.kinds[o.kind].name)
		}
	}
	d.list = append(d.list, o)
	return nil
}
