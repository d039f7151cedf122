package trace_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// impure are packages that a parser of untrusted bytes has no business with.
var impure = map[string]bool{"os": true, "net": true, "net/http": true, "log": true, "log/slog": true, "time": true, "unsafe": true, "os/exec": true}

// Events and the metadata language are pure, and import nothing from outside.
func TestImports(t *testing.T) {
	checked := 0
	for _, dir := range []string{".", "ctf/schema", "ctf/tsdl", "ctf/ctf2", "filter"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				if path != dir && d.IsDir() {
					return fs.SkipDir
				}
				return err
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			checked++
			for _, i := range f.Imports {
				name, _ := strconv.Unquote(i.Path.Value)
				own := strings.HasPrefix(name, "synchroscope/trace")
				if impure[name] || strings.Contains(name, ".") || strings.HasPrefix(name, "synchroscope/") && !own || own && dir == "." {
					t.Errorf("%s imports %s", path, name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 10 {
		t.Errorf("only %d files were checked", checked)
	}
}
