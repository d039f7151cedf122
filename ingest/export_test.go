package ingest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"synchroscope/ingest/messages"
	"synchroscope/internal/raced"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/trace"
	"synchroscope/trace/archive"
)

// wholeShop is a set as one archive, with a synchronization that was chosen and a bookmark, and the set.
func wholeShop(t *testing.T) ([]byte, *Set) {
	t.Helper()
	e := openEngine(t, t.TempDir(), Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	if _, err := s.Synchronize(t.Context(), network.Options{Reference: "db"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddBookmark(Bookmark{Host: 1, TID: 205, Time: number(s.Status().Hosts[1].LocalBegin) + 4e8, Text: "the lock", Window: &[2]int64{5, 7}, Key: "of a page"}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Export(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), s
}

// importWhole uploads an archive as a set of its own and imports it.
func importWhole(t *testing.T, e *Engine, b []byte) (*Set, error) {
	t.Helper()
	s, err := e.Create("elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Upload(t.Context(), "demo.synchroscope.tar.zst", 0, int64(len(b)), bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	if err := s.Import(); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(t.Context()); err != nil {
		return s, err
	}
	marks, err := s.Bookmarks()
	if err != nil || slices.ContainsFunc(marks, func(b Bookmark) bool { return b.Key != "" }) {
		t.Errorf("pages of another server have a say in %+v, %v", marks, err)
	}
	return s, nil
}

// A whole set that has no name but that of its file has the one it had elsewhere; one that somebody chose stays.
func TestWholeSetKeepsItsName(t *testing.T) {
	b, made := wholeShop(t)
	e := openEngine(t, t.TempDir(), Options{})
	elsewhere := made.Status().Name
	// The second of a name is named after its file as well.
	names := [][2]string{{"download (1)", elsewhere}, {"mine", "mine"}, {"download (1)", elsewhere + " (2)"}, {"download (1)", elsewhere + " (3)"}}
	var sets []*Set
	for _, name := range names {
		s, err := e.Create(name[0])
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, s)
	}
	for i, s := range sets {
		_, err := s.Upload(t.Context(), "download (1).synchroscope.tar.zst", 0, int64(len(b)), bytes.NewReader(b))
		if err = errors.Join(err, s.Import()); err == nil {
			err = s.Wait(t.Context())
		}
		if got, want := s.Status().Name, names[i][1]; err != nil || got != want {
			t.Errorf("uploaded as %q it is named %q, %v; want %q", names[i][0], got, err, want)
		}
	}
}

// Sets that would have one name are told apart by a number.
func TestNamesOfSets(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	long := strings.Repeat("x", maxName)
	for _, c := range [][2]string{{"web", "web"}, {"web", "web (2)"}, {" web ", "web (3)"}, {"web (2)", "web (4)"}, {"db (7)", "db (7)"}, {long, long}, {long, long}} {
		s, err := e.Create(c[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Status().Name; got != c[1] {
			t.Errorf("%q is named %q, want %q", c[0], got, c[1])
		}
	}
}

// facts are what a set answers, without what is its own in each place.
func facts(t *testing.T, s *Set) []any {
	t.Helper()
	st := s.Status()
	st.ID, st.Name, st.Created, st.Files, st.Bytes = "", "", "", nil, 0
	var sent []match.Message
	if err := s.Messages(t.Context(), 0, 1<<62, false, func(m match.Message) bool { sent = append(sent, m); return true }); err != nil {
		t.Fatal(err)
	}
	out := []any{st, s.Solution().Report(), s.Solution().Version, s.Anomalies(), sent, s.Milestones()}
	for _, h := range s.Hosts() {
		threads, _ := h.Threads(0)
		begin, end := h.History().Bounds()
		edges := []int64{begin, begin + (end-begin)/3, end}
		events, lost, err := h.Density(t.Context(), edges, edges, nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, threads, begin, end, events, lost)
	}
	b, err := s.Bookmarks()
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		b[i].Key = "" // stays where it was given
	}
	return append(out, b)
}

func sameFacts(t *testing.T, when string, got, want []any) {
	t.Helper()
	for i := range want {
		g, _ := json.Marshal(got[i])
		w, _ := json.Marshal(want[i])
		if !bytes.Equal(g, w) {
			t.Errorf("%s, fact %d:\n%.400s\nwant\n%.400s", when, i, g, w)
		}
	}
}

// A whole set that is imported elsewhere answers what it answered where it was made, without a trace being read; also after a
// restart, and it can be synchronized in another way, and be taken away again, byte for byte.
func TestWholeSet(t *testing.T) {
	b, made := wholeShop(t)
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s, err := importWhole(t, e, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range s.Stages() {
		if stage.Name == "read" {
			t.Error("its traces were read")
		}
	}
	want := facts(t, made)
	sameFacts(t, "imported", facts(t, s), want)
	if _, err := os.Stat(s.path("files")); !os.IsNotExist(err) {
		t.Errorf("the archive is left: %v", err)
	}
	if got, want := firstEvents(t, s), firstEvents(t, made); len(got) < 5000 || !slices.Equal(got, want) {
		t.Errorf("its traces hold other events: %d and %d", len(got), len(want))
	}

	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	s, _ = e.Set(s.ID())
	sameFacts(t, "after a restart", facts(t, s), want)
	var again bytes.Buffer
	if err := s.Export(t.Context(), &again); err != nil {
		t.Fatal(err)
	}
	here, there := unpackWhole(t, b), unpackWhole(t, again.Bytes())
	if !slices.Equal(namesBelow(t, here), namesBelow(t, there)) {
		t.Errorf("taken away again it holds %v, not %v", namesBelow(t, there), namesBelow(t, here))
	}
	changed, err := s.Synchronize(t.Context(), network.Options{})
	if err != nil || changed.Version != made.Solution().Version+1 {
		t.Errorf("synchronized in another way: %v, %v", changed, err)
	}
}

// firstEvents are some events of all hosts, read from the traces.
func firstEvents(t *testing.T, s *Set) (list []string) {
	t.Helper()
	err := s.Events(t.Context(), EventQuery{Begin: math.MinInt64, End: math.MaxInt64}, func(host *Host, reference int64, ev *trace.Event) bool {
		list = append(list, fmt.Sprint(host.Name(), reference, ev.CPU, ev.Class.Name))
		return len(list) < 5000
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func unpackWhole(t *testing.T, b []byte) string {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := archive.Extract(t.Context(), root, "whole", bytes.NewReader(b), int64(len(b)), archive.Limits{}, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

func namesBelow(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// packWhole packs a folder, with new checksums if sums is true.
func packWhole(t *testing.T, dir string, sums bool) []byte {
	t.Helper()
	var out, lines bytes.Buffer
	p, err := archive.NewPacker(&out)
	if err != nil {
		t.Fatal(err)
	}
	add := func(name string, b []byte) {
		if err := p.Add(name, int64(len(b)), bytes.NewReader(b)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range namesBelow(t, dir) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if name == checksumsFile {
			if !sums {
				add(name, b)
			}
			continue
		}
		sum, size, err := sumOf(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		lines.WriteString(sumLine(sum, size, name))
		add(name, b)
	}
	if sums {
		add(checksumsFile, lines.Bytes())
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// messagesFile is a file of one message.
func messagesFile(t *testing.T, m match.Message) []byte {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "messages"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	store, err := messages.Create(f)
	if err == nil {
		err = store.Add(m)
	}
	if err == nil {
		err = store.Finish()
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What would be read whole is refused before it is, where it is too large for that.
func TestNotLarger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solution")
	if err := os.WriteFile(path, make([]byte, 10), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := notLarger(path, 10); err != nil {
		t.Error(err)
	}
	if err := notLarger(path+".not", 10); err != nil {
		t.Error(err)
	}
	if err := notLarger(path, 9); err == nil || !strings.Contains(err.Error(), "solution has 10 bytes, at most 9 are read") {
		t.Error(err)
	}
}

// What is damaged, forged or of another version is refused with a sentence, and leaves nothing.
func TestWholeSetRefused(t *testing.T) {
	raced.Elsewhere(t, "TestEarlyLook")
	full, _ := wholeShop(t)
	small := unpackWhole(t, full)
	for _, name := range namesBelow(t, small) { // streams are not read, and are most of it
		if strings.HasPrefix(name, "traces/") && filepath.Base(name) != "metadata" {
			if err := os.Remove(filepath.Join(small, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	good := packWhole(t, small, true)
	edit := func(name string, change func([]byte) []byte) func(string) {
		return func(dir string) {
			path := filepath.Join(dir, name)
			b, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, change(b), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	replace := func(name, from, to string) func(string) {
		return edit(name, func(b []byte) []byte {
			if !bytes.Contains(b, []byte(from)) {
				t.Fatalf("%s has no %s", name, from)
			}
			return bytes.Replace(b, []byte(from), []byte(to), 1)
		})
	}
	remove := func(name string) func(string) {
		return func(dir string) {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	// A block whose times lie outside of every range is one of messages all the same.
	beyond := func([]byte) []byte {
		return messagesFile(t, match.Message{To: 99, Sent: math.MaxInt64, Received: math.MaxInt64})
	}
	loop := func(b []byte) []byte {
		b = bytes.ReplaceAll(b[4:], []byte(`"InTree":false`), []byte(`"InTree":true`))
		return append(binary.LittleEndian.AppendUint32(nil, crc32.Checksum(b, castagnoli)), b...)
	}
	tests := []struct {
		change func(string)
		sums   bool // made anew: it is forged, not damaged
		want   string
	}{
		{replace(manifestFile, `"version":2`, `"version":3`), true, "the archive of a whole set has version 3, this program reads versions 1 to 2"},
		{replace(manifestFile, `"milestones":[{"after_s":`, `"milestones":[{"after_s":-`), true, "milestone 1 does not go on from the one before"},
		{replace(manifestFile, `"synchroscope set"`, `"a holiday"`), true, "synchroscope-set.json does not describe a trace set"},
		{edit(manifestFile, func(b []byte) []byte { return b[:len(b)/2] }), true, "synchroscope-set.json does not describe a trace set"},
		{remove(checksumsFile), false, "the archive of a whole set is not complete: its end, with the checksums, is missing"},
		{edit("messages", flip), false, "the archive of a whole set is damaged: messages is not what its checksum says"},
		{remove("hosts/0/history.tree"), false, "the archive of a whole set is damaged: hosts/0/history.tree is missing"},
		{replace(manifestFile, `"traces/0-0"`, `"../../../x"`), true, "trace 0 of "},
		{replace(manifestFile, `"host":1,"tid":205`, `"host":9,"tid":205`), true, "bookmark 1 is on no row"},
		{remove("messages"), true, `the archive of a whole set has no file "messages"`},
		{remove("traces/0-0"), true, "the archive of a whole set lacks a trace of "},
		{remove("hosts/0/history.tree"), true, "the whole set cannot be taken over: "},
		{edit("hosts/1/checkpoint-1", flip), true, "the whole set cannot be taken over: hosts/1/checkpoint-1 has the checksum "},
		{edit("solution", flip), true, "the whole set cannot be taken over: solution is damaged"},
		{edit("solution", loop), true, "the whole set cannot be taken over: the tree of the synchronization has a loop at the hosts "},
		{edit("constraints", flip), true, "the whole set cannot be taken over: constraints is damaged"},
		{edit("messages", flip), true, "the whole set cannot be taken over: "},
		{edit("messages", beyond), true, "the whole set cannot be taken over: messages go from host 0 to host 99, of 4"},
		{edit("hosts/0/endpoints", flip), true, "the whole set cannot be taken over: "},
		{edit("hosts/0/losses", flip), true, "the whole set cannot be taken over: hosts/0/losses: "},
		{remove("hosts/0/losses"), true, "the whole set cannot be taken over: "},
		{replace(manifestFile, `"name":"db"`, `"name":"dc"`), true, "the whole set cannot be taken over: the synchronization knows host "},
	}
	e := openEngine(t, t.TempDir(), Options{})
	for _, c := range tests {
		dir := unpackWhole(t, good)
		c.change(dir)
		s, err := importWhole(t, e, packWhole(t, dir, c.sums))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
			continue
		}
		if strings.Contains(err.Error(), e.dir) || strings.Contains(err.Error(), "failed on") {
			t.Errorf("%v", err)
		}
		if _, err := os.Stat(s.dir); !os.IsNotExist(err) {
			t.Errorf("%q leaves files: %v", c.want, err)
		}
	}

	// Beside other archives it is refused as well.
	s, err := e.Create("two")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one.tar.zst", "other.tar.zst"} {
		if _, err := s.Upload(t.Context(), name, 0, int64(len(good)), bytes.NewReader(good)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Import(); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), "it is imported alone") {
		t.Errorf("beside another: %v", err)
	}
}

// A whole set of the version before is taken over as it is: it tells nothing of how the clocks became known.
func TestWholeSetOfVersionOne(t *testing.T) {
	raced.Elsewhere(t, "TestWholeSet")
	b, made := wholeShop(t)
	if n := len(made.Milestones()); n == 0 {
		t.Fatal("the set has no milestones")
	}
	dir := unpackWhole(t, b)
	var m map[string]any
	path := filepath.Join(dir, manifestFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	m["version"] = 1
	delete(m, "milestones")
	if text, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := importWhole(t, openEngine(t, t.TempDir(), Options{}), packWhole(t, dir, true))
	if err != nil {
		t.Fatal(err)
	}
	if list := s.Milestones(); len(list) != 0 || s.Solution().Version != made.Solution().Version {
		t.Errorf("it has the milestones %v and version %d", list, s.Solution().Version)
	}
}
