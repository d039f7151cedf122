package archive

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"synchroscope/internal/raced"
)

// What is written is all there, and never is more than a piece of it left to whoever syncs.
func TestOutFile(t *testing.T) {
	raced.Alone(t)
	name := filepath.Join(t.TempDir(), "stream")
	raw, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	f := &outFile{File: raw}
	var want bytes.Buffer
	for n := range 100 {
		p := bytes.Repeat([]byte{byte(n)}, pieceBytes/10-n)
		want.Write(p)
		if _, err := f.Write(p); err != nil {
			t.Fatal(err)
		}
		if f.waiting >= pieceBytes {
			t.Fatalf("after %d bytes %d have not been sent", want.Len(), f.waiting)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f.waiting >= fewBytes {
		t.Errorf("%d bytes are left at the end", f.waiting)
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%d bytes were written, %d are there: %v", want.Len(), len(got), err)
	}
}
