package browser

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// Arrows from the threads that woke to those that slept come with a key and go with the button: those of the chosen
// thread, which crunch woke at its end, stand out; how many there are is said, and the address keeps it.
func TestWakeups(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Matches(`Woken by crunch`)
	flow := p.Canvas("Control flow")
	accent := func(least, most int) {
		t.Helper()
		p.Await("arrows of the chosen thread", func() (any, bool) { n := flow.Count("--accent"); return n, n >= least && n <= most })
	}
	accent(0, 0)
	if state := p.Find("button", "who woke whom").State("pressed"); state != "false" {
		t.Errorf("pressed is %q at first", state)
	}
	drawn := flow.Listen()
	p.Press("u")
	p.Matches(`\d+ wake-ups of the selected, \d+ of others in sight of the selected thread other ?.*who woke whom`)
	if shown := Eval[bool](p, `(() => {
		const words = document.querySelector(".wokenwords"), at = document.createRange();
		at.selectNode([...words.childNodes].find((n) => n.textContent.startsWith(" wake-up")));
		const [box, all] = [at.getBoundingClientRect(), words.getBoundingClientRect()];
		return box.width > 20 && box.right <= all.right && all.width > 60;
	})()`); !shown {
		t.Error("that wake-ups are counted is not in sight")
	}
	accent(20, 2000)
	_, top, _, _ := flow.Box()
	middle := func(row string) float64 {
		_, y, _, height := p.threadRow(row).Box()
		return y + height/2 - top
	}
	p.Await("a line from the row of crunch to that of the chosen thread", func() (any, bool) {
		lines, _ := drawn()
		from, to, accent := middle("crunch, thread 206"), middle("dbwork, thread 205"), p.Color("--accent")
		return fmt.Sprint(from, to, lines), slices.ContainsFunc(lines, func(l Line) bool {
			return l.Color == accent && l.X0 == l.X1 && math.Abs(l.Y0-from) < 8 && math.Abs(l.Y1-to) < 8
		})
	})
	p.Await("the address to keep it", func() (any, bool) { a := p.Address(); return a, len(a) > 7 && a[len(a)-7:] == "wakes=1" })
	p.Reload()
	p.Matches(`\d+ wake-ups of the selected, \d+ of others in sight .*who woke whom`)
	flow = p.Canvas("Control flow")
	accent(20, 2000)
	// The help tells of their looks at every width.
	p.Press("?")
	p.Matches(`Arrows to and from the selected thread are thick and in the colour of what is selected; the others are thin and dark`)
	p.Press("Escape")
	p.Find("button", "who woke whom").Click()
	accent(0, 0)
	if words := p.Text(); strings.Contains(words, "of the selected thread") {
		t.Errorf("without arrows their looks are told: %s", words)
	}
}

// The wake-ups of the selected thread are counted, and drawn as far as there is room, however far rows are scrolled: wget wakes
// a shell that is out of sight, and when that comes in sight no other number is said. The count has its room before the key.
func TestWakeupsOutOfSight(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, "?begin=1795229354982226017&end=1795229355859183986&row=1.208&did=1795229348449299662"))
	p.Matches(`wget · 208`)
	flow := p.Canvas("Control flow")
	p.Press("u")
	words := func() string {
		return spaces.Replace(Eval[string](p, `document.querySelector(".wokenwords").textContent`))
	}
	counted := func() string {
		t.Helper()
		var n string
		p.Await("a count of the selected thread", func() (any, bool) {
			m := regexp.MustCompile(`^(\d+) wake-ups of the selected, \d+ of others in sight$`).FindStringSubmatch(words())
			if m != nil {
				n = m[1]
			}
			return words(), m != nil
		})
		return n
	}
	seen := func() {
		t.Helper()
		p.Await("the count in sight, and not cut", func() (any, bool) {
			box := Eval[[]float64](p, `(() => { const e = document.querySelector(".wokenwords"); return [e.clientWidth, e.scrollWidth]; })()`)
			return box, box[0] > 60 && box[1] <= box[0]+1
		})
	}
	if n := counted(); n != "2" {
		t.Errorf("%s wake-ups of wget at first", n)
	}
	seen()
	arrows := func() {
		t.Helper()
		p.Await("an arrow of the selected thread", func() (any, bool) { n := flow.Count("--accent"); return n, n >= 20 })
	}
	arrows()
	was := words()
	x, y, width, height := flow.Box()
	p.Wheel(x+width/2, y+height/2, -60)
	p.Await("other rows in sight", func() (any, bool) { return words(), words() != was })
	if n := counted(); n != "2" {
		t.Errorf("%s wake-ups of wget, with other rows in sight", n)
	}
	seen()
	arrows()
}

// The button stays where it is when it is pressed, while the answer comes and when it is there; and so does what stands behind it. What
// is counted is told with the number, or not at all.
func TestWakeupsLeaveTheButton(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, width := range []int64{1920, 1600, Width, 1280, 1024} {
		p.Resize(width, Height)
		p.Open(s.page(set, "?row=2.205"))
		p.Matches(`dbwork · 205`)
		p.Says("final")
		Eval[bool](p, `(() => {
			const head = document.querySelector(".wokenwords").closest(".head");
			window.places = new Set();
			const note = () => {
				window.places.add([...head.querySelectorAll(".controls :is(button, select, label)")].map((e) => [e.innerText, Math.round(e.getBoundingClientRect().x)].join(" ")).join(", "));
				setTimeout(note, 50);
			};
			note();
			return true;
		})()`)
		for _, pressed := range []string{"true", "false"} {
			x, y, w, h := p.Find("button", "who woke whom").Box()
			p.Click(x+w/2, y+h/2)
			p.Await("the button to be switched", func() (any, bool) {
				state := p.Find("button", "who woke whom").State("pressed")
				return state, state == pressed
			})
			p.Await("a count only while there are arrows", func() (any, bool) {
				words := Eval[string](p, `document.querySelector(".wokenwords:not([hidden])")?.innerText ?? ""`)
				return words, strings.Contains(words, "of the selected") == (pressed == "true")
			})
			p.Await("a head in which nothing is cut", func() (any, bool) {
				over := Eval[float64](p, `(() => { const head = document.querySelector(".wokenwords").closest(".head"); return head.scrollWidth - head.clientWidth; })()`)
				return over, over <= 0
			})
		}
		if places := Eval[[]string](p, "[...window.places]"); len(places) != 1 {
			t.Errorf("%d pixels wide, the controls stood at\n%s", width, strings.Join(places, "\n"))
		}
	}
}

// A timer that comes while packets are received ends a sleep: it is told so by how the call ended, and no message is led to, though one
// was received at the same time.
func TestTimerIsNoPacket(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?by=web&begin=1795229352000000000&end=1795229356000000000&row=1.285&did=1795229353376609297"))
	p.Matches(`usleep · 285 client, child of .* blocked in clock_nanosleep .* Woken by a timer: the time of clock_nanosleep was over`)
	p.Press("g")
	p.Says("No thread and no message is known that this state waited for.")
	if words := p.Text(); strings.Contains(words, "Follow the message") {
		t.Errorf("a message is led to: %s", words)
	}
}

// Where no host recorded who woke whom the head says that, and not that nobody did.
func TestWakeupsThatNobodyRecorded(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.written("slow", slow)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Find("button", "who woke whom").Click()
	p.Says("no wake-ups: not recorded")
}
