package browser

import (
	"regexp"
	"strings"
	"testing"

	"synchroscope/sync/network"
)

// What somebody chose in the form stays chosen whatever becomes of the clocks meanwhile. What cannot be taken any more says so, and nothing is
// taken in its place.
func TestChoicesOfTheFormStay(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	begin := set.Status().Begin[:len(set.Status().Begin)-9]
	p.Open(s.page(set, "?tab=sync&begin="+plus(t, begin, 10)+"&end="+plus(t, begin, 30)))
	p.Matches(inForce)
	p.Find("button", "Synchronize in another way…").Click()
	form := func() string {
		return spaces.Replace(Eval[string](p, `[...document.querySelectorAll("#resync select")].map((e) => e.selectedOptions[0]?.textContent).join("; ") + ": " + [...document.querySelectorAll("#resync > p:not([hidden])")].map((e) => e.textContent).join(" ")`))
	}
	shows := func(what, pattern string) {
		t.Helper()
		p.Await(what, func() (any, bool) { saw := form(); return saw, regexp.MustCompile(pattern).MatchString(saw) })
	}
	shows("what is in force", `^hull[^;]*; the best; all: `)
	p.Find("combobox", "Method").Choose("regression")
	p.Find("combobox", "Reference").Choose("db")
	p.Find("combobox", "Messages").Choose("of the timeline's window")
	const stretch = `\d+\.\d+ s to \d+\.\d+ s`
	shows("what was chosen", `^regression[^;]*; db: [^;]*; of the timeline's window, `+stretch+`: `)

	p.Find("radio", "Raw").Click()
	shows("that raw time has no such window", `^regression[^;]*; db[^;]*; of the timeline's window: not while raw time is on: The messages of the timeline's window cannot be taken while raw time is on\.`)
	p.Find("button", "Synchronize").Click()
	p.Await("the focus where another choice is needed", func() (any, bool) {
		at := Eval[string](p, `document.activeElement.closest("label")?.firstElementChild.textContent ?? ""`)
		return at, at == "Messages"
	})
	p.Matches(inForce)
	p.Find("radio", "Synchronized").Click()
	shows("what was chosen", `^regression[^;]*; db[^;]*; of the timeline's window, `+stretch+`: The middle`)

	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "cache"}); err != nil {
		t.Fatal(err)
	}
	p.Matches(`In force: method hull .*; reference cache, pinned`)
	shows("what was chosen, although somebody else synchronized", `^regression[^;]*; db: [^;]*; of the timeline's window, `+stretch+`: `)
	p.Find("button", "Synchronize").Click()
	p.Matches(`In force: method regression; reference db, pinned; .*; messages of ` + stretch + ` only\.`)
	shows("what is in force now", `^regression[^;]*; db[^;]*; as now, `+stretch+`: `)

	// What was chosen came into force: the form goes along from then on.
	if _, err := set.Synchronize(t.Context(), network.Options{}); err != nil {
		t.Fatal(err)
	}
	p.Matches(inForce)
	shows("the default", `^hull[^;]*; the best; all: `)
	if strings.Contains(p.Text(), "cannot be taken") {
		t.Error("it says that something cannot be taken")
	}
}
