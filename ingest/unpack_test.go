package ingest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"synchroscope/catalog"
	"synchroscope/internal/raced"
)

// tree is what lies below a folder, "" for folders.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if found[name] = ""; d.IsDir() {
			return nil
		}
		b, err := os.ReadFile(path)
		found[name] = string(b)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return found
}

// awaitUnpacked waits until an archive is unpacked ahead of the import, or cannot be.
func awaitUnpacked(t testing.TB, s *Set, index int) error {
	t.Helper()
	s.mu.Lock()
	u := s.unpackings[index]
	s.mu.Unlock()
	if u == nil {
		t.Fatal("nothing is unpacked ahead")
	}
	<-u.done
	return u.err
}

// kill ends an engine so that what it has on the disk at this moment is all that another one gets.
func kill(t testing.TB, e *Engine) {
	t.Helper()
	left, sets := filepath.Join(t.TempDir(), "sets"), filepath.Join(e.dir, "sets")
	_ = filepath.WalkDir(sets, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it vanished meanwhile
		}
		name, _ := filepath.Rel(sets, path)
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(left, name), 0o700)
		}
		if b, err := os.ReadFile(path); err == nil {
			return os.WriteFile(filepath.Join(left, name), b, 0o600)
		}
		return nil
	})
	closeEngine(t, e)
	if err := errors.Join(os.RemoveAll(sets), os.Rename(left, sets)); err != nil {
		t.Fatal(err)
	}
}

// restart opens what is left of a killed engine.
func restart(t testing.TB, e *Engine, o Options) *Engine {
	t.Helper()
	kill(t, e)
	return openEngine(t, e.dir, o)
}

// However archives come (in pieces, over connections that break, past restarts and kills, two
// at a time), what is extracted of them is what comes of the whole ones; and so is what is said of bad ones.
func TestUnpackingModel(t *testing.T) {
	raced.Elsewhere(t, "TestEarlyLook")
	body := func(seed byte, n int) string {
		b := make([]byte, n)
		for i := range b {
			seed = seed*5 + byte(i>>7) + 1
			b[i] = seed
		}
		return string(b)
	}
	good := tarGz(t, entry{"a/metadata", "no metadata"}, entry{"a/s", body(1, 900_000)}, entry{"b/t", body(2, 300_000)})
	evil := tarGz(t, entry{"a/s", body(1, 900_000)}, entry{"../b", "x"})
	o := Options{Workers: 2}
	e := openEngine(t, t.TempDir(), o)
	// Each check takes many commits to the disk.
	defer flag.Set("rapid.checks", flag.Lookup("rapid.checks").Value.String())
	flag.Set("rapid.checks", "40")
	rapid.Check(t, func(rt *rapid.T) {
		archives := map[string][]byte{"one.tar.gz": good, "two.tar.gz": tarGz(t, entry{"c/u", body(3, 400_000)})}
		switch rapid.SampledFrom([]string{"good", "good", "evil", "cut", "damaged", "text"}).Draw(rt, "kind") {
		case "evil":
			archives["two.tar.gz"] = evil
		case "cut":
			archives["two.tar.gz"] = good[:len(good)/2]
		case "damaged":
			archives["two.tar.gz"] = bytes.Clone(good)
			archives["two.tar.gz"][len(good)*3/4] ^= 0xff
		case "text":
			archives["two.tar.gz"] = []byte("notes")
		}
		// The import of whole files.
		s, _ := e.Create("whole")
		want := make(map[string]string)
		var fault error
		told := func(s *Set) (list []string) {
			for _, f := range s.files() {
				if d, ok := s.damageTo(f); ok {
					list = append(list, fmt.Sprintf("%s, at %d, in part %v", s.relative(d.err.Error()), d.offset, d.kept))
				}
			}
			return list
		}
		var damages []string
		{
			from := t.TempDir()
			for _, name := range []string{"one.tar.gz", "two.tar.gz"} {
				path := filepath.Join(from, name)
				if err := errors.Join(os.WriteFile(path, archives[name], 0o600), nameIn(s, path)); err != nil {
					rt.Fatal(err)
				}
			}
			if fault = s.extract(); fault == nil {
				want = tree(t, s.path("traces"))
			}
			damages = told(s)
			s.dropUnpackings()
		}
		s, _ = e.Create("arriving")
		id := s.ID()
		received := map[string]int{}
		// Both get their rows in order, so that they have the numbers of the others.
		for _, name := range []string{"one.tar.gz", "two.tar.gz"} {
			if _, err := s.Upload(t.Context(), name, 0, int64(len(archives[name])), strings.NewReader("")); err != nil {
				rt.Fatal(err)
			}
		}
		for received["one.tar.gz"] < len(archives["one.tar.gz"]) || received["two.tar.gz"] < len(archives["two.tar.gz"]) {
			name := rapid.SampledFrom([]string{"one.tar.gz", "two.tar.gz"}).Draw(rt, "archive")
			data, at := archives[name], received[name]
			n := min(rapid.IntRange(100_000, 900_000).Draw(rt, "bytes"), len(data)-at)
			switch rapid.SampledFrom([]string{"piece", "piece", "piece", "break", "wrong place", "stop", "kill"}).Draw(rt, "what") {
			case "piece":
				_, err := s.Upload(t.Context(), name, int64(at), int64(len(data)), bytes.NewReader(data[at:at+n]))
				if err != nil {
					rt.Fatal(err)
				}
			case "break":
				r := io.MultiReader(bytes.NewReader(data[at:at+n]), iotest.ErrReader(io.ErrUnexpectedEOF))
				if _, err := s.Upload(t.Context(), name, int64(at), int64(len(data)), r); err == nil {
					rt.Fatal("a broken upload is none")
				}
			case "wrong place":
				_, err := s.Upload(t.Context(), name, int64(at)+1, int64(len(data)), bytes.NewReader(data[at:]))
				if err == nil {
					rt.Fatal("a piece at a wrong place was taken")
				}
			case "stop":
				closeEngine(t, e)
				e = openEngine(t, e.dir, o)
			case "kill":
				e = restart(t, e, o)
			}
			var ok bool
			if s, ok = e.Set(id); !ok {
				rt.Fatal("the set is lost")
			}
			for _, f := range s.Status().Files {
				received[f.Name] = int(f.Received)
			}
		}
		if rapid.Bool().Draw(rt, "wait") && len(s.unpackings) == 2 {
			awaitUnpacked(t, s, 0)
			awaitUnpacked(t, s, 1)
		}
		got := s.extract()
		if (got == nil) != (fault == nil) || got != nil && s.asFault(got).Message != s.asFault(fault).Message {
			rt.Fatalf("arriving: %v; whole: %v", got, fault)
		}
		if got := told(s); !slices.Equal(got, damages) {
			rt.Fatalf("arriving it says %q, whole %q", got, damages)
		}
		if fault == nil && !maps.Equal(tree(t, s.path("traces")), want) {
			rt.Fatalf("arriving: %d things, whole: %d, or other contents", len(tree(t, s.path("traces"))), len(want))
		}
	})
}

// The traces of an archive are there when its last byte is, and nothing is asked for.
func TestUnpackedAhead(t *testing.T) {
	whole := shop(t).Archive
	e := openEngine(t, t.TempDir(), Options{})
	s, err := e.Create("ahead")
	if err != nil {
		t.Fatal(err)
	}
	size := int64(len(whole))
	for at := int64(0); at < size; {
		n := min(size/6, size-at)
		if at, err = s.Upload(t.Context(), "shop.tar.gz", at, size, bytes.NewReader(whole[at:at+n])); err != nil {
			t.Fatal(err)
		}
	}
	if err := awaitUnpacked(t, s, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.path("traces", "0")); err != nil {
		t.Error(err)
	}
	if st := s.Status(); st.State != Uploading {
		t.Errorf("the set is %s", st.State)
	}
	if err := errors.Join(s.Prepare(t.Context()), s.Wait(t.Context())); err != nil {
		t.Fatal(err)
	}
	equal(t, "unpacked ahead", answers(t, s), shop(t).reference(t))
}

// What was unpacked of a set that is not imported does not outlive the server, and what a kill left
// of a bad start does not reach the import.
func TestUnpackedIsNotTrusted(t *testing.T) {
	data := tarGz(t, entry{"a/s", "whole"})
	e := openEngine(t, t.TempDir(), Options{})
	s, err := e.Create("kept")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Upload(t.Context(), "x.tar.gz", 0, int64(len(data)), bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if err := awaitUnpacked(t, s, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path("traces", "0", "a", "s"), []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	e = restart(t, e, Options{})
	s, _ = e.Set(s.ID())
	if found := tree(t, s.path("traces")); len(found) > 0 {
		t.Errorf("after the restart there are %d things", len(found))
	}
	if err := s.extract(); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, s.path("traces"))["0/a/s"]; got != "whole" {
		t.Errorf("it holds %q", got)
	}
}

// An upload that stands still keeps neither memory nor files of its unpacking; the next piece
// begins a new one. Only so many are unpacked ahead, the others by the import.
func TestUnpackingsAreBounded(t *testing.T) {
	data := tarGz(t, entry{"a/s", strings.Repeat("zeros and ", 100_000)})
	e := openEngine(t, t.TempDir(), Options{unpackPatience: time.Millisecond})
	s, err := e.Create("slow")
	if err != nil {
		t.Fatal(err)
	}
	half := int64(len(data) / 2)
	upload := func(from, to int64) {
		t.Helper()
		if _, err := s.Upload(t.Context(), "x.tar.gz", from, int64(len(data)), bytes.NewReader(data[from:to])); err != nil {
			t.Fatal(err)
		}
	}
	upload(0, half)
	if err := awaitUnpacked(t, s, 0); !errors.Is(err, errStandstill) {
		t.Errorf("it ended with %v", err)
	}
	if found := filesBelow(t, e); !slices.Equal(found, []string{s.uploaded("x.tar.gz"), s.path(catalog.CopyFile)}) {
		t.Errorf("there are %v", found)
	}
	e.o.unpackPatience = time.Hour
	upload(half, int64(len(data)))
	if err := awaitUnpacked(t, s, 0); err != nil {
		t.Error(err)
	}

	var sets []*Set
	for range earlyPlaces + 1 {
		if s, err = e.Create("one of many"); err != nil {
			t.Fatal(err)
		}
		sets = append(sets, s)
		upload(0, half)
	}
	unpacking := 0
	for _, s := range sets {
		unpacking += len(s.unpackings)
	}
	if unpacking != earlyPlaces {
		t.Errorf("%d are unpacked at once", unpacking)
	}
	upload(half, int64(len(data)))
	if err := s.extract(); err != nil || len(tree(t, s.path("traces", "0"))) == 0 {
		t.Errorf("without a place: %v", err)
	}
	for _, s := range sets {
		if err := e.Delete(s.ID()); err != nil {
			t.Fatal(err)
		}
	}
	if len(e.early) != 0 {
		t.Errorf("%d places are not given back", len(e.early))
	}
}

// Deletion and the end of the server end what is unpacked, wherever it is.
func TestUnpackingEndsWithSet(t *testing.T) {
	data := tarGz(t, entry{"a/s", strings.Repeat("zeros and ", 100_000)})
	e := openEngine(t, t.TempDir(), Options{})
	for range 2 {
		s, err := e.Create("gone")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Upload(t.Context(), "x.tar.gz", 0, int64(len(data)), bytes.NewReader(data[:len(data)/2])); err != nil {
			t.Fatal(err)
		}
		if err := e.Delete(s.ID()); err != nil {
			t.Fatal(err)
		}
		if err := s.unpackings[0].err; !errors.Is(err, errDeleted) {
			t.Errorf("it ended with %v", err)
		}
		if found := filesBelow(t, e); len(found) > 0 {
			t.Errorf("left: %v", found)
		}
	}
	s, err := e.Create("stopped")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Upload(t.Context(), "x.tar.gz", 0, int64(len(data)), bytes.NewReader(data[:len(data)/2])); err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	if err := s.unpackings[0].err; !errors.Is(err, errStopped) {
		t.Errorf("it ended with %v", err)
	}
}

// Why an unpacking ended is known too of one that was not waiting for bytes.
func TestUnpackingEndsAtWork(t *testing.T) {
	noise := make([]byte, 2<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	data := tarGz(t, entry{"a/s", hex.EncodeToString(noise)})
	e := openEngine(t, t.TempDir(), Options{Workers: 1})
	s, err := e.Create("gone")
	if err != nil {
		t.Fatal(err)
	}
	first, second := e.slots.Job("first"), e.slots.Job("second")
	if err := first.Acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Upload(t.Context(), "x.tar.gz", 0, int64(len(data)), bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	// The unpacking has the slot next, and gives it to the second before it is done.
	first.Release()
	if err := second.Acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer second.Release()
	if over, err := s.unpackings[0].over(); over {
		t.Fatalf("it is over: %v", err)
	}
	if err := e.Delete(s.ID()); err != nil {
		t.Fatal(err)
	}
	if err := s.unpackings[0].err; !errors.Is(err, errDeleted) {
		t.Errorf("it ended with %v", err)
	}
}
