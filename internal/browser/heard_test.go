package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// heard is all that the page has the screen read out now.
func (p *Page) heard() string {
	p.t.Helper()
	return spaces.Replace(Eval[string](p, `[...document.querySelectorAll("[role=status], [role=alert], [aria-live]")].filter((e) => !e.closest("[hidden], [aria-hidden=true]")).map((e) => e.textContent).join("|")`))
}

// Who goes through the rows by keys, without seeing the drawing, hears what each does; the tree says how many rows there are, how
// deep each lies and whether it is open, and the import tells how far it is, not more often than every tenth.
func TestHeard(t *testing.T) {
	s := newSite(t, ingest.Options{Workers: 1})
	p := NewPage(t)
	var others []*ingest.Set
	for i := range 3 {
		others = append(others, s.add(fmt.Sprintf("beside it %d", i+1), demoArchive))
	}
	set := s.add("heard", demoArchive)
	p.Open(s.page(set, ""))
	Eval[bool](p, `(() => {
		window.said = [];
		new MutationObserver(() => {
			for (const e of document.querySelectorAll("[role=status]")) if (/^Import: |import is finished/.test(e.textContent) && window.said.at(-1) !== e.textContent) window.said.push(e.textContent);
		}).observe(document.getElementById("status"), {subtree: true, childList: true, characterData: true});
		return true;
	})()`)
	for _, set := range others { // they only had to slow the one that is listened to until somebody listens
		if err := s.engine.Delete(set.ID()); err != nil {
			t.Fatal(err)
		}
	}
	s.ready(set)
	p.Await("the end of the import to be heard", func() (any, bool) {
		got := Eval[[]string](p, "window.said")
		return got, len(got) > 0 && got[len(got)-1] == "The import is finished."
	})
	if said := Eval[[]string](p, "window.said"); len(said) > 30 {
		t.Errorf("of one import was said %q", said)
	}

	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.205"))
	p.threadRow("dbwork, thread 205")
	p.Await("what the thread did", func() (any, bool) {
		got := p.heard()
		return got, strings.Contains(got, "dbwork 205 on db: blocked in wait4, for 453.")
	})
	// A drawing takes the focus, says its keys, and heeds them.
	chart := p.Find("application", "Control flow: chart")
	if keys := chart.State("description"); !strings.HasPrefix(keys, "W and S zoom") {
		t.Errorf("the chart says %q", keys)
	}
	must[any](chart, "function() { this.focus(); return null }")
	p.Press("+")
	p.Await("a narrower window", func() (any, bool) {
		begin, end, ok := view(t, p)
		return end - begin, ok && end-begin < 500e6
	})
	p.Press("Backspace")
	tree := p.Find("treegrid", "Control flow: rows")
	must[any](tree, "function() { this.focus(); return null }")
	p.Press("ArrowDown")
	p.Await("what the next one did", func() (any, bool) {
		got := p.heard()
		return got, strings.Contains(got, "crunch 206 on db: running in user space")
	})
	active := Eval[[]string](p, `(() => {
		const tree = document.querySelector('[role=treegrid][aria-label^="Control flow"]');
		const row = document.getElementById(tree.getAttribute("aria-activedescendant"));
		return [tree.getAttribute("aria-rowcount"), row.getAttribute("role"), row.getAttribute("aria-level"), row.getAttribute("aria-selected"), row.querySelector(".name").textContent];
	})()`)
	if active[0] == "0" || strings.Join(active[1:], " ") != "row 2 true crunch" {
		t.Errorf("the tree has %q", active)
	}
	p.Await("how it spends the window", func() (any, bool) {
		got := Eval[string](p, `document.querySelector('[role=treegrid][aria-label^="Control flow"] [aria-selected=true]').getAttribute("aria-description") ?? ""`)
		return got, regexp.MustCompile(`^user space [5-9]\d.%, .*\d.%$`).MatchString(got)
	})
}
