// Package writer writes traces in the Common Trace Format, 1.8 or 2: for
// generators, which write tens of millions of events, and for tests.
//
// A [Writer] is made from the same model of the metadata that the reader fills
// ([schema.Trace]), so what is written is described by what it is read with. Every scope
// is compiled into a list of ops, and an event is written by giving its values in the
// order of its fields:
//
//	s.Begin(class, cycles)
//	s.String("bash")
//	s.Int(12)
//	err := s.End()
//
// The writer finds by itself what follows from the metadata and the values so far:
// padding, how often an array repeats, which option a variant has selected. It also
// knows the fields that have a role: magic number, sizes, clock values and
// counters of packets, and the ids and times of event headers. All other fields, those of contexts
// and of odd headers included, are the caller's. What does not fit is an error that
// names the field; the stream keeps the first error, so it need be asked for only once.
//
// What we chose not to do: packets of one size. LTTng moves an event that does not
// fit to the next packet; here a packet is closed by the first event that
// reaches its size, so nothing is ever written twice, and readers cannot care.
package writer

import (
	"fmt"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// A Format is a version of the Common Trace Format.
type Format uint8

const (
	CTF18 Format = iota // CTF 1.8: metadata in TSDL
	CTF2                // CTF 2: metadata in JSON
)

// A Writer writes the streams of one trace. It does not change once made: any number of
// goroutines may make streams and write to them, each to its own.
type Writer struct {
	model    *schema.Trace
	metadata []byte
	uuid     [16]byte
	streams  []*streamClass
}

// A streamClass is one kind of stream, compiled.
type streamClass struct {
	model   *schema.Stream
	packet  []op
	forms   []*form
	classes []*Class
	slots   int
	header  [2]int32 // slots of the event header
	begins  bool     // packets have a time of their beginning

	alternatives bool // a length or a selector may be one of several fields
}

// A Class is a kind of event of one kind of stream.
type Class struct {
	Name string
	ID   uint64

	stream *streamClass
	body   []op
}

// New prepares to write a trace. The model must not change afterwards. It fails where the
// types are wrong in themselves or the format has no words for them.
func New(t *schema.Trace, f Format) (*Writer, error) {
	w := &Writer{model: t}
	var err error
	if f == CTF2 {
		w.metadata, err = JSON(t)
	} else {
		w.metadata, err = TSDL(t)
	}
	if err != nil {
		return nil, err
	}
	w.uuid, _ = parseUUID(t.UUID)
	for _, s := range t.Streams {
		c, err := compile(t, s)
		if err != nil {
			return nil, fmt.Errorf("stream %d: %w", s.ID, err)
		}
		w.streams = append(w.streams, c)
	}
	return w, nil
}

// Metadata is the content of the metadata file.
func (w *Writer) Metadata() []byte { return w.metadata }

// Class returns the kind of event called name in the streams of kind stream, nil if there is
// none. Where several have the name it is the first.
func (w *Writer) Class(stream uint64, name string) *Class {
	for _, s := range w.streams {
		if s.model.ID != stream {
			continue
		}
		for _, c := range s.classes {
			if c.Name == name {
				return c
			}
		}
	}
	return nil
}

// ClassByID is like Class with the id of the event.
func (w *Writer) ClassByID(stream, id uint64) *Class {
	for _, s := range w.streams {
		if s.model.ID != stream {
			continue
		}
		for _, c := range s.classes {
			if c.ID == id {
				return c
			}
		}
	}
	return nil
}

func compile(t *schema.Trace, s *schema.Stream) (*streamClass, error) {
	sc := &streamClass{model: s}
	c := &compiler{auto: true, exact: t.Verbatim}
	if err := c.scope(trace.PacketHeader, t.PacketHeader); err != nil {
		return nil, err
	}
	if err := c.scope(trace.PacketContext, s.PacketContext); err != nil {
		return nil, err
	}
	sc.packet = c.program()
	for i := range sc.packet {
		sc.begins = sc.begins || sc.packet[i].role&trace.PacketBegin != 0
	}
	sc.header[0] = c.slots
	var err error
	if sc.forms, err = c.forms(s.EventHeader); err != nil {
		return nil, err
	}
	sc.header[1] = c.slots
	sc.slots, sc.alternatives = int(c.slots), c.alternatives
	for i, e := range s.Events {
		b := &compiler{roots: c.roots, slots: c.slots, exact: t.Verbatim}
		for n, t := range [...]*trace.Type{s.EventContext, e.Context, e.Payload} {
			if err := b.scope(trace.StreamContext+trace.Scope(n), t); err != nil {
				return nil, fmt.Errorf("event %q: %w", e.Name, err)
			}
		}
		if !sc.forms[len(sc.forms)-1].hasID && i > 0 {
			return nil, fmt.Errorf("event %q: the event header has no id, so there can be one kind of event only", e.Name)
		}
		sc.slots = max(sc.slots, int(b.slots))
		sc.alternatives = sc.alternatives || b.alternatives
		sc.classes = append(sc.classes, &Class{Name: e.Name, ID: e.ID, stream: sc, body: b.program()})
	}
	return sc, nil
}

// parseUUID reads the canonical form.
func parseUUID(s string) (id [16]byte, ok bool) {
	n := 0
	for i := 0; i < len(s) && n < 32; i++ {
		d := -1
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			d = int(c - '0')
		case 'a' <= c && c <= 'f':
			d = int(c-'a') + 10
		}
		if d >= 0 {
			id[n/2] = id[n/2]<<4 | byte(d)
			n++
		}
	}
	return id, n == 32
}
