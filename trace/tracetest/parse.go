package tracetest

import (
	"fmt"
	"strconv"
	"strings"

	"synchroscope/trace"
)

// A parser reads one line.
type parser struct{ rest string }

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " \t") }

// word takes what is left of the next space.
func (p *parser) word() string {
	p.space()
	i := strings.IndexAny(p.rest, " \t")
	if i < 0 {
		i = len(p.rest)
	}
	w := p.rest[:i]
	p.rest = p.rest[i:]
	return w
}

// take reads c, if it comes next.
func (p *parser) take(c byte) bool {
	if p.rest != "" && p.rest[0] == c {
		p.rest = p.rest[1:]
		return true
	}
	return false
}

// fields reads name=value pairs into v, up to the byte until, or without one up to a bar or the end of the line.
func (p *parser) fields(v *value, until string) error {
	for {
		p.space()
		if until == "" && (p.rest == "" || p.rest[0] == '|') {
			return nil
		}
		if until != "" && p.take(until[0]) {
			return nil
		}
		if err := p.field(v); err != nil {
			return err
		}
	}
}

// field reads one name=value pair into v.
func (p *parser) field(v *value) error {
	for {
		name, err := p.name()
		if err != nil {
			return err
		}
		v.kind = trace.Struct
		if p.take('.') {
			v = v.member(name)
			continue
		}
		if !p.take('=') {
			return fmt.Errorf("%q: no = behind the name", p.rest)
		}
		m, err := v.add(name)
		if err != nil {
			return err
		}
		return p.value(m)
	}
}

// contexts reads what is behind the bar: the stream's context and the event's, which
// begins where a name comes again, for no context has two fields of one name.
func (p *parser) contexts() (stream, event *value, err error) {
	v := &value{kind: trace.Struct}
	if p.take('|') {
		if err := p.fields(v, ""); err != nil {
			return nil, nil, err
		}
	}
	if p.rest != "" {
		return nil, nil, fmt.Errorf("%q: a second bar", p.rest)
	}
	stream, event = v.split()
	return stream, event, nil
}

// cpu reads the CPU, if it comes next.
func (p *parser) cpu() (cpu int32, ok bool, err error) {
	p.space()
	if !strings.HasPrefix(p.rest, "cpu=") {
		return -1, false, nil
	}
	text := strings.TrimPrefix(p.word(), "cpu=")
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return -1, false, fmt.Errorf("%q is not a CPU", text)
	}
	return int32(n), true, nil
}

// head reads what is between the time and the fields. The first of two names is the host's,
// whether the CPU stands between them or not.
func (p *parser) head() (host string, cpu int32, name string, err error) {
	cpu, ok, err := p.cpu()
	if err != nil {
		return "", -1, "", err
	}
	if name, err = p.event(); err != nil || ok {
		return "", cpu, name, err
	}
	behind := *p
	if c, _, err := behind.cpu(); err == nil && behind.named() {
		*p, host, cpu = behind, name, c
		name, err = p.event()
		return host, cpu, name, err
	}
	return "", cpu, name, nil
}

// named reports whether the name of an event comes next, and neither a field nor a bar.
func (p *parser) named() bool {
	q := *p
	q.space()
	if q.rest == "" || q.rest[0] == '|' {
		return false
	}
	if q.rest[0] == '"' {
		_, err := q.quoted()
		return err == nil && (q.rest == "" || q.rest[0] == ' ' || q.rest[0] == '\t')
	}
	return !strings.ContainsAny(q.word(), `="`)
}

// event reads the name of an event.
func (p *parser) event() (string, error) {
	p.space()
	if strings.HasPrefix(p.rest, `"`) {
		return p.quoted()
	}
	if name := p.word(); name != "" {
		return name, nil
	}
	return "", fmt.Errorf("the line names no event")
}

// name reads one element of a path.
func (p *parser) name() (string, error) {
	if strings.HasPrefix(p.rest, `"`) {
		return p.quoted()
	}
	i := strings.IndexAny(p.rest, ".= \t{}[]\"")
	if i <= 0 {
		return "", fmt.Errorf("%q does not begin with a field's name", p.rest)
	}
	name := p.rest[:i]
	p.rest = p.rest[i:]
	return name, nil
}

func (p *parser) quoted() (string, error) {
	q, err := strconv.QuotedPrefix(p.rest)
	if err != nil {
		return "", fmt.Errorf("%q: a string does not end", p.rest)
	}
	p.rest = p.rest[len(q):]
	return strconv.Unquote(q)
}

func (p *parser) value(v *value) error {
	switch {
	case p.rest == "":
		return fmt.Errorf("a value is missing at the end of the line")
	case p.rest[0] == '"':
		s, err := p.quoted()
		*v = value{kind: trace.String, text: s}
		return err
	case p.take('{'):
		v.kind = trace.Struct
		return p.fields(v, "}")
	case p.take('['):
		return p.array(v)
	}
	return p.number(v)
}

func (p *parser) array(v *value) error {
	*v = value{kind: trace.Array}
	for p.space(); !p.take(']'); p.space() {
		if len(v.parts) > 0 && !p.take(',') {
			return fmt.Errorf("%q: no comma between elements", p.rest)
		}
		p.space()
		e := &value{}
		if err := p.value(e); err != nil {
			return err
		}
		if len(v.parts) > 0 && !v.parts[0].like(e) {
			return fmt.Errorf("the elements of a list differ in shape")
		}
		v.parts = append(v.parts, e)
	}
	return nil
}

func (p *parser) number(v *value) error {
	i := strings.IndexAny(p.rest, " \t,]}:")
	if i < 0 {
		i = len(p.rest)
	}
	text := p.rest[:i]
	p.rest = p.rest[i:]
	if truth, ok := map[string]int64{"true": 1, "false": 0}[text]; ok {
		*v = value{kind: trace.Boolean, num: truth}
		return nil
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		*v = value{kind: trace.Integer, num: n}
	} else if u, err := strconv.ParseUint(text, 0, 64); err == nil {
		*v = value{kind: trace.Integer, num: int64(u), big: true}
	} else if f, err := strconv.ParseFloat(text, 64); err == nil {
		*v = float(f)
		return nil
	} else {
		return fmt.Errorf("%q is neither a number, true, false nor a string in quotes", text)
	}
	bases := map[string]uint8{"0x": 16, "0o": 8, "0b": 2}
	v.base = bases[text[:min(2, len(text))]]
	for p.take(':') {
		label, err := p.quoted()
		if err != nil {
			return err
		}
		v.label = append(v.label, trace.Mapping{Label: label, Low: v.num, High: v.num})
	}
	return nil
}

// parseTime reads seconds with up to nine decimals as ns.
func parseTime(s string) (int64, error) {
	whole, frac, _ := strings.Cut(s, ".")
	sec, err := strconv.ParseInt(whole, 10, 64)
	ns, err2 := strconv.ParseUint((frac + "000000000")[:9], 10, 64)
	if err != nil || err2 != nil || len(frac) > 9 {
		return 0, fmt.Errorf("%q is not a time in seconds with up to nine decimals", s)
	}
	if strings.HasPrefix(whole, "-") {
		return sec*1e9 - int64(ns), nil
	}
	return sec*1e9 + int64(ns), nil
}
