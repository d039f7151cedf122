package ingest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/internal/raced"
)

// An entry of an archive made here.
type entry struct{ name, content string }

func tarGz(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed) // bombs are packed here
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	for _, e := range entries {
		if err := w.WriteHeader(&tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// repacked is the shop with its files changed by edit, which may drop one (nil).
func repacked(t testing.TB, edit func(name string, content []byte) []byte) []byte {
	t.Helper()
	var entries []entry
	for _, e := range filesOf(t, shop(t)) {
		if b := edit(e.name, []byte(e.content)); b != nil {
			entries = append(entries, entry{e.name, string(b)})
		}
	}
	return tarGz(t, entries...)
}

// filesOf are the files of a recording.
func filesOf(t testing.TB, r *recording) (entries []entry) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(r.Archive))
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewReader(z)
	for {
		head, err := files.Next()
		if err == io.EOF {
			return entries
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		if head.Typeflag == tar.TypeReg {
			entries = append(entries, entry{head.Name, string(b)})
		}
	}
}

// filesBelow lists everything in the folders of sets.
func filesBelow(t testing.TB, e *Engine) (found []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(e.dir, "sets"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// What is no trace set is refused with one sentence that a stranger understands, leaves
// no files, and the engine goes on: with the same set too, once a good archive arrives.
func TestFaults(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	cut := func(name string, b []byte) []byte {
		if filepath.Base(name) == "metadata" {
			return b[:len(b)/2]
		}
		return b
	}
	from := shop(t)
	good := from.Archive
	zeros := entry{"zeros", strings.Repeat("\x00", 65<<20)} // a little more than comes out of an archive before it is judged
	e := openEngine(t, t.TempDir(), Options{})
	for _, test := range []struct {
		name, file string
		content    []byte
		says       string
	}{
		{"text", "notes.tar.gz", []byte("these are my notes\n"), "notes.tar.gz"},
		{"empty", "empty.zip", nil, "empty.zip"},
		{"truncated", "shop.tar.gz", good[:len(good)/50], "shop.tar.gz: entry \"cache/kernel/channel0_0\" is cut off at byte "},
		{"no trace", "photos.tar.gz", tarGz(t, entry{"a/b.jpg", "…"}), "no trace found in photos.tar.gz: a trace is a folder that holds a file called metadata"},
		{"an archive in an archive", "outer.tar.gz", tarGz(t, entry{"web/shop.tar.gz", string(good)}), "no trace found in outer.tar.gz, but there is the archive web/shop.tar.gz in it: unpack the outer archive"},
		{"archives in an archive", "outer.tar.gz", tarGz(t, entry{"a.ZIP", "PK"}, entry{"b.tar", "…"}), "but there are 2 archives, a.ZIP and others, in it"},
		{"climbing", "evil.tar.gz", tarGz(t, entry{"ok", "…"}, entry{"../../evil", "…"}), `"../../evil"`},
		{"bomb", "bomb.tar.gz", tarGz(t, zeros), "bomb.tar.gz"},
		{"cut metadata", "cut.tar.gz", repacked(t, cut), "none of 4 traces can be read; the first: cut.tar.gz: "},
		{"bad declarations beside bad traces", "two.tar.gz", tarGz(t, entry{"a/metadata", "…"}, entry{"b/metadata", "…"}, entry{"synchroscope-states", "…"}), "none of 2 traces can be read; the first: two.tar.gz: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := e.Create(test.name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Upload(t.Context(), test.file, 0, int64(len(test.content)), bytes.NewReader(test.content)); err != nil {
				t.Fatal(err)
			}
			err = s.Prepare(t.Context())
			var fault *Fault
			if !errors.As(err, &fault) || fault.Kind == NotFound {
				t.Fatalf("Prepare: %v", err)
			}
			t.Log(fault.Message)
			if !strings.Contains(fault.Message, test.says) || strings.Contains(fault.Message, e.dir) || strings.Contains(fault.Message, "\n") {
				t.Errorf("the sentence is %q", fault.Message)
			}
			if err := s.Wait(t.Context()); err == nil || err.Error() != fault.Message {
				t.Errorf("Wait: %v", err)
			}
			st := s.Status()
			if st.State != Failed || st.Error != fault.Sentence() || len(st.Files) != 0 || len(st.Hosts) != 0 || st.Bytes != 0 {
				t.Errorf("status %+v", st)
			}
			if found := filesBelow(t, e); len(found) > 0 {
				t.Errorf("files left: %q", found)
			}
			var again *Fault
			if err := s.Import(); !errors.As(err, &again) || *again != *fault {
				t.Errorf("another import of nothing: %v, before %v", err, fault)
			}
		})
	}
	s := e.Sets()[0]
	if _, err := s.Upload(t.Context(), "shop.tar.gz", 0, int64(len(good)), bytes.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Prepare(t.Context()), s.Wait(t.Context())); err != nil {
		t.Fatalf("a good archive after a bad one: %v", err)
	}
	if st := s.Status(); st.State != Ready || st.Error != "" || st.Events != from.Events {
		t.Errorf("%s, %q, %d events", st.State, st.Error, st.Events)
	}
}

// A fault is remembered over a restart.
func TestFaultSurvives(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s, err := e.Create("text")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Upload(t.Context(), "a.zip", 0, -1, strings.NewReader("text")); err != nil {
		t.Fatal(err)
	}
	want := s.Prepare(t.Context())
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	if err := s.Wait(t.Context()); err == nil || want == nil || err.Error() != want.Error() || s.Status().State != Failed {
		t.Errorf("after the restart %v, before %v", err, want)
	}
	for what, err := range map[string]error{"Prepare": s.Prepare(t.Context()), "Look": s.Look(t.Context()), "Import": s.Import()} {
		var fault, before *Fault
		if !errors.As(err, &fault) || !errors.As(want, &before) || *fault != *before {
			t.Errorf("%s after the restart: %v, before %v", what, err, want)
		}
	}
}

// One trace that cannot be read does not keep the others from being read.
func TestSomeTracesUnreadable(t *testing.T) {
	raced.Elsewhere(t, "TestHostFailsAlone")
	first := ""
	archive := repacked(t, func(name string, b []byte) []byte {
		if filepath.Base(name) == "metadata" && (first == "" || first == name) {
			first = name
			return b[:len(b)/2]
		}
		return b
	})
	path := filepath.Join(t.TempDir(), "some.tar.gz")
	if err := os.WriteFile(path, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "some", path)
	check := func(s *Set) {
		t.Helper()
		unreadable := 0
		for _, a := range s.Anomalies() {
			if a.Kind == "unreadable-trace" && strings.Contains(a.Message, "metadata") && a.Host == "" {
				unreadable++
			}
		}
		if st := s.Status(); len(st.Hosts) != 3 || st.State != Ready || unreadable != 1 || st.Unreadable != 1 {
			t.Errorf("%d hosts, %s, %d unreadable traces in %+v", len(st.Hosts), st.State, unreadable, s.Anomalies())
		}
	}
	check(s)
	closeEngine(t, e)
	check(openEngine(t, dir, Options{}).Sets()[0])
}

// Metadata that ends between two blocks is valid, but declares no events: where no host has any that can be read, the
// import fails, and where some have, theirs do.
func TestMetadataEndsBetweenBlocks(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	blocks := func(only string) []byte {
		return repacked(t, func(name string, b []byte) []byte {
			if filepath.Base(name) != "metadata" || !strings.HasPrefix(name, only) {
				return b
			}
			var text []byte
			for le := binary.LittleEndian; len(b) > 0; b = b[le.Uint32(b[28:])/8:] { // packets; 24: bits of content, 28: of all
				text = append(text, b[37:le.Uint32(b[24:])/8]...)
			}
			text, _, _ = bytes.Cut(text, []byte("\nevent {"))
			return text
		})
	}
	e := openEngine(t, t.TempDir(), Options{})
	file := filepath.Join(t.TempDir(), "cut.tar.gz")
	if err := os.WriteFile(file, blocks(""), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := e.ImportPaths("cut", file)
	if err != nil {
		t.Fatal(err)
	}
	err = s.Wait(t.Context())
	if want := "no event can be read; the first cause, in "; err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "metadata") || s.Status().State != Failed {
		t.Errorf("all are cut: %v, %s; want a sentence with %q", err, s.Status().State, want)
	}
	if err := os.WriteFile(file, blocks("db/"), 0o600); err != nil {
		t.Fatal(err)
	}
	s = importPath(t, e, "one cut", file)
	for _, h := range s.Status().Hosts {
		if want := map[bool]string{true: "failed", false: "done"}[h.Name == "db"]; h.State != want || (h.Events > 0) != (want == "done") {
			t.Errorf("%s: %s with %d events, want it %s", h.Name, h.State, h.Events, want)
		}
	}
}

// What is not there, or is neither file nor folder, is refused at once; so is an import of nothing.
func TestPathsRefused(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	for _, path := range []string{"/no/such/file", os.DevNull} {
		_, err := e.ImportPaths("nothing", path)
		wantFault(t, path, err, Invalid)
	}
	_, err := e.ImportPaths("nothing")
	wantFault(t, "no path", err, Invalid)
	s, err := e.Create("nothing")
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, "import of nothing", s.Import(), Invalid)
	if len(e.Sets()) != 1 {
		t.Errorf("there are %d sets", len(e.Sets()))
	}
}

func TestSentence(t *testing.T) {
	for message, want := range map[string]string{
		"":                                "",
		"the set has no archive yet":      "The set has no archive yet.",
		"none of 3 traces can be read":    "None of 3 traces can be read.",
		"a trace set needs a name":        "A trace set needs a name.",
		"run.zip is empty":                "run.zip is empty.",
		"thesis.zip: no room":             "thesis.zip: no room.",
		`"a/b" cannot be the name`:        `"a/b" cannot be the name.`,
		"the import failed: It went off.": "The import failed: It went off.",
	} {
		if got := (&Fault{Message: message}).Sentence(); got != want {
			t.Errorf("%q becomes %q, want %q", message, got, want)
		}
	}
}

// A fault of the program in the synchronizer fails the set in a sentence: jobs end as ever, and the server lives.
func TestSynchronizerPanics(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	y := newSynchronizer(s, s.Hosts(), nil)
	go y.run()
	for range 3 * packetQueue {
		if err := y.send(t.Context(), packet{host: 99, spanned: true, end: 1}); err != nil { // there is no such host
			t.Fatal(err)
		}
	}
	if err := y.finish(); err == nil || !strings.Contains(err.Error(), "the program failed on the messages of these traces") {
		t.Errorf("finished with %v", err)
	}
}
