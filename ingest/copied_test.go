package ingest

import (
	"os/exec"
	"path/filepath"
	"testing"

	"synchroscope/internal/peer"
)

// Traces that babeltrace2 has copied, as it does to cut a piece out of some, are read as those that it read.
func TestCopiedByBabeltrace(t *testing.T) {
	tool, ok := peer.Program(t, "babeltrace2")
	if !ok {
		t.SkipNow()
	}
	copied := filepath.Join(t.TempDir(), "copied")
	if out, err := exec.Command(tool, unpackWhole(t, shop(t).Archive), "-o", "ctf", "-w", copied).CombinedOutput(); err != nil {
		t.Fatalf("babeltrace2: %v: %.800s", err, out)
	}
	equal(t, "copied", answers(t, importPath(t, openEngine(t, t.TempDir(), Options{}), "undisturbed", copied)), shop(t).reference(t))
}
