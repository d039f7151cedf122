package ingest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"synchroscope/catalog"
	"synchroscope/internal/raced"
)

// kept is a data directory with a set that was uploaded and is ready, one that was read in place, and one whose upload is not finished, and what the first two answer.
func kept(t *testing.T) (dir string, uploadedAnswers, placedAnswers string) {
	t.Helper()
	dir = t.TempDir()
	e := openEngine(t, dir, Options{})
	s := imported(t, uploaded(t, e))
	if err := s.Rename("mine"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddBookmark(Bookmark{TID: -1, Text: "a note"}); err != nil {
		t.Fatal(err)
	}
	placed := importPath(t, e, "placed", shop(t).File(t))
	uploadedAnswers, placedAnswers = answers(t, s), answers(t, placed)
	u, err := e.Create("unfinished")
	if err != nil {
		t.Fatal(err)
	}
	whole := shop(t).Archive
	if _, err := u.Upload(t.Context(), "shop.tar.gz", 0, int64(len(whole)), bytes.NewReader(whole[:1000])); err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	return dir, uploadedAnswers, placedAnswers
}

// byName is the set of a name, nil if there is none.
func byName(e *Engine, name string) *Set {
	for _, s := range e.Sets() {
		if s.name() == name {
			return s
		}
	}
	return nil
}

// dataOf lists the files of sets in a data directory, but what is made again: copies of rows, folders of first looks.
func dataOf(t *testing.T, dir string) (found []string) {
	t.Helper()
	for _, path := range filesBelow(t, &Engine{dir: dir}) {
		if filepath.Base(path) != catalog.CopyFile && !strings.Contains(path, partial) {
			found = append(found, strings.TrimPrefix(path, dir))
		}
	}
	return found
}

// storeFile is a file of the catalogue.
func storeFile(dir, name string) string { return filepath.Join(dir, "catalog", "badger", name) }

func flip(t *testing.T, path string, at int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[at] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A catalogue that is damaged or gone costs no set and no file of one, nor bookmarks and uploads.
func TestDamagedCatalogue(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	whole, uploadedAnswers, placedAnswers := kept(t)
	want := dataOf(t, whole)
	tables, err := filepath.Glob(storeFile(whole, "*.sst"))
	if err != nil || len(tables) != 1 {
		t.Fatal(tables, err)
	}
	sst := filepath.Base(tables[0])
	for what, damage := range map[string]func(dir string) (named string){
		"byte 0 of a table": func(dir string) string {
			flip(t, storeFile(dir, sst), 0)
			return "catalog/badger/" + sst + " is damaged"
		},
		"byte 574 of a table": func(dir string) string {
			flip(t, storeFile(dir, sst), 574)
			return "catalog/badger/" + sst + " is damaged"
		},
		"the manifest is gone": func(dir string) string {
			os.Remove(storeFile(dir, "MANIFEST"))
			return "catalog/badger/MANIFEST is missing"
		},
		"the store is gone": func(dir string) string {
			os.RemoveAll(storeFile(dir, ""))
			return "The catalogue has nothing of 3 sets"
		},
		"all is gone": func(dir string) string {
			os.RemoveAll(filepath.Join(dir, "catalog"))
			return "The catalogue has nothing of 3 sets"
		},
	} {
		dir := t.TempDir()
		copyFolder(t, whole, dir)
		named := damage(dir)
		e := openEngine(t, dir, Options{})
		if got := dataOf(t, dir); !slices.Equal(got, want) {
			t.Errorf("%s: files\n%q, not\n%q", what, got, want)
		}
		if all := strings.Join(e.Notices(), "\n"); !strings.Contains(all, named) || strings.Contains(all, dir) {
			t.Errorf("%s: said is\n%s\nwithout %q", what, all, named)
		}
		mine, placed, unfinished := byName(e, "mine"), byName(e, "placed"), byName(e, "unfinished")
		if mine == nil || placed == nil || unfinished == nil {
			t.Errorf("%s: %d sets are there", what, len(e.Sets()))
			closeEngine(t, e)
			continue
		}
		equal(t, what+", uploaded", answers(t, mine), uploadedAnswers)
		equal(t, what+", in place", answers(t, placed), placedAnswers)
		if marks, err := mine.Bookmarks(); err != nil || len(marks) != 1 || marks[0].Text != "a note" {
			t.Errorf("%s: bookmarks %v, %v", what, marks, err)
		}
		rest := shop(t).Archive[1000:]
		if n, err := unfinished.Upload(t.Context(), "shop.tar.gz", 1000, -1, bytes.NewReader(rest)); err != nil || n != int64(len(shop(t).Archive)) {
			t.Errorf("%s: the upload goes on to %d bytes, %v", what, n, err)
		}
		closeEngine(t, e)
		e = openEngine(t, dir, Options{})
		if len(e.Sets()) != 3 || len(e.Notices()) != 0 {
			t.Errorf("%s, after another start: %d sets, said is %q", what, len(e.Sets()), e.Notices())
		}
		closeEngine(t, e)
	}
}

// Where neither the catalogue nor its copies tell of any set, those are made of what lies in their folders; of what that cannot be the files are left as they are until it is deleted.
func TestFoundAgain(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	dir, uploadedAnswers, _ := kept(t)
	e := openEngine(t, dir, Options{})
	mine, placed, unfinished := byName(e, "mine").id, byName(e, "placed").id, byName(e, "unfinished").id
	closeEngine(t, e)
	folder := func(id catalog.ID) string { return filepath.Join(dir, "sets", id.String()) }
	for _, path := range []string{filepath.Join(dir, "catalog"), filepath.Join(folder(placed), "traces")} { // as of folders that are read where they are
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	want := dataOf(t, dir)
	for _, id := range []catalog.ID{mine, placed, unfinished} {
		flip(t, filepath.Join(folder(id), catalog.CopyFile), 40)
	}
	strange := filepath.Join(dir, "sets", "notes.txt")
	if err := os.WriteFile(strange, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{})
	said := strings.Join(e.Notices(), "\n")
	for _, part := range []string{
		"sets/" + mine.String() + "/rows is damaged", "It is made anew of the traces there are of it, and is read again. What it was called is lost.",
		"It is made anew of the archives there are of it",
		"There is nothing in its folder that a set can be made of",
	} {
		if !strings.Contains(said, part) {
			t.Errorf("%q is not in\n%s", part, said)
		}
	}
	s, ok := e.Set(mine.String())
	if !ok {
		t.Fatal("the set is not found again")
	}
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "found again", answers(t, s), uploadedAnswers)
	u, ok := e.Set(unfinished.String())
	if !ok {
		t.Fatal("the upload is not found again")
	}
	if f := u.files(); len(f) != 1 || f[0].Name != "shop.tar.gz" || f[0].Received != 1000 {
		t.Errorf("the upload has the files %+v", f)
	}
	if _, expires := u.expires(); expires {
		t.Error("an upload that was found again is removed after a day")
	}
	failed := func() {
		t.Helper()
		p, ok := e.Set(placed.String())
		if !ok {
			t.Fatal("what nothing can be made of is not listed")
		}
		if st := p.Status(); st.State != Failed || !strings.HasPrefix(st.Error, "There is nothing in its folder, sets/"+placed.String()+", that a set can be made of") {
			t.Errorf("a set is made of nothing: %+v", st)
		}
	}
	failed()
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	if got, all := dataOf(t, dir), append(slices.Clone(want), "/sets/notes.txt"); !equalFiles(got, all) {
		t.Errorf("files\n%q, not\n%q", got, all)
	}
	if _, err := os.Stat(strange); err != nil {
		t.Error(err)
	}
	if len(e.Sets()) != 3 || len(e.Notices()) != 0 {
		t.Errorf("after another start: %d sets, said is %q", len(e.Sets()), e.Notices())
	}
	failed()
	if err := e.Discard(placed.String()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Recover(placed.String()); err != nil {
		t.Fatal(err)
	}
	if got, all := dataOf(t, dir), append(slices.Clone(want), "/sets/notes.txt"); !equalFiles(got, all) {
		t.Errorf("deleted and had back, files\n%q, not\n%q", got, all)
	}
	failed()
	if err := e.Delete(placed.String()); err != nil || isFolder(folder(placed)) {
		t.Errorf("deleted, its folder is there, %v", err)
	}
}

// equalFiles tells whether two lists have the same files, whatever the numbers of checkpoints.
func equalFiles(a, b []string) bool {
	normal := func(list []string) []string {
		list = slices.Clone(list)
		for i, name := range list {
			list[i] = numbered.ReplaceAllString(name, "checkpoint")
		}
		slices.Sort(list)
		return list
	}
	return slices.Equal(normal(a), normal(b))
}

// A row that is of before the archives of its set were removed loses no traces: the set is read again from them.
func TestOvertakenRow(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	for _, state := range []catalog.State{catalog.Uploading, catalog.Extracting} {
		dir := t.TempDir()
		e := openEngine(t, dir, Options{})
		s := imported(t, uploaded(t, e))
		want, id := answers(t, s), s.id
		row := s.row
		row.State, row.Files[0].Received = state, row.Files[0].Size
		if err := e.catalog.Create(row); err != nil {
			t.Fatal(err)
		}
		closeEngine(t, e)
		e = openEngine(t, dir, Options{})
		s, ok := e.Set(id.String())
		if !ok {
			t.Fatalf("%s: the set is not there: %q", state, e.Notices())
		}
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		equal(t, string(state), answers(t, s), want)
		if len(e.Notices()) != 1 || !strings.Contains(e.Notices()[0], "before its archives were extracted") {
			t.Errorf("%s: said is %q", state, e.Notices())
		}
		closeEngine(t, e)
	}
}

// What is wrong with one set keeps no other out: one that cannot be shown is told of, and one without a checkpoint is read again.
func TestDamagedRowOfOne(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	dir, mineAnswers, placedAnswers := kept(t)
	e := openEngine(t, dir, Options{})
	mine, unfinished := byName(e, "mine"), byName(e, "unfinished")
	if err := e.catalog.DropCheckpoint(mine.id, 0); err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	if err := os.RemoveAll(unfinished.path("files")); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{})
	if st := byName(e, "unfinished").Status(); st.State != Failed || !st.Unshown || !strings.HasPrefix(st.Error, "The set cannot be shown, and its files are as they were: the archive ") {
		t.Errorf("of an upload without its file is said %+v", st)
	}
	equal(t, "beside one that is damaged", answers(t, byName(e, "placed")), placedAnswers)
	mine = byName(e, "mine")
	if err := mine.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "without a checkpoint", answers(t, mine), mineAnswers)
}

// A deletion that a crash interrupted is finished whatever became of the catalogue; a set that was discarded can still be had back.
func TestDeletedWithoutCatalogue(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	dir, _, _ := kept(t)
	e := openEngine(t, dir, Options{})
	mine, placed, unfinished := byName(e, "mine"), byName(e, "placed"), byName(e, "unfinished")
	if err := e.Discard(unfinished.ID()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.catalog.Move(mine.id, catalog.Deleting, nil); err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	folder := filepath.Join(dir, "sets", placed.ID())
	if err := os.Rename(folder, folder+beingDeleted); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "catalog")); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{Grace: time.Hour})
	if len(e.Sets()) != 0 || len(e.Discarded()) != 1 || e.Discarded()[0].Name != "unfinished" {
		t.Errorf("%d sets, %v can be had back", len(e.Sets()), e.Discarded())
	}
	entries, err := os.ReadDir(filepath.Join(dir, "sets"))
	if err != nil || len(entries) != 1 || entries[0].Name() != unfinished.ID() {
		t.Errorf("left are %v, %v", entries, err)
	}
	if _, err := e.Recover(unfinished.ID()); err != nil {
		t.Error(err)
	}
}

// An import that the loss of the catalogue breaks off is begun again, and answers as ever.
func TestImportWithoutCatalogue(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	want := busyShop(t).reference(t)
	dir := t.TempDir()
	prepareImport(t, dir, busyShop(t))
	e := openEngine(t, dir, Options{Workers: 2, saveEvery: time.Millisecond})
	s := e.Sets()[0]
	for {
		changed := s.Changed()
		if st := s.Status(); st.Events > 0 || st.State != Importing {
			break
		}
		<-changed
	}
	closeEngine(t, e)
	if err := os.RemoveAll(filepath.Join(dir, "catalog")); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{Workers: 2})
	s = byName(e, "demo")
	if s == nil {
		t.Fatalf("the set is not there: %q", e.Notices())
	}
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "without its catalogue", answers(t, s), want)
}
