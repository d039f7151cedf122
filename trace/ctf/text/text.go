// Package text reads and writes whole traces as text: what the metadata says, the
// packets of each stream, and the events, one to a line. docs/format/text.md
// has the grammar.
//
// [Write] makes a trace directory from a text and [Print] a text from a directory. A text that
// Print made is made again, byte by byte, from the trace that Write makes of it; and
// a trace that can be read without anomaly has the same events after Print and
// Write, though its bytes may differ: padding, the forms of event headers and the sizes of fields of
// variable length are the writer's choice.
//
// Both hold a whole text, or a whole packet, in memory. They are for tests and for
// looking at small traces; the reader of package ctf is for all others.
package text

import (
	"synchroscope/trace"
	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/schema"
	"synchroscope/trace/ctf/tsdl"
	"synchroscope/trace/ctf/writer"
)

// Write writes the trace that a text describes into a directory, which is made if need be. The name is that
// of the text, for errors; one that is a mistake in the text is an *[Error].
func Write(dir, name, text string) (err error) {
	r := &reader{typeReader: typeReader{cursor: &cursor{name: name, text: text}}, dir: dir}
	defer func() {
		if x := recover(); x != nil {
			e, ok := x.(*Error)
			if !ok {
				panic(x)
			}
			err = e
		}
		if r.out != nil {
			if e := r.out.Close(); err == nil {
				err = e
			}
		}
	}()
	r.read()
	return nil
}

// A reader reads the lines of a text.
type reader struct {
	typeReader
	dir   string
	model schema.Trace
	opt   writer.Options
	begun bool // the first line has been read

	stream *schema.Stream // that is being declared
	event  *schema.Event

	out    *writer.Dir // once the metadata is complete
	file   *file
	files  map[string]bool // names of all so far
	places places
}

// lines are what a line may begin with, but for events, which begin with their time.
var lines map[string]func(*reader, int)

func init() {
	lines = map[string]func(*reader, int){
		"ctf": (*reader).format, "env": (*reader).env, "clock": (*reader).clock,
		"packet-header": (*reader).packetHeader, "stream": (*reader).declareStream,
		"packet-context": (*reader).streamScope, "event-header": (*reader).streamScope, "event-context": (*reader).streamScope,
		"event": (*reader).declareEvent, "context": (*reader).eventScope, "fields": (*reader).eventScope,
		"file": (*reader).beginFile, "packet": (*reader).packet, "raw": (*reader).raw, "cut": (*reader).cut,
	}
}

func (r *reader) read() {
	for r.line() {
		at := r.at
		if c := r.peek(); c == '-' || '0' <= c && c <= '9' {
			r.eventLine()
			r.finish()
			continue
		}
		word := r.word("")
		handle := lines[word]
		if handle == nil {
			r.fail(at, "a line cannot begin with %q", word)
		}
		if !r.begun && word != "ctf" {
			r.fail(at, "the first line must say which format it is: ctf 1.8 or ctf 2")
		}
		r.space()
		handle(r, at)
		r.finish()
	}
	if !r.begun {
		r.fail(r.at, "the text is empty")
	}
	r.complete(r.at)
	if r.file != nil {
		r.file.close(r.cursor)
	}
}

// complete ends the metadata and begins to write.
func (r *reader) complete(at int) {
	if r.out != nil {
		return
	}
	if r.opt.Format == writer.CTF18 {
		tsdl.AssignRoles(&r.model)
	}
	out, err := writer.Create(r.dir, &r.model, r.opt)
	if err != nil {
		r.fail(at, "%v", err)
	}
	r.out = out
	if t, err := ctf.Open(r.dir); err != nil {
		r.fail(at, "the metadata would be refused: %v", err)
	} else {
		t.Close()
	}
	r.places.declare(&r.model)
}

// declaring fails where the metadata is complete already.
func (r *reader) declaring(at int) {
	if r.out != nil {
		r.fail(at, "the metadata goes on behind the first file")
	}
}

// places finds the clocks of a trace and the fields of its packets.
type places struct {
	clocks  map[string]*schema.Clock
	streams map[*schema.Stream]*place
}

// A place says what of a stream's packets and events is recorded.
type place struct {
	roles        trace.Role // of the packet header and context
	begin, stamp *schema.Clock
	end          *schema.Clock
}

var nanoseconds = &schema.Clock{Frequency: 1e9}

func (p *places) declare(t *schema.Trace) {
	p.clocks = make(map[string]*schema.Clock)
	p.streams = make(map[*schema.Stream]*place)
	for i := range t.Clocks {
		p.clocks[t.Clocks[i].Name] = &t.Clocks[i]
	}
	for _, s := range t.Streams {
		pl := &place{begin: nanoseconds, end: nanoseconds, stamp: nanoseconds}
		visit(t.PacketHeader, func(m trace.Member) { pl.roles |= m.Role })
		visit(s.PacketContext, func(m trace.Member) {
			pl.roles |= m.Role
			if m.Role&trace.PacketBegin != 0 {
				pl.begin = p.of(t, s, m.Type)
			}
			if m.Role&trace.PacketEnd != 0 {
				pl.end = p.of(t, s, m.Type)
			}
		})
		visit(s.EventHeader, func(m trace.Member) {
			if m.Role&trace.Timestamp != 0 {
				pl.stamp = p.of(t, s, m.Type)
			}
		})
		p.streams[s] = pl
	}
}

// of is the clock that a time of type t was read from.
func (p *places) of(m *schema.Trace, s *schema.Stream, t *trace.Type) *schema.Clock {
	for t.Kind == trace.Optional && t.Elem != nil {
		t = t.Elem
	}
	switch {
	case p.clocks[t.Clock] != nil && t.Clock != "":
		return p.clocks[t.Clock]
	case s.HasClock && p.clocks[s.Clock] != nil:
		return p.clocks[s.Clock]
	case len(m.Clocks) == 1:
		return &m.Clocks[0]
	}
	return nanoseconds
}

// visit calls f for the members of t, and of the structs, variants and optionals in it.
func visit(t *trace.Type, f func(trace.Member)) {
	if t == nil {
		return
	}
	for _, m := range t.Members {
		f(m)
		visit(m.Type, f)
	}
	if t.Kind == trace.Optional {
		visit(t.Elem, f)
	}
}
