package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"synchroscope/internal/raced"
)

func wantFault(t *testing.T, what string, err error, kind FaultKind) {
	t.Helper()
	var f *Fault
	if !errors.As(err, &f) || f.Kind != kind {
		t.Errorf("%s: %v, want a fault of kind %d", what, err, kind)
	}
}

// A set is not begun that is empty, or that has nothing but the names of what is read in place; one of which something was uploaded is.
func TestUnbegun(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s, err := e.Create("set")
	if err != nil || !s.Unbegun() {
		t.Fatal(err)
	}
	if err := nameIn(s, t.TempDir()); err != nil || !s.Unbegun() {
		t.Errorf("with a path it is begun, %v", err)
	}
	if _, err := s.Upload(t.Context(), "a.zip", 0, 5, strings.NewReader("PK")); err != nil || s.Unbegun() {
		t.Errorf("with two bytes of an archive it is not begun, %v", err)
	}
}

// What comes slowly is kept while it comes: a server that is killed has lost no more than what came in the last second.
func TestSlowUploadIsKept(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s, err := e.Create("slow")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	sent, until := 0, time.Now().Add(time.Minute)
	held, err := s.Upload(t.Context(), "a.zip", 0, 1<<30, readerFunc(func(b []byte) (int, error) {
		set, err := e.catalog.Set(s.id)
		if err != nil {
			t.Error(err)
		}
		if len(set.Files) > 0 && set.Files[0].Received > 0 || err != nil || time.Now().After(until) {
			return 0, broken
		}
		time.Sleep(10 * time.Millisecond)
		sent++
		return copy(b, "x"), nil
	}))
	if !errors.Is(err, broken) || int(held) != sent || time.Now().After(until) {
		t.Errorf("%d of %d bytes are held, %v; were any kept before the end: %v", held, sent, err, time.Now().Before(until))
	}
}

// An archive may come in pieces, and over a connection that breaks and a server that restarts:
// what is held is told, and only what follows it is taken.
func TestUploadInPieces(t *testing.T) {
	from := shop(t)
	whole := from.Archive
	size := int64(len(whole))
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s, err := e.Create("pieces")
	if err != nil {
		t.Fatal(err)
	}
	if held, err := s.Upload(t.Context(), "shop.tar.gz", 0, size, bytes.NewReader(whole[:1000])); err != nil || held != 1000 {
		t.Fatalf("first piece: %d, %v", held, err)
	}
	held, err := s.Upload(t.Context(), "shop.tar.gz", 0, size, bytes.NewReader(whole))
	wantFault(t, "again from the beginning", err, Conflict)
	if held != 1000 {
		t.Errorf("told to hold %d", held)
	}
	_, err = s.Upload(t.Context(), "shop.tar.gz", 1000, size+1, bytes.NewReader(whole[1000:]))
	wantFault(t, "another total", err, Conflict)
	wantFault(t, "import of a part", s.Import(), Conflict)

	broken := io.MultiReader(bytes.NewReader(whole[1000:5000]), iotest.ErrReader(io.ErrUnexpectedEOF))
	if held, err = s.Upload(t.Context(), "shop.tar.gz", 1000, size, broken); err == nil || held != 5000 {
		t.Errorf("broken connection: %d held, %v", held, err)
	}
	closeEngine(t, e)
	if f, err := os.OpenFile(s.uploaded("shop.tar.gz"), os.O_APPEND|os.O_WRONLY, 0); err == nil {
		f.WriteString("a tail that the catalogue does not know")
		f.Close()
	}
	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	if got := s.Status().Files[0]; got != (FileStatus{Name: "shop.tar.gz", Size: size, Received: 5000}) {
		t.Errorf("after the restart %+v", got)
	}
	_, err = s.Upload(t.Context(), "shop.tar.gz", 5000, size, bytes.NewReader(append(whole[5000:len(whole):len(whole)], '!')))
	wantFault(t, "more than announced", err, Invalid)
	at := s.Status().Files[0].Received
	if held, err := s.Upload(t.Context(), "shop.tar.gz", at, size, bytes.NewReader(whole[at:])); err != nil || held != size {
		t.Errorf("last piece: %d, %v", held, err)
	}
	if err := errors.Join(s.Prepare(t.Context()), s.Wait(t.Context())); err != nil {
		t.Fatal(err)
	}
	if n := s.Status().Events; n != from.Events {
		t.Errorf("%d events", n)
	}
	if _, err := os.Stat(s.path("files")); !os.IsNotExist(err) {
		t.Errorf("the archive is still there: %v", err)
	}
	_, err = s.Upload(t.Context(), "late.zip", 0, -1, strings.NewReader("x"))
	wantFault(t, "an archive after the import", err, Conflict)
}

// While a piece arrives the set may be deleted: that is what is said then, and what had arrived is there once the set is had back.
func TestUploadIntoDeleted(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s, err := e.Create("deleted")
	if err != nil {
		t.Fatal(err)
	}
	deleted := make(chan error, 1)
	pieces := 0
	body := readerFunc(func(b []byte) (int, error) {
		if pieces++; pieces == 2 {
			go func() { deleted <- e.Discard(s.ID()) }()
			<-s.ctx.Done()
		}
		return copy(b, "a piece"), nil
	})
	held, err := s.Upload(t.Context(), "a.zip", 0, 1000, body)
	wantFault(t, "an upload into a set that is deleted", err, NotFound)
	if held != 14 {
		t.Errorf("%d bytes held", held)
	}
	if err := <-deleted; err != nil {
		t.Fatal(err)
	}
	s, err = e.Recover(s.ID())
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Status().Files[0]; got != (FileStatus{Name: "a.zip", Size: 1000, Received: 14}) {
		t.Errorf("had back with %+v", got)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// Only the last element of a name counts, and only if it can be a file.
func TestFileNames(t *testing.T) {
	for name, want := range map[string]string{
		"web.zip": "web.zip", "../../etc/passwd": "passwd", `C:\traces\web.zip`: "web.zip", "/abs/x": "x", "été 1.tar.xz": "été 1.tar.xz",
	} {
		if got, err := fileName(name); got != want || err != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"", ".", "..", "a/", "a/..", "nul\x00", "line\n", "\xff", strings.Repeat("x", 201)} {
		_, err := fileName(name)
		wantFault(t, name, err, Invalid)
	}
	if _, err := fileName(strings.Repeat("x", 201)); !strings.Contains(fmt.Sprint(err), "at most 200 bytes") {
		t.Errorf("of a name that is too long is said: %v", err)
	}
}

func TestUploadLimit(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{UploadBytes: 1000})
	s, err := e.Create("large")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Upload(t.Context(), "a", 0, 1001, strings.NewReader("x"))
	wantFault(t, "announced too large", err, TooLarge)
	_, err = s.Upload(t.Context(), "b", 0, -1, strings.NewReader(strings.Repeat("x", 1001)))
	wantFault(t, "too large without saying so", err, TooLarge)
	if _, err := s.Upload(t.Context(), "c", 0, -1, strings.NewReader(strings.Repeat("x", 900))); err != nil {
		t.Error(err)
	}
	_, err = s.Upload(t.Context(), "d", 0, -1, strings.NewReader(strings.Repeat("x", 101)))
	wantFault(t, "too large together", err, TooLarge)
}

// Names of sets are what a page can show.
func TestSetNames(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	for _, name := range []string{"", "  ", strings.Repeat("x", 201)} {
		_, err := e.Create(name)
		wantFault(t, name, err, Invalid)
	}
	s, err := e.Create(" first ")
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, "renamed to nothing", s.Rename(""), Invalid)
	if err := s.Rename("second"); err != nil {
		t.Fatal(err)
	}
	// No two are called the same: one that is made has a number, and one that is renamed stays as it is.
	other, err := e.Create("second")
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, "renamed as another is", other.Rename(" second"), Conflict)
	if got := other.Status().Name; got != "second (2)" {
		t.Errorf("the other is called %q", got)
	}
	for _, name := range []string{"second (2)", "third", "first"} {
		if err := other.Rename(name); err != nil {
			t.Errorf("renamed to %q: %v", name, err)
		}
	}
	if err := e.Delete(other.ID()); err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	if got := e.Sets()[0].Status().Name; got != "second" {
		t.Errorf("after the restart it is called %q", got)
	}
}

// Traces of this machine are read where they are and left as they were.
func TestFolderInPlace(t *testing.T) {
	raced.Elsewhere(t, "TestHostFailsAlone")
	from := t.TempDir()
	e := openEngine(t, t.TempDir(), Options{})
	first := importPath(t, e, "archive", shop(t).File(t))
	if err := os.CopyFS(from, os.DirFS(first.path("traces", "0"))); err != nil {
		t.Fatal(err)
	}
	s := importPath(t, e, "folder", from)
	equal(t, "read in place", answers(t, s), answers(t, first))
	if _, err := os.Stat(s.path("traces", "0")); !os.IsNotExist(err) {
		t.Errorf("the folder was copied: %v", err)
	}
	if err := e.Discard(s.ID()); err != nil {
		t.Fatal(err)
	}
	if found, _ := filepath.Glob(filepath.Join(from, "*")); len(found) == 0 {
		t.Error("the folder was removed with the set")
	}
}
