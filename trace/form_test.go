package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/big"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// An integer of variable length is the sum of its groups of seven bits; the sign of a signed one is the highest
// bit of the last group. Those that 64 bits do not hold are refused, and none is read behind the end.
func TestLEB128Model(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signed := rapid.Bool().Draw(t, "signed")
		b := rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte{0x80, 0xff, 0x7f, 0})), 0, 13).Draw(t, "bytes")

		end, sum := -1, new(big.Int)
		for i, c := range b {
			group := new(big.Int).SetUint64(uint64(c & 0x7f))
			if c < 0x80 && signed && c&0x40 != 0 {
				group.Sub(group, big.NewInt(0x80))
			}
			sum.Add(sum, group.Lsh(group, uint(7*i)))
			if c < 0x80 {
				end = i + 1
				break
			}
		}
		fits := signed && sum.IsInt64() || !signed && sum.IsUint64()

		n, err := endLEB128(b, signed)
		switch {
		case len(b) >= maxLEB128 && (end < 0 || end > maxLEB128):
			if !errors.Is(err, ErrWide) {
				t.Fatalf("% x: %v, want %v", b, err, ErrWide)
			}
		case end < 0:
			if !errors.Is(err, ErrShort) {
				t.Fatalf("% x: %v, want %v", b, err, ErrShort)
			}
		case !fits:
			if !errors.Is(err, ErrWide) {
				t.Fatalf("% x is %v: %v, want %v", b, sum, err, ErrWide)
			}
		case err != nil || n != end:
			t.Fatalf("% x ends at %d (%v), want %d", b, n, err, end)
		default:
			got := new(big.Int).SetInt64(leb128(b, signed))
			if !signed {
				got.SetUint64(uint64(leb128(b, signed)))
			}
			if got.Cmp(sum) != 0 {
				t.Fatalf("% x is %v, want %v", b, got, sum)
			}
		}
	})
}

// Texts of all encodings are read as the standard library reads them, whatever is in them.
func TestEncodingModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte{0, 0xd8, 0xdc})), 0, 24).Draw(t, "bytes")
		for c := UTF16LE; c < Encodings; c++ {
			var runes []rune
			switch c.Unit() {
			case 2:
				var units []uint16
				for i := 0; i+2 <= len(b); i += 2 {
					units = append(units, map[Encoding]binary.ByteOrder{UTF16LE: binary.LittleEndian, UTF16BE: binary.BigEndian}[c].Uint16(b[i:]))
				}
				runes = utf16.Decode(units)
			case 4:
				for i := 0; i+4 <= len(b); i += 4 {
					runes = append(runes, rune(map[Encoding]binary.ByteOrder{UTF32LE: binary.LittleEndian, UTF32BE: binary.BigEndian}[c].Uint32(b[i:])))
				}
			}
			if got, want := string(c.append(nil, b)), string(runes); got != want {
				t.Fatalf("% x as %v is %q, want %q", b, c, got, want)
			}
			if i := c.end(b); i >= 0 && (i%c.Unit() != 0 || !bytes.Equal(b[i:i+c.Unit()], make([]byte, c.Unit()))) {
				t.Fatalf("% x as %v ends at %d", b, c, i)
			}
		}
	})
}

// What Bytes has returned stays as it is, however many more texts are read of the event.
func TestTextsDoNotOverlap(t *testing.T) {
	payload := NewStruct(1, []Member{
		{Name: "a", Type: &Type{Kind: String, Align: 8, Encoding: UTF16BE}},
		{Name: "b", Type: &Type{Kind: String, Align: 8, Encoding: UTF16BE}},
		{Name: "bit", Type: uintType(1, 1)},
		{Name: "c", Type: NewArray(&Type{Kind: Integer, Size: 8, Align: 1, Text: true}, 3, nil)}, // not from a byte on
	})
	class, err := new(Layout).Class("e", 0, nil, nil, payload)
	if err != nil {
		t.Fatal(err)
	}
	b := append([]byte("\x00x\x00y\x00\x00\x00z\x00\x00"), 0xc2, 0xc4, 0xc6, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	var e Event
	if _, err := e.DecodeBody(class, b, 0, 14*8); err != nil {
		t.Fatal(err)
	}
	x, y, z := e.Bytes(class.Field("a")), e.Bytes(class.Field("b")), e.Bytes(class.Field("c"))
	for range maxSpare {
		e.Bytes(class.Field("b"))
	}
	if string(x) != "xy" || string(y) != "z" || string(z) != "abc" {
		t.Errorf("got %q, %q and %q", x, y, z)
	}
	if n := testing.AllocsPerRun(1000, func() { e.Bytes(class.Field("b")) }); n > 0 {
		t.Errorf("%v allocations to read a text in UTF-16", n)
	}
}
