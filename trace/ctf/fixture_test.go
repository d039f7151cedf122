package ctf

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shared is where the project keeps traces that it may not carry itself.
const shared = "../../../shared/traces"

// decompress reads what was compressed with gzip, or with xz where that program is.
func decompress(t testing.TB, f *os.File) io.Reader {
	t.Helper()
	if !strings.HasSuffix(f.Name(), ".xz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	xz := exec.Command("xz", "-dc")
	xz.Stdin = f
	out, err := xz.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := xz.Start(); err != nil {
		t.Skipf("%s needs xz: %v", filepath.Base(f.Name()), err)
	}
	t.Cleanup(func() { xz.Wait() })
	return out
}

// unpack extracts an archive of the shared traces, which are trusted, and returns
// the directory. The test is skipped where they are absent.
func unpack(t testing.TB, name string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(shared, name))
	if err != nil {
		t.Skipf("the shared traces are not here: %v", err)
	}
	defer f.Close()
	z := decompress(t, f)
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := root.MkdirAll(filepath.Dir(h.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		out, err := root.Create(h.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(out, r); err != nil {
			t.Fatal(err)
		}
		out.Close()
	}
}
