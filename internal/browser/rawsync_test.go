package browser

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"synchroscope/ingest"
	"synchroscope/sync/network"
)

// Raw time draws the two clocks of a link as they were recorded, one gaining on the other, and synchronized time what remains of that; nothing else of what is
// told of the clocks is another, and that is said where they are.
func TestRawTimeOfALink(t *testing.T) {
	const words = "Raw time is on: the plot of a link shows its two clocks as they were recorded; all else is told here as it is known."
	const shown = "by how much web's clock is ahead of client's by each message, both as they were recorded; 0 stands for +7.002"
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&link=client~web"))
	p.Says("In force: the default")
	plot := p.Canvas("The constraint points of the chosen link")
	// How far the clock in force, the only thing that is black, rises from left to right, as a share of the plot.
	rises := func() float64 {
		return must[float64](plot.Element, pixels(`
			const [[r, g, b], d] = [color("--ink"), read(0, this.clientHeight)];
			const level = (from, to) => {
				let [n, sum] = [0, 0];
				for (let y = 0; y < this.height; y++) for (let x = Math.floor(from * this.width); x < to * this.width; x++) {
					const i = 4 * (y * this.width + x);
					if (d[i] === r && d[i + 1] === g && d[i + 2] === b) [n, sum] = [n + 1, sum + y];
				}
				return n ? sum / n / this.height : 0;
			};
			const [left, right] = [level(0.2, 0.25), level(0.9, 0.95)];
			return left && right ? left - right : -1;`))
	}
	synchronized := func() {
		t.Helper()
		p.Await("a level clock in force", func() (any, bool) { r := rises(); return r, r > -0.05 && r < 0.05 })
		if strings.Contains(p.Text(), words) || strings.Contains(p.Text(), shown) {
			t.Error("raw time is told of while it is not on")
		}
	}
	synchronized()
	p.Find("radio", "Raw").Click()
	p.Says(words)
	p.Says(shown)
	p.Await("a clock in force that rises", func() (any, bool) { r := rises(); return r, r > 0.4 })
	p.Find("radio", "Synchronized").Click()
	p.Await("nothing more said of raw time", func() (any, bool) { return nil, !strings.Contains(p.Text(), words) })
	synchronized()
}

// A window in which nothing is recorded, with nothing selected, lies as far from the recording next to it by either time: the numbers of one time
// can be hours beside the set by the other.
func TestRawTimeBesideRecordings(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	local := c.beginOf("cache") // an hour ahead
	const early, span = int64(20e9), int64(2e9)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?time=raw&begin=%d&end=%d", local-early, local-early+span)))
	p.Find("radio", "Synchronized").Click()
	want := c.at("cache", local) - early
	p.Await("a window as long before cache's recording by synchronized time", func() (any, bool) {
		off := p.begin() - want
		return time.Duration(off), max(off, -off) < 1e8 && !strings.Contains(p.Address(), "time=raw")
	})
	p.Find("radio", "Raw").Click()
	p.Await("the window of before", func() (any, bool) {
		at := p.begin()
		return at, at == local-early && strings.Contains(p.Address(), "time=raw")
	})
}

// A selected row of a host that recorded nothing in the window, an hour beside it, leads nowhere: the window goes with who recorded there.
func TestRawTimeWithARowElsewhere(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	local := c.beginOf("cache")
	const span = int64(2e9)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?time=raw&row=1.165&begin=%d&end=%d", local, local+span)))
	p.Find("radio", "Synchronized").Click()
	want := c.at("cache", local)
	p.Await("what cache did", func() (any, bool) {
		off := p.begin() - want
		return time.Duration(off), max(off, -off) < 1e8 && !strings.Contains(p.Address(), "time=raw")
	})
}

// A step back over the change to another time, to where nothing is recorded, leads as far from the recording next to it.
func TestBackOverRawTimeBesideRecordings(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	local := c.beginOf("cache")
	const early, span = int64(20e9), int64(2e9)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?time=raw&begin=%d&end=%d", local-early, local-early+span)))
	p.Says("cache")
	p.Press("ArrowRight")
	p.Await("the window moved on", func() (any, bool) { at := p.begin(); return at, at > local-early && at < local })
	p.Find("radio", "Synchronized").Click()
	p.Await("synchronized time", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "time=raw") })
	p.Press("Backspace")
	want := c.at("cache", local) - early
	p.Await("the window of before by synchronized time", func() (any, bool) {
		off := p.begin() - want
		return time.Duration(off), max(off, -off) < 1e8
	})
}

// While a clock that was set back catches up with itself, one time of it is that of many instants: there as well the way back and a selection are
// where they were, once times are synchronized again, after a reload too, and when the set was synchronized anew meanwhile.
func TestBackWhereAClockWasSetBack(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("back", fmt.Sprintf(pair, "  step at=20s by=-6s"))
	const begin, there, selected = int64(1767225622000000000), int64(1767225622050000000), "selection=1767225622100000000%7E1767225622200000000"
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d&row=1.-1&%s", begin, begin+5e8, selected)))
	at := func(what string, want int64) {
		t.Helper()
		p.Await(what, func() (any, bool) { return p.Address(), p.begin() == want && strings.Contains(p.Address(), selected) })
	}
	turn := func(raw bool) {
		t.Helper()
		p.Press("r")
		p.Await("the other time", func() (any, bool) { at := p.Address(); return at, strings.Contains(at, "time=raw") == raw })
	}
	forward := func() { p.strike("Backspace", 8) }
	p.Press("ArrowRight")
	at("the window moved on", there)
	turn(true)
	turn(false)
	at("the other time and back", there)
	p.Press("Backspace")
	at("a step back", begin)
	forward()
	at("and forward", there)
	turn(true)
	p.Press("Backspace")
	turn(false)
	at("a step back in the other time", begin)
	forward()
	at("and forward from there", there)
	before := set.Solution().Version
	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "left"}); err != nil {
		t.Fatal(err)
	}
	p.Says(fmt.Sprintf("clock map %d", before+1))
	at("synchronized anew", there)
	p.Press("Backspace")
	at("a step back after that", begin)
	forward()
	at("and forward after that", there)
	turn(true)
	p.Reload()
	p.Says("final")
	turn(false)
	at("the other time and back over a reload", there)
	p.Press("Backspace")
	at("a step back after a reload", begin)
}

// A message over the edge of the window is in sight by one time alone: who comes back is where they were all the same, and goes the same way again.
func TestRawTimeAndBackWithAMessage(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355704277177&end=1795229375704277177&row=1.165&message=3~1795229355704020639~1~1795229348703412907"))
	p.Says("web → client")
	synchronized, raw := p.begin(), int64(0)
	for i := range 4 {
		p.Press("r")
		p.Await("the window by the other time", func() (any, bool) {
			at := p.begin()
			if i == 0 && at != synchronized {
				raw = at
			}
			want := []int64{raw, synchronized}[i%2]
			return at, at != 0 && at == want && strings.Contains(p.Address(), "time=raw") == (i%2 == 0)
		})
	}
	if off := time.Duration(raw - synchronized).Abs(); off < time.Second {
		t.Errorf("both times show the same window: %v", off)
	}

	// By another reference the times of before have other names: cache's clock is an hour ahead.
	p.Press("r")
	p.Await("raw time", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "time=raw") && p.begin() == raw })
	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "cache"}); err != nil {
		t.Fatal(err)
	}
	p.Says("cache is the reference now")
	p.Press("r")
	p.Await("the window by the clock of cache", func() (any, bool) {
		at := time.Duration(p.begin() - synchronized)
		return at, !strings.Contains(p.Address(), "time=raw") && at > 59*time.Minute && at < 61*time.Minute
	})
}

// Raw time that a page begins in is found again from synchronized time, whatever comes between as long as nothing is moved or chosen: other clock maps, a
// reload, another tab and the way back from there, fractions of a ns after a zoom.
func TestRawTimeIsFoundAgain(t *testing.T) {
	s, set := demoSite(t)
	const raw = int64(1795232972200376058) // of cache, whose clock is an hour ahead
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?time=raw&begin=%d&end=%d", raw, raw+2e9)))
	p.Says("final")
	at := int64(0)
	turn := func(to bool, want int64) {
		t.Helper()
		p.Press("r")
		p.Await(fmt.Sprint("the other time, at ", want), func() (any, bool) {
			return p.Address(), strings.Contains(p.Address(), "time=raw") == to && (want == 0 || p.begin() == want)
		})
		at = p.begin()
	}
	turn(false, 0)
	synchronized := at
	if _, err := set.Synchronize(t.Context(), network.Options{}); err != nil {
		t.Fatal(err)
	}
	p.Says(fmt.Sprintf("clock map %d", set.Solution().Version))
	turn(true, raw)
	turn(false, synchronized)
	p.Reload()
	p.Says("final")
	turn(true, raw)
	turn(false, synchronized)
	p.Press("3")
	p.Await("events", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "tab=events") })
	Eval[bool](p, "(history.back(), true)")
	p.opened("Timeline", nil, []string{"tab=events"})
	turn(true, raw)
	turn(false, synchronized)
	p.Press("0")
	p.opened("Timeline", []string{"window=all"}, nil)
	for _, to := range []bool{true, false} {
		turn(to, 0)
	}
	Eval[bool](p, "(history.back(), true)")
	p.Await("the window of before", func() (any, bool) { return p.Address(), p.begin() == synchronized })
	turn(true, raw)
	p.Press("+")
	p.AwaitRest("a narrower window", func() (string, bool) { at = p.begin(); return fmt.Sprint(at), at > raw })
	zoomed := at
	turn(false, 0)
	p.Reload()
	p.Says("final")
	turn(true, zoomed)
}

// After a step back the other kind of time goes along with the host that is selected by then; and who went to raw time and back after other clock maps came is where
// the window was by those.
func TestOtherTimeGoesWithWhatIsChosenNow(t *testing.T) {
	s, set := demoSite(t)
	const begin = int64(1795229379203116349)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?by=web&begin=%d&end=%d&row=1.-1", begin, begin+2e9)))
	p.Says("final")
	turn := func(to bool) int64 {
		t.Helper()
		p.Press("r")
		p.Await("the other time", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "time=raw") == to })
		return p.begin()
	}
	raw := turn(true)
	p.Press("0")
	p.opened("Timeline", []string{"window=all"}, nil)
	other := Eval[string](p, `(() => {
		const row = [...document.querySelectorAll(".row.host")].find((r) => r.querySelector(".name").textContent === "cache");
		row.querySelector(".name").click();
		return row.textContent;
	})()`)
	p.Await("cache selected, "+other, func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "row=1.-1") })
	p.Press("Backspace")
	p.Await("the window by raw time", func() (any, bool) { return p.Address(), p.begin() == raw })
	synchronized := turn(false)
	if synchronized == begin {
		t.Errorf("though another host is selected the window is at %d, that of the host before", synchronized)
	}
	if there, again := turn(true), turn(false); there != raw || again != synchronized {
		t.Errorf("from there raw time and back lead to %d and %d, not to %d and %d", there, again, raw, synchronized)
	}
	p.Open(s.page(set, fmt.Sprintf("?by=web&begin=%d&end=%d", begin, begin+2e9)))
	p.Says("final")
	turn(true)
	turn(false)
	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "web", Exclude: [][2]string{{"web", "cache"}}}); err != nil {
		t.Fatal(err)
	}
	p.Says(fmt.Sprintf("clock map %d", set.Solution().Version))
	turn(true)
	if at := turn(false); at != begin {
		t.Errorf("by other clock maps raw time and back lead from %d to %d", begin, at)
	}
}

// Raw time and back lead to where the list of events began, over a reload too, though by raw time another event is on top.
func TestListOfEventsOverRawTime(t *testing.T) {
	s, set := demoSite(t)
	const at = int64(1795229359203116349)
	p := NewPage(t)
	listed := func() string {
		address, _ := url.Parse(p.Address())
		return address.Query().Get("at")
	}
	turn := func(raw bool) string {
		t.Helper()
		before := listed()
		p.Press("r")
		p.AwaitRest("the list by the other time", func() (string, bool) {
			now := p.Address()
			return now, strings.Contains(now, "time=raw") == raw && listed() != before
		})
		return listed()
	}
	for filter, words := range map[string]string{
		"": "sched_switch", "&event=sched_process_exit&host=db": "sched_process_exit", "&where=" + url.QueryEscape("tid == 205 || thread == 205"): "is wanted by this filter",
	} {
		p.Open(s.page(set, fmt.Sprintf("?tab=events&by=web&begin=%d&end=%d&at=%d%s", at, at+2e9, at, filter)))
		p.Says("final")
		p.Says(words)
		for _, reload := range []bool{false, true} {
			turn(true)
			if reload {
				p.Reload()
				p.Says("final")
				p.AwaitRest("events", func() (string, bool) {
					n := Eval[int](p, `[...document.querySelectorAll("[role=grid] [role=row]")].filter((e) => e.checkVisibility()).length`)
					return fmt.Sprint(n), n > 2
				})
			}
			// The old list stays until the new one is there, and says nothing of where one is.
			if reload {
				Eval[bool](p, `(() => {
					const ask = window.fetch;
					window.answers = 0;
					window.fetch = async (...of) => {
						await new Promise((go) => setTimeout(go, 700));
						const answer = await ask(...of);
						if (String(of[0]).includes("/events?")) window.answers++;
						return answer;
					};
					return true;
				})()`)
			}
			now := turn(false)
			if reload {
				p.Await("the slow answer", func() (any, bool) { n := Eval[int](p, "window.answers"); return n, n > 0 })
				p.AwaitRest("where the list begins", func() (string, bool) { return listed(), true })
				now = listed()
			}
			if now != fmt.Sprint(at) {
				t.Errorf("%s: raw time and back, loaded again %v, lead from %d to %s", filter, reload, at, now)
			}
		}
	}
}

// The browser goes back to an address by another reference than that of now: window and selection lie where they lay, and the state that was looked at, of which the address
// says nothing, is still looked at.
func TestBackOverAnotherReference(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	const begin = int64(1795229379203116349)
	const looked, selected = begin - 20e9, begin - 15e9
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?tab=state&by=web&begin=%d&end=%d&selection=%d~%d&state=%d&of=cache&open=Threads", begin, begin+2e9, selected, selected+int64(1e6), looked)))
	p.Says("final")
	p.Says("Threads")
	local := c.hosts["cache"].Map.Local(looked)
	p.Press("1")
	p.opened("Timeline", []string{"begin="}, []string{"tab="})
	p.Press("2")
	p.Await("the tab of clocks", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "tab=sync") })
	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "cache"}); err != nil {
		t.Fatal(err)
	}
	p.Await("times by cache", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "by=cache") })
	sync := p.Address()
	Eval[bool](p, "(history.back(), true)")
	p.opened("Timeline", []string{"begin=", "by=cache"}, []string{"tab="})
	// The address is of web's clock; as the reference became another, the selection went by who recorded there, which is another way.
	for name, apart := range map[string]int64{"begin": 1, "selection": 100} {
		if got, want := numberIn(p.Address(), name), numberIn(sync, name); got-want > apart || want-got > apart {
			t.Errorf("%s is at %d, and was by cache at %d", name, got, want)
		}
	}
	p.Press("6")
	p.Await("the state of cache", func() (any, bool) {
		at := p.Address()
		return at, strings.Contains(at, "of=cache") && strings.Contains(at, "open=Threads")
	})
	if got := numberIn(p.Address(), "state"); got-local > 1 || local-got > 1 {
		t.Errorf("the state is that at %d, and was at %d by cache", got, local)
	}
}

// numberIn is the number that a parameter of an address begins with.
func numberIn(address, name string) int64 {
	m := regexp.MustCompile(`[?&]` + name + `=(-?\d+)`).FindStringSubmatch(address)
	if m == nil {
		return -1
	}
	n, _ := strconv.ParseInt(m[1], 10, 64)
	return n
}
