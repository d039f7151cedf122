package match

import "synchroscope/trace"

// declared builds keys of the fields that a declaration names.
type declared struct {
	kind      digest // of the message, which every key begins with
	direction Direction
	host      string
	key, end  []*trace.Field
	peer      *trace.Field
	bytes     *trace.Field
	thread    *trace.Field
}

// bind looks the fields up. It returns nil for a class that lacks one of the key; the
// others may be missing.
func (d *declaration) bind(c *trace.Class, host string) form {
	f := &declared{direction: d.direction, host: host, bytes: c.Field(d.bytes), thread: c.Context("vtid")}
	if f.thread == nil {
		f.thread = c.Context("tid")
	}
	f.kind.text([]byte(d.message))
	for _, name := range d.key {
		field := c.Field(name)
		if field == nil {
			return nil
		}
		f.key = append(f.key, field)
	}
	if d.peer != "" {
		if f.peer = c.Field(d.peer); f.peer == nil {
			return nil
		}
	}
	for _, name := range d.end {
		if field := c.Field(name); field != nil {
			f.end = append(f.end, field)
		}
	}
	return f
}

func (f *declared) fill(ev *trace.Event, e *Endpoint) bool {
	key := f.kind
	if f.peer != nil {
		if !ev.Has(f.peer) {
			return false
		}
		var own, other digest
		own.text([]byte(f.host))
		other.value(ev, f.peer)
		if f.direction == Receive {
			own, other = other, own
		}
		key.word(own.x)
		key.word(other.x)
	}
	for _, field := range f.key {
		if !ev.Has(field) {
			return false
		}
		key.value(ev, field)
	}
	e.Key = Key{Form: declaredForm, A: key.x, B: key.y}
	if len(f.end) > 0 {
		end := f.kind
		for _, field := range f.end {
			end.value(ev, field)
		}
		e.Port = max(end.x, 1)
	}
	e.Bytes = uint32(ev.Int(f.bytes))
	if ev.Has(f.thread) {
		e.Thread = int32(ev.Int(f.thread))
	}
	return true
}
