package wire_test

import (
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"synchroscope/handlers/wire"
)

var update = flag.Bool("update", false, "write the golden messages")

// golden compares a message with its bytes in testdata, in hexadecimal.
func golden(t *testing.T, name string, message []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".hex")
	got := hex.Dump(message)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: the bytes changed, and with them the version of docs/format/wire.md:\n%s", path, got)
	}
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func encoded(t *testing.T, encode func() ([]byte, error)) []byte {
	t.Helper()
	b, err := encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestStates(t *testing.T) {
	s := wire.States{Header: wire.Header{View: 3, Generation: 70000}, Seq: 9, Begin: -5, End: 1795229345235842846, Columns: 8192, Complete: true, Clocks: wire.Clocks{Version: 3, Hosts: []wire.Span{{Begin: -5, End: 1795229345235842846}, {Begin: 95, End: 1795229345235842947}}}}
	s.Row(4)
	s.Run(1, 2, "", nil)
	s.Run(2, wire.Mixed, "", &[wire.Statuses]uint8{0, 100, 155})
	s.Brief(8)
	s.Run(8192, 3, "futex", nil)
	s.Row(1 << 31)
	s.Row(5)
	s.Run(8000, 3, "read", nil)
	s.Run(8192, wire.Nothing, "futex", nil)
	b := encoded(t, s.Encode)
	golden(t, "states", b)

	r := read(t, b, 4, 3, 70000)
	same(t, "seq", r.u32(), 9)
	same(t, "rows", r.u32(), 3)
	same(t, "begin", r.i64(), -5)
	same(t, "end", r.i64(), 1795229345235842846)
	same(t, "columns", r.u32(), 8192)
	same(t, "complete", r.u32(), 1)
	same(t, "runs", r.u32(), 5)
	same(t, "mixes", r.u32(), 1)
	same(t, "label bytes", r.u32(), 9)
	same(t, "labels", r.u32(), 2)
	same(t, "row ids", r.u32s(3), []uint32{4, 1 << 31, 5})
	same(t, "row runs", r.u32s(4), []uint32{0, 3, 3, 5})
	same(t, "run ends", r.u16s(5), []uint16{1, 2, 8192, 8000, 8192})
	r.align(4)
	same(t, "run labels", r.u16s(5), []uint16{0, 8, 1, 2, 1})
	r.align(4)
	same(t, "run states", r.u8s(5), []uint8{2, 254, 3, 3, 255})
	r.align(4)
	same(t, "mix", r.u8s(9), []uint8{0, 100, 155, 0, 0, 0, 0, 0, 0})
	same(t, "labels", r.texts(2, 9), []string{"futex", "read"})
	r.align(8)
	same(t, "map", r.u32(), 3)
	same(t, "hosts", r.u32(), 2)
	same(t, "local", []int64{r.i64(), r.i64(), r.i64(), r.i64()}, []int64{-5, 1795229345235842846, 95, 1795229345235842947})
	r.end()
}

func TestStatesTooLarge(t *testing.T) {
	var s wire.States
	s.Row(0)
	for s.Size() <= wire.MaxFrame {
		s.Run(1, wire.Mixed, "", new([wire.Statuses]uint8))
	}
	if _, err := s.Encode(); err != wire.ErrTooLarge {
		t.Errorf("error %v, want %v", err, wire.ErrTooLarge)
	}
}

func TestLabelsRunOut(t *testing.T) {
	s := wire.States{Columns: 1}
	s.Row(0)
	for n := range 1<<16 + 10 {
		s.Run(1, 3, strings.Repeat("x", n%7)+string(rune('a'+n%26))+hex.EncodeToString([]byte{byte(n), byte(n >> 8), byte(n >> 16)}), nil)
	}
	r := read(t, encoded(t, s.Encode), 4, 0, 0)
	r.take(4 + 4 + 8 + 8 + 4 + 4)
	runs, _, _, labels := int(r.u32()), r.u32(), r.u32(), r.u32()
	same(t, "labels", labels, 1<<16-1)
	r.u32s(3)
	r.u16s(runs)
	r.align(4)
	numbers := r.u16s(runs)
	same(t, "the last labels", numbers[1<<16-3:], []uint16{1<<16 - 2, 1<<16 - 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
}

func TestMessages(t *testing.T) {
	m := wire.Messages{
		Header: wire.Header{View: 65535, Generation: 1}, Seq: 2, Base: 1 << 60, Total: 7, Violations: 1, Complete: true,
		Arrows: []wire.Arrow{
			{Sent: -10, Received: 20.5, From: 1, To: 2, Count: 1, Bytes: 1500, ErrorFrom: 0, ErrorTo: 31000, FromPort: 37616, ToPort: 80, Protocol: 6},
			{Sent: 30, Received: 25, From: 2, To: 1, Count: 1, Bytes: 40, ErrorFrom: 31000, ErrorTo: -1, Protocol: 17, Flags: wire.Violation, Backward: 1},
			{Sent: 40.25, Received: 1e9, From: 2, To: 9, Count: 5, Bytes: 200, ErrorFrom: 1, ErrorTo: 2, Flags: wire.Bundle, Ends: wire.Ends{SentFirst: 40, SentLast: 41, ReceivedFirst: 7e8, ReceivedLast: 2e9}},
		},
		Clocks: wire.Clocks{Version: 0, Hosts: []wire.Span{{Begin: 1, End: 2}}},
	}
	b := encoded(t, m.Encode)
	golden(t, "messages", b)

	r := read(t, b, 5, 65535, 1)
	same(t, "seq", r.u32(), 2)
	same(t, "count", r.u32(), 3)
	same(t, "base", r.i64(), 1<<60)
	same(t, "total", r.u32(), 7)
	same(t, "violations", r.u32(), 1)
	same(t, "complete", r.u32(), 1)
	same(t, "nothing", r.u32(), 0)
	same(t, "sent", r.f64s(3), []float64{-10, 30, 40.25})
	same(t, "received", r.f64s(3), []float64{20.5, 25, 1e9})
	same(t, "from", r.u32s(3), []uint32{1, 2, 2})
	same(t, "to", r.u32s(3), []uint32{2, 1, 9})
	same(t, "counts", r.u32s(3), []uint32{1, 1, 5})
	same(t, "bytes", r.f32s(3), []float32{1500, 40, 200})
	same(t, "error from", r.f32s(3), []float32{0, 31000, 1})
	same(t, "error to", r.f32s(3), []float32{31000, -1, 2})
	same(t, "backward", r.u32s(3), []uint32{0, 1, 0})
	same(t, "from ports", r.u16s(3), []uint16{37616, 0, 0})
	same(t, "to ports", r.u16s(3), []uint16{80, 0, 0})
	same(t, "protocols", r.u8s(3), []uint8{6, 17, 0})
	same(t, "flags", r.u8s(3), []uint8{0, 1, 2})
	r.align(8)
	same(t, "the ends of the bundle", r.f64s(4), []float64{40, 41, 7e8, 2e9})
	same(t, "map", r.u32(), 0)
	same(t, "hosts", r.u32(), 1)
	same(t, "local", []int64{r.i64(), r.i64()}, []int64{1, 2})
	r.end()
}

func TestDensity(t *testing.T) {
	d := wire.Density{
		Header: wire.Header{View: 1, Generation: 2}, Seq: 3, Begin: 10, End: 40,
		Events: []uint32{0, 5, 1<<32 - 1}, Lost: []uint32{0, 0, 2}, Packets: []uint32{0, 9, 0}, Reaching: []uint32{0, 1, 0},
		Share: []float32{0, 0.25, 1}, Error: []float32{-1, 0, 338000},
	}
	b := encoded(t, d.Encode)
	golden(t, "density", b)

	r := read(t, b, 6, 1, 2)
	same(t, "seq", r.u32(), 3)
	same(t, "columns", r.u32(), 3)
	same(t, "begin", r.i64(), 10)
	same(t, "end", r.i64(), 40)
	same(t, "events", r.u32s(3), d.Events)
	same(t, "lost", r.u32s(3), d.Lost)
	same(t, "packets", r.u32s(3), d.Packets)
	same(t, "reaching", r.u32s(3), d.Reaching)
	same(t, "share", r.f32s(3), d.Share)
	same(t, "error", r.f32s(3), d.Error)
	r.end()
}

func TestListing(t *testing.T) {
	l := wire.Listing{
		Header: wire.Header{View: 1, Generation: 2}, Seq: 3, Unsure: 1, Map: 9,
		Rows: []uint32{4, 0, 1<<32 - 1}, Values: []float64{1, 1 << 60, 0.5},
	}
	b := encoded(t, l.Encode)
	golden(t, "listing", b)

	r := read(t, b, 11, 1, 2)
	same(t, "seq", r.u32(), 3)
	same(t, "rows", r.u32(), 3)
	same(t, "values", r.u32(), 3)
	same(t, "unsure", r.u32(), 1)
	same(t, "map", r.u32(), 9)
	same(t, "row ids", r.u32s(3), l.Rows)
	same(t, "values", r.f64s(3), l.Values)
	r.end()
}

func TestRows(t *testing.T) {
	rows := wire.Rows{Header: wire.Header{Generation: 12}, Rows: []wire.Row{
		{ID: 0, Parent: wire.NoRow, Kind: wire.RowHost, TID: -1, Last: -1, Name: "web"},
		{ID: 1, Parent: 0, Host: 513, Kind: wire.RowProcess, TID: 4121, First: 12, Last: -1, Name: "Web Übersicht"},
		{ID: 7, Parent: 1, Kind: wire.RowThread, TID: 4122, First: 1 << 52, Last: 1<<52 + 1},
	}}
	b := encoded(t, rows.Encode)
	golden(t, "rows", b)

	r := read(t, b, 10, 0, 12)
	n := int(r.u32())
	same(t, "count", n, 3)
	names := int(r.u32())
	same(t, "ids", r.u32s(n), []uint32{0, 1, 7})
	same(t, "parents", r.u32s(n), []uint32{0xFFFFFFFF, 0, 1})
	same(t, "hosts", r.u16s(n), []uint16{0, 513, 0})
	r.align(4)
	same(t, "kinds", r.u8s(n), []uint8{0, 1, 2})
	r.align(4)
	same(t, "tids", r.u32s(n), []uint32{1<<32 - 1, 4121, 4122})
	same(t, "first", r.f64s(n), []float64{0, 12, 1 << 52})
	same(t, "last", r.f64s(n), []float64{-1, -1, 1<<52 + 1})
	same(t, "names", r.texts(n, names), []string{"web", "Web Übersicht", ""})
	r.end()
}

func TestJSON(t *testing.T) {
	status, code, begin := "blocked in futex", uint8(1), wire.Time(1795229345235842846)
	b, err := wire.EncodeJSON(wire.KindAt, wire.Header{View: 2, Generation: 3}, wire.At{Row: 5, Host: "a<b>", Status: &status, StatusCode: &code, Begin: &begin, At: 7, Woken: &wire.Woken{How: "thread", TID: 4121, PPID: 4100, Name: "web"}})
	if err != nil {
		t.Fatal(err)
	}
	r := read(t, b, 7, 2, 3)
	same(t, "body", string(r.take(len(b)-8)), `{"row":5,"host":"a<b>","thread":null,"status":"blocked in futex","status_code":1,"syscall":null,"cpu":null,"last_cpu":null,"priority":null,`+
		`"begin":"1795229345235842846","end":null,"local_begin":null,"local_end":null,"duration":null,"error_ns":null,"at":"7","irq":null,"sleep":null,"woken":{"how":"thread","tid":4121,"ppid":4100,"name":"web"}}`)
}

func TestAlive(t *testing.T) {
	b := wire.EncodeAlive(wire.Header{View: 7, Generation: 70000})
	golden(t, "alive", b)
	read(t, b, 14, 7, 70000)
	if len(b) != wire.HeaderSize {
		t.Errorf("%d bytes, want a header alone", len(b))
	}
}

func TestError(t *testing.T) {
	b := wire.EncodeError(wire.Header{View: 2, Generation: 3}, `There is no row "7".`)
	golden(t, "error", b)
	r := read(t, b, 9, 2, 3)
	same(t, "body", string(r.take(len(b)-8)), `{"message":"There is no row \"7\"."}`)

	b = wire.EncodeError(wire.Header{}, strings.Repeat("x", wire.MaxFrame))
	same(t, "an endless sentence", string(b[8:]), `{"message":"`+wire.ErrTooLarge.Error()+`"}`)
}
