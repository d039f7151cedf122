package browser

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var threadCount = regexp.MustCompile(`(\d[\d ]*) threads?`)

// demoThreads is how many threads the demonstration set has.
const demoThreads = 3220

// watch collects what the page may never say while an import runs, however short: that a clock which is not the
// reference is known without error, and that good clocks let a message arrive before it was sent.
const watch = `(() => {
	window.wrong = []
	new MutationObserver(() => {
		for (const e of document.querySelectorAll('.row .note, .pane > *'))
			if (/± 0 ns|(?<!none |none of the others )received before sent/.test(e.textContent)) window.wrong.push(e.textContent)
	}).observe(document.getElementById('timeline'), {subtree: true, childList: true, characterData: true})
	return true
})()`

// While an import runs the page that opened at its beginning shows the
// first rows, and then more of them, without being loaded again.
func TestLive(t *testing.T) {
	s, hold := slowedSite(t, 12)
	p := NewPage(t)
	p.Open(s.url)
	p.Find("heading", "New trace set")
	p.Upload("Trace archives", absolute(t, demoArchive))
	flow := p.Find("region", "Control flow")
	c := p.Canvas("Control flow")
	status := p.Find("contentinfo", "")
	loaded := p.Loaded()
	Eval[bool](p, watch)
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
	t.Logf("%d threads %.0f ms after the page was opened", first, Eval[float64](p, "performance.now()"))
	p.Await("more rows", func() (any, bool) {
		n, _, _ := look()
		return fmt.Sprintf("%d threads, %d at first; %s", n, first, status.Text()), n > first
	})
	hold.letGo()
	p.Await("all rows at the import's end", func() (any, bool) {
		n, drawn, running := look()
		return fmt.Sprintf("%d threads; %s", n, status.Text()), n == demoThreads && drawn && !running
	})
	if words := status.Text(); strings.Contains(words, "%") {
		t.Errorf("after the import the page says %q", words)
	}
	if words := Eval[[]string](p, "[...new Set(window.wrong)]"); len(words) > 0 {
		t.Errorf("while the import ran, the page said %q", words)
	}
	if p.Loaded() != loaded {
		t.Error("the page was loaded again")
	}
}
