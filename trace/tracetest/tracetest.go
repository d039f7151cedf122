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
//
// What "synchroscope events" prints is read back as well: a host ahead of the CPU and the name, and the
// contexts behind a bar.
//
//	12.000000123 web cpu=0 open name="/etc" | vpid=12 procname="ls"
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
	_, e, err := s.Line(line)
	return e, err
}

// Line makes one event, like Event, and tells the host that the line names, "" if none.
func (s *Source) Line(line string) (host string, e *trace.Event, err error) {
	p := &parser{rest: line}
	ns, err := parseTime(p.word())
	if err != nil {
		return "", nil, err
	}
	host, cpu, name, err := p.head()
	if err != nil {
		return "", nil, err
	}
	fields := &value{kind: trace.Struct}
	if err := p.fields(fields, ""); err != nil {
		return "", nil, err
	}
	stream, event, err := p.contexts()
	if err != nil {
		return "", nil, err
	}
	e, err = s.event(name, stream, event, fields)
	if err != nil {
		return "", nil, err
	}
	e.Time, e.Recorded, e.CPU = ns, ns, cpu
	return host, e, nil
}

// event makes an event of its contexts, which may be nil, and its payload.
func (s *Source) event(name string, scopes ...*value) (*trace.Event, error) {
	var types [3]*trace.Type
	var b []byte
	for i, v := range scopes {
		if v != nil {
			types[i], b = v.typ(), v.encode(b)
		}
	}
	class, err := s.class(name, types)
	if err != nil {
		return nil, err
	}
	e := new(trace.Event)
	bits := uint64(len(b)) * 8
	e.Prepare(class.Slots())
	if _, err := e.DecodeBody(class, append(b, make([]byte, trace.Spare)...), 0, bits); err != nil {
		return nil, fmt.Errorf("internal error: %v", err)
	}
	return e, nil
}

// class returns the class of that name and shape.
func (s *Source) class(name string, t [3]*trace.Type) (*trace.Class, error) {
	key := fmt.Sprintf("%q", name)
	for _, t := range t {
		key += " " + shape(t)
	}
	if c := s.classes[key]; c != nil {
		return c, nil
	}
	c, err := new(trace.Layout).Class(name, len(s.classes), t[0], t[1], t[2])
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
	if t == nil {
		return "-"
	}
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
