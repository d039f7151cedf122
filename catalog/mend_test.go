package catalog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"synchroscope/internal/raced"
)

// flipsVariable says how many bytes of each file TestFlippedBits flips, 0 for all that are not zero and some that are.
const flipsVariable = "SYNCHROSCOPE_FLIPS"

// openData opens the catalogue of a data directory.
func openData(t *testing.T, data string) *Catalog {
	t.Helper()
	c, err := Open(filepath.Join(data, "catalog"), filepath.Join(data, "sets"), quiet)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// filled is a data directory with three sets: one that is ready and has bookmarks, one that is uploaded, one that is deleted lately. With killed it is one as a
// process leaves it that is killed.
func filled(t *testing.T, killed bool) (data string) {
	t.Helper()
	data = t.TempDir()
	c := openData(t, data)
	must := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	moved := func(_ Set, err error) { t.Helper(); must(err) }
	created := time.Unix(1700000000, 5).UTC()
	must(c.Create(Set{ID: 7, Name: "shop", Created: created, State: Uploading}),
		c.Create(Set{ID: 8, Name: "upload", Created: created, State: Uploading}),
		c.Create(Set{ID: 9, Name: "deleted", Created: created, State: Uploading}))
	for id := ID(7); id <= 9; id++ {
		moved(c.Update(id, func(s *Set) { s.Files, s.Next = []File{{Name: "a.zip", Size: 12, Received: 12}}, 1 }))
	}
	moved(c.Move(7, Extracting, nil))
	moved(c.Found(7, []Host{{Name: "db", ID: "u1", Traces: []Trace{{Path: "traces/0/db", Kind: "kernel", Bytes: 12}}}, {Name: "web", ID: "u2"}}, map[string]int{}))
	must(c.PutCheckpoint(7, 0, SideFile{Generation: 3, Length: 40, CRC: 5, Flags: Done}), c.PutCheckpoint(7, 1, SideFile{Generation: 4, Length: 40, CRC: 5, Flags: Done}))
	moved(c.Finish(7, map[string]int{"events": 12}))
	for n := range uint32(3) {
		must(c.PutBookmark(7, Bookmark{ID: n + 1, TID: -1, Text: "a note"}))
	}
	moved(c.Update(9, func(s *Set) { s.Deleted = created }))
	if killed {
		defer c.Close()
		return clone(t, data)
	}
	must(c.Close())
	return data
}

// said is all that a catalogue has, in words, but which sets are spared (TestSparedWhenMended).
func said(t *testing.T, c *Catalog) string {
	t.Helper()
	sets, err := c.Sets()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range sets {
		hosts, err := c.Hosts(s.ID)
		if err != nil {
			t.Fatal(err)
		}
		marks, err := c.Bookmarks(s.ID)
		if err != nil {
			t.Fatal(err)
		}
		var result map[string]int
		if err := c.Result(s.ID, &result); err != nil && err != ErrNotFound {
			t.Fatal(err)
		}
		s.Spared = false
		fmt.Fprintf(&b, "%+v\n %+v\n %+v\n %v\n", s, hosts, marks, result)
		for i := range hosts {
			side, err := c.Checkpoint(s.ID, int32(i))
			fmt.Fprintf(&b, " %+v %v\n", side, err)
		}
	}
	return b.String()
}

// Whichever bit of the store is wrong, no set is lost and none is changed.
func TestFlippedBits(t *testing.T) {
	raced.Alone(t)
	flips := 3
	if v := os.Getenv(flipsVariable); v != "" {
		var err error
		if flips, err = strconv.Atoi(v); err != nil {
			t.Fatal(err)
		}
	}
	for _, killed := range []bool{false, true} {
		data := filled(t, killed)
		c := openData(t, clone(t, data))
		want := said(t, c)
		if len(c.Damages()) > 0 {
			t.Errorf("undisturbed: %v", c.Damages())
		}
		c.Close()
		entries, err := os.ReadDir(filepath.Join(data, "catalog", "badger"))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			name := filepath.Join("catalog", "badger", entry.Name())
			b, err := os.ReadFile(filepath.Join(data, name))
			if err != nil {
				t.Fatal(err)
			}
			told := 0
			places := flipped(b, flips)
			for _, at := range places {
				bit := byte(1) << rand.IntN(8)
				b[at] ^= bit
				damages := opened(t, data, name, b, fmt.Sprintf("killed %v, %s, byte %d ^ %d", killed, name, at, bit), want)
				b[at] ^= bit
				if len(damages) > 0 {
					told++
				}
				// Badger itself goes on without a table that is damaged, and removes one that no manifest names.
				if whole := filepath.Ext(name) == ".sst" || entry.Name() == badger.ManifestFilename; whole && (len(damages) == 0 || !strings.Contains(damages[0].Cause.Error(), name)) {
					t.Errorf("killed %v, %s, byte %d ^ %d: it is not put aside: %v", killed, name, at, bit, damages)
				}
			}
			t.Logf("killed %v, %s: %d of %d flips are told of", killed, name, told, len(places))
		}
	}
}

// flipped are places of a file whose bytes are flipped: so many, spread over what is not zero, or all of that, and its ends.
func flipped(b []byte, most int) []int {
	var places []int
	for i, c := range b {
		if c != 0 || i < 32 || i == len(b)-1 {
			places = append(places, i)
		}
	}
	if most > 0 && len(places) > most {
		step := float64(len(places)-1) / float64(most-1)
		few := make([]int, most)
		for i := range few {
			few[i] = places[int(float64(i)*step)]
		}
		return few
	}
	return places
}

// clone copies a data directory without taking space for zeros.
func clone(t *testing.T, data string) string {
	t.Helper()
	dir := t.TempDir()
	err := filepath.WalkDir(data, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		in, err := filepath.Rel(data, path)
		if err != nil {
			return err
		}
		return copyFiles(path, filepath.Join(dir, in))
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// opened opens a copy of data in which one file is b, missing if that is nil, or a folder if it is that, holds what is there against what is wanted, and returns the damages that are told of.
func opened(t *testing.T, data, name string, b []byte, how, want string) []Damage {
	t.Helper()
	dir := clone(t, data)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, name)
	err := os.RemoveAll(path)
	switch {
	case bytes.Equal(b, folder):
		err = os.Mkdir(path, 0o700)
	case b != nil:
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := Open(filepath.Join(dir, "catalog"), filepath.Join(dir, "sets"), quiet)
	if err != nil {
		t.Errorf("%s: %v", how, err)
		return nil
	}
	got := said(t, c)
	c.Close()
	if got != want {
		t.Errorf("%s: the catalogue has\n%s\nnot\n%s", how, got, want)
	}
	for _, d := range c.Damages() {
		if d.Lost || d.Cause == nil || (d.ID == 0) != (d.Aside != "") {
			t.Errorf("%s: %+v", how, d)
		}
		if d.Aside != "" {
			if _, err := os.Stat(d.Aside); err != nil || !strings.Contains(d.Cause.Error(), "badger") {
				t.Errorf("%s: %v, %v", how, d.Cause, err)
			}
		}
	}
	if len(c.Damages()) == 0 {
		return nil
	}
	again, err := Open(filepath.Join(dir, "catalog"), filepath.Join(dir, "sets"), quiet)
	if err != nil {
		t.Errorf("%s, opened again: %v", how, err)
		return nil
	}
	if got := said(t, again); got != want || len(again.Damages()) > 0 {
		t.Errorf("%s, opened again: %v and\n%s", how, again.Damages(), got)
	}
	again.Close()
	return c.Damages()
}

// folder stands for a folder in the place of a file.
var folder = []byte("a folder")

// Whichever file or folder of the store is missing, or is a folder instead, no set is lost.
func TestMissingFiles(t *testing.T) {
	raced.Alone(t)
	for _, killed := range []bool{false, true} {
		data := filled(t, killed)
		c := openData(t, clone(t, data))
		want := said(t, c)
		c.Close()
		entries, err := os.ReadDir(filepath.Join(data, "catalog", "badger"))
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"catalog", "catalog/badger", "catalog/format"}
		for _, entry := range entries {
			names = append(names, filepath.Join("catalog", "badger", entry.Name()))
		}
		for _, name := range names {
			n := len(opened(t, data, name, nil, fmt.Sprintf("killed %v, without %s", killed, name), want))
			t.Logf("killed %v, without %s: %d damages", killed, name, n)
		}
		for _, name := range names[2:] {
			opened(t, data, name, folder, fmt.Sprintf("killed %v, %s is a folder", killed, name), want)
		}
	}
}

// put stores a value as it is.
func put(t *testing.T, c *Catalog, key, value []byte) {
	t.Helper()
	if err := c.db.Update(func(txn *badger.Txn) error { return txn.Set(key, value) }); err != nil {
		t.Fatal(err)
	}
}

// A row that is damaged while the files of the store are sound is taken from the copy, and where that is damaged too the others stay, and what is sound is told.
func TestDamagedRow(t *testing.T) {
	raced.Alone(t)
	data := filled(t, false)
	c := openData(t, clone(t, data))
	want := said(t, c)
	c.Close()
	whole := sealed(setKey(tableSets, 7), []byte(`{"name":"shop","state":"eady"}`))
	for what, row := range map[string][2][]byte{
		"a set's row without a state that there is": {setKey(tableSets, 7), whole},
		"one of format 1":             {setKey(tableSets, 7), []byte(`{"name":"shop","state":"eady"}`)},
		"one cut":                     {setKey(tableSets, 7), whole[:20]},
		"an empty one":                {setKey(tableSets, 7), {}},
		"that of another set":         {setKey(tableSets, 7), sealed(setKey(tableSets, 8), []byte(`{"name":"shop","state":"ready"}`))},
		"a host's":                    {hostKey(tableHosts, 7, 1), []byte("nonsense")},
		"a host's of a host too many": {hostKey(tableHosts, 7, 3), sealed(hostKey(tableHosts, 7, 3), []byte("{}"))},
		"a checkpoint's":              {hostKey(tableCheckpoints, 7, 1), []byte("nonsense")},
		"a result's":                  {setKey(tableResults, 7), []byte{rowVersion, 0, 0, 0, 0, '{', '}'}},
		"a bookmark's":                {bookmarkKey(7, 2), nil},
	} {
		dir := clone(t, data)
		c := openData(t, dir)
		put(t, c, row[0], row[1])
		c.Close()
		file := filepath.Join(dir, "sets", ID(7).String(), CopyFile)
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c = openData(t, dir)
		if d := c.Damages(); len(d) != 1 || d[0].ID != 7 || d[0].Lost || d[0].Set.Name != "shop" || said(t, c) != want {
			t.Errorf("%s: %+v and\n%s", what, d, said(t, c))
		}
		put(t, c, row[0], row[1])
		c.Close()
		kept[len(kept)/2] ^= 1
		if err := os.WriteFile(file, kept, 0o600); err != nil {
			t.Fatal(err)
		}
		c = openData(t, dir)
		d := c.Damages()
		if len(d) != 1 || d[0].ID != 7 || !d[0].Lost || !strings.Contains(d[0].Cause.Error(), file+" is damaged") {
			t.Errorf("%s, and the copy: %+v", what, d)
		}
		if row[0][0] != tableSets && d[0].Set.Name != "shop" {
			t.Errorf("%s, and the copy: the set's row is %+v", what, d[0].Set)
		}
		if sets, err := c.Sets(); err != nil || len(sets) != 2 {
			t.Errorf("%s, and the copy: %d other sets, %v", what, len(sets), err)
		}
		if marks, err := c.Bookmarks(7); err != nil || len(marks) < 2 {
			t.Errorf("%s, and the copy: %d bookmarks, %v", what, len(marks), err)
		}
		c.Close()
	}
}

// No flipped bit and no cut of a copy is taken for a sound one, and each is written again.
func TestDamagedCopy(t *testing.T) {
	raced.Alone(t)
	data := filled(t, false)
	folder := filepath.Join(data, "sets", ID(7).String())
	file := filepath.Join(folder, CopyFile)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wrong := func(how string, b []byte) {
		t.Helper()
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := readCopy(folder, 7); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %+v, %v", how, r, err)
		}
	}
	for i := 0; i < len(whole); i += 3 {
		b := bytes.Clone(whole)
		b[i] ^= 1 << (i % 8)
		wrong(fmt.Sprintf("byte %d flipped", i), b)
		wrong(fmt.Sprintf("cut to %d bytes", i), whole[:i])
		// One that fits its checksum all the same is decoded without a panic.
		binary.LittleEndian.PutUint32(b[len(b)-4:], crc32.Checksum(b[:len(b)-4], castagnoli))
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := readCopy(folder, 7); err == nil && i < len(b)-4 {
			t.Errorf("byte %d flipped under a new checksum: %+v", i, r)
		}
	}
	c := openData(t, data)
	defer c.Close()
	if b, err := os.ReadFile(file); err != nil || !bytes.Equal(b, whole) {
		t.Errorf("the copy is not written again: %v", err)
	}
	if len(c.Damages()) > 0 {
		t.Errorf("a damaged copy of sound rows: %v", c.Damages())
	}
}

// A catalogue of format 1, whose rows have no checksum, is read, and written as one of this format.
func TestFormat1(t *testing.T) {
	raced.Alone(t)
	data := filled(t, false)
	c := openData(t, data)
	want := said(t, c)
	err := c.db.Update(func(txn *badger.Txn) error {
		var rows []keyed
		err := scan(txn, nil, func(key, row []byte) error {
			rows = append(rows, keyed{bytes.Clone(key), bytes.Clone(row)})
			return nil
		})
		for _, row := range rows {
			err = errors.Join(err, txn.Set(row.key, row.value))
		}
		return err
	})
	c.Close()
	if err = errors.Join(err, os.RemoveAll(filepath.Join(data, "sets")), os.WriteFile(filepath.Join(data, "catalog", "format"), []byte("synchroscope catalog 1\nmemtable 16777216\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		c = openData(t, data)
		if got := said(t, c); got != want || len(c.Damages()) > 0 {
			t.Errorf("%v and\n%s", c.Damages(), got)
		}
		c.Close()
	}
	c = openData(t, data)
	defer c.Close()
	for _, id := range []ID{7, 8, 9} {
		if r, err := c.record(id); err != nil || r.old {
			t.Errorf("set %s has rows without checksums, %v", id, err)
		}
		if _, err := readCopy(filepath.Join(data, "sets", id.String()), id); err != nil {
			t.Error(err)
		}
	}
}

// A second process is refused with a sentence, also in what would be damage to it, and changes nothing.
func TestInUse(t *testing.T) {
	data := filled(t, false)
	c := openData(t, data)
	defer c.Close()
	if err := os.Remove(filepath.Join(data, "catalog", "badger", "MANIFEST")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := Open(filepath.Join(data, "catalog"), filepath.Join(data, "sets"), quiet)
		if err == nil || !strings.Contains(err.Error(), "another process works on this data directory") {
			t.Errorf("opened twice: %v", err)
		}
	}
	if _, err := CopyTo(filepath.Join(data, "catalog"), t.TempDir()); err == nil {
		t.Error("copied while it is open")
	}
	if list, err := filepath.Glob(filepath.Join(data, "catalog", "badger-damaged-*")); err != nil || len(list) > 0 {
		t.Errorf("put aside: %q, %v", list, err)
	}
}

// A store is put aside for what is wrong with its files alone: Badger tells what the machine lacks in words.
func TestWhatAMachineLacksIsNoDamage(t *testing.T) {
	for _, cause := range []error{syscall.ENOSPC, syscall.EMFILE, syscall.EACCES, syscall.ENOMEM} {
		for _, err := range []error{cause, fmt.Errorf("Cannot write pid file %q err: %+v", "LOCK", cause)} {
			if damaged(err) {
				t.Errorf("%v is taken for damage", err)
			}
		}
	}
	if !damaged(errors.New("checksum mismatch")) {
		t.Error("a checksum that does not agree is no damage")
	}
}

// Mending itself marks a set that is not ready as spared, in its row and in the copy of that, also one that is discarded: no process need live on for it. A set that is ready
// is not marked, and one that becomes ready is so no more.
func TestSparedWhenMended(t *testing.T) {
	data := filled(t, false)
	if err := os.RemoveAll(filepath.Join(data, "catalog")); err != nil {
		t.Fatal(err)
	}
	if err := openData(t, data).Close(); err != nil {
		t.Fatal(err)
	}
	c := openData(t, data)
	defer c.Close()
	sets, err := c.Sets()
	if err != nil || len(sets) != 3 || len(c.Damages()) != 0 {
		t.Fatalf("%d sets, %v, damages %v", len(sets), err, c.Damages())
	}
	for _, s := range sets {
		if want := s.ID != 7; s.Spared != want {
			t.Errorf("set %s is spared: %v", s.Name, s.Spared)
		}
		if beside, err := readCopy(filepath.Join(data, "sets", s.ID.String()), s.ID); err != nil || beside.set.Spared != s.Spared {
			t.Errorf("the copy of set %s: %v, spared %v", s.Name, err, beside.set.Spared)
		}
	}
	if _, err := c.Move(8, Extracting, nil); err != nil {
		t.Fatal(err)
	}
	s, err := c.Adopt(8, []Host{{Name: "db", ID: "u1"}}, []SideFile{{Generation: 1}}, map[string]int{})
	if err != nil || s.Spared || s.Again {
		t.Errorf("a set that was adopted is %+v, %v", s, err)
	}
}

// A folder in the place of the format file ends no start, nor does another one later: it is put aside in the place of the first.
func TestFormatIsAFolderAgain(t *testing.T) {
	data := filled(t, false)
	path := filepath.Join(data, "catalog", "format")
	for _, name := range []string{"first", "second"} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(path, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := openData(t, data).Close(); err != nil {
			t.Fatal(err)
		}
		if entries, err := os.ReadDir(path + ".damaged"); err != nil || len(entries) != 1 || entries[0].Name() != name {
			t.Errorf("aside is %v, %v, not the %s folder", entries, err, name)
		}
	}
}
