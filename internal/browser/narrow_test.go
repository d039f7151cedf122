package browser

import (
	"fmt"
	"testing"
)

// On a laptop's screen the matrix of hosts and the latencies of two of them stand beside each other, neither cut.
func TestPairBesideMatrix(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, "?tab=messages&pair=web~db"))
	p.Says("db and web exchanged most")
	p.Find("table", "Latencies of the chosen pair")
	whole := func(what string) {
		t.Helper()
		p.Await(what+" in sight whole", func() (any, bool) {
			over := Eval[[]float64](p, `[...document.querySelectorAll("#messages :is(.matrix, .pair .wide, .requests .wide)")].map((e) => e.scrollWidth - e.clientWidth)`)
			return over, fmt.Sprint(over) == "[0 0 0]"
		})
	}
	whole("both")
	// No number stands at the end of a line and its unit in the next.
	parted := Eval[[]string](p, `[...document.querySelectorAll("#messages .most, #messages .requests h2 small")].map((e) => e.textContent).filter((s) => /\d[ \u2009](\d{3}|[nµm]?s|[KMG]?i?B|%)(?![a-z\d])/.test(s))`)
	if len(parted) > 0 {
		t.Errorf("these may break between a number and its unit: %q", parted)
	}
	// Figures of the whole set are wider. Where the errors have no room beside latencies they go below them.
	p.Open(s.page(set, "?tab=messages&exchanged=all&pair=client~web"))
	p.Find("table", "Latencies of the chosen pair")
	for _, width := range []int64{1440, 1280, 1180} {
		p.Resize(width, 720)
		whole(fmt.Sprintf("both, at %d px,", width))
	}
	// A high window is used in its height, too: nothing is cut, and what there is of few hosts does not leave the lower part of it empty.
	p.Resize(1920, 1080)
	whole("both, in a high window,")
	p.Open(s.page(set, "?tab=messages"))
	p.Find("table", "Slowest requests")
	p.Await("the pairs in the lower part", func() (any, bool) {
		at := Eval[float64](p, `document.querySelector("#messages .pairs").getBoundingClientRect().bottom / innerHeight`)
		return at, at > 0.72 && at < 1
	})
}

// The line of the cursor goes behind the words of a section that has no rows.
func TestWordsOfEmptyRows(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?filter=nosuch"))
	p.threadRow("dbwork, thread 205")
	p.Press("Escape") // the selected row would stay
	p.Says("No row matches “nosuch”.")
	layers := Eval[[]int](p, `[".pane .empty:not([hidden])", ".overlay"].map((s) => Number(getComputedStyle(document.querySelector(s)).zIndex))`)
	if layers[0] <= layers[1] {
		t.Errorf("the words lie in layer %d, and the line of the cursor in %d", layers[0], layers[1])
	}
}
