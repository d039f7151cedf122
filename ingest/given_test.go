package ingest

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"synchroscope/catalog"
	"synchroscope/internal/raced"
)

// more is a set of what another was made of, with more uploads.
func more(t *testing.T, from *Set, uploads ...entry) *Set {
	t.Helper()
	s, err := from.e.CreateFrom("", from)
	if err != nil {
		t.Fatal(err)
	}
	return put(t, s, uploads...)
}

// restarted is a set after a restart of its engine.
func restarted(t *testing.T, s *Set) *Set {
	t.Helper()
	closeEngine(t, s.e)
	again, ok := openEngine(t, s.e.dir, Options{}).Set(s.ID())
	if !ok {
		t.Fatal("the set is gone")
	}
	return again
}

func exported(t *testing.T, s *Set) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := s.Export(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func fileNames(s *Set) (names []string) {
	for _, f := range s.Status().Files {
		names = append(names, f.Name)
	}
	return names
}

// A set that is made of another and takes the archive of the machines that were forgotten answers as one of all archives does, whatever becomes of the other, which
// stays as it is; what both have is on the disk once.
func TestMoreMachines(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	e := openEngine(t, t.TempDir(), Options{})
	half := imported(t, upload(t, e, entry{"half.tar.gz", string(tarGz(t, ofHosts(t, shop(t), "db", "web")...))}))
	of := answers(t, half)
	mark := Bookmark{Host: 1, TID: 205, Time: number(half.Status().Hosts[1].LocalBegin) + 4e8, Text: "the lock", Window: &[2]int64{5, 7}, Key: "of a page"}
	if _, err := half.AddBookmark(Bookmark{TID: -1, Text: "to be deleted"}); err != nil {
		t.Fatal(err)
	}
	mark, err := half.AddBookmark(mark)
	if err := errors.Join(err, half.DeleteBookmark(1)); err != nil {
		t.Fatal(err)
	}
	s := more(t, half)
	if st := s.Status(); st.State != Uploading || st.Name != "some (2)" || len(st.Files) != 1 || !st.Files[0].Given || st.Files[0].Received != st.Files[0].Size || len(st.Stages) != 0 {
		t.Errorf("before anything is uploaded it is %+v", st)
	}
	s = restarted(t, s)
	rest := entry{"rest.tar.gz", string(tarGz(t, ofHosts(t, shop(t), "cache", "client")...))}
	put(t, s, rest)
	s = imported(t, s)
	equal(t, "of both", answers(t, s), shop(t).reference(t))
	mark.Host, mark.Key = int32(slices.IndexFunc(s.Hosts(), func(h *Host) bool { return h.row.Name == half.Hosts()[1].row.Name })), ""
	if got, err := s.Bookmarks(); err != nil || !reflect.DeepEqual(got, []Bookmark{mark}) || mark.Host == 1 {
		t.Errorf("bookmarks %+v, %v, not %+v", got, err, mark)
	}
	half, _ = s.e.Set(half.ID())
	equal(t, "the one before", answers(t, half), of)
	trace := s.Hosts()[slices.IndexFunc(s.Hosts(), func(h *Host) bool { return h.row.Name == "web" })].row.Traces[0]
	in, _ := filepath.Rel(filepath.Join(givenFolder, "0"), trace.Path)
	a, err := os.Stat(s.path(trace.Path, "metadata"))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.Stat(half.path("traces", "0", in, "metadata")); err != nil || !os.SameFile(a, b) {
		t.Errorf("metadata of web is there twice: %v", err)
	}
	if err := s.e.Delete(half.ID()); err != nil {
		t.Fatal(err)
	}
	s = restarted(t, s)
	equal(t, "alone", answers(t, s), shop(t).reference(t))
	// Of the one that was made another is made as well.
	last := imported(t, more(t, s))
	equal(t, "of that one", answers(t, last), shop(t).reference(t))
	if got, err := last.Bookmarks(); err != nil || !reflect.DeepEqual(got, []Bookmark{mark}) {
		t.Errorf("bookmarks of that one %+v, %v", got, err)
	}
}

// Where neither the catalogue nor the copy in its folder tells of a set that was made of another, it is found again with what it was given, whether it is ready or takes uploads still.
func TestMoreFoundAgain(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	e := openEngine(t, t.TempDir(), Options{})
	half := imported(t, upload(t, e, entry{"half.tar.gz", string(tarGz(t, ofHosts(t, shop(t), "db", "web")...))}))
	rest := entry{"rest.tar.gz", string(tarGz(t, ofHosts(t, shop(t), "cache", "client")...))}
	ready, waiting := imported(t, more(t, half, rest)), more(t, half, rest)
	closeEngine(t, e)
	if err := os.RemoveAll(filepath.Join(e.dir, "catalog")); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Set{ready, waiting} {
		flip(t, s.path(catalog.CopyFile), 40)
	}
	e = openEngine(t, e.dir, Options{})
	for what, id := range map[string]string{"ready": ready.ID(), "waiting": waiting.ID()} {
		s, ok := e.Set(id)
		if !ok {
			t.Fatalf("%s: it is not found again; said is %q", what, e.Notices())
		}
		equal(t, what, answers(t, imported(t, s)), shop(t).reference(t))
	}
}

// What functions are called is added to a set that was imported without it, takes the place of what was said before, and goes along with sets made of that one, also where the
// first was read in place or came whole from elsewhere.
func TestMoreNames(t *testing.T) {
	const other = "shopd:0000000000001206 T other\n"
	first := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", functionsSet(t, functions, ""))
	named := imported(t, more(t, first, entry{"synchroscope-symbols", symbolsOfShop}))
	renamed := imported(t, more(t, named, entry{"synchroscope-symbols", other}))
	inside := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", functionsSet(t, functions, symbolsOfShop))
	whole, err := importWhole(t, openEngine(t, t.TempDir(), Options{}), exported(t, inside))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		s    *Set
		want string
	}{
		{"without", first, "shopd+0x1206, shopd+0x1300"},
		{"named", named, "handle(int), shopd+0x1300"},
		{"made of it", imported(t, more(t, named)), "handle(int), shopd+0x1300"},
		{"named in another way", renamed, "other, shopd+0x1300"},
		{"whole from elsewhere", imported(t, more(t, whole)), "handle(int), shopd+0x1300"},
		{"another in the place of one inside", imported(t, more(t, inside, entry{"synchroscope-symbols", other})), "other, shopd+0x1300"},
		{"made of another in the place of one inside", imported(t, more(t, imported(t, more(t, inside, entry{"synchroscope-symbols", other})))), "other, shopd+0x1300"},
		{"made of one that took it away", imported(t, more(t, imported(t, more(t, inside, entry{"synchroscope-symbols", ""})))), "shopd+0x1206, shopd+0x1300"},
		{"another, whole from elsewhere", imported(t, more(t, whole, entry{"synchroscope-symbols", other})), "other, shopd+0x1300"},
	} {
		if got := inFunctions(t, c.s); got != c.want {
			t.Errorf("%s: in %s, not %s", c.what, got, c.want)
		}
		for _, o := range c.s.Report().Anomalies {
			if o.Kind != "nameless-functions" && (o.Kind != passedOver || !strings.Contains(c.what, "in the place of one inside") && c.what != "made of one that took it away") {
				t.Errorf("%s: %+v", c.what, o)
			}
		}
	}
	if got := inFunctions(t, restarted(t, imported(t, more(t, renamed)))); got != "other, shopd+0x1300" {
		t.Errorf("after a restart: in %s", got)
	}
}

// A text that is uploaded by itself is as good as one in an archive, and holds in the place of such.
func TestTextsByThemselves(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	dir := functionsSet(t, functions, symbolsOfShop)
	var inside, bare []entry
	for _, name := range namesBelow(t, dir) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		inside = append(inside, entry{name, string(b)})
		if filepath.Base(name) != "synchroscope-symbols" {
			bare = append(bare, entry{name, string(b)})
		}
	}
	for what, c := range map[string]struct {
		uploads []entry
		want    string
	}{
		"beside":             {[]entry{{"a.tar.gz", string(tarGz(t, bare...))}, {"synchroscope-symbols", symbolsOfShop}}, "handle(int), shopd+0x1300"},
		"before":             {[]entry{{"synchroscope-symbols", symbolsOfShop}, {"a.tar.gz", string(tarGz(t, bare...))}}, "handle(int), shopd+0x1300"},
		"in the place of it": {[]entry{{"a.tar.gz", string(tarGz(t, inside...))}, {"synchroscope-symbols", "shopd:0000000000001206 T other\n"}}, "other, shopd+0x1300"},
		"nothing of it":      {[]entry{{"a.tar.gz", string(tarGz(t, inside...))}, {"synchroscope-symbols", ""}}, "shopd+0x1206, shopd+0x1300"},
	} {
		s := imported(t, upload(t, e, c.uploads...))
		if got := inFunctions(t, s); got != c.want {
			t.Errorf("%s: in %s, not %s", what, got, c.want)
		}
		for _, o := range s.Report().Anomalies {
			if over := what == "in the place of it" || what == "nothing of it"; o.Kind != "nameless-functions" && (o.Kind != passedOver || !over || o.Places[0].Stream != "a.tar.gz") {
				t.Errorf("%s: %+v", what, o)
			}
		}
	}
	s := imported(t, upload(t, e, entry{"a.tar.gz", string(tarGz(t, bare...))}, entry{"synchroscope-symbols", "what\n"}))
	if got := s.Report().Anomalies; len(got) != 1 || got[0].Kind != "unreadable-declarations" || got[0].Places[0].Stream != "synchroscope-symbols" ||
		!strings.HasPrefix(got[0].Places[0].Message, "synchroscope-symbols:1: ") {
		t.Errorf("of a text that is none it is said %+v", got)
	}
	wantFault(t, "a text alone", func() error { s := upload(t, e, entry{"synchroscope-states", ""}); return s.Prepare(t.Context()) }(), Invalid)
	in := filepath.Join(t.TempDir(), "synchroscope-symbols")
	if err := os.WriteFile(in, []byte(symbolsOfShop), 0o600); err != nil {
		t.Fatal(err)
	}
	placed, err := e.ImportPaths("placed", functionsSet(t, functions, ""), in)
	if err != nil {
		t.Fatal(err)
	}
	if got := inFunctions(t, imported(t, placed)); got != "handle(int), shopd+0x1300" {
		t.Errorf("in place in %s", got)
	}
	_, err = e.ImportPaths("two", in, in)
	wantFault(t, "two texts of a kind", err, Invalid)
	folder := filepath.Join(t.TempDir(), "synchroscope-symbols") // which is no text, but of traces
	if err := os.CopyFS(folder, os.DirFS(functionsSet(t, functions, symbolsOfShop))); err != nil {
		t.Fatal(err)
	}
	named := imported(t, more(t, importPath(t, e, "of a name", folder)))
	if got := inFunctions(t, named); got != "handle(int), shopd+0x1300" {
		t.Errorf("in a folder of that name in %s", got)
	}
}

// What is said of a damaged archive is said of a set that is made of its set, until the archive is uploaded once more: then that takes its place. Any other that has the name of
// one that is there may be of another machine, and is refused.
func TestMendedArchive(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	good, cut, _ := halves(t, shop(t))
	e := openEngine(t, t.TempDir(), Options{})
	s := imported(t, upload(t, e, good, cut))
	if st := more(t, s).Status(); len(st.Damaged) != 1 || st.Files[0].Lacks || !st.Files[1].Lacks {
		t.Errorf("before it is imported it says %q, %+v", st.Damaged, st.Files)
	}
	equal(t, "with nothing more", told(t, imported(t, more(t, s))), told(t, s))
	// Where metadata is whole and no stream is, there is no host of it here either.
	rest := ofHosts(t, shop(t), "db", "web")
	slices.SortStableFunc(rest, func(a, b entry) int {
		return strings.Compare(strings.TrimPrefix(filepath.Base(b.name), "metadata"), strings.TrimPrefix(filepath.Base(a.name), "metadata"))
	})
	slices.Reverse(rest) // metadata first
	all := string(tarGz(t, rest...))
	for _, part := range []int{3, 6} {
		cut := entry{"cut.tar.gz", all[:len(all)*part/10]}
		parent := imported(t, upload(t, e, good, cut))
		equal(t, "cut off earlier", told(t, imported(t, more(t, parent))), told(t, parent))
	}
	mended := entry{cut.name, string(tarGz(t, ofHosts(t, shop(t), "db", "web")...))}
	mendedSet := imported(t, more(t, s, mended))
	equal(t, "mended", answers(t, mendedSet), shop(t).reference(t))
	if got := mendedSet.Status().Damaged; len(got) != 0 {
		t.Errorf("it is damaged still: %q", got)
	}
	if got := fileNames(mendedSet); !slices.Equal(got, []string{"good.tar.gz", "cut.tar.gz"}) {
		t.Errorf("its files are %q", got)
	}
	_, err := more(t, s).Upload(t.Context(), good.name, 0, 3, strings.NewReader("abc"))
	wantFault(t, "another of the name", err, Conflict)
	bad := imported(t, upload(t, e, good, entry{"bad.tar.gz", "nothing"}))
	equal(t, "of what nothing is", told(t, imported(t, more(t, bad))), told(t, bad))
	if got := imported(t, more(t, bad, entry{"bad.tar.gz", mended.content})).Status().Damaged; len(got) != 0 {
		t.Errorf("nothing of it is there still: %q", got)
	}
}

// What archives themselves declare goes together in a set that is made of another, as it does in one of all archives.
func TestTextsOfMoreMachines(t *testing.T) {
	files := func(host, program, symbols string) []entry {
		text := strings.NewReplacer(`hostname="web"`, `hostname="`+host+`"`, "shopd", program, "/srv", "/srv/"+host).Replace(functions)
		dir := functionsSet(t, text, symbols)
		var list []entry
		for _, name := range namesBelow(t, dir) {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, entry{name, string(b)})
		}
		return list
	}
	web := entry{"web.tar.gz", string(tarGz(t, files("web", "shopd", symbolsOfShop)...))}
	db := entry{"db.tar.gz", string(tarGz(t, files("db", "dbd", "dbd:0000000000001206 T query(int)\n")...))}
	e := openEngine(t, t.TempDir(), Options{})
	s, want := imported(t, more(t, imported(t, upload(t, e, web)), db)), imported(t, upload(t, e, web, db))
	equal(t, "of both", told(t, s), told(t, want))
	if got := inFunctions(t, s); got != "query(int), dbd+0x1300" {
		t.Errorf("db is in %s", got)
	}
}

// A set is not there before all it is given is, and what a crash leaves of that goes at the next start; nothing is left of one that cannot be made.
func TestMoreOrNothing(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s := imported(t, upload(t, e, entry{"half.tar.gz", string(tarGz(t, ofHosts(t, shop(t), "db", "web")...))}))
	sets := filepath.Join(e.dir, "sets")
	g := giving{from: s, to: filepath.Join(sets, "0123456789abcdef"+beingDeleted)}
	if _, err := g.fill(); err != nil {
		t.Fatal(err)
	}
	s = restarted(t, s)
	if left := folderNames(t, sets); len(left) != 1 || len(s.e.Sets()) != 1 || len(s.e.Notices()) != 0 {
		t.Errorf("left are %q, said is %q", left, s.e.Notices())
	}
	if err := os.RemoveAll(s.path("traces")); err != nil {
		t.Fatal(err)
	}
	_, err := s.e.CreateFrom("", s)
	wantFault(t, "of traces that are gone", err, Conflict)
	if left := folderNames(t, sets); len(left) != 1 || len(s.e.Sets()) != 1 {
		t.Errorf("left are %q", left)
	}
}

func folderNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// What another set gave is not lost where the import fails: more is uploaded, and all is imported.
func TestMoreAfterAFailure(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	e := openEngine(t, t.TempDir(), Options{})
	half := imported(t, upload(t, e, entry{"half.tar.gz", string(tarGz(t, ofHosts(t, shop(t), "db", "web")...))}))
	s := more(t, half)
	if _, err := e.catalog.Move(s.id, catalog.Extracting, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.clear(); err != nil {
		t.Fatal(err)
	}
	if _, err := e.catalog.Fail(s.id, "it cannot be", true); err != nil {
		t.Fatal(err)
	}
	s = restarted(t, s)
	rest := entry{"rest.tar.gz", string(tarGz(t, ofHosts(t, shop(t), "cache", "client")...))}
	put(t, s, rest)
	equal(t, "of both", answers(t, imported(t, s)), shop(t).reference(t))
}

// A set that is made of one that is read in place keeps that over a failure, too, and is not taken for one that nobody has begun.
func TestMoreInPlaceAfterAFailure(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "web")
	if err := os.CopyFS(folder, os.DirFS(functionsSet(t, functions, ""))); err != nil {
		t.Fatal(err)
	}
	s := more(t, importPath(t, openEngine(t, t.TempDir(), Options{}), "placed", folder), entry{"synchroscope-symbols", symbolsOfShop})
	if err := os.Rename(folder, folder+"-away"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Prepare(t.Context()), s.Wait(t.Context())); err == nil {
		t.Fatal("it is imported without its traces")
	}
	if s = restarted(t, s); s.Unbegun() || s.Status().State != Failed {
		t.Errorf("after the failure it is %s", s.Status().State)
	}
	if err := os.Rename(folder+"-away", folder); err != nil {
		t.Fatal(err)
	}
	put(t, s, entry{"synchroscope-symbols", symbolsOfShop})
	if s.Unbegun() {
		t.Error("it is unbegun")
	}
	if got := inFunctions(t, imported(t, s)); got != "handle(int), shopd+0x1300" {
		t.Errorf("in %s", got)
	}
}

// A damaged archive that is read in place is read so by both sets, told of once, and gives way to one of its name; the file is nobody's to remove.
func TestMendedInPlace(t *testing.T) {
	dir := t.TempDir()
	good, cut, _ := halves(t, shop(t))
	var paths []string
	for _, x := range []entry{good, cut, {"bad.tar.gz", "nothing"}} {
		paths = append(paths, filepath.Join(dir, x.name))
		if err := os.WriteFile(paths[len(paths)-1], []byte(x.content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := openEngine(t, t.TempDir(), Options{})
	s, err := e.ImportPaths("placed", paths...)
	if err != nil {
		t.Fatal(err)
	}
	imported(t, s)
	equal(t, "with nothing more", told(t, imported(t, more(t, s))), told(t, s))
	for _, f := range s.Status().Files {
		if !f.Given || f.Lacks != (f.Name != good.name) {
			t.Errorf("of the files is told %+v", f)
		}
	}
	whole := string(tarGz(t, ofHosts(t, shop(t), "db", "web")...))
	mended := imported(t, more(t, s, entry{"bad.tar.gz", whole}, entry{cut.name, whole}))
	if got := mended.Status().Damaged; len(got) != 0 {
		t.Errorf("damaged are %q", got)
	}
	if _, err := os.Stat(paths[2]); err != nil {
		t.Error(err)
	}
}

// No set is made of one that is not ready, and what is declared for all sets is not said twice.
func TestMoreOf(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{Declarations: "message m\nsend a:s key=id\nreceive a:r key=id\n"})
	empty, err := e.Create("empty")
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.CreateFrom("other", empty)
	wantFault(t, "of an empty set", err, Conflict)
	dir := functionsSet(t, functions, "")
	if err := os.WriteFile(filepath.Join(dir, "synchroscope-endpoints"), []byte("message n\nsend b:s key=id\nreceive b:r key=id\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := importPath(t, e, "set", dir)
	again := imported(t, more(t, s))
	if got := again.Report().Anomalies; len(got) != len(s.Report().Anomalies) || len(got) == 0 {
		t.Errorf("anomalies %+v, before %+v", got, s.Report().Anomalies)
	}
	a, _ := s.texts()
	b, _ := again.texts()
	if string(a.Endpoints) != string(b.Endpoints) || strings.Count(string(a.Endpoints), "message") != 2 {
		t.Errorf("declared is %q, before %q", b.Endpoints, a.Endpoints)
	}
	// So it is of a set that came whole from elsewhere.
	whole, err := importWhole(t, openEngine(t, t.TempDir(), e.o), exported(t, s))
	if err != nil {
		t.Fatal(err)
	}
	c, err := imported(t, more(t, whole)).texts()
	if err != nil || string(c.Endpoints) != string(a.Endpoints) {
		t.Errorf("of a whole set %q is declared, %v", c.Endpoints, err)
	}
}

// A bookmark is on its host still where more traces of that come to tell it from others by its clock.
func TestBookmarkByName(t *testing.T) {
	with := strings.NewReplacer("freq=1000000000", "freq=1000000000 uuid=12345678-1234-1234-1234-123456789abc", "-- ust.trace --", "-- other.trace --").Replace(functions)
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", functionsSet(t, functions, ""))
	mark, err := s.AddBookmark(Bookmark{TID: 12, Text: "the lock"})
	if err != nil {
		t.Fatal(err)
	}
	dir := functionsSet(t, with, "")
	var files []entry
	for _, name := range namesBelow(t, dir) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, entry{name, string(b)})
	}
	again := imported(t, more(t, s, entry{"other.tar.gz", string(tarGz(t, files...))}))
	if again.Hosts()[0].row.ID == s.Hosts()[0].row.ID {
		t.Fatal("the host is told from others as before")
	}
	if got, err := again.Bookmarks(); err != nil || !reflect.DeepEqual(got, []Bookmark{mark}) {
		t.Errorf("bookmarks %+v, %v", got, err)
	}
}
