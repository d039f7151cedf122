package tsdl

import (
	"testing"
)

// FuzzMetadata parses any bytes: nothing may panic, and an error has a place in the text.
func FuzzMetadata(f *testing.F) {
	for _, text := range seedTexts(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
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
