package history_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The state packages neither open files nor ask for the time: whoever uses
// them gives them both. Only package scratch has files, without a name.
func TestImports(t *testing.T) {
	banned := map[string]bool{"os": true, "net": true, "log": true, "log/slog": true, "time": true, "net/http": true, "syscall": true}
	for _, pattern := range []string{"*.go", "../attribute/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range f.Imports {
				if path, _ := strconv.Unquote(spec.Path.Value); banned[path] {
					t.Errorf("%s imports %s", name, path)
				}
			}
		}
	}
}
