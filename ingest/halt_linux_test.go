package ingest

import (
	"os"
	"path/filepath"
	"testing"

	"synchroscope/internal/smalldisk"
)

// The same where it is what is read of the hosts that there is no room for: none of them is said to have failed, and what comes of it is as if there had been room.
func TestHostsOnFullDisk(t *testing.T) {
	from := shop(t)
	dir, folder := smalldisk.New(t, 24<<20), unpackWhole(t, from.Archive)
	for _, restart := range []bool{false, true} {
		data := filepath.Join(dir, "data")
		e := openEngine(t, data, Options{})
		filler := filepath.Join(dir, "filler")
		room, _ := freeBytes(dir)
		if err := os.WriteFile(filler, make([]byte, room-256<<10), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := e.ImportPaths("full", folder)
		if err != nil {
			t.Fatal(err)
		}
		wantFault(t, "without room", s.Wait(t.Context()), NoRoom)
		if st := s.Status(); st.State != Failed || !st.Halted {
			t.Errorf("without room: %+v", st)
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		if restart {
			closeEngine(t, e)
			e = openEngine(t, data, Options{})
			s = e.Sets()[0]
		}
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		st := s.Status()
		for _, h := range st.Hosts {
			if h.State != "done" {
				t.Errorf("after a restart %v %s is %s", restart, h.Name, h.State)
			}
		}
		if st.State != Ready || st.Events != from.Events {
			t.Errorf("with room, after a restart %v: %s with %d events of %d", restart, st.State, st.Events, from.Events)
		}
		closeEngine(t, e)
		if err := os.RemoveAll(data); err != nil {
			t.Fatal(err)
		}
	}
}
