package writer

import (
	"encoding/json"

	"synchroscope/trace"
)

// scope writes the types of a scope and adds it to the known ones.
func (j *jsonPrinter) scope(known *roots, s trace.Scope, t *trace.Type) object {
	root := &node{typ: t, scope: s, exact: j.verbatim}
	known[s], j.roots = root, known
	return j.class(root, trace.NoRole)
}

var byteOrders = map[bool]string{false: "little-endian", true: "big-endian"}

// class writes the field class of n.
func (j *jsonPrinter) class(n *node, role trace.Role) object {
	t := n.typ
	switch t.Kind {
	case trace.Integer, trace.Float, trace.Boolean, trace.BitMap:
		return j.number(n, role)
	case trace.String:
		return object{"type": "null-terminated-string", "encoding": t.Encoding.String()}
	case trace.Struct:
		members := []object{}
		seen := make(map[string]bool)
		for _, m := range t.Members {
			name := j.name(m.Name)
			if seen[name] {
				j.fail("two members of a structure are called %q", name)
			}
			seen[name] = true
			members = append(members, object{"name": name, "field-class": j.class(n.child(m.Name, m.Type), m.Role)})
		}
		return object{"type": "structure", "member-classes": members, "minimum-alignment": max(t.Align, 1)}
	case trace.Array:
		return j.array(n, role)
	case trace.Variant:
		return j.variant(n)
	case trace.Optional:
		o := object{"type": "optional", "selector-field-location": j.location(n, t.Ref)}
		if t.Select != nil {
			o["selector-field-ranges"] = ranges(t.Select, !t.Above)
		}
		o["field-class"] = j.class(n.child("", t.Elem), role)
		return o
	}
	j.fail("field %q has no type", n.path())
	return nil
}

var numberTypes = map[trace.Kind]string{
	trace.Float: "fixed-length-floating-point-number", trace.Boolean: "fixed-length-boolean", trace.BitMap: "fixed-length-bit-map",
}

func (j *jsonPrinter) number(n *node, role trace.Role) object {
	t := n.typ
	o := object{}
	length := "fixed-length"
	if t.Variable {
		length = "variable-length"
	} else {
		o["length"], o["byte-order"], o["alignment"] = t.Size, byteOrders[t.BigEndian], max(t.Align, 1)
		if t.Reversed {
			o["bit-order"] = map[bool]string{false: "last-to-first", true: "first-to-last"}[t.BigEndian]
		}
	}
	o["type"] = numberTypes[t.Kind]
	mappings := "mappings"
	switch {
	case t.Kind == trace.BitMap:
		mappings = "flags"
	case t.Kind == trace.Integer && t.Signed:
		o["type"] = length + "-signed-integer"
	case t.Kind == trace.Integer:
		o["type"] = length + "-unsigned-integer"
	}
	if t.Kind == trace.BitMap && len(t.Labels) == 0 {
		o["type"] = "fixed-length-bit-array"
	}
	if t.Base != 0 && t.Base != 10 && t.Kind == trace.Integer {
		o["preferred-display-base"] = t.Base
	}
	if len(t.Labels) > 0 {
		o[mappings] = labels{t.Labels, t.Signed}
	}
	if r := roleNames(n.scope, role); r != nil {
		o["roles"] = r
	}
	return o
}

// labels are written in their order, which an object of a map would lose.
type labels struct {
	list   []trace.Mapping
	signed bool
}

func (l labels) MarshalJSON() ([]byte, error) {
	var names []string
	byName := make(map[string][]trace.Mapping)
	for _, m := range l.list {
		if byName[m.Label] == nil {
			names = append(names, m.Label)
		}
		byName[m.Label] = append(byName[m.Label], m)
	}
	b := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		set, err := json.Marshal(ranges(byName[name], l.signed))
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, key...), ':'), set...)
	}
	return append(b, '}'), nil
}

// ranges writes an integer range set.
func ranges(ms []trace.Mapping, signed bool) [][2]any {
	var set [][2]any
	for _, m := range ms {
		if signed {
			set = append(set, [2]any{m.Low, m.High})
		} else {
			set = append(set, [2]any{uint64(m.Low), uint64(m.High)})
		}
	}
	return set
}

// roleTable has the names of roles in CTF 2.
var roleTable = []struct {
	role trace.Role
	name string
}{
	{trace.Magic, "packet-magic-number"},
	{trace.TraceID, "metadata-stream-uuid"},
	{trace.StreamClass, "data-stream-class-id"},
	{trace.StreamInstance, "data-stream-id"},
	{trace.PacketSize, "packet-total-length"},
	{trace.ContentSize, "packet-content-length"},
	{trace.PacketBegin, "default-clock-timestamp"},
	{trace.PacketEnd, "packet-end-default-clock-timestamp"},
	{trace.Discarded, "discarded-event-record-counter-snapshot"},
	{trace.Sequence, "packet-sequence-number"},
	{trace.EventClass, "event-record-class-id"},
	{trace.Timestamp, "default-clock-timestamp"},
}

// roleNames returns the names of roles. A CPU has none: it is told by the name of its field.
func roleNames(s trace.Scope, role trace.Role) []string {
	role &= s.Roles()
	var names []string
	for _, r := range roleTable {
		if role&r.role != 0 {
			names = append(names, r.name)
		}
	}
	return names
}

func (j *jsonPrinter) array(n *node, role trace.Role) object {
	t := n.typ
	if t.Elem == nil {
		j.fail("array %q has no element type", n.path())
		return nil
	}
	bytes := t.Elem.Kind == trace.Integer && t.Elem.Size == 8 && max(t.Elem.Align, 1) == 8 && max(t.Align, 1) == 8
	o, length := object{}, "static-length-"
	if t.Ref != nil {
		length = "dynamic-length-"
		o["length-field-location"] = j.location(n, t.Ref)
	} else {
		o["length"] = t.Count
	}
	switch {
	case bytes && t.Elem.Text:
		o["type"], o["encoding"] = length+"string", t.Elem.Encoding.String()
	case bytes && !t.Elem.Signed && (t.Media != "" || role&n.scope.Roles() != trace.NoRole):
		o["type"] = length + "blob"
		if t.Media != "" {
			o["media-type"] = t.Media
		}
		if r := roleNames(n.scope, role); r != nil {
			o["roles"] = r
		}
	default:
		if t.Elem.Kind == trace.Integer && t.Elem.Text && t.Elem.Size == 8 {
			j.fail("the characters of %q do not lie at whole bytes", n.path())
		}
		o["type"], o["minimum-alignment"] = length+"array", max(t.Align, 1)
		o["element-field-class"] = j.class(n.child("", t.Elem), trace.NoRole)
	}
	return o
}

func (j *jsonPrinter) variant(n *node) object {
	t := n.typ
	o := object{"type": "variant", "selector-field-location": j.location(n, t.Ref)}
	selectors := j.resolve(n, t.Ref)
	if selectors == nil {
		return o
	}
	if a := max(t.Align, 1); a > 1 {
		j.fail("variant %q is aligned to %d bits", n.path(), a)
	}
	chosen := make([][]trace.Mapping, len(t.Members))
	for _, ch := range selection(t, selectors[0].typ) {
		chosen[ch.option] = append(chosen[ch.option], ch.Mapping)
	}
	options := []object{}
	for i, m := range t.Members {
		c := j.class(n.child(m.Name, m.Type), m.Role)
		if len(chosen[i]) == 0 {
			continue // nothing selects it
		}
		options = append(options, object{"name": j.name(m.Name), "field-class": c, "selector-field-ranges": ranges(chosen[i], selectors[0].typ.Signed)})
	}
	o["options"] = options
	return o
}

func (j *jsonPrinter) resolve(n *node, ref *trace.Ref) []*node {
	if ref == nil {
		j.fail("field %q has no selector", n.path())
		return nil
	}
	found, err := j.roots.resolve(n, ref)
	if err != nil {
		j.fail("%v", err)
		return nil
	}
	return found
}

var origins = [...]string{
	trace.PacketHeader: "packet-header", trace.PacketContext: "packet-context", trace.EventHeader: "event-record-header",
	trace.StreamContext: "event-record-common-context", trace.EventContext: "event-record-specific-context", trace.Payload: "event-record-payload",
}

// location writes the way to the field that ref means for n: from the root of another
// scope, or within the same from the innermost struct that both have around them.
func (j *jsonPrinter) location(n *node, ref *trace.Ref) object {
	found := j.resolve(n, ref)
	if found == nil {
		return nil
	}
	var path []any
	if ref.Located {
		for range ref.Up {
			path = append(path, nil)
		}
		for _, name := range ref.Path {
			path = append(path, j.name(name))
		}
		o := object{"path": path}
		if ref.Scope != trace.Lexical {
			o["origin"] = origins[ref.Scope]
		}
		return o
	}
	target := found[0]
	if target.scope != n.scope {
		return object{"origin": origins[target.scope], "path": j.names(target, nil)}
	}
	from := n.structure()
	for !target.within(from) {
		path = append(path, nil)
		from = from.structure()
	}
	return object{"path": append(path, j.names(target, from)...)}
}

// names is the way to n from a struct around it, by members alone; from nil it begins at the root.
func (j *jsonPrinter) names(n, from *node) []any {
	var path []any
	for p := n; p != from && p.parent != nil; p = p.parent {
		if p.parent.typ.Kind == trace.Struct {
			path = append([]any{j.name(p.name)}, path...)
		}
	}
	return path
}
