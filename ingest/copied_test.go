package ingest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Traces that babeltrace2 has copied, as it does to cut a piece out of some, are read as those that it read.
func TestCopiedByBabeltrace(t *testing.T) {
	tool, err := exec.LookPath("babeltrace2")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("babeltrace2 is not installed, but this run is to read what it writes")
		}
		t.Skip("babeltrace2 is not installed")
	}
	copied := filepath.Join(t.TempDir(), "copied")
	if out, err := exec.Command(tool, unpackWhole(t, shop(t).Archive), "-o", "ctf", "-w", copied).CombinedOutput(); err != nil {
		t.Fatalf("babeltrace2: %v: %.800s", err, out)
	}
	equal(t, "copied", answers(t, importPath(t, openEngine(t, t.TempDir(), Options{}), "undisturbed", copied)), shop(t).reference(t))
}
