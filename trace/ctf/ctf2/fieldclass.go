package ctf2

import (
	"strconv"
	"strings"

	"synchroscope/trace"
)

// Field classes by their type. Those of enumerations are of the release candidates; the
// specification has mappings in all integers instead.
var classes map[string]func(*parser, *value) class

func init() {
	classes = map[string]func(*parser, *value) class{
		"fixed-length-bit-array":               (*parser).bitMap,
		"fixed-length-bit-map":                 (*parser).bitMap,
		"fixed-length-boolean":                 (*parser).boolean,
		"fixed-length-unsigned-integer":        (*parser).fixed,
		"fixed-length-signed-integer":          (*parser).fixed,
		"fixed-length-unsigned-enumeration":    (*parser).fixed,
		"fixed-length-signed-enumeration":      (*parser).fixed,
		"fixed-length-floating-point-number":   (*parser).float,
		"variable-length-unsigned-integer":     (*parser).variable,
		"variable-length-signed-integer":       (*parser).variable,
		"variable-length-unsigned-enumeration": (*parser).variable,
		"variable-length-signed-enumeration":   (*parser).variable,
		"null-terminated-string":               (*parser).terminated,
		"static-length-string":                 (*parser).text,
		"dynamic-length-string":                (*parser).text,
		"static-length-blob":                   (*parser).blob,
		"dynamic-length-blob":                  (*parser).blob,
		"static-length-array":                  (*parser).array,
		"dynamic-length-array":                 (*parser).array,
		"structure":                            (*parser).structure,
		"optional":                             (*parser).optional,
		"variant":                              (*parser).variant,
	}
}

// class reads a field class, or the name of an alias.
func (p *parser) class(v *value) class {
	if v.kind == text {
		c, ok := p.aliases[v.text]
		if !ok {
			v.fail("field class alias %q is not declared before it", v.text)
		}
		return c
	}
	if v.kind != object {
		v.expect("a field class or the name of an alias")
	}
	t := v.need("type")
	read := classes[t.string()]
	if read == nil {
		t.fail("%q is no type of field class", t.text)
	}
	v.extras()
	return read(p, v)
}

// scope reads the structure of a property, nil if it is not there.
func (p *parser) scope(v *value, key string) *trace.Type {
	x := v.get(key)
	if x == nil {
		return nil
	}
	c := p.class(x)
	if c.typ.Kind != trace.Struct {
		x.fail("expected a structure")
	}
	return c.typ
}

// Roles of unsigned integers. That of a time means the packet's beginning in a packet context and
// the event's time in an event header.
var roles = map[string]trace.Role{
	"packet-magic-number":                     trace.Magic,
	"data-stream-class-id":                    trace.StreamClass,
	"data-stream-id":                          trace.StreamInstance,
	"packet-total-length":                     trace.PacketSize,
	"packet-content-length":                   trace.ContentSize,
	"default-clock-timestamp":                 trace.PacketBegin | trace.Timestamp,
	"packet-end-default-clock-timestamp":      trace.PacketEnd,
	"discarded-event-record-counter-snapshot": trace.Discarded,
	"packet-sequence-number":                  trace.Sequence,
	"event-record-class-id":                   trace.EventClass,
}

// The role of a BLOB.
var blobRoles = map[string]trace.Role{"metadata-stream-uuid": trace.TraceID}

// rolesOf reads the roles of a field class, of those that its type may have.
func rolesOf(v *value, allowed map[string]trace.Role) (r trace.Role) {
	list := v.get("roles")
	if list == nil {
		return 0
	}
	for _, x := range list.list() {
		role := allowed[x.string()]
		if role == 0 {
			x.fail("%q is no role of such a field", x.text)
		}
		r |= role
	}
	return r
}

// has reports whether a field in t, but not in an array, has one of the roles.
func has(t *trace.Type, r trace.Role, seen map[*trace.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	for _, m := range t.Members {
		if m.Role&r != 0 || has(m.Type, r, seen) {
			return true
		}
	}
	return t.Kind == trace.Optional && has(t.Elem, r, seen)
}

// isUUID reports whether s is the canonical form of a uuid.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		if hyphen != (s[i] == '-') || !hyphen && !strings.Contains("0123456789abcdefABCDEF", s[i:i+1]) {
			return false
		}
	}
	return true
}

// nameless is what an event record class is called that has no name: its unique id, or its number.
func nameless(v *value, id uint64) string {
	if uid := v.optional("uid"); uid != "" {
		return uid
	}
	return "event-" + strconv.FormatUint(id, 10)
}
