package endpoints

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/match"
)

func addresses() *rapid.Generator[[16]byte] {
	return rapid.Custom(func(t *rapid.T) (a [16]byte) {
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 1:
			copy(a[:], mapped[:])
			copy(a[12:], rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "v4"))
		case 2:
			copy(a[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "v6"))
		}
		return a
	})
}

func any() *rapid.Generator[match.Endpoint] {
	return rapid.Custom(func(t *rapid.T) match.Endpoint {
		e := match.Endpoint{
			Time:      rapid.Int64().Draw(t, "time"),
			CPU:       rapid.Int32Range(-1, math.MaxInt32).Draw(t, "cpu"),
			Thread:    rapid.Int32Range(-1, math.MaxInt32).Draw(t, "thread"),
			Bytes:     rapid.Uint32().Draw(t, "bytes"),
			Direction: match.Direction(rapid.IntRange(0, 1).Draw(t, "direction")),
			Key: match.Key{
				Protocol: rapid.Byte().Draw(t, "protocol"), Form: rapid.Byte().Draw(t, "form"),
				A: rapid.Uint64().Draw(t, "a"), B: rapid.Uint64().Draw(t, "b"),
				C: rapid.Uint64().Draw(t, "c"), D: rapid.Uint64().Draw(t, "d"),
			},
			Source: addresses().Draw(t, "source"), Destination: addresses().Draw(t, "destination"),
			Payload: rapid.SampledFrom([]uint32{0, 1, 1448, math.MaxUint32}).Draw(t, "payload"),
			Port:    rapid.SampledFrom([]uint64{0, 1, math.MaxUint64}).Draw(t, "port"),
		}
		e.Empty = e.Payload == 0 && rapid.Bool().Draw(t, "empty")
		return e
	})
}

// Any list of endpoints comes back as it was, with a crash after any number of syncs:
// what a sync covered is there, what was added later is not.
func TestWrittenIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "endpoints")
	rapid.Check(t, func(rt *rapid.T) {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			rt.Fatal(err)
		}
		defer f.Close()
		w, err := Create(f)
		if err != nil {
			rt.Fatal(err)
		}
		var want []match.Endpoint
		var length int64
		for range rapid.IntRange(1, 4).Draw(rt, "syncs") {
			list := rapid.SliceOfN(any(), 0, 40).Draw(rt, "list")
			for range rapid.SampledFrom([]int{1, 1, 60}).Draw(rt, "times") { // 60: more than a block
				for i := range list {
					if err := w.Add(&list[i]); err != nil {
						rt.Fatal(err)
					}
				}
				want = append(want, list...)
			}
			if length, err = w.Sync(); err != nil {
				rt.Fatal(err)
			}
			lost := any().Draw(rt, "lost")
			for range 2000 {
				if err := w.Add(&lost); err != nil {
					rt.Fatal(err)
				}
			}
			if w, err = Resume(f, length); err != nil {
				rt.Fatal(err)
			}
		}
		var got []match.Endpoint
		err = Read(f, length, 5, func(batch []match.Endpoint) error {
			got = append(got, batch...)
			return nil
		})
		if err != nil {
			rt.Fatal(err)
		}
		for i := range want {
			want[i].Host = 5
		}
		if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			rt.Fatalf("read %d endpoints, not the %d written", len(got), len(want))
		}
	})
}

// Bytes that are no record are refused or read as one that is written the same or shorter.
func FuzzDecode(f *testing.F) {
	e := match.Endpoint{Time: 12, CPU: 3, Thread: -1, Direction: match.Receive, Key: match.Key{Protocol: 6, A: 1 << 40}}
	copy(e.Source[:], append(mapped[:], 10, 0, 0, 1))
	e.Destination[15] = 1
	f.Add(Append(nil, &e, 5))
	f.Fuzz(func(t *testing.T, b []byte) {
		var e, again match.Endpoint
		rest, err := Decode(b, 7, &e)
		if err != nil {
			return
		}
		r := Append(nil, &e, 7)
		if len(r) > len(b)-len(rest) {
			t.Fatalf("%x read as %+v is written longer: %x", b, e, r)
		}
		if _, err := Decode(r, 7, &again); err != nil || e != again {
			t.Fatalf("%+v came back as %+v, %v", e, again, err)
		}
	})
}
