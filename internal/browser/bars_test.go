package browser

import "testing"

// A bar is where the figure beside it is from the first moment on: it does not follow later.
func TestBarsDoNotTrail(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=import"))
	p.Says("Imported")
	wide := Eval[[]float64](p, `(() => {
		const bar = document.querySelector("#import .progress .bar"), width = () => bar.firstElementChild.getBoundingClientRect().width / bar.clientWidth;
		const widths = [];
		for (const share of [100, 10, 60]) {
			bar.firstElementChild.style.width = share + "%";
			widths.push(Math.round(width() * 100));
		}
		return widths;
	})()`)
	if wide[0] != 100 || wide[1] != 10 || wide[2] != 60 {
		t.Errorf("bars of 100, 10 and 60 %% are %v %% wide at once", wide)
	}
}
