// Package rooms keeps the walls of the house: docs/architecture.md says which
// package may import which, and this test reads its table.
package rooms

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	module = "synchroscope"
	top    = "../.."
)

// A room is a row of the table.
type room struct {
	names   []string // packages below the module, "x/*" for all below x
	imports []string // packages of the module it may import, same form; "all"
	modules []string // modules of others it may import
	pure    bool
}

var quoted = regexp.MustCompile("`([^`]+)`")

// plan reads the table: | rooms | what they hold | may import | modules | pure |
func plan(t *testing.T) []room {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(top, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := func(cell string) (ns []string) {
		for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
			ns = append(ns, m[1])
		}
		return ns
	}
	var rooms []room
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 || len(names(cells[1])) == 0 {
			continue
		}
		imports := names(cells[3])
		if strings.TrimSpace(cells[3]) == "all" {
			imports = []string{"all"}
		}
		rooms = append(rooms, room{names(cells[1]), imports, names(cells[4]), strings.TrimSpace(cells[5]) == "yes"})
	}
	if len(rooms) < 10 {
		t.Fatalf("docs/architecture.md has a table of %d rooms", len(rooms))
	}
	return rooms
}

// fits tells whether p is named by one of the patterns.
func fits(patterns []string, p string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		below, all := strings.CutSuffix(pattern, "/*")
		return pattern == p || pattern == "all" || all && strings.HasPrefix(p, below+"/")
	})
}

// A pkg is what go list tells.
type pkg struct {
	ImportPath, Dir  string
	Imports, GoFiles []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles", "./...")
	cmd.Dir = top
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		if len(p.GoFiles) > 0 { // not only tests
			pkgs = append(pkgs, p)
		}
	}
}

func TestRooms(t *testing.T) {
	rooms := plan(t)
	used := make(map[int]bool)
	for _, p := range packages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		i := slices.IndexFunc(rooms, func(r room) bool { return fits(r.names, name) })
		if i < 0 {
			t.Errorf("%s is in no row of docs/architecture.md", name)
			continue
		}
		used[i] = true
		r := rooms[i]
		for _, imported := range p.Imports {
			own, inside := strings.CutPrefix(imported, module+"/")
			switch {
			case inside && !fits(r.imports, own) && !fits(r.names, own):
				t.Errorf("%s imports %s; docs/architecture.md allows %q", name, own, r.imports)
			case !inside && strings.Contains(strings.Split(imported, "/")[0], ".") && !allowedModule(r.modules, imported):
				t.Errorf("%s imports %s; docs/architecture.md allows the modules %q", name, imported, r.modules)
			}
		}
		if r.pure {
			checkPure(t, name, p)
		}
	}
	for i, r := range rooms {
		if !used[i] {
			t.Errorf("docs/architecture.md has a row for %q, which does not exist", r.names)
		}
	}
}

// allowedModule tells whether a package belongs to one of the modules.
func allowedModule(modules []string, imported string) bool {
	return slices.ContainsFunc(modules, func(m string) bool {
		return imported == m || strings.HasPrefix(imported, m+"/")
	})
}

// impure are the packages by which a computation would depend on more than its arguments; net/netip is not one of them.
var impure = []string{"os", "os/*", "net", "net/*", "log", "log/*", "syscall", "math/rand", "math/rand/*", "crypto/rand", "unsafe"}

// wallClock are the functions of package time that ask or wait for the real time.
var wallClock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

func checkPure(t *testing.T, name string, p pkg) {
	t.Helper()
	for _, imported := range p.Imports {
		if fits(impure, imported) && imported != "net/netip" {
			t.Errorf("%s is pure and imports %s", name, imported)
		}
	}
	fset := token.NewFileSet()
	for _, file := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := call.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(wallClock, call.Sel.Name) {
				t.Errorf("%s is pure and uses time.%s in %s", name, call.Sel.Name, path.Base(file))
			}
			return true
		})
	}
}
