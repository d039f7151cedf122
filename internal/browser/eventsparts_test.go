package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The answer to a filter comes in parts, behind the place one is at and ahead of it: a row that is seen stays where it is, whether they come
// at once or slowly, and whether what is behind the place fills the table or not.
func TestRowsStayAsTheyFill(t *testing.T) {
	s, set := demoSite(t)
	var slow time.Duration
	s.between = func(app http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/events") {
				time.Sleep(slow)
			}
			app.ServeHTTP(w, r)
		})
	}
	c := clocksOf(t, set)
	for _, place := range []struct {
		at   int64
		slow time.Duration
	}{{c.begin + 3e9, 0}, {c.begin + 5.9e9, 0}, {c.begin + 5.9e9, 400 * time.Millisecond}} {
		slow = 0
		p := NewPage(t)
		p.Open(s.page(set, fmt.Sprintf("?tab=events&at=%d", place.at)))
		p.Await("events", func() (any, bool) { got := p.listed(); return got, len(got) > 20 })
		slow = place.slow
		p.Find("textbox", "Event").Type("sched_switch")
		p.Find("textbox", "Where").Type("next_tid == 205")
		Eval[any](p, `(() => {
			window.moved = [];
			const seen = new Map();
			const look = () => {
				const table = document.querySelector("#events .grid"), top = table.querySelector(".grid-body").offsetTop;
				for (const row of table.querySelectorAll("[data-row]")) {
					const y = row.getBoundingClientRect().top - table.getBoundingClientRect().top;
					if (y < top || y > table.clientHeight || table.classList.contains("old")) continue;
					const words = row.textContent, was = seen.get(words);
					if (was !== undefined && was !== y) window.moved.push([words, was, y].join(" "));
					seen.set(words, y);
				}
				requestAnimationFrame(look);
			};
			look();
		})()`)
		p.Find("button", "Filter").Click()
		p.Says("14 of 770 375 events")
		p.Await("all that was recorded", func() (any, bool) {
			last := Eval[string](p, `document.querySelector("#events [data-row]:last-child")?.dataset.row`)
			return last, last == "13" && Eval[string](p, `document.querySelector("#events .grid").ariaBusy`) != "true"
		})
		if moved := Eval[[]string](p, "window.moved"); len(moved) > 0 {
			t.Errorf("at %d, each answer after %v, %d rows moved, the first: %s", place.at-c.begin, place.slow, len(moved), moved[0])
		}
	}
}
