package varint_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/iotest"

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

// What is written and read part by part is what was appended, wherever a part ends; what is cut, or cannot be read, is bad.
func TestParts(t *testing.T) {
	const count = 70_000
	long := strings.Repeat("long", 20_000)
	write := func(b []byte, out *varint.Out) []byte {
		for i := range int64(count) {
			b = out.Pass(binary.AppendVarint(varint.AppendString(b, "text"), i*i*i))
		}
		return out.Pass(varint.AppendString(b, long))
	}
	var whole bytes.Buffer
	out := varint.NewOut(&whole)
	n, err := out.End(write(nil, out))
	if want := write(nil, nil); err != nil || n != int64(len(want)) || !bytes.Equal(whole.Bytes(), want) {
		t.Fatalf("%d bytes are written, %v; want %d", n, err, len(want))
	}
	read := func(s varint.Source) *varint.Decoder {
		d := varint.NewReader(s)
		for i := range int64(count) {
			if s, n := d.Text(), d.Int(); !d.Bad() && (s != "text" || n != i*i*i) {
				t.Fatalf("item %d is %q, %d", i, s, n)
			}
		}
		if s := d.Text(); !d.Bad() && s != long {
			t.Fatal("the last item is another")
		}
		return d
	}
	if d := read(bytes.NewReader(whole.Bytes())); !d.Done() {
		t.Error("not all is read")
	}
	for _, n := range []int{0, 1, 32<<10 - 1, 32 << 10, 32<<10 + 1, whole.Len() - 1} {
		if d := read(bytes.NewReader(whole.Bytes()[:n])); !d.Bad() || d.Done() {
			t.Errorf("of %d bytes all is read", n)
		}
	}
	if d := read(failing{bytes.NewReader(whole.Bytes())}); !d.Bad() {
		t.Error("what cannot be read is read")
	}
	full := varint.NewOut(refusing{})
	if _, err := full.End(write(nil, full)); !errors.Is(err, errFull) {
		t.Errorf("what cannot be written: %v", err)
	}
}

type failing struct{ *bytes.Reader }

func (f failing) Read([]byte) (int, error) { return 0, iotest.ErrTimeout }

type refusing struct{}

var errFull = errors.New("full")

func (refusing) Write([]byte) (int, error) { return 0, errFull }
