package text

import (
	"strings"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// eventLine reads: TIME [cpu=CPU] NAME[#ID] fields [| context fields] [^ header fields]
//
// The writer takes them in the order in which they are recorded: header, contexts, payload.
func (r *reader) eventLine() {
	at, f := r.at, r.file
	if f == nil || f.cut {
		r.fail(at, "an event is part of no file")
	}
	ns := r.time()
	if r.space(); r.accept("cpu=") {
		at := r.at
		if v := r.unsigned("a CPU"); v != f.cpu || f.place.roles&trace.CPU == 0 {
			r.fail(at, "the packet is not of CPU %d", v)
		}
		r.space()
	}
	e := f.kind()
	now := f.cycles(f.place.stamp, ns, at)
	f.open(at, now)
	f.s.Begin(r.out.ClassByID(f.model.ID, e.ID), now)
	f.check(at)

	payload := r.at
	context, header, end := r.parts()
	v := &valueReader{cursor: r.cursor, s: f.s, raw: r.model.Verbatim}
	if header >= 0 {
		r.at = header
		v.rest(f.model.EventHeader, r.end)
	}
	if context >= 0 {
		r.at = context
	} else {
		r.at = end
	}
	for _, t := range []*trace.Type{f.model.EventContext, e.Context} {
		if t != nil {
			v.members(t)
		}
	}
	v.stop("^")
	r.at = payload
	if e.Payload != nil {
		v.members(e.Payload)
	}
	v.stop("|^")
	f.s.End()
	f.check(at)
	r.at = end
}

// kind reads the name of an event, with its id where the name does not say which one it is.
func (f *file) kind() *schema.Event {
	at := f.cursor.at
	name := f.ident("the name of an event", "#")
	var found []*schema.Event
	for _, e := range f.model.Events {
		if e.Name == name {
			found = append(found, e)
		}
	}
	if f.accept("#") {
		id := f.unsigned("the id of an event")
		for _, e := range found {
			if e.ID == id {
				return e
			}
		}
		f.fail(at, "stream %d has no event %q with id %d", f.model.ID, name, id)
	}
	switch len(found) {
	case 0:
		f.fail(at, "stream %d has no event %q", f.model.ID, name)
	case 1:
	default:
		f.fail(at, "stream %d has %d events %q; one is meant by its id, as in %s#%d", f.model.ID, len(found), name, name, found[0].ID)
	}
	return found[0]
}

// parts finds where the fields of the context and of the header begin in the rest of a line, -1 where there
// are none, and where the line ends.
func (r *reader) parts() (context, header, end int) {
	context, header = -1, -1
	for r.at < len(r.text) && r.text[r.at] != '\n' {
		switch r.text[r.at] {
		case '"':
			r.quoted()
			continue
		case '|':
			if context < 0 && header < 0 {
				context = r.at + 1
			}
		case '^':
			if header < 0 {
				header = r.at + 1
			}
		}
		r.at++
	}
	return context, header, r.at
}

// stop fails where something is left before the end of a part of the line.
func (r *valueReader) stop(until string) {
	if !r.end() && strings.IndexByte(until, r.peek()) < 0 {
		r.fail(r.at, "no field is left for %s", r.found())
	}
}
