package text

import (
	"strconv"

	"synchroscope/trace/ctf/schema"
	"synchroscope/trace/ctf/writer"
)

// format reads: ctf 1.8|2 [le|be] [packets] [uuid=…] [index]
func (r *reader) format(at int) {
	if r.begun {
		r.fail(at, "the format is given twice")
	}
	r.begun = true
	version := r.at
	switch v := r.word(""); v {
	case "1.8":
		r.opt.Format = writer.CTF18
	case "2":
		r.opt.Format, r.model.Verbatim = writer.CTF2, true
	default:
		r.fail(version, "the format is 1.8 or 2, not %q", v)
	}
	for !r.end() {
		at := r.at
		word := r.word("=")
		switch word {
		case "le", "be":
			r.model.BigEndian = word == "be"
		case "packets":
			r.opt.Packets = true
		case "index":
			r.opt.Index = true
		case "uuid":
			r.model.UUID = r.uuid()
		default:
			r.fail(at, "%q is nothing that a trace has", word)
		}
	}
	r.big = r.model.BigEndian
	if r.opt.Packets && r.opt.Format != writer.CTF18 {
		r.fail(at, "only the metadata of CTF 1.8 is put into packets")
	}
}

// uuid reads =UUID in its canonical form.
func (r *reader) uuid() string {
	r.expect("=", "and a uuid")
	at := r.at
	s := r.word("")
	digits := 0
	for i, c := range []byte(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && ('0' > c || c > '9') && ('a' > c || c > 'f') {
			digits = -100
		}
		digits++
	}
	if digits != 36 {
		r.fail(at, "%q is no uuid in its canonical form", s)
	}
	return s
}

// env reads: env NAME=VALUE
func (r *reader) env(at int) {
	r.declaring(at)
	v := schema.Var{Name: r.ident("the name of a variable", special)}
	for _, other := range r.model.Env {
		if other.Name == v.Name {
			r.fail(at, "variable %q has two values", v.Name)
		}
	}
	r.expect("=", "behind the name")
	if r.peek() == '"' {
		v.Text = r.quoted()
	} else {
		at := r.at
		n, err := strconv.ParseInt(r.word(""), 0, 64)
		if err != nil {
			r.fail(at, "a variable has an integer of 64 bits or a string in quotes for a value")
		}
		v.Number, v.IsNumber = n, true
	}
	r.model.Env = append(r.model.Env, v)
}

// clock reads: clock NAME key=value…
func (r *reader) clock(at int) {
	r.declaring(at)
	c := schema.Clock{Name: r.ident("the name of a clock", special), Frequency: 1e9}
	for _, other := range r.model.Clocks {
		if other.Name == c.Name {
			r.fail(at, "clock %q is declared twice", c.Name)
		}
	}
	for !r.end() {
		at := r.at
		key := r.word("=")
		texts := map[string]*string{"description": &c.Description, "namespace": &c.Namespace, "name": &c.Label, "uid": &c.UID}
		counts := map[string]*uint64{"freq": &c.Frequency, "precision": &c.Precision, "accuracy": &c.Accuracy}
		offsets := map[string]*int64{"seconds": &c.Seconds, "cycles": &c.Offset}
		switch {
		case key == "absolute":
			c.Absolute = true
			continue
		case key == "uuid":
			c.UUID = r.uuid()
			continue
		}
		r.expect("=", "behind "+strconv.Quote(key))
		switch {
		case texts[key] != nil:
			*texts[key] = r.quoted()
		case counts[key] != nil:
			*counts[key] = r.unsigned("an integer that is not negative")
		case offsets[key] != nil:
			v, _, above := r.signed("an integer")
			if above {
				r.fail(at, "%s does not fit into 64 bits with sign", key)
			}
			*offsets[key] = v
		default:
			r.fail(at, "%q is nothing that a clock has", key)
		}
	}
	if c.Frequency == 0 {
		r.fail(at, "a clock cannot run at 0 Hz")
	}
	r.model.Clocks = append(r.model.Clocks, c)
}

func (r *reader) packetHeader(at int) {
	r.declaring(at)
	if r.model.PacketHeader != nil {
		r.fail(at, "the packet header is declared twice")
	}
	r.model.PacketHeader = r.typeReader.read()
}

// declareStream reads: stream ID [clock=NAME]
func (r *reader) declareStream(at int) {
	r.declaring(at)
	s := &schema.Stream{ID: r.unsigned("the id of a stream")}
	for _, other := range r.model.Streams {
		if other.ID == s.ID {
			r.fail(at, "stream %d is declared twice", s.ID)
		}
	}
	if r.space(); r.accept("clock=") {
		s.Clock, s.HasClock = r.ident("the name of a clock", special), true
	}
	r.model.Streams = append(r.model.Streams, s)
	r.stream, r.event = s, nil
}

// streamScope reads a scope of the stream: its name and a struct.
func (r *reader) streamScope(at int) {
	r.declaring(at)
	if r.stream == nil || r.event != nil {
		r.fail(at, "the line stands behind that of a stream, before its events")
	}
	scope := &r.stream.EventContext
	switch r.text[at:][:12] {
	case "packet-conte":
		scope = &r.stream.PacketContext
	case "event-header":
		scope = &r.stream.EventHeader
	}
	if *scope != nil {
		r.fail(at, "a scope of the stream is declared twice")
	}
	*scope = r.typeReader.read()
}

// declareEvent reads: event ID NAME
func (r *reader) declareEvent(at int) {
	r.declaring(at)
	if r.stream == nil {
		r.fail(at, "an event is declared before its stream")
	}
	e := &schema.Event{ID: r.unsigned("the id of an event")}
	for _, other := range r.stream.Events {
		if other.ID == e.ID {
			r.fail(at, "event %d of stream %d is declared twice", e.ID, r.stream.ID)
		}
	}
	r.space()
	e.Name = r.ident("the name of an event", "")
	r.stream.Events = append(r.stream.Events, e)
	r.event = e
}

// eventScope reads the context or the fields of an event: a struct.
func (r *reader) eventScope(at int) {
	r.declaring(at)
	if r.event == nil {
		r.fail(at, "the line stands behind that of an event")
	}
	scope := &r.event.Payload
	if r.text[at] == 'c' {
		scope = &r.event.Context
	}
	if *scope != nil {
		r.fail(at, "a scope of the event is declared twice")
	}
	*scope = r.typeReader.read()
}
