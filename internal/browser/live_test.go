package browser

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"synchroscope/ingest"
)

var threadCount = regexp.MustCompile(`(\d[\d ]*) threads?`)

// While an import runs, beside others, the page that opened at its beginning shows the
// first rows, and then more of them, without being loaded again.
func TestLive(t *testing.T) {
	s := newSite(t, ingest.Options{Workers: 1})
	if stress := archiveOf("stress-1host.tar.xz"); stress != "" {
		s.add("stress", stress)
	}
	for i := range 3 {
		s.add(fmt.Sprintf("another shop, %d", i+1), demoArchive)
	}
	p := NewPage(t)
	p.Open(s.url)
	p.Find("heading", "New trace set")
	p.Upload("Trace archives", absolute(t, demoArchive))
	flow := p.Find("region", "Control flow")
	c := p.Canvas("Control flow")
	status := p.Find("contentinfo", "")
	loaded := p.Loaded()
	look := func() (threads int, drawn, running bool) {
		if m := threadCount.FindStringSubmatch(flow.Text()); m != nil {
			threads, _ = strconv.Atoi(strings.ReplaceAll(m[1], " ", ""))
		}
		return threads, c.Count("--blk")+c.Count("--user")+c.Count("--sys") > 0, len(status.All("progressbar", "Import")) == 1
	}
	first := 0
	p.Await("states while the import runs", func() (any, bool) {
		n, drawn, running := look()
		if n > 0 && !running {
			t.Fatal("the import was over before its first rows were seen")
		}
		first = n
		return status.Text(), n > 0 && drawn && running
	})
	p.Await("more rows, and the import's end", func() (any, bool) {
		n, drawn, running := look()
		return fmt.Sprintf("%d threads, %d at first; %s", n, first, status.Text()), n > first && drawn && !running
	})
	if words := status.Text(); strings.Contains(words, "%") {
		t.Errorf("after the import the page says %q", words)
	}
	if p.Loaded() != loaded {
		t.Error("the page was loaded again")
	}
	t.Logf("%d threads at first", first)
}
