package browser

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// What stands where a scroll bar would is the place in the whole set, of which the table holds only a part: its thumb is where the first row is,
// and a press on it, or a key, leads to another place.
func TestRailOfEvents(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events"))
	p.Await("events", func() (any, bool) { got := p.listed(); return got, len(got) > 20 })
	rail := p.Find("slider", "When in the whole set")
	if title := must[string](rail, "function() { return this.title }"); !strings.Contains(title, "the top is its begin, the bottom its end") {
		t.Errorf("of the rail is said: %q", title)
	}
	p.Says("Listed from")
	end, err := strconv.ParseInt(set.Status().End, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	length := float64(end - clocksOf(t, set).begin)
	at := func(what string, want func(share, row float64) bool) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			thumb := Eval[float64](p, `(() => { const s = document.querySelector("[aria-label^=When]"); return s.value / s.max; })()`)
			row := 0.
			if got := p.listed(); len(got) > 0 {
				row = float64(seconds(t, got[0][0])) / length
			}
			return [2]float64{thumb, row}, want(thumb, row) && math.Abs(thumb-row) < 0.01
		})
	}
	x, y, width, height := rail.Box()
	if _, _, _, page := p.Find("grid", "Events").Box(); width > 30 || height < page*0.8 {
		t.Fatalf("the rail is %.0f wide and %.0f tall beside a table of %.0f", width, height, page)
	}
	p.Click(x+width/2, y+height*0.75)
	at("the place that was pressed on", func(share, _ float64) bool { return math.Abs(share-0.75) < 0.02 })
	for range 20 { // beyond what is held at first
		Eval[any](p, `(() => { const g = document.querySelector("#events [role=grid]"); g.scrollTop += 4000; })()`)
		p.frame()
	}
	at("a later place", func(share, _ float64) bool { return share > 0.753 })
	rail.Focus()
	p.Press("PageUp")
	at("a twentieth earlier", func(share, _ float64) bool { return share < 0.75 })
	p.Press("Home")
	at("the begin", func(share, _ float64) bool { return share == 0 })
	p.Press("End")
	at("the end", func(share, _ float64) bool { return share > 0.99 })
	// The table's own bar, which would tell of the part alone, is out of sight.
	if bar := Eval[float64](p, `(() => { const g = document.querySelector("#events [role=grid]"), clip = g.parentElement; return clip.getBoundingClientRect().right - (g.getBoundingClientRect().left + g.clientWidth); })()`); bar > 1 {
		t.Errorf("%.0f pixels of the table's own bar are in sight", bar)
	}
}
