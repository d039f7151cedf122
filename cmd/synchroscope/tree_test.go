package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// The microscope names the node where thousands of states last from child to child, and is silent about other trees.
func TestTreeNamesCrowds(t *testing.T) {
	for _, open := range []int{3, 4000} {
		name := filepath.Join(t.TempDir(), "history.tree")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w, err := history.Create(f, 0, history.Options{NodeSize: 1024, MaxChildren: 4})
		if err != nil {
			t.Fatal(err)
		}
		set := func(at int64, row int, v int64) {
			if err := w.Modify(at, w.Attributes().Add(attribute.Root, fmt.Sprint(row)), history.Int(v)); err != nil {
				t.Fatal(err)
			}
		}
		for row := range open {
			set(1, 1+row, 1)
		}
		for i := range int64(3000) {
			set(10+i, 0, i)
		}
		for row := range open {
			set(4000, 1+row, 2)
		}
		if err := w.Finish(5000); err != nil {
			t.Fatal(err)
		}
		for _, what := range []string{"check", "stats"} {
			var out, errs bytes.Buffer
			if code := treeCommand([]string{what, name}, &out, &errs); code != exitOK {
				t.Fatalf("exit %d: %s", code, errs.String())
			}
			warned := strings.Contains(out.String(), "\nwarning: the node of level ") && strings.Contains(out.String(), ", from 0 to 4000 ns, has ")
			if warned != (open == 4000) || strings.Contains(out.String(), "warning") != warned {
				t.Errorf("%s, %d states stay open:\n%s", what, open, out.String())
			}
		}
	}
}
