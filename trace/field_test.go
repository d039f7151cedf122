package trace_test

import (
	"testing"

	"synchroscope/trace"
)

// Which fields of a class an event has together follows from the options they lie in.
func TestFieldsTogether(t *testing.T) {
	number := &trace.Type{Kind: trace.Integer, Size: 8, Align: 8}
	variant := func(of string, members ...trace.Member) *trace.Type {
		for i := range members {
			members[i].Select = []trace.Mapping{{Low: int64(i), High: int64(i)}}
		}
		return &trace.Type{Kind: trace.Variant, Ref: &trace.Ref{Path: []string{of}}, Members: members}
	}
	inner := trace.NewStruct(8, []trace.Member{
		{Name: "flat", Type: number}, {Name: "kind", Type: number},
		{Name: "w", Type: variant("kind", trace.Member{Name: "a", Type: number}, trace.Member{Name: "b", Type: number})},
	})
	class, err := new(trace.Layout).Class("e", 0, nil, nil, trace.NewStruct(8, []trace.Member{
		{Name: "tag", Type: number}, {Name: "v", Type: variant("tag", trace.Member{Name: "x", Type: number}, trace.Member{Name: "y", Type: inner})},
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f, g                    string
		always, brings, exclude bool // whether each event has f, whether f brings g, whether they exclude each other
	}{
		{"tag", "tag", true, true, false},
		{"tag", "v", true, true, false},
		{"tag", "v.x", true, false, false},
		{"v.x", "tag", false, true, false},
		{"v.x", "v.x", false, true, false},
		{"v.x", "v.y", false, false, true},
		{"v.x", "v.y.w.a", false, false, true},
		{"v.y.w.a", "v.x", false, false, true},
		{"v.y.w.a", "v.y.flat", false, true, false},
		{"v.y.flat", "v.y.w.a", false, false, false},
		{"v.y.w.a", "v.y.w.b", false, false, true},
	} {
		f, g := class.Field(c.f), class.Field(c.g)
		if f == nil || g == nil {
			t.Fatalf("there is no %s or no %s", c.f, c.g)
		}
		if a, b, e := f.Always(), f.Brings(g), f.Excludes(g); a != c.always || b != c.brings || e != c.exclude {
			t.Errorf("%s and %s: %v, %v, %v, want %v, %v, %v", c.f, c.g, a, b, e, c.always, c.brings, c.exclude)
		}
	}
}
