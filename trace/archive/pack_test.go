package archive

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is packed is extracted as it was, the same files give the same bytes, and a file that is not as long as it was said
// to be is an error.
func TestPack(t *testing.T) {
	files := map[string]string{"a": "", "b/c": strings.Repeat("trace ", 100000), "b/d": "\x00\xff"}
	pack := func() []byte {
		var out bytes.Buffer
		p, err := NewPacker(&out)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a", "b/c", "b/d"} {
			if err := p.Add(name, int64(len(files[name])), strings.NewReader(files[name])); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	b := pack()
	if !bytes.Equal(b, pack()) {
		t.Error("packed again it is another archive")
	}
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := Extract(t.Context(), root, "packed", bytes.NewReader(b), int64(len(b)), Limits{}, nil); err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	for _, size := range []int64{4, 6} {
		p, err := NewPacker(new(bytes.Buffer))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Add("x", size, strings.NewReader("12345")); err == nil || err.Error() != "x changed while it was packed" {
			t.Errorf("5 bytes as %d: %v", size, err)
		}
	}
}
