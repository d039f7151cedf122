package network

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The synchronization is pure: no files, no sockets, no logs, no wall clock,
// and each package imports only what the architecture lets it. Where its memory comes from it is told.
func TestImports(t *testing.T) {
	allowed := map[string]string{
		"hull": "", "graph": "", "clock": "",
		"match":   "synchroscope/trace synchroscope/trace/filter synchroscope/sync/hull synchroscope/state/scratch",
		"network": "synchroscope/sync/clock synchroscope/sync/graph synchroscope/sync/hull synchroscope/sync/match synchroscope/state/scratch",
	}
	for name, own := range allowed {
		files, err := filepath.Glob(filepath.Join("..", name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("package %s has no files: %v", name, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range parsed.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				if path == "net/netip" {
					continue // what an address is, not what can be reached
				}
				pure := !strings.Contains(path, ".") && !strings.HasPrefix(path, "synchroscope/")
				for _, impure := range []string{"os", "net", "log", "time", "io/fs", "syscall"} {
					pure = pure && path != impure && !strings.HasPrefix(path, impure+"/")
				}
				if !pure && !strings.Contains(" "+own+" ", " "+path+" ") {
					t.Errorf("%s imports %s", file, path)
				}
			}
		}
	}
}
