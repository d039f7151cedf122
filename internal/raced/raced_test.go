package raced

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	header    = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w*)\(`)
	elsewhere = regexp.MustCompile(`raced\.Elsewhere\(\w+, (.*)\)`)
	name      = regexp.MustCompile(`"(\w+)"`)
	left      = regexp.MustCompile(`raced\.(?:Alone|Elsewhere)\(`)
)

// Whatever a test that is left out of the raced round names is a test of its package, and not left out itself.
func TestElsewhereIsRaced(t *testing.T) {
	named := 0
	packages := make(map[string]map[string]string) // by folder the tests, by name what stands in them
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go") || path == filepath.Join("..", "..", "internal", "raced", "raced_test.go"):
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, text := filepath.Dir(path), string(b)
		if packages[dir] == nil {
			packages[dir] = make(map[string]string)
		}
		heads := header.FindAllStringSubmatchIndex(text, -1)
		for i, h := range heads {
			end := len(text)
			if i+1 < len(heads) {
				end = heads[i+1][0]
			}
			packages[dir][text[h[2]:h[3]]] = text[h[1]:end]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, tests := range packages {
		for test, body := range tests {
			m := elsewhere.FindStringSubmatch(body)
			if m == nil {
				continue
			}
			for _, other := range name.FindAllStringSubmatch(m[1], -1) {
				named++
				if body, ok := tests[other[1]]; !ok {
					t.Errorf("%s: %s is left to %s, which is not there", dir, test, other[1])
				} else if left.MatchString(body) {
					t.Errorf("%s: %s is left to %s, which is left out itself", dir, test, other[1])
				}
			}
		}
	}
	if named == 0 {
		t.Error("no test is left to another: the pattern does not fit the code any more")
	}
}
