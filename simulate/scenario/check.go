package scenario

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

const (
	maxHosts    = 1000
	maxCPUs     = 256
	minDuration = 1_000_000
	maxDuration = 30 * 86400 * 1_000_000_000
)

// check tells what a scenario has that cannot be, each thing with its line.
func (s *Scenario) check(o Options) error {
	switch {
	case s.Name == "":
		return &Error{Text: "there is no statement scenario, which gives it a name"}
	case s.Duration < minDuration || s.Duration > maxDuration:
		return &Error{Text: "a scenario lasts from 1ms to 30d; the statement duration says how long"}
	case len(s.Hosts) == 0 || len(s.Hosts) > maxHosts:
		return &Error{Text: fmt.Sprintf("a scenario has 1 to %d hosts, not %d", maxHosts, len(s.Hosts))}
	}
	nodes := make(map[string]int) // by name, the line it stands in
	nat := make(map[string]bool)
	add := func(kind, name string, line int) error {
		if !validName(name) {
			return fmt.Errorf("the name of a %s has letters, digits, dots, hyphens and underscores, 63 at most; %q is none", kind, name)
		}
		if first, ok := nodes[name]; ok {
			return fmt.Errorf("%q is there already, in line %d", name, first)
		}
		nodes[name] = line
		return nil
	}
	for _, w := range s.Switches {
		if err := add("switch", w.Name, w.Line); err != nil {
			return &Error{Line: w.Line, Text: err.Error()}
		}
		nat[w.Name] = w.NAT
	}
	names := make([]string, len(s.Hosts))
	for i := range s.Hosts {
		h := &s.Hosts[i]
		names[i] = h.Name
		if h.Name == "truth.json" || h.Name == "messages.bin" {
			return &Error{Line: h.Line, Text: fmt.Sprintf("a host cannot be called %s, as a file beside its folder is", h.Name)}
		}
		if err := add("host", h.Name, h.Line); err != nil {
			return &Error{Line: h.Line, Text: err.Error()}
		}
		if err := h.check(nat); err != nil {
			return err
		}
	}
	if err := s.checkLinks(nodes); err != nil {
		return err
	}
	if err := s.checkWorkloads(names, o); err != nil {
		return err
	}
	return s.checkEnd(o)
}

func validName(name string) bool {
	return name != "" && len(name) <= 63 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == "" &&
		name[0] != '.' && name[0] != '-'
}

func (t *Tracing) check() error {
	switch {
	case t.Start < 0 || t.Stop < 0 || t.Stop != 0 && t.Stop <= t.Start:
		return fmt.Errorf("tracing starts before it stops, and not before the scenario begins")
	case t.SubBuffer != 0 && (t.SubBuffer < 4096 || t.SubBuffer > 1<<30):
		return fmt.Errorf("a sub-buffer has 4 KiB to 1 GiB, not %d bytes", t.SubBuffer)
	case t.SubBuffers == 1 || t.SubBuffers > 1024:
		return fmt.Errorf("there are 2 to 1024 sub-buffers, not %d", t.SubBuffers)
	case t.Wake < 0:
		return fmt.Errorf("a consumer does not wake before a sub-buffer is full")
	}
	for _, p := range t.Omit {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("the pattern %q of events cannot be read", p)
		}
	}
	return nil
}

func (k *Kernel) check() error {
	switch {
	case k.Slice < 0 || k.Tick < 0 || k.PageFaults < 0 || k.PageFaults > 1e6:
		return fmt.Errorf("slice, tick and faults of a kernel are not negative, and faults not above 1000000 per second")
	case k.Segment > 1<<20 || k.Coalesce > 1<<20:
		return fmt.Errorf("a network card segments and joins up to 1 MiB")
	}
	return nil
}

func (s *Scenario) checkLinks(nodes map[string]int) error {
	seen := make(map[[2]string]int)
	for _, l := range s.Links {
		pair := [2]string{min(l.A, l.B), max(l.A, l.B)}
		var err error
		for _, end := range pair {
			if _, ok := nodes[end]; !ok {
				err = fmt.Errorf("a link joins %s and %s, but there is no host or switch %q", l.A, l.B, end)
			}
		}
		if err == nil && l.A == l.B {
			err = fmt.Errorf("a link joins %s with itself", l.A)
		}
		if first, ok := seen[pair]; ok && err == nil {
			err = fmt.Errorf("%s and %s are joined already, in line %d", l.A, l.B, first)
		}
		seen[pair] = l.Line
		if err == nil {
			err = l.Out.Check()
		}
		if err != nil {
			return &Error{Line: l.Line, Text: err.Error()}
		}
		if err := l.Back.Check(); err != nil {
			return &Error{Line: l.back, Text: err.Error()}
		}
	}
	return nil
}

func (s *Scenario) checkWorkloads(hosts []string, o Options) error {
	owners := make(map[string]*Workload)
	for i := range s.Workloads {
		w := &s.Workloads[i]
		if w.From < 0 || w.Until < 0 || w.Until != 0 && w.Until < w.From {
			return &Error{Line: w.Line, Text: "a workload begins before it ends, and not before the scenario"}
		}
		if o.Workload == nil {
			continue
		}
		owns, err := o.Workload(w.Kind, w.Params, hosts)
		if err != nil {
			return &Error{Line: w.Line, Text: err.Error()}
		}
		for _, what := range slices.Sorted(maps.Keys(owns)) {
			first := owners[what]
			if first == nil {
				owners[what] = w
			} else if first.Kind != w.Kind || !owns[what] {
				return &Error{Line: w.Line, Text: fmt.Sprintf("%s: %s is that of %s in line %d already", w.Kind, what, first.Kind, first.Line)}
			}
		}
	}
	return nil
}
