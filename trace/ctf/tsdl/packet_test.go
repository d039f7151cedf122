package tsdl

import (
	"encoding/binary"
	"strings"
	"testing"
)

func TestUnwrap(t *testing.T) {
	le, be := binary.LittleEndian.AppendUint32, binary.BigEndian.AppendUint32
	two := append(packed("trace { ", le, 64), packed("};", le, 64)...)
	for _, test := range []struct {
		name string
		in   []byte
		want Text
	}{
		{"plain", []byte("/* CTF 1.8 */"), Text{Plain: "/* CTF 1.8 */"}},
		{"empty", nil, Text{}},
		{"little-endian", two, Text{"trace { };", true, false}},
		{"big-endian", packed("trace", be, 100), Text{"trace", true, true}},
		{"last padding missing", two[:64+packetHeader+2], Text{"trace { };", true, false}},
	} {
		got, err := Unwrap(test.in)
		if err != nil || got != test.want {
			t.Errorf("%s: got %+v, %v; want %+v", test.name, got, err, test.want)
		}
	}
}

func TestUnwrapRefuses(t *testing.T) {
	le := binary.LittleEndian.AppendUint32
	change := func(at int, v byte) []byte {
		b := packed("trace", le, 64)
		b[at] = v
		return b
	}
	good := packed("trace", le, 64)
	for want, in := range map[string][]byte{
		"byte 0: its header is cut short":       good[:20],
		"byte 64: its header is cut short":      append(good, good[:10]...),
		"byte 64: it does not begin with":       append(good, packed("x", binary.BigEndian.AppendUint32, 64)...),
		"byte 0: it is cut short, 40 of 42":     good[:40],
		"a content of 7 bits":                   change(24, 7)[:64],
		"version 3.8 is neither":                change(35, 3),
		"version 1.9 is neither":                change(36, 9),
		"version 2.8 is neither":                change(35, 2),
		"compression, encryption and checksums": change(32, 1),
		"encryption and checksums are not":      change(33, 1),
		"and checksums are not":                 change(34, 1),
		"in a packet of 513":                    change(28, 1),
		"in a packet of 256":                    change(29, 1),
		"byte 64: its uuid is not that of the":  append(good, change(4, 1)...),
	} {
		if want == "a content of 7 bits" {
			in[25] = 0
		}
		if _, err := Unwrap(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}
