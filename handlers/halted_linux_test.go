package handlers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"synchroscope/ingest"
	"synchroscope/internal/smalldisk"
	"synchroscope/simulate/simulatetest"
)

// A set whose import has stopped, as the disk is full, has no hosts that are known. Whatever is asked about them is refused with a sentence that says so and how to
// go on: nothing is told to be empty, or to be on its way. So it is, with the reason, with one that failed.
func TestAskedWhileHalted(t *testing.T) {
	dir := smalldisk.New(t, 24<<20)
	s := openSite(t, filepath.Join(dir, "data"), Options{})
	fillUp(t, dir)
	archive := filepath.Join(t.TempDir(), "shop.tar.gz")
	if err := os.WriteFile(archive, simulatetest.Shop(t, 2).Archive, 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := s.engine.ImportPaths("full", archive)
	if err != nil {
		t.Fatal(err)
	}
	var fault *ingest.Fault
	if err := set.Wait(t.Context()); !errors.As(err, &fault) || fault.Kind != ingest.NoRoom || !set.Status().Halted {
		t.Fatal(err)
	}
	s.refuses(t, set.ID(), "The import has stopped: ", "make room and import it again.")

	id := s.create("none")
	if a := decode[eventsAnswer](t, s.want(200, "GET", "/api/sets/"+id+"/events", "")); a.Known {
		t.Error("the hosts of a set are known that has not even an archive")
	}
}

func fillUp(t *testing.T, dir string) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, int64(disk.Bavail)*disk.Bsize-256<<10), 0o600); err != nil {
		t.Fatal(err)
	}
}

// refuses insists that nothing about the hosts of a set is answered but that there is nothing to ask of it.
func (s *site) refuses(t *testing.T, id, begin, end string) {
	t.Helper()
	const stretch = "begin=0&end=2000000000000000000"
	for _, q := range []string{
		"GET sync", "POST sync", "GET sync/milestones", "GET between?a=web&b=db", "GET state?time=5", "GET state/level?time=5&host=web", "GET state/change?time=5&host=web&path=CPUs",
		"GET events", "GET events?host=web", "GET events/count", "GET losses?" + stretch, "GET statistics?" + stretch, "GET sums?" + stretch, "GET calls?" + stretch, "GET messages",
		"GET messages/between?a=web&b=db&" + stretch, "GET messages/requests", "GET export", "GET states.csv?" + stretch, "GET events.csv", "GET messages.csv", "POST bookmarks",
	} {
		method, path, _ := strings.Cut(q, " ")
		body := ""
		if method == "POST" {
			body = `{}`
		}
		a := s.do(method, fmt.Sprintf("/api/sets/%s/%s", id, path), strings.NewReader(body), "Content-Type", "application/json")
		if a.status != 409 || !strings.HasPrefix(a.sentence(), begin) || !strings.HasSuffix(a.sentence(), end) {
			t.Errorf("%s: %d %s", q, a.status, a.body)
		}
	}
}
