package hull

import (
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// What is skipped is what is read.
func TestSkip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Hull
		var s Series
		for _, m := range links(t) {
			h.Add(m.side, m.p)
			s.Add(m.side, m.p)
		}
		b := h.AppendBinary(nil)
		own := len(b)
		b = append(s.AppendBinary(b), 1, 2, 3)
		rest, ok := Skip(b)
		if !ok || len(b)-len(rest) != own {
			t.Fatalf("a hull of %d bytes is taken for one of %d, %v", own, len(b)-len(rest), ok)
		}
		if rest, ok = SkipSeries(rest); !ok || len(rest) != 3 {
			t.Fatalf("behind a series are 3 bytes, skipped are all but %d, %v", len(rest), ok)
		}
		for cut := range own {
			if _, ok := Skip(b[:cut]); ok {
				t.Fatalf("%d of %d bytes are skipped as a whole hull", cut, own)
			}
		}
		for cut := range len(b) - 3 - own {
			if _, ok := SkipSeries(b[own : own+cut]); ok {
				t.Fatalf("%d of %d bytes are skipped as a whole series", cut, len(b)-3-own)
			}
		}
	})
}

func TestSkipNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b []byte
		ends := []int{0}
		for _, v := range rapid.SliceOfN(rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 300)), 0, 40).Draw(t, "numbers") {
			b = binary.AppendUvarint(b, v)
			ends = append(ends, len(b))
		}
		for n, end := range ends {
			if rest, ok := SkipNumbers(b, uint64(n)); !ok || len(b)-len(rest) != end {
				t.Fatalf("%d numbers of %d bytes are skipped as %d, %v", n, end, len(b)-len(rest), ok)
			}
		}
		if _, ok := SkipNumbers(b, uint64(len(ends))); ok {
			t.Fatalf("more numbers are skipped than there are")
		}
	})
}
