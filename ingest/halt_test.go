package ingest

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
)

// What is uploaded stays where the disk has no room for what is in it, and is imported when there is: by who asks again, or by the next start.
func TestArchiveOnFullDisk(t *testing.T) {
	from := shop(t)
	var full atomic.Bool
	free := func(string) (int64, bool) {
		if full.Load() {
			return reserve - 1, true
		}
		return 1 << 40, true
	}
	for _, restart := range []bool{false, true} {
		full.Store(false)
		dir := t.TempDir()
		e := openEngine(t, dir, Options{free: free})
		s, err := e.Create("full")
		if err != nil {
			t.Fatal(err)
		}
		size := int64(len(from.Archive))
		if _, err := s.Upload(t.Context(), "shop.tar.gz", 0, size, bytes.NewReader(from.Archive[:1000])); err != nil {
			t.Fatal(err)
		}
		full.Store(true)
		if _, err := s.Upload(t.Context(), "shop.tar.gz", 1000, size, bytes.NewReader(from.Archive[1000:])); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			wantFault(t, "without room", s.Prepare(t.Context()), NoRoom)
			st := s.Status()
			if st.State != Failed || !st.Halted || !strings.HasSuffix(st.Error, "make room and import it again.") || len(st.Files) != 1 || st.Files[0].Received != size {
				t.Errorf("without room: %+v", st)
			}
			if b, err := os.ReadFile(s.uploaded("shop.tar.gz")); err != nil || !bytes.Equal(b, from.Archive) {
				t.Errorf("the archive has %d bytes of %d: %v", len(b), size, err)
			}
		}
		full.Store(false)
		if restart {
			closeEngine(t, e)
			e = openEngine(t, dir, Options{free: free})
			s = e.Sets()[0]
		}
		if err := errors.Join(s.Prepare(t.Context()), s.Wait(t.Context())); err != nil {
			t.Fatal(err)
		}
		if st := s.Status(); st.State != Ready || st.Halted || st.Events != from.Events {
			t.Errorf("with room, after a restart %v: %s with %d events of %d", restart, st.State, st.Events, from.Events)
		}
		closeEngine(t, e)
	}
}
