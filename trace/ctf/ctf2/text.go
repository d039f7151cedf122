package ctf2

import (
	"math"
	"strings"

	"synchroscope/trace"
)

// encodings by their names; utf-8 is what is not said.
var encodings = map[string]trace.Encoding{}

func init() {
	for e := range trace.Encodings {
		encodings[e.String()] = e
	}
}

func encoding(v *value) trace.Encoding {
	e := v.get("encoding")
	if e == nil {
		return trace.UTF8
	}
	return encodings[e.oneOf("utf-8", "utf-16be", "utf-16le", "utf-32be", "utf-32le")]
}

func (p *parser) terminated(v *value) class {
	return class{typ: &trace.Type{Kind: trace.String, Align: 8, Encoding: encoding(v)}}
}

// text reads a string whose length, in bytes, is known before it; it ends at the first zero.
func (p *parser) text(v *value) class {
	char := &trace.Type{Kind: trace.Integer, Size: 8, Align: 8, Text: true, Encoding: encoding(v)}
	return class{typ: p.counted(v, char)}
}

// blob reads what is nothing but bytes.
func (p *parser) blob(v *value) class {
	t := p.counted(v, &trace.Type{Kind: trace.Integer, Size: 8, Align: 8, Base: 16})
	if t.Media = v.optional("media-type"); t.Media == "" {
		t.Media = "application/octet-stream"
	}
	if t.Ref != nil {
		return class{typ: t}
	}
	r := rolesOf(v, blobRoles)
	if r != 0 && t.Count != 16 {
		v.get("length").fail("a uuid has 16 bytes, found %d", t.Count)
	}
	return class{t, r}
}

// counted makes an array of elem, whose length is a number or a location.
func (p *parser) counted(v *value, elem *trace.Type) *trace.Type {
	if strings.HasPrefix(v.get("type").text, "static-") {
		return trace.NewArray(elem, v.need("length").unsigned(0, math.MaxUint64), nil)
	}
	return trace.NewArray(elem, 0, location(v.need("length-field-location")))
}
