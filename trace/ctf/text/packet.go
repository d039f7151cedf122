package text

import (
	"encoding/hex"
	"strconv"
	"strings"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
	"synchroscope/trace/ctf/writer"
)

// maxPacket bounds the size of a packet that a text asks for, in bytes.
const maxPacket = 64 << 20

// A file is a stream file that is being written.
type file struct {
	*reader
	model *schema.Stream
	place *place
	s     *writer.Stream
	cut   bool

	// The packet that is open, or is opened by its first event: what its line says.
	line     bool // there is one
	lineAt   int
	restAt   int // of the fields without a role, 0 if there are none
	begin    int64
	end      int64
	hasBegin bool
	hasEnd   bool
	size     int
	claims   []claim
	opened   bool
	cpu      uint64
}

type claim struct {
	role  trace.Role
	value uint64
}

// beginFile reads: file NAME [stream=ID]
func (r *reader) beginFile(at int) {
	r.complete(at)
	if r.file != nil {
		r.file.close(r.cursor)
	}
	name := r.ident("the name of a file", "")
	if r.files[name] {
		r.fail(at, "file %q is written twice", name)
	}
	if r.files == nil {
		r.files = make(map[string]bool)
	}
	r.files[name] = true
	f := &file{reader: r}
	var id uint64
	if len(r.model.Streams) > 0 {
		f.model = r.model.Streams[0]
		id = f.model.ID
	}
	if r.space(); r.accept("stream=") {
		at := r.at
		id, f.model = r.unsigned("the id of a stream"), nil
		for _, s := range r.model.Streams {
			if s.ID == id {
				f.model = s
			}
		}
		if f.model == nil {
			r.fail(at, "stream %d is not declared", id)
		}
	}
	if f.model == nil {
		r.fail(at, "no stream is declared")
	}
	s, err := r.out.Stream(name, writer.StreamOptions{Class: id, PacketSize: 2 * maxPacket, Packet: f.rest})
	if err != nil {
		r.fail(at, "%v", err)
	}
	f.s, f.place = s, r.places.streams[f.model]
	r.file = f
}

// packet reads: packet key=value… [| path=value…]
func (r *reader) packet(at int) {
	f := r.file
	if f == nil || f.cut {
		r.fail(at, "a packet is part of no file")
	}
	f.close(r.cursor)
	*f = file{reader: r, model: f.model, place: f.place, s: f.s, cpu: f.cpu, line: true, lineAt: at}
	for !r.end() && r.peek() != '|' {
		at := r.at
		key := r.word("=")
		r.expect("=", "behind "+strconv.Quote(key))
		if name, ok := strings.CutPrefix(key, "false-"); ok {
			role := roleOf(name)
			if role == trace.NoRole {
				r.fail(at, "%q is no role", name)
			}
			f.claims = append(f.claims, claim{role, r.unsigned("an integer")})
			continue
		}
		f.attribute(at, key)
	}
	if r.accept("|") {
		r.space()
		f.restAt = r.at
		r.at += len(strings.SplitN(r.text[r.at:], "\n", 2)[0])
	}
}

// attributes of a packet that are integers, and what they say.
var attributes = map[string]trace.Role{
	"seq": trace.Sequence, "discarded": trace.Discarded, "cpu": trace.CPU, "instance": trace.StreamInstance,
}

func (f *file) attribute(at int, key string) {
	need := func(role trace.Role) {
		if f.place.roles&role == 0 {
			f.fail(at, "packets of this stream have no field for %q", key)
		}
	}
	switch key {
	case "begin":
		need(trace.PacketBegin)
		f.begin, f.hasBegin = f.time(), true
	case "end":
		need(trace.PacketEnd)
		f.end, f.hasEnd = f.time(), true
	case "size":
		size := f.unsigned("a number of bytes")
		if size > maxPacket {
			f.fail(at, "a packet has at most %d bytes", maxPacket)
		}
		f.size = int(size)
	default:
		role := attributes[key]
		if role == trace.NoRole {
			f.fail(at, "%q is nothing that a packet has", key)
		}
		need(role)
		v := f.unsigned("an integer")
		if role == trace.CPU {
			f.cpu = v
		}
		f.s.Set(role, v)
	}
}

func roleOf(name string) trace.Role {
	for _, n := range roleNames {
		if n.name == name {
			return n.role
		}
	}
	return trace.NoRole
}

// cycles is the clock's value at a time.
func (f *file) cycles(c *schema.Clock, ns int64, at int) uint64 {
	v, ok := c.Cycles(ns)
	if !ok {
		f.fail(at, "clock %q cannot have the time %s", c.Name, trace.AppendTime(nil, ns))
	}
	return v
}

// open begins the packet, if that has not been done.
func (f *file) open(at int, first uint64) {
	if f.opened {
		return
	}
	if f.hasBegin {
		first = f.cycles(f.place.begin, f.begin, f.lineAt)
	}
	f.opened = true
	f.s.Open(first)
	f.s.Pad(f.size)
	for _, c := range f.claims {
		f.s.Claim(c.role, c.value)
	}
	f.check(at)
}

func (f *file) check(at int) {
	if err := f.s.Err(); err != nil {
		f.fail(at, "%v", err)
	}
}

// rest gives the writer the fields of packet header and context that have no role.
func (f *file) rest(s *writer.Stream) {
	if f.restAt == 0 {
		return
	}
	before := f.jump(f.restAt)
	v := &valueReader{cursor: f.cursor, s: s, raw: f.reader.model.Verbatim}
	scopes := &trace.Type{Kind: trace.Struct}
	for _, t := range []*trace.Type{f.reader.model.PacketHeader, f.model.PacketContext} {
		if t != nil {
			scopes.Members = append(scopes.Members, t.Members...)
		}
	}
	v.rest(scopes, f.cursor.end)
	f.cursor.at = before
}

// jump moves the cursor and returns where it was.
func (f *file) jump(at int) int {
	before := f.cursor.at
	f.cursor.at = at
	return before
}

// close ends the packet.
func (f *file) close(c *cursor) {
	if f.cut || !f.line && !f.opened {
		return
	}
	f.open(f.lineAt, 0)
	if f.hasEnd {
		f.s.FlushAt(f.cycles(f.place.end, f.end, f.lineAt))
	} else {
		f.s.Flush()
	}
	if err := f.s.Err(); err != nil {
		c.fail(f.lineAt, "%v", err)
	}
	f.line, f.opened = false, false
}

// raw reads: raw HEX…
func (r *reader) raw(at int) {
	f := r.file
	if f == nil || f.cut {
		r.fail(at, "bytes are part of no file")
	}
	var b []byte
	for !r.end() {
		at := r.at
		part, err := hex.DecodeString(r.word(""))
		if err != nil {
			r.fail(at, "bytes are written as pairs of hexadecimal digits")
		}
		b = append(b, part...)
	}
	f.open(at, 0)
	f.s.Raw(b)
	f.check(at)
}

// cut reads: cut BYTES
func (r *reader) cut(at int) {
	f := r.file
	if f == nil || f.cut || !f.line && !f.opened {
		r.fail(at, "there is no packet to cut")
	}
	n := r.unsigned("a number of bytes")
	if n > maxPacket {
		r.fail(at, "a packet has at most %d bytes", maxPacket)
	}
	f.open(at, 0)
	if f.hasEnd {
		f.s.Claim(trace.PacketEnd, f.cycles(f.place.end, f.end, f.lineAt))
	}
	f.s.Cut(int(n))
	f.check(at)
	f.cut = true
}
