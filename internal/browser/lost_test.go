package browser

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// The tracer of overflow is slow, so the set has losses; it and the others are known to bounds that are long to say.
const overflowing = `
scenario overflowing "A tracer that loses events"
duration 8s
host overflow cpus=2
  clock offset=3s rate=51 uptime=4h
  tracing subbuffer=16KiB subbuffers=4 rate=600kB wake=20ms
host sound cpus=2
  clock rate=-3 uptime=2d
switch rack
link {overflow,sound} rack propagation=8us rate=1Gbps queue=512KiB jitter=3us
workload storm hosts=overflow call=2us between=50us burst=200ms pause=500ms
workload pingpong from={overflow,sound} to={sound,overflow} period=200ms
`

// How many events were lost can be read and pressed in windows of all sizes, beside how well clocks are known, which
// is cut short only where both lines are all there is room for.
func TestLostInSight(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("overflowing", overflowing)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	for _, size := range [][2]int64{{1440, 900}, {1280, 720}, {1000, 560}} {
		p.Resize(size[0], size[1])
		p.Matches(`\d lost`)
		p.Await("all of the losses in sight", func() (any, bool) {
			saw := Eval[[]string](p, `(() => {
				const facts = document.querySelector(".overview .facts");
				const button = [...facts.querySelectorAll("button")].find((b) => b.textContent.includes("lost"));
				const b = button.getBoundingClientRect();
				const hit = [b.left + 2, b.right - 2].every((x) => document.elementFromPoint(x, b.top + b.height / 2) === button);
				return [hit ? "whole" : "cut", ...[...facts.querySelectorAll(".t")].map((e) => e.scrollWidth > e.clientWidth ? "cut" : "whole"), facts.innerText];
			})()`)
			return saw, saw[0] == "whole" && saw[1] == "whole" && (size[1] < 620 || saw[2] == "whole")
		})
	}
	// Where names of rows have little room, what the figures are of is said in a word that is whole.
	p.Open(s.page(set, "?sizes=tree190"))
	p.Matches(`\d lost`)
	p.Await("a title that is whole", func() (any, bool) {
		saw := Eval[[]any](p, `((b) => [b.innerText, b.scrollWidth <= b.clientWidth])(document.querySelector(".overview .facts > b"))`)
		return saw, saw[1] == true
	})
	p.Open(s.page(set, ""))
	p.Matches(`\d lost`)
	p.Resize(1440, 900)
	p.Find("button", Eval[string](p, `document.querySelector(".overview .facts button").textContent`)).Click()
	p.Matches(`events lost The tracer wrote faster .* On overflow [\d ]+, \d+ % of all CPU \d: [\d ]+(, CPU \d: [\d ]+)? When`)

	// The figures of Statistics say what they lack.
	p.Find("tab", "Statistics").Click()
	p.Matches(`Events were lost on overflow \([\d ]+\): what happened meanwhile is not in these figures\.`)
	p.Find("tab", "Timeline").Click()

	// On the strip red caps stand over these stretches, and over nothing else.
	type stretch struct{ from, to float64 }
	var begin, end int64
	if _, err := fmt.Sscan(set.Status().Begin+" "+set.Status().End, &begin, &end); err != nil {
		t.Fatal(err)
	}
	overflow := slices.IndexFunc(set.Hosts(), func(h *ingest.Host) bool { return h.Name() == "overflow" })
	losses, err := set.Hosts()[overflow].EachLoss(t.Context(), ingest.LossQuery{Begin: math.MinInt64, End: math.MaxInt64}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var told []stretch
	at := func(local int64) float64 {
		return float64(set.Solution().Hosts[overflow].Map.Reference(local)-begin) / 1e9
	}
	for _, l := range losses {
		told = append(told, stretch{at(l.Begin), at(l.End)})
	}
	p.Matches(fmt.Sprintf(`When %d times between %.3f`, len(told), math.Floor(told[0].from*1e3)/1e3))
	p.Await("red caps over these stretches alone", func() (any, bool) {
		// How red each pixel is, above where columns of events end, with the window over it.
		red := must[[]float64](p.Canvas("Events over the whole set").Element, pixels(`
			const d = read(7, 8), [warn, panel] = [color("--warn"), color("--panel")];
			return Array.from({length: this.width}, (_, x) => share(d, 4 * x, through("--brush", warn), through("--brush", panel)));`))
		const near = 3 // pixels from one column to the next
		wrong := 0
		for x := range red {
			at := func(seconds float64) float64 { return seconds * 1e9 / float64(end-begin) * float64(len(red)) }
			inside, outside := false, true
			for _, s := range told {
				inside = inside || at(s.from)+near < float64(x) && float64(x) < at(s.to)-near
				outside = outside && (float64(x) < at(s.from)-near || at(s.to)+near < float64(x))
			}
			full := max(red[max(0, x-1)], red[x], red[min(len(red)-1, x+1)])
			if inside && full < 0.9 || outside && red[x] > 0.1 {
				wrong++
			}
		}
		return fmt.Sprintf("%d pixels of %d are not as events were lost in %v", wrong, len(red), told), len(red) > 100 && wrong == 0
	})
}

// gaps is a trace of which packets are missing, by their numbers, without that its tracer counted an event that is lost.
const gaps = `
ctf 1.8 le
env hostname="holes"
env domain="kernel"
clock monotonic freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(monotonic); timestamp_end u64:clock(monotonic); content_size u64; packet_size u64; packet_seq_num u64; events_discarded u64; cpu_id u32}
event-header {id u16; timestamp u64:clock(monotonic)}
event 0 e
file channel0_0
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
packet begin=2.000000000 end=4.000000000 seq=22 discarded=0 cpu=0
3.500000000 e
`

// discarding is a trace of user space of which a CPU lost events, in a packet that begins before the one ahead of it ends.
const discarding = `
ctf 1.8 le
env hostname="shop"
env domain="ust"
clock monotonic freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(monotonic); timestamp_end u64:clock(monotonic); content_size u64; packet_size u64; events_discarded u64; cpu_id u32}
event-header {id u16; timestamp u64:clock(monotonic)}
event 0 app:step
  fields {n u32}
event 1 app:rare
file channel0_2
packet begin=1.000000000 end=2.000000000 discarded=0 cpu=2
1.000000000 app:rare
1.900000000 app:step n=1086
packet begin=2.000000000 end=2.700000000 discarded=488 cpu=2
2.100000000 app:step n=1087
packet begin=2.600000000 end=4.000000000 discarded=495 cpu=2
2.600000000 app:step n=1576
packet begin=4.000000000 end=5.500000000 discarded=495 cpu=2
5.000000000 app:rare
`

// Events that were lost are a line of their own between those that are there, for eyes, keys and ears, also where a filter leaves out its neighbours; from it a way leads to the
// timeline, where a box in the row of the host shows from when to when, and from the report and the inspector ways lead to it.
func TestLostBetweenEvents(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.written("discarding", discarding)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events"))
	p.Says("final")
	const first, second = "⚠ 488 events lost on CPU 2 about here, between 1.000 000 000 s and 1.700 000 000 s", "⚠ 7 events lost on CPU 2 about here, between 1.700 000 000 s and 3.000 000 000 s"
	lines := func(want ...string) {
		t.Helper()
		p.Await("the lines "+strings.Join(want, ", "), func() (any, bool) {
			var got []string
			for _, cells := range p.listed() {
				got = append(got, spaces.Replace(cells[len(cells)-1]))
			}
			return got, slices.Equal(got, want)
		})
	}
	lines("", "n=1086", "n=1087", first, "n=1576", second, "")
	if cells := p.listed()[4]; spaces.Replace(cells[1]) != "500.000 000 ms" {
		t.Errorf("since the event above %q, it was 500 ms", cells[1])
	}
	chosen := func(want string) {
		t.Helper()
		p.Await("the line that is told of, in the table with the keys: "+want, func() (any, bool) {
			got := spaces.Replace(Eval[string](p, `document.getElementById(document.querySelector("#events .grid:focus")?.getAttribute("aria-activedescendant"))?.innerText ?? ""`))
			return got, strings.Contains(got, want)
		})
	}
	Eval[bool](p, `document.querySelector("#events .grid").focus() ?? true`)
	p.Await("where the rows begin in the address", func() (any, bool) { at := p.Address(); return at, strings.Contains(at, "at=") })
	left, n := p.Address(), Eval[int](p, "history.length")
	p.Press("l")
	chosen(first)
	p.entries(n + 1)
	p.goes("-1")
	p.Await("what was left for the loss", func() (any, bool) { at := p.Address(); return at, at == left })
	lines("", "n=1086", "n=1087", first, "n=1576", second, "")
	Eval[bool](p, `document.querySelector("#events .grid").focus() ?? true`)
	p.Press("l")
	chosen(first)
	p.Matches(`488 events lost on CPU 2 between 1\.000 000 000 s and 1\.700 000 000 s .*Host shop From, at the earliest 1\.000 000 000 s To, at the latest 1\.700 000 000 s In 700\.000 000 ms`)
	p.Press("l")
	chosen(second)
	p.Find("button", "Previous loss").Click()
	chosen(first)
	p.Press("ArrowDown")
	chosen("n=1576")
	p.Press("ArrowUp")
	chosen(first)

	// In a narrow window its words end where the table does, wherever that is scrolled to.
	p.Resize(520, Height)
	for _, left := range []string{"0", "1e6"} {
		p.Await("its words within the table", func() (any, bool) {
			out := Eval[[]float64](p, `(() => {
				const grid = document.querySelector("#events .grid"), box = grid.getBoundingClientRect();
				grid.scrollLeft = `+left+`;
				return [...grid.querySelectorAll(".lost .wide")].flatMap((e) => [e.getBoundingClientRect().left - box.left, box.left + grid.clientWidth - e.getBoundingClientRect().right]);
			})()`)
			return out, len(out) == 4 && slices.Min(out) >= 0
		})
	}
	p.Resize(Width, Height)

	// All that is known of it is said where the filter leaves out what is beside it.
	p.Find("textbox", "Event").Type("app:rare")
	p.Find("button", "Filter").Click()
	lines("", "⚠ 495 events lost, 2 times, on CPU 2 between 1.000 000 000 s and 3.000 000 000 s", "")
	p.Find("button", "All events").Click()
	lines("", "n=1086", "n=1087", first, "n=1576", second, "")

	// The timeline shows it, however near one looks.
	p.Find("button", "Next loss").Click()
	chosen(first)
	p.Press("Enter")
	p.Find("region", "Control flow")
	hatched := func(what string, least, most float64) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			share := must[float64](p.Canvas("Control flow").Element, pixels(`
				const d = read(0, 22), warn = color("--warn");
				let n = 0;
				for (let x = 0; x < this.width; x++) if (Array.from({length: 22}, (_, y) => y).some((y) => warn.every((v, k) => Math.abs(v - d[4 * (y * this.width + x) + k]) <= 2))) n++;
				return n / this.width;`))
			return share, least <= share && share <= most
		})
	}
	hatched("a box as wide as the window", 0.9, 1)
	p.Press("Home")
	hatched("a box where something was lost", 0.4, 0.6)
	p.Find("button", "495 lost").Click()
	p.Matches(`When 2 times between 1\.000 000 000 s and 3\.000 000 000 s 1\.000 000 000 s \+ 700 ms 488 events, CPU 2 Events`)
	p.Find("button", "Events at 1.700\u202f000\u202f000\u202fs").Click()
	chosen(second)
	p.Find("tab", "Import").Click()
	p.Find("button", "495 lost on shop: list the events there").Click()
	chosen(first)
}

// Whole packets that are lost are told wherever losses are, as such: how many events were in them nobody knows.
func TestWholePacketsLost(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.written("gaps", gaps)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Says("final")
	p.Find("button", "21\u00a0packets lost").Click()
	p.Matches(`21 packets lost Whole packets are missing .* On holes 21 whole packets, of an unknown number of events When`)
	x, y, width, height := p.Canvas("Events over the whole set").Box()
	p.Point(x+width/4-1, y+height/2) // where the one packet ends and the other begins
	p.Matches(`Lost 21 whole packets of events`)
	p.Find("button", "In which files: import report").Click()
	p.Matches(`packets 1 to 21 are missing`)
	p.Matches(`100 % 2 21 packets`)
	p.Find("tab", "Synchronization").Click()
	p.Matches(`2 21 packets`)
	p.Open(s.url + "/")
	p.Matches(`2 events · ⚠ 21 packets lost`)
}

// The strip stays to be read where most is lost, and where the window is the whole set: from the caps hangs a veil behind the columns, as far
// down as the share that was lost, with an edge of one line, and the first and the last column are in sight.
func TestStripToBeRead(t *testing.T) {
	s, demo := demoSite(t)
	text := strings.NewReplacer("packet discarded=4", "packet discarded=1", "packet discarded=9", "packet discarded=900").Replace(lossy)
	set := s.written("losses", text)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Says("900 lost")
	p.Await("an edge and no wall", func() (any, bool) {
		// How much below the caps is red.
		red := must[float64](p.Canvas("Events over the whole set").Element, pixels(`
			const d = read(8, this.clientHeight - 14), warn = through("--brush", color("--warn"));
			let n = 0;
			for (let i = 0; i < d.length; i += 4) if (warn.every((v, k) => Math.abs(v - d[i + k]) <= 2)) n++;
			return n / (d.length / 4);`))
		return red, red > 0.005 && red < 0.04
	})
	if *statesDir != "" {
		p.keep(*statesDir, "strip-lost")
	}

	p.Open(s.page(demo, "?window=all"))
	p.Says("final")
	p.Await("the first and the last column", func() (any, bool) {
		// Where in the lowest line of the columns, from either end, one begins.
		at := must[[]int](p.Canvas("Events over the whole set").Element, pixels(`
			const y = this.clientHeight - 15, d = read(y, y + 1), column = through("--brush", color("--density"));
			const is = (x) => column.every((v, k) => Math.abs(v - d[4 * x + k]) <= 2);
			const all = Array.from({length: this.width}, (_, x) => x).filter(is);
			return [all[0] ?? -1, this.width - 1 - all[all.length - 1]];`))
		return at, at[0] == 0 && at[1] >= 0 && at[1] <= 3
	})
	if *statesDir != "" {
		p.keep(*statesDir, "strip-ends")
	}
}
