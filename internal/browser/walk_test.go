package browser

import (
	"fmt"
	"strings"
	"testing"
)

// From a slow request to what held it up, across machines, by one button again and again: each press leads to
// what the thread that was waited for did meanwhile, over the message it sent or the wake-up it gave.
func TestWhoHeldItUp(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=1.208"))
	p.Says("final")
	inspector := p.Find("complementary", "What is selected")
	words := func() string { return strings.Join(strings.Fields(spaces.Replace(inspector.Text())), " ") }
	without := func(now, button string) string { return strings.Replace(now, " "+button+" ", " ", 1) } // which stands under the name, once it is known
	steps := []struct{ stands, follow string }{
		{"wget · 208 client, child of shopper2 · 181 blocked in poll", "Follow the message from web: httpd · 227"},
		{"httpd · 227 web, child of httpd · 114 blocked in poll", "Follow wget · 230"},
		{"wget · 230 web, child of cart · 228 blocked in poll", "Follow the message from db: httpd · 204"},
		{"httpd · 204 db, child of httpd · 121 blocked in poll", "Follow crunch · 206"},
		{"crunch · 206 db, child of dbwork · 205 running in user space", ""},
	}
	for _, step := range steps {
		p.Await(step.stands, func() (any, bool) {
			now := words()
			return now, strings.HasPrefix(without(now, step.follow), step.stands)
		})
		if step.follow != "" {
			p.Find("button", step.follow).Click()
		}
	}
	// The CPU that it ran on is in sight, below the head of its host.
	p.Await("CPU 0 of db in sight", func() (any, bool) {
		_, y, _, height := p.resourceRow("CPU 0 of db").Box()
		_, top, _, all := p.Canvas("Resources").Box()
		return fmt.Sprint(y, height, top, all), y >= top+height-1 && y+height <= top+all
	})

	// The way is told, and each stop of it leads back.
	p.Matches(`Followed from wget · 208 on client httpd · 227 on web wget · 230 on web httpd · 204 on db`)
	p.Press(".")
	p.Matches(`Followed from wget · 208 on client httpd · 227 on web wget · 230 on web httpd · 204 on db`)
	p.Find("button", "wget · 230").Click()
	p.Await("the stop before the last but one", func() (any, bool) {
		now := words()
		return now, strings.HasPrefix(without(now, steps[2].follow), steps[2].stands) && strings.HasSuffix(now, "Followed from wget · 208 on client httpd · 227 on web") && strings.Contains(now, steps[2].follow)
	})
	for _, follow := range []string{steps[2].follow, steps[3].follow} {
		p.Find("button", follow).Click()
	}
	p.Matches(`crunch · 206 db, child of dbwork · 205 .* Followed from wget · 208 on client httpd · 227 on web wget · 230 on web httpd · 204 on db`)
	told := words()
	if !strings.Contains(told, "that it was waited for: ") {
		t.Errorf("not told what it did while it was waited for: %s", told)
	}
	p.Await("an address that has how one came there", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "row=2.206&did=") && strings.Contains(p.Address(), "from=")
	})
	p.Reload()
	inspector = p.Find("complementary", "What is selected")
	p.Await("the same after a reload: "+told, func() (any, bool) { now := words(); return now, now == told })
	p.Find("button", "dbwork · 205").Click()
	p.Await("the parent", func() (any, bool) {
		now := words()
		return now, strings.HasPrefix(without(now, "Follow crunch · 206"), "dbwork · 205 db")
	})

	// A thread that began only as the wait ended did not cause it: the button names its parent, which is shown, and why.
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.207"))
	inspector = p.Find("complementary", "What is selected")
	p.Says("final")
	p.Matches(`Follow dbwork · 208 It began dbwork · 211, which woke this one .* Woken by dbwork · 211 at its end`)
	if over := Eval[float64](p, `document.querySelector(".inspector .onward small").getBoundingClientRect().bottom - document.querySelector(".inspector .state > .sub").getBoundingClientRect().top`); over > 0 {
		t.Errorf("why another thread is followed reaches %v pixels into what stands below", over)
	}
	p.Find("button", "Follow dbwork · 208").Click()
	p.Await("the program that waited for the lock", func() (any, bool) {
		now := words()
		return now, strings.HasPrefix(without(now, "Follow dbwork · 205"), "flock · 208 later dbwork db") && strings.Contains(now, "blocked in flock") && strings.Contains(now, "dbwork · 211 ended the wait, but had only begun")
	})
	p.Matches(`Known to ± \d+ µs, at its begin`)
	follow := p.Find("button", "Follow dbwork · 205")
	_, button, _, height := follow.Box()
	edge := func(part, side string) float64 {
		return Eval[float64](p, fmt.Sprintf(`document.querySelector(".inspector .state > %s").getBoundingClientRect().%s`, part, side))
	}
	if above, below := button-edge("h2", "bottom"), edge(".sub", "top")-button-height; above < 2 || below < 6 {
		t.Errorf("the button lies %v pixels below the name and %v above what follows", above, below)
	}
	if *statesDir != "" {
		p.keep(*statesDir, "follow")
	}
	follow.Click()
	p.Await("the one that held it", func() (any, bool) {
		now := words()
		return now, strings.HasPrefix(without(now, "Follow crunch · 206"), "dbwork · 205 db") && strings.Contains(now, "blocked in wait4")
	})
}

// The head of a list names the hosts that are above and below what is on screen, and leads to them.
func TestHostsOutOfSight(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	rows := p.Find("region", "Control flow")
	button := func(part string) Element {
		var found Element
		p.Await("a button "+part, func() (any, bool) {
			for _, b := range rows.All("button", "") {
				if words, err := call[string](b, "function() { return this.innerText }"); err == nil && strings.HasPrefix(spaces.Replace(words), part) {
					found = b
					return nil, true
				}
			}
			return rows.Text(), false
		})
		return found
	}
	button("▾ web")
	button("▴ cache, client").Click()
	p.hostRow("Control flow", "client")
	button("▴ cache").Click()
	p.hostRow("Control flow", "cache")
	button("▾ 3 hosts").Click()
	button("▴ cache")
	button("▾ db, web")
}

// What held a thread up is told of all the time that it did so: of one that computes with interruptions not the longest piece alone.
func TestAllOfWhatHeldItUp(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.205"))
	p.Find("button", "Follow crunch · 206")
	p.Press("g")
	p.Matches(`crunch · 206 db, child of dbwork · 205 running in user space Begin .* In the 453 ms that it was waited for: user space 7\d %, system call 1\d %, interrupted`)
	p.Await("the same to be heard", func() (any, bool) {
		got := spaces.Replace(p.heard())
		return got, strings.Contains(got, "crunch 206 on db: running in user space") && strings.Contains(got, "In the 453 ms that it was waited for: user space")
	})
	// The next state of it is one of its own.
	p.Press(".")
	p.Await("no word of the wait", func() (any, bool) {
		words := p.Find("complementary", "What is selected").Text()
		return words, strings.Contains(words, "crunch") && !strings.Contains(words, "waited for")
	})

	// The state that was gone to is in the address, and not the one that the window has in its middle: who opens it sees the same.
	begins := func() string {
		words, _, _ := strings.Cut(spaces.Replace(p.Find("complementary", "What is selected").Text()), "Known to")
		return strings.Join(strings.Fields(words), " ")
	}
	entries := Eval[int](p, "history.length")
	first := begins()
	p.Press(".")
	p.Await("the state behind that", func() (any, bool) {
		now := begins()
		return now, strings.HasPrefix(now, "crunch · 206 db") && now != first
	})
	second := begins()
	p.settled()
	if n := Eval[int](p, "history.length"); n != entries {
		t.Errorf("a key makes %d entries of the browser's history", n-entries)
	}
	p.Reload()
	p.Await("the same state after a reload: "+second, func() (any, bool) { now := begins(); return now, now == second })
}
