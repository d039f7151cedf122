package blockfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

const magic = "SYNCTEST"

func temp(t testing.TB) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func write(t testing.TB, w *Writer, payloads ...string) {
	t.Helper()
	for _, p := range payloads {
		if _, err := w.Write([]byte(p), 1); err != nil {
			t.Fatal(err)
		}
	}
}

func read(f File, end int64) (got []string, err error) {
	err = Walk(f, magic, end, func(_ int64, p []byte, n int) error {
		got = append(got, string(p))
		return nil
	})
	return got, err
}

// Blocks behind the length a checkpoint knew are cut off; the log goes on behind it.
func TestAppendCuts(t *testing.T) {
	f := temp(t)
	w, err := Create(f, magic)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, "one", "two")
	end := w.End()
	write(t, w, "lost")
	w, err = Append(f, magic, end)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, "three")
	got, err := read(f, w.End())
	if err != nil || fmt.Sprint(got) != "[one two three]" {
		t.Errorf("got %v, %v", got, err)
	}
}

// Whatever single byte of the file changes, or wherever it is cut, reading says so.
func TestDamageIsFound(t *testing.T) {
	f := temp(t)
	w, _ := Create(f, magic)
	write(t, w, "one", "twenty-two")
	whole := make([]byte, w.End())
	if _, err := f.ReadAt(whole, 0); err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		if i >= magicSize+4 && i < HeaderSize {
			continue // reserved
		}
		f.WriteAt([]byte{whole[i] ^ 0x10}, int64(i))
		if got, err := read(f, w.End()); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d changed: read %v, %v", i, got, err)
		}
		f.WriteAt(whole[i:i+1], int64(i))
	}
	for n := int64(0); n < w.End(); n++ {
		f.Truncate(n)
		if got, err := read(f, w.End()); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut to %d bytes: read %v, %v", n, got, err)
		}
	}
}

func FuzzWalk(f *testing.F) {
	log := temp(f)
	w, _ := Create(log, magic)
	write(f, w, "one", "two")
	seed := make([]byte, w.End())
	log.ReadAt(seed, 0)
	f.Add(seed)
	f.Fuzz(func(t *testing.T, b []byte) {
		end := int64(HeaderSize)
		err := Walk(bytes.NewReader(b), magic, int64(len(b)), func(at int64, p []byte, n int) error {
			if at != end || n < 1 || n > len(p) {
				t.Fatalf("block at %d after %d, %d records in %d bytes", at, end, n, len(p))
			}
			end = at + blockHead + int64(len(p))
			return nil
		})
		if err == nil && end != int64(len(b)) && len(b) > HeaderSize {
			t.Fatalf("walked to %d of %d without an error", end, len(b))
		}
	})
}
