package ctf2

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// A value is a node, and the way to it, for messages.
type value struct {
	*node
	up   *value
	name string // below up: a property, or an index in brackets
}

func (v *value) path() string {
	if v == nil || v.up == nil {
		return ""
	}
	p := v.up.path()
	if p != "" && v.name[0] != '[' {
		p += "."
	}
	return p + v.name
}

// fail reports what is wrong with v.
func (v *value) fail(format string, args ...any) {
	panic(&Error{place: v.place, Path: v.path(), Message: fmt.Sprintf(format, args...)})
}

// where is the place of v for what is found out later.
func (v *value) where() schema.Place { return schema.Place{Line: v.line, Column: v.column} }

// maxFound is how much of a value a message shows, in bytes.
const maxFound = 60

// expect reports that v is something else.
func (v *value) expect(what string) {
	found := kindNames[v.kind]
	switch v.kind {
	case text:
		found = strconv.Quote(v.text)
	case integer, real, boolean:
		found = v.text
	}
	if len(found) > maxFound {
		found = found[:maxFound] + "…"
	}
	v.fail("expected %s, found %s", what, found)
}

func (v *value) isNot(k kind) {
	if v.kind != k {
		v.expect(kindNames[k])
	}
}

// get returns a property of an object, nil if it has it not.
func (v *value) get(key string) *value {
	v.isNot(object)
	if i := slices.Index(v.keys, key); i >= 0 {
		return v.item(i)
	}
	return nil
}

// first returns the first of several properties that v has.
func (v *value) first(keys ...string) *value {
	for _, key := range keys {
		if x := v.get(key); x != nil {
			return x
		}
	}
	return nil
}

// need returns a property that must be there.
func (v *value) need(key string) *value {
	x := v.get(key)
	if x == nil {
		v.fail("property %q is missing", key)
	}
	return x
}

// item returns element i of an array, or property i of an object.
func (v *value) item(i int) *value {
	name := "[" + strconv.Itoa(i) + "]"
	if v.kind == object {
		name = v.keys[i]
		if name == "" || strings.ContainsAny(name, " .[]\"") {
			name = "[" + strconv.Quote(name) + "]"
		}
	}
	return &value{&v.items[i], v, name}
}

// list returns the elements of an array.
func (v *value) list() []*value {
	v.isNot(array)
	return v.all()
}

// all returns the elements of an array or the properties of an object.
func (v *value) all() []*value {
	all := make([]*value, len(v.items))
	for i := range v.items {
		all[i] = v.item(i)
	}
	return all
}

// string is the text of a string.
func (v *value) string() string {
	v.isNot(text)
	return v.text
}

// optional is the text of a property, "" if it is not there.
func (v *value) optional(key string) string {
	if x := v.get(key); x != nil {
		return x.string()
	}
	return ""
}

// oneOf is the text of a string that must be one of words.
func (v *value) oneOf(words ...string) string {
	if v.kind != text || !slices.Contains(words, v.text) {
		v.expect("one of " + strings.Join(words, ", "))
	}
	return v.text
}

// unsigned is an integer from low to high.
func (v *value) unsigned(low, high uint64) uint64 {
	u, err := strconv.ParseUint(v.text, 10, 64)
	if v.kind != integer || err != nil || u < low || u > high {
		what := fmt.Sprintf("an integer from %d to %d", low, high)
		if high == math.MaxUint64 {
			what = fmt.Sprintf("an integer of at least %d, and of 64 bits at most", low)
		}
		v.expect(what)
	}
	return u
}

// signed is an integer of 64 bits with sign.
func (v *value) signed() int64 {
	i, err := strconv.ParseInt(v.text, 10, 64)
	if v.kind != integer || err != nil {
		v.expect("an integer of 64 bits with sign")
	}
	return i
}

// number is the unsigned integer of a property, or other if it is not there.
func (v *value) number(key string, other uint64) uint64 {
	if x := v.get(key); x != nil {
		return x.unsigned(0, math.MaxUint64)
	}
	return other
}

// alignment is the power of two of a property, 1 if it is not there.
func (v *value) alignment(key string) uint32 {
	x := v.get(key)
	if x == nil {
		return 1
	}
	a := x.unsigned(0, math.MaxUint64)
	if a == 0 || a&(a-1) != 0 || a > trace.MaxAlign {
		x.expect(fmt.Sprintf("a power of two from 1 to %d", trace.MaxAlign))
	}
	return uint32(a)
}

// uuid is the canonical form of an array of 16 bytes.
func (v *value) uuid() string {
	bytes := v.list()
	if len(bytes) != 16 {
		v.fail("expected the 16 bytes of a uuid, found %d", len(bytes))
	}
	var s strings.Builder
	for i, b := range bytes {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			s.WriteByte('-')
		}
		fmt.Fprintf(&s, "%02x", b.unsigned(0, 255))
	}
	return s.String()
}

// extras checks what any object may carry: attributes say nothing about how
// bytes are read, extensions do.
func (v *value) extras() {
	if a := v.get("attributes"); a != nil {
		a.isNot(object)
	}
	e := v.get("extensions")
	if e == nil {
		return
	}
	e.isNot(object)
	for i, names := range e.all() {
		names.isNot(object)
		for j, name := range names.keys {
			names.item(j).fail("extension %q of %q is not supported, and what it extends cannot be read without it", name, e.keys[i])
		}
	}
}
