package scenario

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"synchroscope/simulate/chance"
	"synchroscope/simulate/clock"
	"synchroscope/simulate/network"
)

// Options are what is given beside a file.
type Options struct {
	Seed     uint64 // of what a file leaves to chance
	Hosts    int    // how many, instead of what the file says; 0 for that
	Duration int64  // ns, likewise
	// Workload tells what is wrong with the parameters of a workload; nil if nobody can. If nothing is, it returns in
	// words what no other workload may have, or only one of the same kind where it is true.
	Workload func(kind string, params map[string]string, hosts []string) (owns map[string]bool, err error)
}

// Parse reads a scenario. The errors are of type *Error, but those of r.
func Parse(r io.Reader, file string, o Options) (*Scenario, error) {
	statements, err := lex(r)
	if err == nil {
		p := parser{Options: o, s: &Scenario{}, n: -1}
		if err = p.all(statements); err == nil {
			err = p.s.check(o)
		}
		if err == nil {
			for _, b := range p.s.Beyond {
				b.File = file
			}
			return p.s, nil
		}
	}
	if e, ok := err.(*Error); ok {
		e.File = file
	}
	return nil, err
}

type parser struct {
	Options
	s *Scenario
	n int // the number of hosts, -1 if it is not given
}

func (p *parser) all(statements []statement) error {
	for _, s := range statements {
		if err := p.one(s); err != nil {
			if _, ok := err.(*Error); ok {
				return err
			}
			return &Error{Line: s.line, Text: err.Error()}
		}
	}
	if p.Options.Hosts > 0 && p.n < 0 {
		return &Error{Text: "the number of its hosts is fixed"}
	}
	return nil
}

// keywords are the statements, by what they begin with.
var keywords = map[string]func(p *parser, s statement) error{
	"scenario": (*parser).scenario,
	"duration": (*parser).duration,
	"hosts":    (*parser).hosts,
	"host":     (*parser).host,
	"change":   (*parser).change,
	"switch":   (*parser).switches,
	"link":     (*parser).link,
	"workload": (*parser).workload,
}

func (p *parser) one(s statement) error {
	do, ok := keywords[s.words[0]]
	if !ok {
		return fmt.Errorf("there is no statement %q; there are %s", s.words[0], sorted(keywords))
	}
	all, err := s.expand(p.n)
	if err != nil {
		return err
	}
	for _, s := range all {
		if err := do(p, s); err != nil {
			return err
		}
	}
	return nil
}

// take has the words after the keyword, if there are as many as the statement needs.
func (s statement) take(what ...string) ([]string, error) {
	if len(s.words)-1 != len(what) {
		return nil, fmt.Errorf("%s is followed by %s and then by key=value", s.words[0], strings.Join(what, ", "))
	}
	return s.words[1:], nil
}

func (s statement) alone() error {
	if len(s.args) > 0 || len(s.under) > 0 {
		return fmt.Errorf("%s has no key=value and nothing below it", s.words[0])
	}
	return nil
}

func (p *parser) scenario(s statement) error {
	w, err := s.take("a name", "a sentence in quotes")
	if err != nil {
		return err
	}
	if p.s.Name != "" {
		return fmt.Errorf("the scenario has a name already, %q", p.s.Name)
	}
	p.s.Name, p.s.About = w[0], w[1]
	return s.alone()
}

func (p *parser) duration(s statement) error {
	w, err := s.take("how long it is")
	if err != nil {
		return err
	}
	d, err := reader{}.parseDuration(w[0])
	if err != nil {
		return err
	}
	p.s.Duration = int64(d)
	if p.Options.Duration > 0 {
		p.s.Duration = p.Options.Duration
	}
	return s.alone()
}

// hosts says how many there are, and how few there can be.
func (p *parser) hosts(s statement) error {
	w, err := s.take("how many there are", "how few there can be")
	if err != nil {
		return err
	}
	n, err := number(w[0], 0)
	if err != nil {
		return err
	}
	least, err := number(w[1], 0)
	if err != nil {
		return err
	}
	if p.Options.Hosts > 0 {
		n = p.Options.Hosts
	}
	if n < least || least < 1 || n > maxHosts {
		return fmt.Errorf("there are %d to %d hosts, not %d", max(least, 1), maxHosts, n)
	}
	p.n = n
	return s.alone()
}

func (p *parser) host(s statement) error {
	w, err := s.take("its name")
	if err != nil {
		return err
	}
	if len(p.s.Hosts) == maxHosts {
		return fmt.Errorf("a scenario has 1 to %d hosts, not more", maxHosts)
	}
	p.s.Hosts = append(p.s.Hosts, Host{Name: w[0], CPUs: 2, Line: s.line})
	return p.hostBody(&p.s.Hosts[len(p.s.Hosts)-1], s)
}

// change adds to what is said of a host above.
func (p *parser) change(s statement) error {
	w, err := s.take("the name of a host")
	if err != nil {
		return err
	}
	i := slices.IndexFunc(p.s.Hosts, func(h Host) bool { return h.Name == w[0] })
	if i < 0 {
		return fmt.Errorf("there is no host %q above", w[0])
	}
	return p.hostBody(&p.s.Hosts[i], s)
}

func (p *parser) hostBody(h *Host, s statement) error {
	if err := p.fill(h.Name, s, hostFields(h)); err != nil {
		return err
	}
	if h.lines == nil {
		h.lines = make(lines)
	}
	if len(s.args) > 0 {
		h.lines.add("", s.line)
	}
	under := map[string]func() []field{
		"clock":   func() []field { return clockFields(&h.Clock) },
		"tracing": func() []field { return tracingFields(&h.Tracing) },
		"kernel":  func() []field { return kernelFields(&h.Kernel) },
		"thermal": func() []field {
			h.Clock.Thermal = append(h.Clock.Thermal, clock.Wave{})
			return waveFields(&h.Clock.Thermal[len(h.Clock.Thermal)-1])
		},
		"step": func() []field {
			h.Clock.Steps = append(h.Clock.Steps, clock.Step{})
			return stepFields(&h.Clock.Steps[len(h.Clock.Steps)-1])
		},
		"reboot": func() []field {
			h.Clock.Reboots = append(h.Clock.Reboots, clock.Reboot{})
			return rebootFields(&h.Clock.Reboots[len(h.Clock.Reboots)-1])
		},
		"address": func() []field {
			h.Address = append(h.Address, Address{})
			return addressFields(&h.Address[len(h.Address)-1])
		},
	}
	return p.below(h.Name, s, under, h.lines.add)
}

func (p *parser) switches(s statement) error {
	w, err := s.take("its name")
	if err != nil {
		return err
	}
	p.s.Switches = append(p.s.Switches, Switch{Name: w[0], Line: s.line})
	last := &p.s.Switches[len(p.s.Switches)-1]
	if err := p.fill(last.Name, s, switchFields(last)); err != nil {
		return err
	}
	return p.below(last.Name, s, nil, nil)
}

func (p *parser) link(s statement) error {
	w, err := s.take("the names of what it joins", "two of them")
	if err != nil {
		return err
	}
	l := Link{A: w[0], B: w[1], Line: s.line}
	var out network.LinkSpec
	if err := p.fill(l.A+" "+l.B, s, linkFields(&out)); err != nil {
		return err
	}
	l.Out, l.Back = out, out
	back := map[string]func() []field{"back": func() []field { return linkFields(&l.Back) }}
	if err := p.below(l.A+" "+l.B, s, back, func(_ string, line int) { l.back = line }); err != nil {
		return err
	}
	p.s.Links = append(p.s.Links, l)
	return nil
}

func (p *parser) workload(s statement) error {
	w, err := s.take("its kind")
	if err != nil {
		return err
	}
	l := Workload{Kind: w[0], Params: make(map[string]string), Line: s.line}
	times := []field{duration("begin", &l.From), duration("end", &l.Until)}
	var own statement
	for _, a := range s.args {
		if a.key == "begin" || a.key == "end" {
			own.args = append(own.args, a)
			continue
		}
		if _, twice := l.Params[a.key]; twice {
			return fmt.Errorf("%s is given twice", a.key)
		}
		l.Params[a.key] = a.value
	}
	if err := p.fill("workload", own, times); err != nil {
		return err
	}
	p.s.Workloads = append(p.s.Workloads, l)
	return p.below("workload", s, nil, nil)
}

// fill reads the key=value of a statement.
func (p *parser) fill(of string, s statement, fields []field) error {
	given := make(map[string]bool)
	for _, a := range s.args {
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == a.key })
		if i < 0 {
			var keys []string
			for _, f := range fields {
				keys = append(keys, f.key)
			}
			return fmt.Errorf("there is no key %q here; there are %s", a.key, strings.Join(keys, ", "))
		}
		if given[a.key] {
			return fmt.Errorf("%s is given twice", a.key)
		}
		given[a.key] = true
		r := reader{duration: p.s.Duration, key: a.key, dice: func(key string) *chance.Source {
			return chance.New(p.Seed, fmt.Sprintf("scenario/%s/%s/%s", of, strings.Join(s.words, " "), key))
		}}
		if err := fields[i].read(r, a.value); err != nil {
			return fmt.Errorf("%s: %w", a.key, err)
		}
	}
	return nil
}

// below reads the indented lines of a statement. at, if it is not nil, is told where each of them stands.
func (p *parser) below(of string, s statement, kinds map[string]func() []field, at func(kind string, line int)) error {
	for _, u := range s.under {
		fields, ok := kinds[u.words[0]]
		err := fmt.Errorf("%s has nothing below it", s.words[0])
		switch {
		case !ok && len(kinds) > 0:
			err = fmt.Errorf("there is no %q below a %s; there are %s", u.words[0], s.words[0], sorted(kinds))
		case ok && len(u.words) > 1:
			err = fmt.Errorf("%s is followed by key=value, not by %q", u.words[0], u.words[1])
		case ok:
			if at != nil {
				at(u.words[0], u.line)
			}
			err = p.fill(of, u, fields())
		}
		if err != nil {
			return &Error{Line: u.line, Text: err.Error()}
		}
	}
	return nil
}

func sorted[V any](m map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}
