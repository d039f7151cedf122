package varint_test

import (
	"encoding/binary"
	"math"
	"testing"

	"synchroscope/state/varint"
)

// What is cut anywhere is bad, whole it is read as it was written.
func TestDecoder(t *testing.T) {
	b := binary.AppendUvarint(nil, math.MaxUint64)
	b = binary.AppendVarint(b, math.MinInt64)
	b = varint.AppendBool(b, true)
	b = varint.AppendString(b, "text")
	for n := range len(b) + 1 {
		d := varint.NewDecoder(b[:n])
		u, i, v, s := d.Uint(), d.Int(), d.Uint(), d.Text()
		if d.Bad() == d.Done() || d.Done() != (n == len(b)) {
			t.Fatalf("%d bytes of %d: bad %t, done %t", n, len(b), d.Bad(), d.Done())
		}
		if d.Done() && (u != math.MaxUint64 || i != math.MinInt64 || v != 1 || s != "text") {
			t.Fatalf("read %d, %d, %d, %q", u, i, v, s)
		}
	}
}

// A count is no more than what is there, and after a failure all is zero.
func TestCount(t *testing.T) {
	d := varint.NewDecoder([]byte{3, 1, 1, 1})
	if n := d.Count(); n != 3 || d.Bad() || d.Done() {
		t.Errorf("a count of 3 in front of 3 bytes: %d, bad %t, done %t", n, d.Bad(), d.Done())
	}
	d = varint.NewDecoder([]byte{4, 1, 1, 1})
	if n := d.Count(); n != 0 || !d.Bad() {
		t.Errorf("a count of 4 in front of 3 bytes: %d, bad %t", n, d.Bad())
	}
	if n := d.Uint(); n != 0 || d.Done() {
		t.Errorf("after that: %d, done %t", n, d.Done())
	}
}
