package declared

import (
	"math"
	"slices"

	"synchroscope/state/history"
	"synchroscope/trace"
)

// A binding is what events of a class mean, with the fields resolved.
type binding struct {
	class          *trace.Class
	tid, pid, comm *trace.Field
	ns             *trace.Field
	loading        *loading      // nil where it tells of no modules
	text           history.Value // the name of the class, once it was needed

	// What is declared of the class: of several that fit, the first holds whose fields an event has. All but the last need one that not every
	// event of the class has.
	meanings []meaning
	scratch  []byte
}

// A meaning is a declaration, with the fields resolved.
type meaning struct {
	declaration *declaration
	kind        kind
	id          []*trace.Field
	what, row   *trace.Field
	needs       []*trace.Field // those without which an event is none
	always      bool           // every event of the class has them
}

// bind resolves what a class means, once for each.
func (m *Model) bind(c *trace.Class) binding {
	b := bare(c)
	m.nameless.recognized = m.nameless.recognized || Loads(c)
	for _, d := range m.declared {
		for i := range d.list {
			if !d.list[i].names(c) {
				continue
			}
			a, why := b.declare(&d.list[i], d.kinds[d.list[i].kind])
			if why != nil || slices.ContainsFunc(b.meanings, a.under) {
				continue
			}
			if b.meanings = append(b.meanings, a); a.always {
				return b
			}
		}
	}
	return b
}

// bare resolves what all events say, whatever is declared of them.
func bare(c *trace.Class) binding {
	return binding{class: c, tid: first(c, "vtid", "tid"), pid: first(c, "vpid", "pid"), comm: c.Context("procname"), ns: c.Context("pid_ns"), loading: loadingOf(c)}
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

// declare binds a declaration. It tells why no event of the class can be what it declares, if that is so.
func (b *binding) declare(o *declaration, k kind) (meaning, *obstacle) {
	a := meaning{declaration: o, kind: k}
	for _, name := range o.id {
		f := b.class.Field(name)
		if f == nil {
			return a, &obstacle{sort: noField, field: name}
		}
		a.id = append(a.id, f)
	}
	a.needs = slices.Clone(a.id)
	switch a.row = b.class.Field(o.row); {
	case o.row != "" && a.row == nil:
		return a, &obstacle{sort: noField, field: o.row}
	case a.row != nil && a.row.Type().Kind != trace.Integer:
		return a, &obstacle{sort: noInteger, field: o.row, kind: a.row.Type().Kind}
	case a.row != nil:
		a.needs = append(a.needs, a.row)
	case !k.spans && b.tid == nil:
		return a, &obstacle{sort: noThread}
	case !k.spans:
		a.needs = append(a.needs, b.tid)
	}
	if o.what != "" {
		a.what = b.class.Field(o.what)
	}
	a.always = true
	for i, f := range a.needs {
		a.always = a.always && f.Always()
		for j, g := range a.needs[:i] {
			if f.Excludes(g) {
				return a, &obstacle{sort: neverBoth, field: o.id[j], other: o.id[i]} // only ids are several
			}
		}
	}
	return a, nil
}

// under reports whether every event that one meaning, of the same class, fits is one that a, before it, takes.
func (a meaning) under(before meaning) bool {
	return !slices.ContainsFunc(before.needs, func(f *trace.Field) bool {
		return !f.Always() && !slices.ContainsFunc(a.needs, func(g *trace.Field) bool { return g.Brings(f) })
	})
}

// has reports whether an event has what it needs.
func (a *meaning) has(ev *trace.Event) bool {
	return a.always || !slices.ContainsFunc(a.needs, func(f *trace.Field) bool { return !ev.Has(f) })
}

// name is the name of the class as a value.
func (b *binding) name(m *Model) history.Value {
	if b.text.IsNull() {
		b.text = m.names.value(m.w, []byte(b.class.Name))
	}
	return b.text
}

// act does what is declared of an event. t is its thread, nil if unknown.
func (b *binding) act(m *Model, ev *trace.Event, t *track) {
	for i := range b.meanings {
		if a := &b.meanings[i]; a.has(ev) {
			b.mean(m, a, ev, t)
			return
		}
	}
}

// mean does what an event means.
func (b *binding) mean(m *Model, a *meaning, ev *trace.Event, t *track) {
	if a.row != nil {
		id := ev.Int(a.row)
		if id < 0 && !a.row.Type().Signed {
			return // it is 2⁶³ or more
		}
		t = m.row(a.kind.name, id)
	}
	switch {
	case a.kind.spans && a.declaration.begins:
		m.beginSpan(a.kind.name, b.digest(a, ev, a.id...), b.label(m, a, ev), a.declaration.as)
	case a.kind.spans:
		m.endSpan(a.kind.name, b.digest(a, ev, a.id...))
	case t == nil:
	case a.declaration.begins:
		m.push(t, frame{kind: b.digest(a, ev), key: b.digest(a, ev, a.what), as: a.declaration.as, label: b.label(m, a, ev)})
	default:
		m.pop(t, b.digest(a, ev), b.digest(a, ev, a.what), a.what != nil && ev.Has(a.what))
	}
}

// label names the state that an event begins.
func (b *binding) label(m *Model, a *meaning, ev *trace.Event) history.Value {
	text := []byte(a.kind.name)
	switch {
	case a.declaration.text != "":
		text = []byte(a.declaration.text)
	case a.what != nil && ev.Has(a.what):
		text = b.what(m, a, ev)
	}
	v := m.names.value(m.w, text)
	if v.IsNull() {
		v = m.w.Text([]byte(a.kind.name)) // kinds are few
	}
	return v
}

// what is what the field that names a state says.
func (b *binding) what(m *Model, a *meaning, ev *trace.Event) []byte {
	if a.declaration.code && isInteger(a.what) {
		if name := m.function(ev, b, uint64(ev.Int(a.what))); name != nil {
			return name
		}
	}
	if text := ev.Bytes(a.what); text != nil {
		return text
	}
	return ev.AppendField(nil, a.what)
}

// digest sums up the values of fields, as FNV-1a does.
func (b *binding) digest(a *meaning, ev *trace.Event, fields ...*trace.Field) uint64 {
	h := fnv(offset, []byte(a.kind.name))
	for _, f := range fields {
		if f == nil || !ev.Has(f) {
			continue
		}
		if text := ev.Bytes(f); text != nil {
			h = fnv(h, text)
			continue
		}
		var n uint64
		switch f.Type().Kind {
		case trace.Integer, trace.Boolean, trace.BitMap:
			n = uint64(ev.Int(f))
		case trace.Float: // one number, in however many bits it is written
			n = math.Float64bits(ev.Float(f))
		default: // what has parts is its text
			b.scratch = ev.AppendField(b.scratch[:0], f)
			h = fnv(h, b.scratch)
			continue
		}
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
