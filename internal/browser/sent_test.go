package browser

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"synchroscope/sync/match"
)

// How many messages are in view is exact where bundles lie across the edges of the window, once it rests; while it moves it is said
// that it is not, and nobody is asked.
func TestMessagesInView(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	const begin, end = 1795229352_003_121_546, 1795229371_503_121_546
	messages := 0
	if _, err := set.ScanMessages(t.Context(), begin, end, set.Solution(), nil, 0, math.MaxInt, func(match.Message, int64, int64) { messages++ }); err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d", begin, end)))
	told := func() string {
		return spaces.Replace(Eval[string](p, `[...document.querySelectorAll(".pane")].find((e) => e.innerText.startsWith("Communication"))?.innerText.split("\n").find((l) => l.includes("in view")) ?? ""`))
	}
	p.Await("the exact number", func() (any, bool) {
		got := told()
		return got, strings.HasPrefix(got, grouped(messages)+" messages in view")
	})
	asked := func() int {
		return Eval[int](p, `performance.getEntriesByType("resource").filter((e) => /\/messages\?/.test(e.name)).length`)
	}
	before := asked()
	Eval[bool](p, `(() => {
		window.said = [];
		new MutationObserver(() => said.push(document.body.innerText.match(/(about )?[\d\s\u202f]+messages in view/)?.[0] ?? "")).observe(document.body, { childList: true, characterData: true, subtree: true });
		return true;
	})()`)
	p.Hold("d", "a number that is about so", func() (any, bool) {
		got := Eval[[]string](p, "said.slice(-3)")
		return got, strings.Contains(strings.Join(got, "|"), "about ")
	})
	if n := asked() - before; n > 1 {
		t.Errorf("%d questions were asked while the window moved", n)
	}
	p.Await("an exact number at rest", func() (any, bool) {
		got := told()
		return got, got != "" && !strings.Contains(got, "about")
	})
	if n := asked() - before; n < 1 || n > 2 {
		t.Errorf("%d questions were asked for one window at rest", n)
	}
}

// How many messages of which an end is in view were received before they were sent is exact as well where bundles cross an edge of
// the window, by the hosts' own clocks, which differ by seconds and an hour.
func TestBackwardInView(t *testing.T) {
	s, set := demoSite(t)
	for _, window := range [][2]int64{{-600e9, 15e9}, {10e9, 30e9}} {
		p := NewPage(t)
		status := set.Status()
		var origin int64
		if _, err := fmt.Sscan(status.Begin, &origin); err != nil {
			t.Fatal(err)
		}
		begin, end := origin+window[0], origin+window[1]
		backward := 0
		err := set.EachMessage(t.Context(), math.MinInt64/2, math.MaxInt64/2, nil, func(_ *match.Message, sent, received int64) bool {
			inside := func(at int64) bool { return begin <= at && at < end }
			if received < sent && (inside(sent) || inside(received)) {
				backward++
			}
			return true
		})
		if err != nil || backward == 0 {
			t.Fatalf("%d messages were received before they were sent, %v", backward, err)
		}
		p.Open(s.page(set, fmt.Sprintf("?time=raw&begin=%d&end=%d", begin, end)))
		p.Matches(fmt.Sprintf(`messages in view ⚠ %s received before sent`, grouped(backward)))
	}
}

// A message that is on its way at an edge of the window is drawn, and so it is counted.
func TestMessagesOnTheirWay(t *testing.T) {
	s, set := demoSite(t)
	const begin, end = 1795229355_008_549_990, 1795229355_009_135_680
	sent, all := 0, 0
	_, err := set.ScanMessages(t.Context(), begin, end, set.Solution(), nil, 0, math.MaxInt, func(_ match.Message, at, _ int64) {
		if all++; begin <= at && at < end {
			sent++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if all <= sent {
		t.Fatalf("%d messages touch the window, and %d were sent in it", all, sent)
	}
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d", begin, end)))
	p.Matches(fmt.Sprintf(`Communication %d messages in view none received before sent`, all))
}

// Few messages are drawn one by one by the hosts' own clocks as well, late in a recording, where thousands seem to be on their way that have no end in view.
func TestFewMessagesInRawTime(t *testing.T) {
	s, set := demoSite(t)
	const begin, end = 1795229368_065_440_692, 1795229368_365_440_692
	few := 0
	if _, err := set.ScanMessages(t.Context(), begin, end, nil, nil, 0, math.MaxInt, func(match.Message, int64, int64) { few++ }); err != nil || few == 0 {
		t.Fatalf("%d messages, %v", few, err)
	}
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?time=raw&begin=%d&end=%d", begin, end)))
	p.watch()
	p.Matches(fmt.Sprintf(`Communication %d messages in view`, few))
	p.sharp()
	if words := p.Text(); strings.Contains(words, "bundles of") {
		t.Errorf("%d messages are drawn as bundles: %s", few, words)
	}
}

// Between the sending of a message and its arrival nothing else need happen: it is on its way all the while, and so it is drawn and counted.
func TestMessageThatPasses(t *testing.T) {
	s, set := demoSite(t)
	var slowest, begin int64
	each := func(f func(sent, received int64)) {
		err := set.EachMessage(t.Context(), math.MinInt64/2, math.MaxInt64/2, set.Solution(), func(_ *match.Message, sent, received int64) bool {
			f(sent, received)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	each(func(sent, received int64) {
		if received-sent > slowest {
			slowest, begin = received-sent, sent+(received-sent)/3
		}
	})
	end := begin + slowest/1000
	passing, ends := 0, 0
	each(func(sent, received int64) {
		inside := func(at int64) bool { return begin <= at && at < end }
		switch {
		case inside(sent) || inside(received):
			ends++
		case sent < begin && received >= end:
			passing++
		}
	})
	if passing == 0 || ends != 0 {
		t.Fatalf("%d messages pass, %d begin or end there", passing, ends)
	}
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d", begin, end)))
	p.Matches(fmt.Sprintf(`Communication %d messages? in view none received before sent`, passing))
	talk := p.Canvas("Communication")
	_, _, width, _ := talk.Box()
	drawn := talk.Listen()
	p.Press("C") // draws anew
	p.Await("lines across all of the window", func() (any, bool) {
		lines, _ := drawn()
		return lines, slices.ContainsFunc(lines, func(l Line) bool { return l.Y0 != l.Y1 && min(l.X0, l.X1) <= 0 && max(l.X0, l.X1) >= width })
	})
}
