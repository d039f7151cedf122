package browser

import (
	"testing"

	"synchroscope/ingest"
)

// Of one host there is nothing to relate: a sentence says so in the place of empty plots, and the table of hosts follows at once.
func TestSynchronizationOfOneHost(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("one", "scenario one \"A machine alone\"\nduration 2s\nhost db\n  clock offset=0s rate=10\nworkload load hosts=db share=0.3\n")
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("The only clock of this set is that of db, by which all times are told: nothing is to be synchronized.")
	p.Find("table", "Hosts")
	for _, size := range [][2]int64{{1440, 900}, {3840, 2160}} {
		p.Resize(size[0], size[1])
		p.Await("no empty room", func() (any, bool) {
			got := Eval[[]float64](p, `(() => {
				const cards = [...document.querySelectorAll("#sync > .card")].filter((e) => e.offsetHeight > 0).map((e) => e.getBoundingClientRect());
				const table = document.querySelector("#sync table[aria-label=Hosts]").getBoundingClientRect();
				return [cards.length, table.top - document.getElementById("sync").getBoundingClientRect().top, document.querySelectorAll("#sync canvas").length - [...document.querySelectorAll("#sync canvas")].filter((e) => e.offsetHeight === 0).length];
			})()`)
			return got, got[0] == 2 && got[1] < 200 && got[2] == 0
		})
	}
}

// The matrix of hosts that have room for their numbers scrolls with the page, not within it as well.
func TestOneScrollBarOfMessages(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("mesh", mesh(7))
	p := NewPage(t)
	p.Resize(1280, 620)
	p.Open(s.page(set, "?tab=messages"))
	p.Find("grid", "Messages from host to host")
	p.Await("one scroll bar", func() (any, bool) {
		got := Eval[[]string](p, `[...document.querySelectorAll("#messages, #messages *")].filter((e) => e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY)).map((e) => e.id || e.className)`)
		return got, len(got) == 1 && got[0] == "messages"
	})
}
