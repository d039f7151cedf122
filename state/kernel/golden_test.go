package kernel_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"synchroscope/state/history"
	"synchroscope/state/kernel/kerneltest"
)

var update = flag.Bool("update", false, "rewrite the expected states")

// Each file in testdata is a trace as text and what must follow from it:
//
//	-- trace --    events, and lines "lost cpu=0 BEGIN END" at the place where the reader reports the loss
//	-- states --   for each attribute, when it took which value
//	-- threads --  the rows
//
// The history begins at 0 and ends a second after the last event. The same must
// follow when the import is stopped and resumed after any of the events.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { golden(t, name) })
	}
}

func golden(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	sections := make(map[string]string)
	for _, f := range archive.Files {
		sections[f.Name] = string(f.Data)
	}
	steps, end := kerneltest.Parse(t, sections["trace"])
	for stop := -1; stop < len(steps); stop++ {
		h := kerneltest.New(t, 0, history.Options{NodeSize: 1024})
		for i, s := range steps {
			h.Take(t, s)
			if i == stop {
				h = h.Restart(t)
			}
		}
		h.Finish(t, end)
		states, threads := h.Dump(t), h.Rows()
		if *update && stop < 0 {
			archive.Files = []txtar.File{
				{Name: "trace", Data: []byte(sections["trace"])},
				{Name: "states", Data: []byte(states)},
				{Name: "threads", Data: []byte(threads)},
			}
			if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
			return
		}
		where := "undisturbed"
		if stop >= 0 {
			where = fmt.Sprintf("stopped after event %d", stop+1)
		}
		if states != sections["states"] {
			t.Fatalf("%s, the states are\n%s\nwant\n%s", where, states, sections["states"])
		}
		if threads != sections["threads"] {
			t.Fatalf("%s, the threads are\n%s\nwant\n%s", where, threads, sections["threads"])
		}
	}
}
