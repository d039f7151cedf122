package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"synchroscope/ingest"
)

// apartInTime is two machines whose clocks are farther apart than either recorded, so that by raw times nothing of one is where the other is.
const apartInTime = `
scenario apart "Clocks that are a minute apart"
duration 4s
host near
  clock rate=30
host far
  clock offset=60s rate=-20
switch rack
link {near,far} rack propagation=20us rate=1Gbps jitter=5us
workload load hosts=near,far share=0.3
workload pingpong from=near to=far period=5ms
workload pingpong from=far to=near protocol=udp period=10ms
`

// What stands beside a host is told of the window in sight by the times that are drawn: of one that recorded nothing there no use is told, and of the reference
// it is said as of any other, beside that it is the reference.
func TestBesideWhatIsNotRecorded(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("apart", apartInTime)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	beside := func(section, host, want string, has bool) {
		t.Helper()
		p.AwaitRest(fmt.Sprintf("%q beside %s of %s: %v", want, host, section, has), func() (string, bool) {
			words := strings.Join(strings.Fields(spaces.Replace(p.hostRow(section, host).Text())), " ")
			return words, strings.Contains(words, want) == has
		})
	}
	other := map[string]string{"near": "far", "far": "near"}
	reference := ""
	for name := range other {
		beside("Resources", name, "used", true)
		if strings.Contains(p.hostRow("Control flow", name).Text(), "reference") {
			reference = name
		}
	}
	c := clocksOf(t, set)
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d", c.begin+1e9, c.begin+2e9)))
	for name := range other {
		beside("Resources", name, "used", true)
	}
	beside("Control flow", reference, "not recorded here", false)

	// By raw times the window is where the reference recorded.
	p.Press("r")
	beside("Resources", other[reference], "used", false)
	beside("Resources", reference, "used", true)

	// Where the other one recorded there is nothing of the reference.
	begin := c.beginOf(other[reference])
	p.Open(s.page(set, fmt.Sprintf("?time=raw&begin=%d&end=%d", begin+1e9, begin+2e9)))
	beside("Control flow", reference, "reference, not recorded here", true)
	beside("Resources", reference, "used", false)
	beside("Resources", other[reference], "used", true)
}

// Where only another host than the reference recorded, State opens with that host, and so does the key that shows the state.
func TestStateOfWhoRecorded(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("apart", apartInTime)
	c := clocksOf(t, set)
	p := NewPage(t)
	for _, host := range []string{"near", "far"} {
		begin := c.beginOf(host)
		window := fmt.Sprintf("?time=raw&begin=%d&end=%d", begin+1e9, begin+2e9)
		shown := func() {
			t.Helper()
			p.attribute("Threads")
			if got := Eval[string](p, `document.querySelector("#state-host").value`); got != host {
				t.Errorf("it is the state of %s, and only %s recorded there", got, host)
			}
		}
		p.Open(s.page(set, window+"&tab=state"))
		shown()
		p.Open(s.page(set, window))
		p.hostRow("Control flow", host)
		p.Press("v")
		shown()
		// A selection is of no host, and what the pointer is on is of one.
		selected := window + fmt.Sprintf("&selection=%d~%d", begin+12e8, begin+13e8)
		p.Open(s.page(set, selected+"&tab=state"))
		shown()
		p.Open(s.page(set, selected))
		x, y, w, h := p.hostRow("Control flow", host).Box()
		p.Point(x+w+300, y+h/2)
		p.Press("v")
		shown()
	}
}

// A cursor beside the whole set is not drawn on the strip over it, where it would make the page as broad as it is far away.
func TestCursorBesideTheSet(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741"))
	p.threadRow("dbwork, thread 205")
	c := p.Canvas("Control flow")
	x, y, width, height := c.Box()
	p.Point(x+width/2, y+height/2)
	drawn := func(want bool) {
		t.Helper()
		p.Await(fmt.Sprintf("a cursor on the strip: %v", want), func() (any, bool) {
			got := Eval[bool](p, `!document.querySelector(".strip .cursor").hidden`)
			return got, got == want
		})
		if over := Eval[float64](p, `(() => { const e = document.querySelector("#timeline"); return e.scrollWidth - e.clientWidth; })()`); over != 0 {
			t.Errorf("the page is %v px wider than its window", over)
		}
	}
	drawn(true)
	p.Open(s.page(set, "?begin=1795329355186453488&end=1795329355756538741"))
	p.Find("treegrid", "Control flow: rows")
	p.Point(x+width/2+3, y+height/2)
	p.Await("a cursor over the rows", func() (any, bool) {
		return p.Text(), Eval[bool](p, `!document.querySelector(".overlay .cursor").hidden`)
	})
	drawn(false)
}

// A label of the axis that the flag of the cursor lies on gives way, and is there again as the cursor is elsewhere.
func TestLabelsUnderTheFlag(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&selection=1795229355300000000~1795229355600000000"))
	_, y, _, height := p.Canvas("Control flow").Box()
	axis := p.Canvas("Time axis")
	x, _, width, _ := axis.Box()
	words := axis.Listen()
	under := func() (hidden []string, all int) {
		box := Eval[[]float64](p, `(() => { const f = document.querySelector(".flagged"), a = document.querySelector(".axis").getBoundingClientRect(), b = f.getBoundingClientRect(); return f.hidden ? [0, 0, 0, 0] : [b.left - a.left, b.right - a.left, b.top - a.top, b.bottom - a.top]; })()`)
		_, said := words()
		for _, w := range said {
			if w.X < box[1] && box[0] < w.X+6*float64(len([]rune(w.Words))) && w.Y-8 < box[3] && box[2] < w.Y {
				hidden = append(hidden, w.Words)
			}
		}
		return hidden, len(said)
	}
	p.Point(x+2, y+height/2)
	p.frame()
	p.Resize(1281, 720)
	most := 0
	for _, share := range []float64{0.02, 0.2, 0.45, 0.7, 0.95} {
		p.Point(x+width*share, y+height/2)
		p.Await(fmt.Sprintf("no label under the flag at %v", share), func() (any, bool) {
			hidden, n := under()
			most = max(most, n)
			return fmt.Sprint(hidden, n), len(hidden) == 0 && n > 0
		})
	}
	p.Point(x+width/2, 5)
	p.Await("all labels again", func() (any, bool) { _, n := under(); return n, n > most })
}

// What chooses which rows are listed is in sight whole also where the page is narrow.
func TestRowControlsInANarrowPage(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, width := range []int64{720, 600, 500} {
		p.Resize(width, 800)
		p.Open(s.page(set, ""))
		p.Find("checkbox", "only rows that run")
		p.Await(fmt.Sprintf("the controls of rows in sight at %d px", width), func() (any, bool) {
			over := Eval[float64](p, `(() => { const e = document.querySelector(".pane .head .check"), h = e.closest(".head"); return e.getBoundingClientRect().right - h.getBoundingClientRect().right; })()`)
			return over, over <= 0
		})
	}
}

// A time by the clock of a host that is not the reference is gone to by its name and its time, and the palette says by whose clock it is.
func TestTimeByAHostsClock(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741"))
	p.threadRow("dbwork, thread 205")
	local := c.beginOf("db") + 12_345_678_901
	want := c.at("db", local)
	p.palette("db "+time.Unix(0, local).UTC().Format("15:04:05.000000000"), "Go to "+spaces.Replace(told(want-c.begin)))
	if words := spaces.Replace(p.Find("dialog", "Commands").Text()); !strings.Contains(words, "UTC by the clock of db)") {
		t.Errorf("it is not said by whose clock it is: %s", words)
	}
	p.strike("Enter", 0)
	p.Await("the time in the middle", func() (any, bool) {
		b, e, ok := view(t, p)
		middle := b + (e-b)/2
		return []int64{b, e, want}, ok && middle-want < 2 && want-middle < 2
	})
}
