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
		"what is whole of it is imported, and the rest is missing: when it is repaired, import it as a new set, together with the others", size)
	p.Says(sentence + ".")
	p.Find("link", "Import report").Click()
	p.Find("tab", "Import")
	p.Says("An archive is damaged or cut off.")
	p.Says(sentence)

	p.Open(s.url)
	p.Says(sentence + ".")
	p.Says("5 hosts: cache, client, db, printer, web")
	p.Find("link", "Import report")
}
