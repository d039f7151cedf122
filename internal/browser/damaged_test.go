package browser

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/trace/ctf/text/texttest"
)

// cutOff writes an archive with the trace of one host that is whole, cut off in the file behind it, and returns its size.
func cutOff(t *testing.T, path string) int {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	noise := make([]byte, 50_000)
	rand.NewChaCha8([32]byte{}).Read(noise)
	err := errors.Join(w.AddFS(os.DirFS(texttest.Dir(t, strings.Replace(lossy, `"web"`, `"printer"`, 1)))),
		w.WriteHeader(&tar.Header{Name: "other/channel0_0", Mode: 0o644, Size: int64(len(noise))}))
	if err == nil {
		_, err = w.Write(noise)
	}
	err = errors.Join(err, z.Flush())
	b.Truncate(b.Len() * 3 / 4)
	if err = errors.Join(err, os.WriteFile(path, b.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// Of a good archive and one that is cut off, dropped together, the rows of the good one are there, and the host that is whole of
// the other; what is wrong is said with archive, byte and cause where the rows are, in the report and in the list of sets.
func TestDamagedBesideGood(t *testing.T) {
	cut := filepath.Join(t.TempDir(), "cut.tar.gz")
	size := cutOff(t, cut)
	s := newSite(t, ingest.Options{})
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	p.Drop(absolute(t, demoArchive), cut)

	p.Find("heading", "Control flow")
	for _, host := range fourHosts.hosts {
		p.hostRow("Communication", host)
	}
	sentence := fmt.Sprintf(`cut.tar.gz: entry "other/channel0_0" is cut off at byte %d, where the archive ends; the 2 entries before it, to "metadata", are whole; `+
		"what is whole of it is imported, and the rest is missing: when it is repaired, add it to this set by this name", size)
	p.Says(sentence + ".")
	p.Find("link", "Import report").Click()
	p.Find("tab", "Import")
	p.Says("An archive is damaged or cut off.")
	p.Says(sentence)
	p.Await("the name of the archive on one line", func() (any, bool) {
		lines := Eval[int](p, `(() => {
			const name = [...document.querySelectorAll(".oddity td")].find((x) => x.textContent === "cut.tar.gz");
			if (!name) return 0;
			const range = document.createRange();
			range.selectNodeContents(name);
			return range.getClientRects().length;
		})()`)
		return lines, lines == 1
	})

	p.Open(s.url)
	p.Says(sentence + ".")
	p.Says("5 hosts: cache, client, db, printer, web")
	p.Find("link", "Import report")
}

// Many archives that are damaged are said in one sentence over the timeline, which keeps its room, also on a narrow screen; the import
// report that it leads to has all of them.
func TestManyDamagedArchives(t *testing.T) {
	dir := t.TempDir()
	paths := []string{absolute(t, demoArchive)}
	for i := range 6 {
		path := filepath.Join(dir, fmt.Sprintf("the recording of machine %d, taken before it was switched off.tar.gz", i))
		cutOff(t, path)
		paths = append(paths, path)
	}
	s := newSite(t, ingest.Options{})
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	p.Drop(paths...)
	p.Find("heading", "Control flow")
	p.Matches(`Of 6 archives something is missing: the recording of machine \d, …\S* off\.tar\.gz \(a part, byte [\d ]+\), .* and 3 others\. When they are repaired, import all as a new set\. Import report`)
	for _, size := range [][2]int64{{1280, 720}, {420, 800}} {
		p.Resize(size[0], size[1])
		p.Await(fmt.Sprintf("a fifth of the height at most, of %d by %d", size[0], size[1]), func() (any, bool) {
			now := Eval[[2]float64](p, `[innerWidth, document.querySelector("#timeline > .unread").getBoundingClientRect().height]`)
			return now, now[0] == float64(size[0]) && now[1] > 0 && now[1] <= float64(size[1])/5
		})
	}
	p.Find("link", "Import report").Click()
	for i := range 6 {
		p.Says(fmt.Sprintf("the recording of machine %d, taken before it was switched off.tar.gz: entry", i))
	}
}
