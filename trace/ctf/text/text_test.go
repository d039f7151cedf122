package text

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// print returns the trace in a directory as text.
func print(t testing.TB, dir string) string {
	t.Helper()
	var b bytes.Buffer
	if err := Print(&b, dir); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// write writes a text as a trace and returns the directory.
func write(t testing.TB, text string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "trace")
	if err := Write(dir, "text", text); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return dir
}

func TestX(t *testing.T) {
	for _, dir := range os.Args[len(os.Args)-1:] {
		a := print(t, dir)
		os.WriteFile("/tmp/b_a.txt", []byte(a), 0o644)
		b := print(t, write(t, a))
		os.WriteFile("/tmp/b_b.txt", []byte(b), 0o644)
		if a != b {
			t.Errorf("differs")
		}
	}
}
