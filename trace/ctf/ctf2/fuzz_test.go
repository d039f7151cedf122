package ctf2

import (
	"errors"
	"testing"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// FuzzMetadata2 reads any text as metadata of CTF 2. It is refused with a place in it, or laid out; and events
// of what was laid out are read from any bytes, without going behind them.
func FuzzMetadata2(f *testing.F) {
	for _, text := range seedTexts(f) {
		f.Add(text, []byte("\x01\x02\x03\x00text\x00\xff\x80\x01\x05\x00\x00\x00\x00"))
	}
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		m, err := Parse(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line() < 1 || e.Column() < 1 || e.Message == "" {
				t.Fatalf("error %v has no place", err)
			}
			return
		}
		if len(m.Streams) == 0 {
			t.Fatal("no streams, and no error")
		}
		for _, s := range m.Streams {
			read(t, m, s, data)
		}
	})
}

// read lays out a stream and reads one packet with one event of each kind.
func read(t *testing.T, m *schema.Trace, s *schema.Stream, data []byte) {
	var l trace.Layout
	if l.Packet(m.PacketHeader, s.PacketContext) != nil || l.Header(s.EventHeader) != nil {
		return
	}
	end := uint64(len(data)) * 8
	data = append(append([]byte(nil), data...), make([]byte, trace.Spare)...)
	for i, decl := range s.Events {
		c, err := l.Class(decl.Name, i, s.EventContext, decl.Context, decl.Payload)
		if err != nil {
			continue
		}
		var e trace.Event
		e.Prepare(max(c.Slots(), l.Slots(), 1))
		if _, err := e.DecodePacket(&l, data, end); err != nil {
			continue
		}
		for _, r := range []trace.Role{trace.ContentSize, trace.PacketBegin} {
			if f := l.Field(trace.PacketContext, r); f != nil && !e.Has(f) && e.Int(f) != 0 {
				t.Fatal("a field that is not there has a value")
			}
		}
		pos, err := e.DecodeHeader(&l, data, 0, end)
		if err != nil {
			continue
		}
		if pos, err = e.DecodeBody(c, data, pos, end); err != nil {
			continue
		}
		if pos > end {
			t.Fatalf("an event ends at bit %d of %d", pos, end)
		}
		e.AppendContext(e.AppendText(nil))
		for _, name := range []string{"x", "u8", "n", "v", "t"} {
			f := c.Field(name)
			e.Bytes(f)
			e.Float(f)
			e.At(f, e.Len(f)-1)
		}
	}
}
