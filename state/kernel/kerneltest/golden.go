package kerneltest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A Golden is a file in testdata: a section "trace" as [Parse] reads it, others
// that say more about it, and those that tell what must follow.
type Golden struct {
	Sections map[string]string
	Steps    []Step
	End      int64 // local ns
}

// RunGolden holds what follows from each golden file against its sections. The
// same must follow when the import is stopped and resumed after step stop, for any
// stop; -1 is never. With update the sections are rewritten instead.
func RunGolden(t *testing.T, update bool, follow func(t *testing.T, g *Golden, stop int) []txtar.File) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { runGolden(t, name, update, follow) })
	}
}

func runGolden(t *testing.T, name string, update bool, follow func(t *testing.T, g *Golden, stop int) []txtar.File) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	g := &Golden{Sections: make(map[string]string)}
	for _, f := range archive.Files {
		g.Sections[f.Name] = string(f.Data)
	}
	g.Steps, g.End = Parse(t, g.Sections["trace"])
	if update {
		rewrite(t, name, archive, follow(t, g, -1))
		return
	}
	for stop := -1; stop < len(g.Steps); stop++ {
		where := "undisturbed"
		if stop >= 0 {
			where = fmt.Sprintf("stopped after event %d", stop+1)
		}
		for _, f := range follow(t, g, stop) {
			if want, ok := g.Sections[f.Name]; !ok || string(f.Data) != want {
				t.Fatalf("%s, the %s are\n%s\nwant\n%s", where, f.Name, f.Data, want)
			}
		}
	}
}

// rewrite puts what follows behind the sections that it follows from.
func rewrite(t *testing.T, name string, archive *txtar.Archive, follows []txtar.File) {
	kept := slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
		return slices.ContainsFunc(follows, func(g txtar.File) bool { return g.Name == f.Name })
	})
	archive.Files = append(kept, follows...)
	if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
		t.Fatal(err)
	}
}
