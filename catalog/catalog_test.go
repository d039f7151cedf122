package catalog

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"
)

func openTest(t *testing.T, dir string) *Catalog {
	t.Helper()
	c, err := Open(dir, "", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// What was written is there after closing and opening again, in every table.
func TestRowsSurvive(t *testing.T) {
	dir := t.TempDir()
	c := openTest(t, dir)
	set := Set{ID: 7, Name: "shop", Created: time.Unix(1700000000, 5).UTC(), State: Uploading}
	if err := c.Create(set); err != nil {
		t.Fatal(err)
	}
	hosts := []Host{{Name: "db", ID: "u1", Traces: []Trace{{Path: "traces/0/db", Kind: "kernel", Bytes: 12}}}, {Name: "web", ID: "u2"}}
	file := SideFile{Generation: 3, Length: 1 << 40, CRC: 0xdeadbeef, Flags: Done}
	must := func(_ Set, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.Move(7, Extracting, func(s *Set) { s.Files = []File{{Name: "a.zip", Size: -1}}; s.Next = 1 }))
	must(c.Found(7, hosts, map[string]int{}))
	if err := c.PutCheckpoint(7, 1, file); err != nil {
		t.Fatal(err)
	}
	must(c.Finish(7, map[string]int{"events": 12}))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}

	c = openTest(t, dir)
	sets, err := c.Sets()
	if err != nil {
		t.Fatal(err)
	}
	set.State, set.Files, set.Next = Ready, []File{{Name: "a.zip", Size: -1}}, 1
	if !reflect.DeepEqual(sets, []Set{set}) {
		t.Errorf("sets: got %+v, want %+v", sets, set)
	}
	if got, err := c.Hosts(7); err != nil || !reflect.DeepEqual(got, hosts) {
		t.Errorf("hosts: got %+v, %v, want %+v", got, err, hosts)
	}
	if got, err := c.Checkpoint(7, 1); err != nil || got != file {
		t.Errorf("checkpoint: got %+v, %v, want %+v", got, err, file)
	}
	if _, err := c.Checkpoint(7, 0); !errors.Is(err, ErrNotFound) {
		t.Errorf("checkpoint of host 0: got %v, want ErrNotFound", err)
	}
	var result map[string]int
	if err := c.Result(7, &result); err != nil || result["events"] != 12 {
		t.Errorf("result: got %v, %v", result, err)
	}
	if err := c.Renew(7, map[string]int{"events": 13}); err != nil {
		t.Error(err)
	}
	if err := c.Result(7, &result); err != nil || result["events"] != 13 {
		t.Errorf("result that was renewed: got %v, %v", result, err)
	}
	if err := c.Create(Set{ID: 8, State: Uploading}); err != nil {
		t.Fatal(err)
	}
	if err := c.Renew(8, result); err == nil {
		t.Error("a set that is not ready has its result renewed")
	}
}

// A store opens, with all that it had, where a process was killed just as it made a file, and had not yet written a byte.
func TestFilesWithoutAByte(t *testing.T) {
	for _, names := range [][]string{{"000002.vlog"}, {"00002.mem"}, {"000002.vlog", "00002.mem"}, {"000002.sst"}} {
		dir := t.TempDir()
		c := openTest(t, dir)
		if err := c.Create(Set{ID: 7, Name: "shop", State: Uploading}); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			f, err := os.OpenFile(filepath.Join(dir, "badger", name), os.O_CREATE|os.O_EXCL, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
		for range 2 {
			c = openTest(t, dir)
			if sets, err := c.Sets(); err != nil || len(sets) != 1 || sets[0].Name != "shop" {
				t.Errorf("beside an empty %v: %v, %v", names, sets, err)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A set's rows are a prefix of each table: deleting one leaves its neighbours.
func TestDeleteLeavesNeighbours(t *testing.T) {
	c := openTest(t, t.TempDir())
	for _, id := range []ID{0x0100, 0x0101, 0x0200} {
		if err := c.Create(Set{ID: id, State: Uploading}); err != nil {
			t.Fatal(err)
		}
		if err := c.PutCheckpoint(id, 0, SideFile{Generation: uint64(id)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Delete(0x0101); err != nil {
		t.Fatal(err)
	}
	sets, err := c.Sets()
	if err != nil || len(sets) != 2 || sets[0].ID != 0x0100 || sets[1].ID != 0x0200 {
		t.Errorf("sets after the delete: %+v, %v", sets, err)
	}
	if _, err := c.Checkpoint(0x0101, 0); !errors.Is(err, ErrNotFound) {
		t.Errorf("checkpoint of the deleted set: %v", err)
	}
	if f, err := c.Checkpoint(0x0200, 0); err != nil || f.Generation != 0x0200 {
		t.Errorf("checkpoint of a neighbour: %+v, %v", f, err)
	}
}

// The table of transitions holds for each pair of states, through the store.
func TestTransitions(t *testing.T) {
	legal := map[[2]State]bool{
		{Uploading, Extracting}: true, {Uploading, Failed}: true, {Uploading, Deleting}: true,
		{Extracting, Reading}: true, {Extracting, Ready}: true, {Extracting, Failed}: true, {Extracting, Deleting}: true,
		{Reading, Ready}: true, {Reading, Failed}: true, {Reading, Deleting}: true,
		{Ready, Reading}: true, {Ready, Deleting}: true,
		{Failed, Uploading}: true, {Failed, Deleting}: true,
	}
	states := []State{Uploading, Extracting, Reading, Ready, Failed, Deleting}
	c := openTest(t, t.TempDir())
	id := ID(0)
	for _, from := range states {
		for _, to := range states {
			id++
			if err := c.Create(Set{ID: id, State: from}); err != nil {
				t.Fatal(err)
			}
			s, err := c.Move(id, to, nil)
			if ok := err == nil; ok != legal[[2]State{from, to}] {
				t.Errorf("%s to %s: %v", from, to, err)
			}
			if err == nil && s.State != to {
				t.Errorf("%s to %s arrived at %s", from, to, s.State)
			}
		}
	}
}

// The store's memory table may grow and never shrink, and the refusal is a sentence.
func TestMemTableIsForEver(t *testing.T) {
	dir := t.TempDir()
	openTest(t, dir).Close()
	_, err := open(dir, "", memTable/2, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "cannot be opened with 8388608") {
		t.Errorf("a smaller table: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "format"), []byte("synchroscope catalog 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, "", slog.New(slog.DiscardHandler)); err == nil {
		t.Error("an unknown format was opened")
	}
}

func TestParseID(t *testing.T) {
	for s, want := range map[string]bool{"00000000000000ff": true, "ff": false, "00000000000000FF": false, "+0000000000000ff": false, "": false} {
		id, ok := ParseID(s)
		if ok != want || ok && id.String() != s {
			t.Errorf("ParseID(%q) = %v, %v", s, id, ok)
		}
	}
}

// Changes that are in each other's way are all made, and a set can be deleted among them.
func TestChangesBesideEachOther(t *testing.T) {
	c := openTest(t, t.TempDir())
	if err := c.Create(Set{ID: 7, State: Uploading}); err != nil {
		t.Fatal(err)
	}
	const writers, turns = 8, 25
	var busy sync.WaitGroup
	for range writers {
		busy.Go(func() {
			for range turns {
				if _, err := c.Update(7, func(s *Set) { s.Next++ }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	busy.Wait()
	sets, err := c.Sets()
	if err != nil || len(sets) != 1 || sets[0].Next != writers*turns {
		t.Fatalf("%v, %v, want %d changes", sets, err, writers*turns)
	}
	for range writers {
		busy.Go(func() {
			for err := error(nil); err == nil; {
				_, err = c.Update(7, func(s *Set) { s.Next++ })
				if err != nil && !errors.Is(err, ErrNotFound) {
					t.Error(err)
				}
			}
		})
	}
	if err := c.Delete(7); err != nil {
		t.Error(err)
	}
	busy.Wait()
}

// A change that another one is in the way of is made alone then: however slow it is, and however fast the others follow each other.
func TestSlowChangeComesThrough(t *testing.T) {
	c := openTest(t, t.TempDir())
	if err := c.Create(Set{ID: 7, State: Uploading}); err != nil {
		t.Fatal(err)
	}
	tries := 0
	err := c.update(func(txn *badger.Txn) error {
		var s Set
		if err := getJSON(txn, setKey(tableSets, 7), &s); err != nil {
			return err
		}
		if tries++; tries > 2 {
			return errors.New("it is tried a third time")
		}
		// Another one comes in between, if it may.
		done := make(chan error, 1)
		go func() {
			_, err := c.Update(7, func(s *Set) { s.Next++ })
			done <- err
		}()
		if tries == 1 {
			if err := <-done; err != nil {
				return err
			}
		} else {
			select {
			case <-done:
				return errors.New("another one is made beside the second try")
			case <-time.After(50 * time.Millisecond):
			}
		}
		s.Name = "slow"
		return putJSON(txn, setKey(tableSets, 7), s)
	})
	if err != nil || tries != 2 {
		t.Errorf("after %d tries: %v", tries, err)
	}
	for range 100 { // the one that waited
		sets, err := c.Sets()
		if err != nil {
			t.Fatal(err)
		}
		if len(sets) == 1 && sets[0].Name == "slow" && sets[0].Next == 2 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("not all changes were made")
}
