package ingest

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"synchroscope/internal/raced"
	"synchroscope/trace"
)

// upload makes a set of archives, by name in the order of the list.
func upload(t testing.TB, e *Engine, archives ...entry) *Set {
	t.Helper()
	s, err := e.Create("some")
	if err != nil {
		t.Fatal(err)
	}
	return put(t, s, archives...)
}

// put uploads archives to a set.
func put(t testing.TB, s *Set, archives ...entry) *Set {
	t.Helper()
	for _, a := range archives {
		if _, err := s.Upload(t.Context(), a.name, 0, int64(len(a.content)), strings.NewReader(a.content)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func imported(t testing.TB, s *Set) *Set {
	t.Helper()
	if err := errors.Join(s.Prepare(t.Context()), s.Wait(t.Context())); err != nil {
		t.Fatal(err)
	}
	return s
}

// ofHosts are the files of a recording that are in the folders of some hosts.
func ofHosts(t testing.TB, r *recording, hosts ...string) (entries []entry) {
	t.Helper()
	for _, e := range filesOf(t, r) {
		if host, _, _ := strings.Cut(e.name, "/"); slices.Contains(hosts, host) {
			entries = append(entries, e)
		}
	}
	return entries
}

// halves is a recording as two archives, of which the second is cut off in its last file; and the second as it is without that file.
func halves(t testing.TB, r *recording) (good, cut, sound entry) {
	t.Helper()
	rest := ofHosts(t, r, "db", "web")
	// The metadata comes first, so that nothing but the last stream is missing.
	slices.SortStableFunc(rest, func(a, b entry) int {
		is := func(e entry) int {
			if filepath.Base(e.name) == "metadata" {
				return 0
			}
			return 1
		}
		return is(a) - is(b)
	})
	all := tarGz(t, rest...)
	return entry{"good.tar.gz", string(tarGz(t, ofHosts(t, r, "cache", "client")...))},
		entry{"cut.tar.gz", string(all[:len(all)-2000])},
		entry{"cut.tar.gz", string(tarGz(t, rest[:len(rest)-1]...))}
}

// odd are the anomalies of archives.
func odd(s *Set) (list []trace.Anomaly) {
	for _, a := range s.Anomalies() {
		if a.Kind == damagedArchive || a.Kind == unreadableArchive {
			list = append(list, a.Anomaly)
		}
	}
	return list
}

// told is all that is said of what is wrong with archives, and of everything else.
func told(t testing.TB, s *Set) string {
	t.Helper()
	b, err := json.Marshal([]any{s.Anomalies(), s.Report(), s.Status().Damaged, s.Status().Anomalies, s.Status().Unreadable})
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + answers(t, s)
}

// counted is how many anomalies there are, in answers.
var counted = regexp.MustCompile(` \d+ anomalies,`)

// Of an archive that is cut off what is whole is imported, as if it had been packed so, beside the others; what is
// wrong with it is told with archive, file, place and cause, here, after a restart, and where the set is taken to.
func TestCutBesideGood(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	good, cut, sound := halves(t, shop(t))
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := imported(t, upload(t, e, good, cut))
	want := imported(t, upload(t, e, good, sound))
	equal(t, "cut", counted.ReplaceAllString(answers(t, s), ""), counted.ReplaceAllString(answers(t, want), ""))

	place := len(cut.content)
	sentence := regexp.MustCompile(fmt.Sprintf(`^cut\.tar\.gz: entry "web/kernel/\w+" is cut off at byte %d, where the archive ends; the \d+ entries before it, to ".+", are whole; `+
		`what is whole of it is imported, and the rest is missing: when it is repaired, add it to this set by this name\.$`, place))
	check := func(how string, s *Set) {
		t.Helper()
		st := s.Status()
		if st.State != Ready || len(st.Damaged) != 1 || !sentence.MatchString(st.Damaged[0]) || st.Unreadable != 0 {
			t.Errorf("%s: %s, %q, %d unreadable", how, st.State, st.Damaged, st.Unreadable)
		}
		if st.Anomalies != want.Status().Anomalies+1 {
			t.Errorf("%s: %d anomalies, without the damage %d", how, st.Anomalies, want.Status().Anomalies)
		}
		list := odd(s)
		if len(list) != 1 || list[0].Kind != damagedArchive || list[0].Stream != "cut.tar.gz" || list[0].Offset != int64(place) || Sentence(list[0].Message) != st.Damaged[0] {
			t.Errorf("%s: anomalies %+v", how, list)
		}
		if !slices.ContainsFunc(s.Report().Anomalies, func(o Oddity) bool {
			return o.Kind == damagedArchive && strings.Contains(o.Means, "makes another one of all")
		}) {
			t.Errorf("%s: the report is %+v", how, s.Report())
		}
	}
	check("imported", s)
	before := told(t, s)
	var whole bytes.Buffer
	if err := s.Export(t.Context(), &whole); err != nil {
		t.Fatal(err)
	}
	there, err := importWhole(t, openEngine(t, t.TempDir(), Options{}), whole.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	check("elsewhere", there)
	equal(t, "elsewhere", told(t, there), before)
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	s, _ = e.Set(s.ID())
	check("after a restart", s)
	equal(t, "after a restart", told(t, s), before)
}

// Whatever is wrong with an archive, another beside it is imported as it would be alone, wherever it stands in the list.
func TestBadBesideGood(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	from := ofHosts(t, shop(t), "cache", "client")
	good := entry{"good.tar.gz", string(tarGz(t, from...))}
	flipped := tarGz(t, ofHosts(t, shop(t), "db")...)
	flipped[len(flipped)/2] ^= 0xff
	photos := func(damage bool) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, name := range []string{"a.jpg", "b.jpg"} {
			f, err := w.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(f, "%s is not really a picture", name)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if damage {
			b.Bytes()[45] ^= 0xff
		}
		return b.String()
	}
	e := openEngine(t, t.TempDir(), Options{})
	want := counted.ReplaceAllString(answers(t, imported(t, upload(t, e, good))), "")
	for _, c := range []struct {
		bad  entry
		kind string
		says string // a regular expression
	}{
		{entry{"notes.txt", "these are my notes\n"}, unreadableArchive, `notes\.txt is not an archive: zip, tar, tar\.gz, tar\.xz and tar\.zst are accepted; nothing of it is imported`},
		{entry{"zero.zip", ""}, unreadableArchive, `zero\.zip is empty; nothing of it is imported`},
		{entry{"empty.tar", strings.Repeat("\x00", 10240)}, unreadableArchive, `empty\.tar is an archive without any entry; nothing of it is imported`},
		{entry{"photos.zip", photos(false)}, noTrace, `photos\.zip holds no trace: no folder in it holds a file called metadata`},
		{entry{"photos.zip", photos(true)}, damagedArchive, `photos\.zip: entry "a\.jpg" is damaged at byte \d+ of the archive: .+; the 1 other entry is whole; what is whole of it is imported`},
		{entry{"evil.tar.gz", string(tarGz(t, append(ofHosts(t, shop(t), "db"), entry{"../../evil", "…"})...))}, unreadableArchive, `evil\.tar\.gz: entry "\.\./\.\./evil" climbs out of its directory by "\.\."; nothing of it is imported`},
		{entry{"bomb.tar.gz", string(tarGz(t, entry{"zeros", strings.Repeat("\x00", 65<<20)}))}, unreadableArchive, `bomb\.tar\.gz: entry "zeros" is refused as a decompression bomb: .+; nothing of it is imported`},
		{entry{"flipped.tar.gz", string(flipped)}, unreadableArchive, `flipped\.tar\.gz.* is damaged at byte \d+ of the archive: .+; (which of the \d+ entr\w+ .+ are right cannot be told|no file is whole); nothing of it is imported`},
		{entry{"head.tar.gz", string(flipped[:100])}, unreadableArchive, `head\.tar\.gz is cut off at byte 100: it ends before its first entry is complete; nothing of it is imported`},
	} {
		for _, archives := range [][]entry{{good, c.bad}, {c.bad, good}} {
			s := imported(t, upload(t, e, archives...))
			how := c.bad.name + " beside " + archives[0].name
			if got := counted.ReplaceAllString(answers(t, s), ""); got != want {
				equal(t, how, got, want)
			}
			said := 0
			for _, a := range s.Anomalies() {
				if a.Kind == c.kind && a.Stream == c.bad.name && regexp.MustCompile(c.says).MatchString(a.Message) {
					said++
				}
			}
			if said != 1 || len(s.Status().Damaged) != 1 {
				t.Errorf("%s: want %s %q of %+v, %q", how, c.kind, c.says, s.Anomalies(), s.Status().Damaged)
			}
			for a := range slices.Values(s.Anomalies()) {
				if strings.Contains(a.Message, e.dir) {
					t.Errorf("%s: %q tells of folders of the server", how, a.Message)
				}
			}
			if err := e.Delete(s.ID()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A set fails where nothing at all can be read: with what is wrong with the first archive.
func TestNothingToRead(t *testing.T) {
	metadata := entry{"web/metadata", "/* CTF 1.8 */ trace { major = 1;"}
	notes := entry{"notes.txt", "these are my notes\n"}
	noise := make([]byte, 4000)
	rand.NewChaCha8([32]byte{}).Read(noise)
	cut := func(first entry) entry {
		b := tarGz(t, first, entry{"web/stream", string(noise)})
		return entry{"cut.tar.gz", string(b[:len(b)-500])}
	}
	e := openEngine(t, t.TempDir(), Options{})
	for _, c := range []struct {
		archives []entry
		says     string
	}{
		{[]entry{notes, {"zero.zip", ""}}, "notes.txt is not an archive"},
		{[]entry{cut(entry{"readme", "…"}), notes}, `cut.tar.gz: entry "web/stream" is cut off at byte `},
		{[]entry{notes, cut(metadata)}, "notes.txt is not an archive"},
		{[]entry{cut(metadata)}, `the 1 entry before it, to "web/metadata", is whole, but no trace can be read of that`},
	} {
		s := upload(t, e, c.archives...)
		err := s.Wait(t.Context())
		var fault *Fault
		if !errors.As(err, &fault) || !strings.Contains(fault.Message, c.says) || s.Status().State != Failed {
			t.Errorf("%v, %s; want %q", err, s.Status().State, c.says)
		}
	}
	if found := filesBelow(t, e); len(found) > 0 {
		t.Errorf("files left: %q", found)
	}
}

// What has to do with where archives are extracted and beside what fails the import, also of a set with a damaged archive:
// which of them is at fault depends on which comes first.
func TestLimitsBesideDamage(t *testing.T) {
	raced.Elsewhere(t, "TestEarlyLookAtFault")
	good, cut, _ := halves(t, shop(t))
	o := Options{}
	o.Archive.Entries = 12 // for two hosts, not for four
	e := openEngine(t, t.TempDir(), o)
	s := upload(t, e, good, cut)
	var fault *Fault
	if err := s.Wait(t.Context()); !errors.As(err, &fault) || !strings.Contains(fault.Message, "all archives together may hold 12 entries") {
		t.Errorf("the import: %v", err)
	}
}

// A trace of which the archive was cut off between its streams and its metadata is told of, as is one without a stream.
func TestCutWithinTrace(t *testing.T) {
	raced.Elsewhere(t, "TestUnpackedAhead")
	from := shop(t)
	good := entry{"good.tar.gz", string(tarGz(t, ofHosts(t, from, "cache", "client")...))}
	var first []entry // of db the streams alone, of web the metadata
	for _, f := range ofHosts(t, from, "db", "web") {
		if strings.HasPrefix(f.name, "web/") == (filepath.Base(f.name) == "metadata") {
			first = append(first, f)
		}
	}
	noise := make([]byte, 10_000)
	rand.NewChaCha8([32]byte{}).Read(noise)
	all := tarGz(t, append(first, entry{"notes/noise", string(noise)}, entry{"notes/last", "…"})...)
	cut := entry{"cut.tar.gz", string(all[:len(all)-5000])}
	e := openEngine(t, t.TempDir(), Options{})
	s := imported(t, upload(t, e, good, cut))
	for _, lack := range []string{"cut.tar.gz/db/kernel: its metadata is not in what is whole of the archive", "cut.tar.gz/web/kernel: no stream of it is in what is whole of the archive"} {
		if !slices.ContainsFunc(s.Anomalies(), func(a HostAnomaly) bool {
			return a.Kind == unreadableTrace && strings.Contains(a.Message, lack) && strings.HasPrefix(a.Stream, "cut.tar.gz/")
		}) {
			t.Errorf("%q is not in %+v", lack, s.Anomalies())
		}
	}
	if st := s.Status(); st.Unreadable != 2 || len(st.Hosts) != 2 || len(st.Damaged) != 1 {
		t.Errorf("%d unreadable, %d hosts, %q", st.Unreadable, len(st.Hosts), st.Damaged)
	}
}

// An archive that is cut off beside the whole of it adds nothing: what is there twice is read once.
func TestCutBesideItself(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	from := shop(t)
	whole := entry{"whole.tar.gz", string(from.Archive)}
	cut := entry{"cut.tar.gz", string(from.Archive[:len(from.Archive)*3/4])}
	e := openEngine(t, t.TempDir(), Options{})
	for _, archives := range [][]entry{{whole, cut}, {cut, whole}} {
		s := imported(t, upload(t, e, archives...))
		if st := s.Status(); st.Events != from.Events || len(st.Hosts) != 4 || len(st.Damaged) != 1 {
			t.Errorf("%d events of %d, %d hosts, %q", st.Events, from.Events, len(st.Hosts), st.Damaged)
		}
	}
}

// Of two archives of the same machines that are damaged in different places, each has what the other lacks, and nothing is there twice.
func TestDamagedInTwoPlaces(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	from := shop(t)
	without := func(name string) entry {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, e := range filesOf(t, from) {
			f, err := w.Create(e.name)
			if err == nil {
				_, err = io.WriteString(f, e.content)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		b.Bytes()[bytes.Index(b.Bytes(), []byte(name))+len(name)+40] ^= 0xff
		return entry{strings.ReplaceAll(name, "/", "-") + ".zip", b.String()}
	}
	one, other := without("web/kernel/channel0_0"), without("web/kernel/channel0_1")
	e := openEngine(t, t.TempDir(), Options{})
	for _, archives := range [][]entry{{one, other}, {other, one}} {
		s := imported(t, upload(t, e, archives...))
		if st := s.Status(); st.Events != from.Events || len(st.Hosts) != 4 || len(st.Damaged) != 2 {
			t.Errorf("%d events of %d, %d hosts, %q", st.Events, from.Events, len(st.Hosts), st.Damaged)
		}
	}
}

// A whole set is imported alone. Beside other archives they are imported, and one that is cut off is none.
func TestWholeSetBesideOthers(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	whole, _ := wholeShop(t)
	good := entry{"good.tar.gz", string(tarGz(t, ofHosts(t, shop(t), "cache", "client")...))}
	e := openEngine(t, t.TempDir(), Options{})
	for says, b := range map[string][]byte{
		"shop.tar.zst is a whole trace set; it is imported alone, as a set of its own; nothing of it is imported: upload it by itself": whole,
		"is cut off at byte ": whole[:len(whole)/2],
	} {
		s := imported(t, upload(t, e, good, entry{"shop.tar.zst", string(b)}))
		if list := odd(s); len(list) != 1 || list[0].Kind != unreadableArchive || !strings.Contains(list[0].Message, says) || len(s.Status().Hosts) != 2 {
			t.Errorf("%+v, want %q", list, says)
		}
	}
	s := upload(t, e, entry{"shop.tar.zst", string(whole[:len(whole)/2])})
	if err := s.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), "shop.tar.zst: entry ") || !strings.Contains(err.Error(), "is cut off at byte ") {
		t.Errorf("a whole set that is cut off: %v", err)
	}
}

// The status names some of many bad archives.
func TestManyDamaged(t *testing.T) {
	var list []HostAnomaly
	for i := range 7 {
		list = append(list, HostAnomaly{Anomaly: trace.Anomaly{Kind: unreadableArchive, Message: fmt.Sprintf("%d.zip is empty", i)}})
	}
	got := damagedArchives(append(list, HostAnomaly{Anomaly: trace.Anomaly{Kind: unreadableTrace}}))
	if want := []string{"0.zip is empty.", "1.zip is empty.", "2.zip is empty.", "4 archives more cannot be read, or not all of them: the import report has them."}; !slices.Equal(got, want) {
		t.Errorf("it says %q", got)
	}
	if got := incomplete(list); got.Count != 7 || len(got.Archives) != 3 || got.Archives[0].Kind != unreadableArchive {
		t.Errorf("in short it says %+v", got)
	}
	if got := incomplete([]HostAnomaly{{Anomaly: trace.Anomaly{Kind: unreadableTrace}}}); got != nil {
		t.Errorf("of a trace it says %+v", got)
	}
	if got := damagedArchives(list[:4])[3]; got != "1 archive more cannot be read, or not all of it: the import report has it." {
		t.Errorf("it says %q", got)
	}
}

// An import of a damaged archive that is killed anywhere and resumed comes to what it comes to undisturbed, and says the same.
func TestDamagedKilledAnywhere(t *testing.T) {
	raced.Elsewhere(t, "TestKilledAnywhere", "TestKilledAndResumed")
	good, cut, _ := halves(t, busyShop(t))
	ready := t.TempDir()
	{
		e := openEngine(t, ready, Options{})
		s := upload(t, e, good, cut, entry{"notes.txt", "these are my notes\n"})
		if _, err := e.catalog.Move(s.id, "extracting", nil); err != nil {
			t.Fatal(err)
		}
		closeEngine(t, e)
	}
	undisturbed := filepath.Join(t.TempDir(), "undisturbed")
	copyFolder(t, ready, undisturbed)
	began := time.Now()
	if state := killAfter(t, undisturbed, -1, new(bytes.Buffer)); state != "ready" {
		t.Fatalf("the undisturbed import is %s", state)
	}
	took := time.Since(began)
	resumedWith := func(dir string) string {
		e := openEngine(t, dir, Options{Workers: 2})
		defer closeEngine(t, e)
		s := e.Sets()[0]
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		return told(t, s)
	}
	want := resumedWith(undisturbed)
	if !strings.Contains(want, "cut.tar.gz: entry") || !strings.Contains(want, "notes.txt is not an archive") {
		t.Fatalf("undisturbed it says %.2000s", want)
	}
	random := rand.New(rand.NewPCG(7, 8))
	for i := range 4 {
		dir := filepath.Join(t.TempDir(), "killed")
		copyFolder(t, ready, dir)
		after := time.Duration(random.Int64N(int64(took)))
		if i == 0 {
			after /= 10 // while archives are unpacked
		}
		state := killAfter(t, dir, after, new(bytes.Buffer))
		equal(t, fmt.Sprintf("kill %d, after %v, %s", i, after, state), resumedWith(dir), want)
		os.RemoveAll(dir)
	}
}
