// Package tracetest makes events from text, for the tests of whatever reads events.
//
// A line is a time, the CPU if it matters, the name and the fields:
//
//	12.000000123 cpu=0 sched_switch prev_comm="bash" prev_tid=12 next_tid=0
//	13.5 net_if_receive_skb network_header.ipv4={saddr=[10,0,0,1] ttl=64} network_header.ipv4.transport_header.tcp.seq=5
//
// The fields have the form that [trace.Event.AppendText] writes (docs/format/text.md); besides,
// a dotted name stands for nested structures. Integers become 64-bit fields,
// a label behind a colon an enumeration.
package tracetest

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/trace"
)

// A Source makes events that share their classes: events with the same name and
// the same fields have one class. The zero Source is ready.
type Source struct {
	classes map[string]*trace.Class
}

// Parse makes the events of a text: one per line, in the order given. Empty
// lines and lines that begin with # are left out.
func Parse(t testing.TB, text string) []*trace.Event {
	t.Helper()
	var s Source
	return s.Parse(t, text)
}

// Parse is like the function, with the classes of s.
func (s *Source) Parse(t testing.TB, text string) []*trace.Event {
	t.Helper()
	var events []*trace.Event
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		e, err := s.Event(line)
		if err != nil {
			t.Fatalf("tracetest: line %d: %v", i+1, err)
		}
		events = append(events, e)
	}
	return events
}

// Event makes one event. It stays valid, and is the caller's.
func (s *Source) Event(line string) (*trace.Event, error) {
	p := &parser{rest: line}
	ns, err := parseTime(p.word())
	if err != nil {
		return nil, err
	}
	e := &trace.Event{Time: ns, Recorded: ns, CPU: -1}
	p.space()
	if strings.HasPrefix(p.rest, "cpu=") {
		cpu := strings.TrimPrefix(p.word(), "cpu=")
		if _, err := fmt.Sscanf(cpu, "%d", &e.CPU); err != nil {
			return nil, fmt.Errorf("%q is not a CPU", cpu)
		}
	}
	name, err := p.event()
	if err != nil {
		return nil, err
	}
	fields := &value{kind: trace.Struct}
	if err := p.fields(fields, ""); err != nil {
		return nil, err
	}
	class, err := s.class(name, fields.typ())
	if err != nil {
		return nil, err
	}
	b := fields.encode(nil)
	bits := uint64(len(b)) * 8
	e.Prepare(class.Slots())
	if _, err := e.DecodeBody(class, append(b, make([]byte, trace.Spare)...), 0, bits); err != nil {
		return nil, fmt.Errorf("internal error: %v", err)
	}
	return e, nil
}

// class returns the class of that name and shape.
func (s *Source) class(name string, t *trace.Type) (*trace.Class, error) {
	key := name + " " + shape(t)
	if c := s.classes[key]; c != nil {
		return c, nil
	}
	c, err := new(trace.Layout).Class(name, len(s.classes), nil, nil, t)
	if err != nil {
		return nil, err
	}
	if s.classes == nil {
		s.classes = make(map[string]*trace.Class)
	}
	s.classes[key] = c
	return c, nil
}

// shape writes a type so that equal types are equal strings.
func shape(t *trace.Type) string {
	var b strings.Builder
	fmt.Fprint(&b, t.Kind, t.Signed, t.Base, t.Labels, t.Count)
	for _, m := range t.Members {
		fmt.Fprintf(&b, "(%q %s)", m.Name, shape(m.Type))
	}
	if t.Elem != nil {
		fmt.Fprintf(&b, "[%s]", shape(t.Elem))
	}
	return b.String()
}
