package ctf

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A folder that holds a stream but no metadata is found, in either byte order; what is a trace, or none of one, is not.
func TestHeadless(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{
		"cut/little":         "\xc1\x1f\xfc\xc1 and more",
		"cut/index/a.idx":    "\xc1\xf1\xdc\xc1",
		"deep/er/big":        "\xc1\xfc\x1f\xc1",
		"whole/metadata":     "/* CTF 1.8 */",
		"whole/stream":       "\xc1\x1f\xfc\xc1",
		"photos/one.jpg":     "\xff\xd8",
		"photos/two.jpg":     "",
		"index/channel0.idx": "\xc1\x1f\xfc\xc1",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dirs, err := Headless(root)
	if want := []string{filepath.Join(root, "cut"), filepath.Join(root, "deep/er")}; err != nil || !slices.Equal(dirs, want) {
		t.Errorf("found %v, %v; want %v", dirs, err, want)
	}
	if _, err := Headless(filepath.Join(root, "nowhere")); err == nil {
		t.Error("what is not there is searched")
	}
}
