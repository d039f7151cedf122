package browser

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// An upload is what one archive shows once it is read.
type upload struct {
	archive  string
	hosts    []string
	messages int               // matched, over all links
	links    map[string]string // of those in use: alpha, messages there / back
	from, to string            // two hosts with messages both ways
}

var (
	twoHosts = upload{
		archive: "scp.tar.gz", hosts: []string{"VM1", "VM3"}, messages: 46,
		links: map[string]string{"VM1 – VM3": "0.999 941 378, 24 / 22"}, from: "VM1", to: "VM3",
	}
	fourHosts = upload{
		archive: "shop-4hosts.tar.gz", hosts: []string{"cache", "client", "db", "web"}, messages: 10684,
		links: map[string]string{"cache – web": "1.000 077 222, 1 930 / 1 964", "client – web": "1.000 100 033, 2 401 / 2 361", "db – web": "1.000 150 339, 988 / 988"},
		from:  "cache", to: "web",
	}
)

// The main job: archives in by the file picker, all machines out on one time axis with
// their messages, and how well their clocks are known.
func TestUpload(t *testing.T) {
	u, path := twoHosts, archiveOf(twoHosts.archive)
	if path == "" {
		u, path = fourHosts, absolute(t, demoArchive)
	}
	s := newSite(t, ingest.Options{})
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	// What is said of the stages, each time something of it changes.
	Eval[bool](p, `(() => {
		const words = (selector) => document.querySelector(selector)?.textContent ?? "";
		new MutationObserver(() => {
			const all = JSON.parse(sessionStorage.said ?? "[]");
			all.push([words(".upload .stage").split(" ")[0], words(".upload .steps [aria-current]"), words(".set .state").split(" · ")[0], words(".upload .line .t"), words(".set")]);
			sessionStorage.said = JSON.stringify(all);
		}).observe(document.querySelector("main"), {subtree: true, childList: true, characterData: true, attributes: true});
		return true;
	})()`)
	p.Upload("Trace archives", path)

	p.Find("heading", "Control flow")
	stages := map[string][]string{"Uploading": {"Upload", "being uploaded"}, "Unpacking": {"Unpack", "being unpacked"}, "Reading": {"Read", "being read"}}
	told := make(map[string]bool)
	for _, said := range Eval[[][]string](p, `JSON.parse(sessionStorage.said)`) {
		if said[0] == "" {
			continue
		}
		want := stages[said[0]]
		told[said[0]] = true
		// The set may be out of the list still, or be told of by the server.
		if listed := strings.HasPrefix(said[2], "being "); want == nil || said[1] != want[0] || listed && said[2] != want[1] || said[0] == "Reading" && said[3] != "" {
			t.Errorf("at once it says %q", said)
		}
		if strings.Contains(said[4], "not finished") || strings.Contains(said[4], "Go on") {
			t.Errorf("while it says %q the set's own line says %q", said[:4], said[4])
		}
	}
	if len(told) != len(stages) {
		t.Errorf("of the stages it told %v", told)
	}
	for _, host := range u.hosts {
		p.hostRow("Communication", host)
	}
	p.Await("the import at its end", func() (any, bool) {
		words := p.Find("contentinfo", "").Text()
		return words, strings.Contains(words, "final")
	})
	p.Says(fmt.Sprintf("%s messages in view", grouped(u.messages)))
	for _, host := range u.hosts {
		checkStates(t, p, host)
	}
	checkArrows(t, p, u)
	checkLinks(t, p, u)
	if u.archive == twoHosts.archive {
		checkUnknownSizes(t, p, u)
	}
}

// checkUnknownSizes looks at messages whose events tell no length: that is said, and not that they were empty.
func checkUnknownSizes(t *testing.T, p *Page, u upload) {
	t.Helper()
	p.Find("tab", "Messages").Click()
	p.Says(fmt.Sprintf("%s and %s exchanged most: %d messages.", u.from, u.to, u.messages))
	p.Says("size unknown")
	if words := p.Text(); strings.Contains(words, "0 B") {
		t.Errorf("messages of unknown length are said to have 0 B: %s", words)
	}
	table := Eval[string](p, `fetch(location.pathname.replace("/sets/", "/api/sets/") + "/messages.csv?begin=0&end=4000000000000000000").then((r) => r.text())`)
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != u.messages+1 {
		t.Fatalf("%d rows of messages: %v: %.300s", len(rows), err, table)
	}
	at := slices.Index(rows[0], "bytes")
	for _, r := range rows[1:] {
		if r[at] != "" {
			t.Fatalf("the table has %q bytes of a message of unknown length: %v", r[at], r)
		}
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	a, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// grouped writes a number as the page does.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// hostRow is a host's row in the tree of a section.
func (p *Page) hostRow(section, host string) Element {
	p.t.Helper()
	tree := p.Find("treegrid", section+": rows")
	var found []Element
	p.Await(fmt.Sprintf("a row %q under %s", host, section), func() (any, bool) {
		found = found[:0]
		for _, row := range tree.All("row", "") {
			text, err := call[string](row, "function() { return this.getAttribute('aria-level') + ' ' + this.querySelector('.name').textContent }")
			if err == nil && text == "1 "+host {
				found = append(found, row)
			}
		}
		return tree.Text(), len(found) == 1
	})
	return found[0]
}

// checkStates looks for states under a host alone: its name is what rows are filtered by.
func checkStates(t *testing.T, p *Page, host string) {
	t.Helper()
	filter := p.Find("searchbox", "Filter rows by name, thread id or an expression")
	filter.Type(host)
	p.hostRow("Control flow", host)
	c := p.Canvas("Control flow")
	p.Await("states of "+host, func() (any, bool) {
		blocked, running := c.Count("--blk"), c.Count("--user")+c.Count("--sys")
		return fmt.Sprintf("%d pixels blocked, %d running", blocked, running), blocked > 1000 && running > 0
	})
	filter.Type("")
}

var messageHead = regexp.MustCompile(`^(?:Message|\d[\d\s]* messages) (\S+) → (\S+)$`)

// checkArrows clicks on what is drawn between two hosts until the inspector has shown a
// message each way, and zooms in as long as it has not.
func checkArrows(t *testing.T, p *Page, u upload) {
	t.Helper()
	c := p.Canvas("Communication")
	left, top, _, _ := c.Box()
	_, y, _, height := p.hostRow("Communication", u.from).Box()
	y += height // the edge of the row: only arrows cross it
	inspector := p.Find("complementary", "What is selected")
	seen := make(map[string]bool)
	p.Await("a message each way", func() (any, bool) {
		places := c.Inked(y-top, "--panel")
		if len(places) == 0 {
			return "no arrows", false
		}
		for i := 0; i < len(places); i += max(1, len(places)/24) {
			p.Click(left+places[i], y)
			p.frame()
			for _, head := range inspector.All("heading", "") {
				if m := messageHead.FindStringSubmatch(head.Text()); m != nil {
					seen[m[1]+" → "+m[2]] = true
				}
			}
		}
		if seen[u.from+" → "+u.to] && seen[u.to+" → "+u.from] {
			return seen, true
		}
		p.Point(left+places[len(places)/2], y)
		p.Press("+")
		p.frame()
		return seen, false
	})
}

// checkLinks reads the table of links.
func checkLinks(t *testing.T, p *Page, u upload) {
	t.Helper()
	p.Find("tab", "Synchronization").Click()
	table := p.Find("grid", "Links")
	p.Find("button", "More columns").Click()
	p.Await("all links accurate", func() (any, bool) {
		used := 0
		for _, row := range table.All("row", "") {
			cells := strings.Split(row.Text(), "\t")
			for i, cell := range cells {
				cells[i] = strings.Join(strings.Fields(cell), " ")
			}
			if want, ok := u.links[cells[0]]; ok {
				used++
				if len(cells) < 9 || cells[1] != "accurate" || cells[7]+", "+cells[4] != want {
					return cells, false
				}
			}
		}
		return table.Text(), used == len(u.links)
	})
}

// A file that is no archive is refused in one sentence, on the page that took it, before anything is sent: no set that failed is
// left of it, also where the page is closed.
func TestUploadOfNoArchive(t *testing.T) {
	s := newSite(t, ingest.Options{})
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("no archive, only some words\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Drop(path)
	p.Says("Nothing was sent, and nothing is kept.")
	if want, said := "notes.txt is not an archive: zip, tar, tar.gz, tar.xz and tar.zst are accepted. Nothing was sent, and nothing is kept.", alerts(p); len(said) != 1 || said[0] != want {
		t.Errorf("the page says %q, want %q", said, want)
	}
	p.Says("No trace sets yet.")
	if n := len(s.engine.Sets()); n != 0 {
		t.Errorf("%d sets are left", n)
	}
}

// An archive that nothing can be read of is refused in one sentence, and nothing of it stays once that was read.
func TestUploadOfNoTrace(t *testing.T) {
	s := newSite(t, ingest.Options{})
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	path := filepath.Join(t.TempDir(), "empty.tar")
	if err := os.WriteFile(path, make([]byte, 1024), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Drop(path)
	p.Says("empty was not imported")
	if want, said := "empty.tar is an archive without any entry.", alerts(p); len(said) != 1 || said[0] != want {
		t.Errorf("the page says %q, want %q", said, want)
	}
	// Who hears the page is told so as well, and no more that it is being uploaded.
	if said := Eval[string](p, `document.querySelector("#said").textContent`); said != "empty was not imported" {
		t.Errorf("the status is %q", said)
	}
	// It had arrived, and the list that is read again changes nothing of that.
	reads := func() int {
		return Eval[int](p, `performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/api/sets")).length`)
	}
	for range 2 {
		n := reads()
		Eval[bool](p, `document.dispatchEvent(new Event("visibilitychange"))`)
		p.Await("the list read again", func() (any, bool) { return n, reads() > n })
	}
	p.Matches(`empty\.tar 1[.0]* KiB · 100 %`)
	p.Find("button", "Dismiss").Click()
	p.Says("No trace sets yet.")
	if n := len(s.engine.Sets()); n != 0 {
		t.Errorf("%d sets are left", n)
	}
}

// alerts are what the page interrupts with, those that say something, with one space for any.
func alerts(p *Page) (said []string) {
	p.t.Helper()
	for _, a := range p.All("alert", "") {
		if text := strings.Join(strings.Fields(a.Text()), " "); text != "" {
			said = append(said, text)
		}
	}
	return said
}

// A file that is no archive does not take those with it that it was dropped with: it is told before anything is sent, and the
// others go without it.
func TestUploadBesideNoArchive(t *testing.T) {
	s := newSite(t, ingest.Options{})
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	dir := t.TempDir()
	notes, empty := filepath.Join(dir, "notes.txt"), filepath.Join(dir, "cache.tar.gz")
	if err := os.WriteFile(notes, []byte("no archive, only some words\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p.Drop(notes, absolute(t, demoArchive), empty)
	p.Says("notes.txt is not an archive: zip, tar, tar.gz, tar.xz and tar.zst are accepted.")
	p.Says("cache.tar.gz is empty.")
	if n := len(s.engine.Sets()); n != 0 {
		t.Errorf("%d sets are begun", n)
	}
	p.Find("button", "Upload shop-4hosts.tar.gz alone")
	p.Press("Enter")
	p.Find("heading", "Control flow")
	for _, host := range fourHosts.hosts {
		p.hostRow("Communication", host)
	}
}
