package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/sync/baseline"
	"synchroscope/sync/network"
)

// By any method a part of the time comes to the same here and in the page, which asks the server for it.
func TestSyncWindow(t *testing.T) {
	dir := outliers(t, "4s")
	e, err := ingest.Open(t.TempDir(), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	set, err := e.ImportPaths("outliers", dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	begin := set.Solution().Hosts[set.Solution().Reference].Begin
	w := &network.Window{Begin: begin + 1e9, End: begin + 3e9}
	served := func(o network.Options) string {
		s, err := set.Synchronize(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		first := *s
		first.Version = 1
		text, err := json.MarshalIndent(newSyncReport(&first, nil), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	const counts = "only the messages of the window count; outside of it errors are of clocks that go on as within it, without being set\n"
	if text, _ := output(t, "sync", "--window", fmt.Sprintf("%d,%d", w.Begin, w.End), dir); !strings.Contains(text, counts) {
		t.Errorf("of a window it says\n%s", text)
	}
	if text, _ := output(t, "sync", dir); strings.Contains(text, "window") {
		t.Errorf("without a window it says\n%s", text)
	}
	methods := baseline.Names()
	if testing.Short() {
		methods = methods[:2] // none of the others starts a goroutine
	}
	for _, method := range methods {
		args := []string{"sync", "--json", "--method", method, "--reference", "node-3", "--window", fmt.Sprintf("%d,%d", w.Begin, w.End), dir}
		text, code := output(t, args...)
		if code != exitOK {
			t.Fatalf("%v: exit code %d", args, code)
		}
		if want := served(network.Options{Method: method, Reference: "node-3", Window: w}); text != want {
			t.Errorf("%v prints\n%s\nthe server has\n%s", args, text, want)
		}
		if text == served(network.Options{Method: method, Reference: "node-3"}) {
			t.Errorf("by %s the window says nothing", method)
		}
	}
}
