package handlers

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"synchroscope/handlers/live"
	"synchroscope/ingest"
	"synchroscope/internal/raced"
	"synchroscope/simulate/simulatetest"
)

// An entry of a tar.gz made for a test.
type entry struct{ name, content string }

func tarGz(t *testing.T, entries ...entry) string {
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
		if _, err := w.Write([]byte(e.content)); err != nil {
			t.Fatal(err)
		}
	}
	if w.Close() != nil || z.Close() != nil {
		t.Fatal("tar.gz")
	}
	return b.String()
}

// Each kind of bad input is one sentence of its own and a 4xx, and the server serves on.
func TestBadInput(t *testing.T) {
	raced.Elsewhere(t, "TestPartlyDamaged")
	real := simulatetest.Shop(t, 2).Archive
	s := newSite(t, Options{})
	const zeros = 65 << 20 // a little more than comes out of an archive before it is judged
	for _, c := range []struct {
		file, content string
		sentence      string // a regular expression
	}{
		{"notes.txt", "just some text\n", `notes\.txt`},
		{"empty.zip", "", `empty\.zip`},
		{"cut.tar.gz", string(real[:len(real)/50]), `cut\.tar\.gz: entry ".+" is cut off at byte \d+, where the archive ends; no file is whole`},
		{"bare.tar.gz", tarGz(t, entry{"readme", "no trace here"}), `trace`},
		{"evil.tar.gz", tarGz(t, entry{"../evil", "x"}), `evil\.tar\.gz.*"\.\./evil"`},
		{"bomb.tar.gz", tarGz(t, entry{"zeros", strings.Repeat("\x00", zeros)}), `bomb`},
		{"meta.tar.gz", tarGz(t, entry{"trace/metadata", "/* CTF 1.8 */\ntrace { major = 1; minor"}, entry{"trace/s_0", "\xc1\x1f\xfc\xc1"}), `metadata`},
	} {
		id := s.create(c.file)
		s.want(200, "PUT", "/api/sets/"+id+"/files/"+c.file, c.content)
		a := s.do("POST", "/api/sets/"+id+"/import", nil)
		sentence := a.sentence()
		if a.status != 422 && a.status != 413 || !regexp.MustCompile(c.sentence).MatchString(sentence) || strings.Contains(sentence, "\n") {
			t.Errorf("%s: %d %s", c.file, a.status, a.body)
		}
		if status := s.get("/api/sets/" + id); !strings.Contains(status.body, `"state":"failed"`) || !strings.Contains(status.body, `"error":`) {
			t.Errorf("%s: the set says %s", c.file, status.body)
		}
		s.want(204, "DELETE", "/api/sets/"+id, "")
	}
	id := s.create("nothing")
	if a := s.do("POST", "/api/sets/"+id+"/import", nil); a.status < 400 || a.status > 499 || a.sentence() == "" {
		t.Errorf("an import without archives: %d %s", a.status, a.body)
	}
	s.want(200, "GET", "/healthz", "")
}

// Of archives of which one is damaged the others are imported, and that one as far as it is whole: the set says so in a sentence,
// and its report.
func TestPartlyDamaged(t *testing.T) {
	real := simulatetest.Shop(t, 2).Archive
	s := newSite(t, Options{})
	id := s.create("some")
	s.want(200, "PUT", "/api/sets/"+id+"/files/shop.tar.gz", string(real))
	cut := real[:len(real)*3/4]
	s.want(200, "PUT", "/api/sets/"+id+"/files/cut.tar.gz", string(cut))
	s.want(200, "PUT", "/api/sets/"+id+"/files/notes.txt", "just some text\n")
	s.want(202, "POST", "/api/sets/"+id+"/import", "")
	set, _ := s.engine.Set(id)
	if err := set.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	var status struct {
		State   string
		Damaged []string
	}
	if err := json.Unmarshal([]byte(s.get("/api/sets/"+id).body), &status); err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(fmt.Sprintf(`^cut\.tar\.gz: entry ".+" is cut off at byte %d, where the archive ends; the \d+ entries before it, to ".+", are whole; `+
		`what is whole of it is imported, and the rest is missing: when it is repaired, add it to this set by this name\.$`, len(cut)))
	if status.State != "ready" || len(status.Damaged) != 2 || !want.MatchString(status.Damaged[0]) || !strings.HasPrefix(status.Damaged[1], "notes.txt is not an archive: ") {
		t.Errorf("the set is %s and says %q", status.State, status.Damaged)
	}
	if report := s.get("/api/sets/" + id + "/report").body; !strings.Contains(report, `"kind":"damaged-archive"`) || !strings.Contains(report, `"kind":"unreadable-archive"`) || !strings.Contains(report, fmt.Sprintf(`"offset":%d`, len(cut))) {
		t.Errorf("the report says %s", report)
	}
	s.want(409, "PUT", "/api/sets/"+id+"/files/again.tar.gz", string(real)) // so the sentence is right about the way on
}

// Where rows are waited for, there are some when the import is answered; what has none is refused all the same.
func TestImportUntilRows(t *testing.T) {
	real := simulatetest.Shop(t, 2).Archive
	s := newSite(t, Options{})
	id := s.create("shop")
	s.want(200, "PUT", "/api/sets/"+id+"/files/shop.tar.gz", string(real))
	s.want(202, "POST", "/api/sets/"+id+"/import?until=rows", "")
	set, _ := s.engine.Set(id)
	if seen := live.Ingested(set); len(seen.Hosts()) == 0 || len(seen.Status().Hosts) == 0 {
		t.Errorf("there is nothing to look at: %+v", seen.Status())
	}
	for _, wrong := range []string{"?until=states", "?rows=1", "?until=rows&until=rows"} {
		s.want(400, "POST", "/api/sets/"+id+"/import"+wrong, "")
	}
	id = s.create("notes")
	s.want(200, "PUT", "/api/sets/"+id+"/files/notes.txt", "just some text\n")
	if got := s.want(422, "POST", "/api/sets/"+id+"/import?until=rows", "").sentence(); !strings.Contains(got, "notes.txt") {
		t.Errorf("refused by %q", got)
	}
}

// That an archive is no good is the same answer whoever finds it out: this request, one before, or a server that was
// stopped since.
func TestBadInputAgain(t *testing.T) {
	dir := t.TempDir()
	before, err := ingest.Open(dir, ingest.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	set, err := before.Create("cut")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Upload(t.Context(), "notes.txt", 0, -1, strings.NewReader("just some text\n")); err != nil {
		t.Fatal(err)
	}
	var fault *ingest.Fault
	if err := set.Prepare(t.Context()); !errors.As(err, &fault) {
		t.Fatalf("the text was taken: %v", err)
	}
	if err := before.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := openSite(t, dir, Options{})
	for _, until := range []string{"", "?until=rows"} {
		if got := s.want(422, "POST", "/api/sets/"+set.ID()+"/import"+until, "").sentence(); got != fault.Sentence() {
			t.Errorf("refused by %q, before by %q", got, fault.Sentence())
		}
	}
}
