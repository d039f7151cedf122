package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"synchroscope/sync/baseline"
	"synchroscope/sync/network"
)

// pairs are names of hosts.
type pairs [][2]string

// add reads a flag.
func (p *pairs) add(s string) error {
	a, b, ok := strings.Cut(s, ",")
	if !ok || a == "" || b == "" {
		return errors.New("it must be the names of two hosts, such as web,db")
	}
	*p = append(*p, [2]string{a, b})
	return nil
}

// parts are the links and the time that a synchronization is to be by.
type parts struct {
	exclude pairs
	window  *network.Window
}

func partsFlags(fs *flag.FlagSet) *parts {
	p := new(parts)
	fs.Func("exclude", "a link that is not to count, as the names of its hosts: `A,B`; may be given again", p.exclude.add)
	fs.Func("window", "only messages within this part of reference time, as it is by all messages, count: `BEGIN,END` in ns", func(s string) error {
		from, to, ok := strings.Cut(s, ",")
		begin, err := strconv.ParseInt(from, 10, 64)
		end, err2 := strconv.ParseInt(to, 10, 64)
		switch {
		case !ok || err != nil || err2 != nil:
			return errors.New("it must be two times in ns, such as 1795229343000000000,1795229344000000000")
		case begin >= end:
			return errors.New("it ends no later than it begins")
		}
		p.window = &network.Window{Begin: begin, End: end}
		return nil
	})
	return p
}

// check tells what is named and is not there.
func (p *parts) check(s *network.Solution) error {
	number := make(map[string]int32)
	for i, h := range s.Hosts {
		number[h.Name] = int32(i)
	}
	for _, pair := range p.exclude {
		for _, name := range pair {
			if _, ok := number[name]; !ok {
				return fmt.Errorf("there is no host %q", name)
			}
		}
		a, b := number[pair[0]], number[pair[1]]
		if !slices.ContainsFunc(s.Links, func(k network.Link) bool { return k.A == min(a, b) && k.B == max(a, b) }) {
			if h := s.Hosts[s.Reference]; p.window != nil {
				return fmt.Errorf("no message between %q and %q lies within the window, which is by the clock of %s: it recorded from %d to %d", pair[0], pair[1], h.Name, h.Begin, h.End)
			}
			return fmt.Errorf("there is no link between %q and %q", pair[0], pair[1])
		}
	}
	return nil
}

// without are the links that count.
func (p *parts) without(links []baseline.Link, s *network.Solution) []baseline.Link {
	return slices.DeleteFunc(links, func(l baseline.Link) bool {
		a, b := s.Hosts[l.A].Name, s.Hosts[l.B].Name
		return slices.Contains(p.exclude, [2]string{a, b}) || slices.Contains(p.exclude, [2]string{b, a})
	})
}
