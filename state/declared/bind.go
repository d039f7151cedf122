package declared

import (
	"slices"

	"synchroscope/state/history"
	"synchroscope/trace"
)

// A binding is what events of a class mean, with the fields resolved.
type binding struct {
	class          *trace.Class
	tid, pid, comm *trace.Field
	ns             *trace.Field
	text           history.Value // the name of the class, once it was needed

	declaration *declaration // nil if nothing is declared of it
	kind        kind
	id          []*trace.Field
	what, row   *trace.Field
	scratch     []byte
}

// bind resolves what a class means, once for each.
func (m *Model) bind(c *trace.Class) binding {
	b := binding{class: c, tid: first(c, "vtid", "tid"), pid: first(c, "vpid", "pid"), comm: c.Context("procname"), ns: c.Context("pid_ns")}
	for _, d := range m.declared {
		for i := range d.list {
			if o := &d.list[i]; o.event.Match([]byte(c.Name)) && b.declare(o, d.kinds[o.kind]) {
				return b
			}
		}
	}
	return b
}

// first is the first of some contexts that a class has.
func first(c *trace.Class, names ...string) *trace.Field {
	for _, name := range names {
		if f := c.Context(name); f != nil {
			return f
		}
	}
	return nil
}

// declare binds a declaration. It reports false where the class lacks a field that it cannot do without, or has no number there for a row.
func (b *binding) declare(o *declaration, k kind) bool {
	var id []*trace.Field
	for _, name := range o.id {
		f := b.class.Field(name)
		if f == nil {
			return false
		}
		id = append(id, f)
	}
	row := b.class.Field(o.row)
	switch {
	case o.row != "" && (row == nil || row.Type().Kind != trace.Integer):
		return false
	case !k.spans && row == nil && b.tid == nil:
		return false
	}
	b.declaration, b.kind, b.id, b.row = o, k, id, row
	if o.what != "" {
		b.what = b.class.Field(o.what)
	}
	return true
}

// name is the name of the class as a value.
func (b *binding) name(m *Model) history.Value {
	if b.text.IsNull() {
		b.text = m.names.value(m.w, []byte(b.class.Name))
	}
	return b.text
}

// act does what is declared of the class. t is the event's thread, nil if unknown.
func (b *binding) act(m *Model, ev *trace.Event, t *track) {
	o := b.declaration
	if o == nil || slices.ContainsFunc(b.id, func(f *trace.Field) bool { return !ev.Has(f) }) {
		return
	}
	if b.row != nil {
		if !ev.Has(b.row) {
			return
		}
		id := ev.Int(b.row)
		if id < 0 && !b.row.Type().Signed {
			return // it is 2⁶³ or more
		}
		t = m.row(b.kind.name, id)
	}
	switch {
	case b.kind.spans && o.begins:
		m.beginSpan(b.kind.name, b.digest(ev, b.id...), b.label(m, ev), o.as)
	case b.kind.spans:
		m.endSpan(b.kind.name, b.digest(ev, b.id...))
	case t == nil:
	case o.begins:
		m.push(t, frame{kind: b.digest(ev), key: b.digest(ev, b.what), as: o.as, label: b.label(m, ev)})
	default:
		m.pop(t, b.digest(ev), b.digest(ev, b.what), b.what != nil && ev.Has(b.what))
	}
}

// label names the state that an event begins.
func (b *binding) label(m *Model, ev *trace.Event) history.Value {
	text := []byte(b.kind.name)
	switch {
	case b.declaration.text != "":
		text = []byte(b.declaration.text)
	case b.what != nil && ev.Has(b.what):
		if text = ev.Bytes(b.what); text == nil {
			text = ev.AppendField(nil, b.what)
		}
	}
	v := m.names.value(m.w, text)
	if v.IsNull() {
		v = m.w.Text([]byte(b.kind.name)) // kinds are few
	}
	return v
}

// digest sums up the values of fields, as FNV-1a does.
func (b *binding) digest(ev *trace.Event, fields ...*trace.Field) uint64 {
	h := fnv(offset, []byte(b.kind.name))
	for _, f := range fields {
		if f == nil || !ev.Has(f) {
			continue
		}
		if text := ev.Bytes(f); text != nil {
			h = fnv(h, text)
			continue
		}
		switch f.Type().Kind {
		case trace.Integer, trace.Boolean, trace.BitMap, trace.Float:
		default: // what has parts is its text
			b.scratch = ev.AppendField(b.scratch[:0], f)
			h = fnv(h, b.scratch)
			continue
		}
		n := uint64(ev.Int(f))
		h = fnv(h, []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24), byte(n >> 32), byte(n >> 40), byte(n >> 48), byte(n >> 56)})
	}
	return h
}

const offset = 14695981039346656037

func fnv(h uint64, b []byte) uint64 {
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return (h ^ 0xff) * 1099511628211 // an end, so that "a", "bc" is not "ab", "c"
}

// names are the texts that are kept, by their hash: what a trace names must not fill
// the memory.
type names struct{ known map[uint64]struct{} }

// maxNames bounds the texts, maxText the length of one; what is past it has no name, or is cut.
const (
	maxNames = 1 << 14
	maxText  = 200
)

func (n *names) value(w *history.Writer, text []byte) history.Value {
	text = text[:min(len(text), maxText)]
	h := fnv(offset, text)
	if _, ok := n.known[h]; !ok {
		if len(text) == 0 || len(n.known) >= maxNames {
			return history.Null()
		}
		n.known[h] = struct{}{}
	}
	return w.Text(text)
}
