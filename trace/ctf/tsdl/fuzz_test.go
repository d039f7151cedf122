package tsdl

import (
	"runtime/metrics"
	"testing"
)

// allocated is how many bytes have been allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// FuzzMetadata parses any bytes: nothing may panic, an error has a place in the text, and what is
// allocated is in proportion to it.
func FuzzMetadata(f *testing.F) {
	for _, text := range seedTexts(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		before := allocated()
		defer func() {
			if n := allocated() - before; n > 4<<20+4096*uint64(len(b)) {
				t.Errorf("%d bytes were allocated for %d", n, len(b))
			}
		}()
		text, err := Unwrap(b)
		if err != nil {
			return
		}
		m, err := Parse(text.Plain)
		if err == nil {
			for _, s := range m.Streams {
				for _, e := range s.Events {
					if e.Name == "" {
						t.Fatal("an event without a name")
					}
				}
			}
			return
		}
		at, ok := err.(*Error)
		if !ok || at.Line < 1 || at.Column < 1 || at.Message == "" {
			t.Fatalf("error without a place: %#v", err)
		}
	})
}
