package trace

import "testing"

// BenchmarkInt reads fields as handlers of events do: plain integers, and the option of a variant.
func BenchmarkInt(b *testing.B) {
	payload := NewStruct(1, []Member{
		{Name: "a", Type: uintType(32, 8)},
		{Name: "s", Type: uintType(8, 8)},
		{Name: "v", Type: &Type{Kind: Variant, Ref: lexical("s"), Members: []Member{{Name: "x", Type: uintType(16, 8), Select: []Mapping{{Low: 0, High: 9}}}}}},
	})
	c, err := new(Layout).Class("e", 0, nil, nil, payload)
	if err != nil {
		b.Fatal(err)
	}
	var e Event
	if _, err := e.DecodeBody(c, make([]byte, 16), 0, 8*8); err != nil {
		b.Fatal(err)
	}
	plain, option := c.Field("a"), c.Field("v.x")
	sum := int64(0)
	for b.Loop() {
		sum += e.Int(plain) + e.Int(option)
	}
	if sum != 0 {
		b.Error("not zero")
	}
}
