package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// The page says who the reference is, how well the others are known, and who stands apart.
func TestSummary(t *testing.T) {
	c := newCluster(t, []string{"alpha", "beta", "gamma", "alone"}, [][2]int{{0, 1}, {0, 2}, {1, 2}}, 200)
	p := c.page(t)
	said := plain(strings.Join(p.Summary, "\n"))
	for _, want := range []string{
		"All times are those of " + c.Hosts[c.Reference].Name + ", the reference.",
		"The clocks of 2 other hosts are known to ±",
		"alone is not synchronized: no message relates it to the reference.",
		"at most 0.028 ppm a second",
		"No message is received before it was sent.",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in\n%s", want, said)
		}
	}
	if len(p.Plots) != 3 || len(p.Errors) != 1 || len(p.Sheets) < 2 || len(p.Classes) != 1 || p.Unshown != 0 {
		t.Errorf("%d plots, %d charts, %d tables, classes %v, %d left out", len(p.Plots), len(p.Errors), len(p.Sheets), p.Classes, p.Unshown)
	}
	for _, s := range p.Sheets {
		for _, row := range s.Rows {
			if len(row) != len(s.Heads) {
				t.Errorf("%s: a row of %d cells under %d heads", s.Title, len(row), len(s.Heads))
			}
		}
	}
}

// What was left out is said, and nothing of it as if it had been looked at: neither on the page nor in the table of messages.
func TestSummaryOfAPart(t *testing.T) {
	c := synchronizedBy(t, network.Config{
		Exclude: [][2]string{{"gamma", "beta"}}, Window: &network.Window{Begin: epoch + 2e9, End: epoch + 6e9},
	}, []string{"alpha", "beta", "gamma"}, [][2]int{{0, 1}, {1, 2}}, 200)
	p := c.page(t)
	said := plain(strings.Join(p.Summary, "\n"))
	for _, want := range []string{
		"or better at every instant of its recording, if it goes on outside of the window as within it, without being set.",
		"a second; no message of the window contradicts that. A clock that was set outside of the window is not bounded by them.",
		"Only the messages of a window count: of 4.00 s from 3.00 s after the beginning of the recording on.",
		"The link between beta and gamma was left out, as was asked for.",
		"gamma is not synchronized: no message of the window of the links that were not left out relates it to the reference.",
		"No message of the window is received before it was sent",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in\n%s", want, said)
		}
	}
	drawn := false
	for _, shape := range p.Graph.Shapes {
		drawn = drawn || strings.HasPrefix(shape.Class, "edge left ") && strings.HasSuffix(shape.Text, ", left out")
	}
	if key := (Key{"left", "left out: it counts for nothing"}); !drawn || !slices.Contains(p.Legend, key) {
		t.Errorf("the link that was left out is drawn as one: %v, of %v, with keys %v", drawn, p.Graph.Shapes, p.Legend)
	}
	for _, sheet := range p.Others {
		switch sheet.Title {
		case "How the forest grew":
			count := 0
			for _, m := range c.messages {
				if m.From != 2 && m.To != 2 && c.Hosts[m.From].Window.Has(m.Sent) && c.Hosts[m.To].Window.Has(m.Received) {
					count++
				}
			}
			if got := sheet.Rows[growthRows-1][1].Text; got != group(int64(count)) || count == 0 {
				t.Errorf("the forest grew by %s messages of the %d that count", got, count)
			}
		case "Offsets from round trips", "Drift by least squares":
			for _, row := range sheet.Rows {
				if row[0].Text != "alpha – beta" {
					t.Errorf("%s: a row of %s, which was left out", sheet.Title, row[0].Text)
				}
			}
		}
	}
	apart, related := 0, 0
	for _, table := range Tables(c.Solution, c.each) {
		if table.Name != "messages" {
			continue
		}
		if err := table.Each(func(row ...any) error {
			if known := row[4] != nil && row[5] != nil && row[6] != nil; known == (row[0] == "gamma" || row[1] == "gamma") {
				t.Fatalf("a message of hosts apart has times of one reference, or one of hosts related none: %v", row)
			} else if known {
				related++
			} else {
				apart++
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if apart == 0 || related == 0 {
		t.Errorf("%d messages apart, %d related", apart, related)
	}
	r := c.Report()
	for _, l := range r.Links {
		if q := l.Latency.AToB; l.Excluded != (q == nil) {
			t.Errorf("%s – %s: latencies %+v", l.A, l.B, q)
		}
	}
}

// A link without a message of the window is none there, and its messages are counted among all nevertheless.
func TestFiguresOfAWindow(t *testing.T) {
	c := synchronizedBy(t, network.Config{Window: &network.Window{Begin: epoch + 2e9, End: epoch + 6e9}}, []string{"alpha", "beta", "gamma"}, [][2]int{{0, 1}, {1, 2}}, 200)
	c.Links = slices.DeleteFunc(c.Links, func(k network.Link) bool { return k.B == 2 })
	for _, f := range c.page(t).Figures {
		if want := group(c.Counts.Matched); f.Name == "Messages" && f.Value != want {
			t.Errorf("%s messages of %s", f.Value, want)
		}
		if f.Name == "Links" && !strings.Contains(plain(f.Means), "exchanged messages in the window, of 3 pairs") {
			t.Errorf("links are %q", f.Means)
		}
	}
}

// The window is given by the clock of the best reference by all messages, which may be another than that of the page and an hour off. What is said of it, and which
// messages are of it, is by the hosts' own clocks.
func TestWindowByAnotherReference(t *testing.T) {
	c := synchronizedBy(t, network.Config{Window: &network.Window{Begin: epoch + 2e9, End: epoch + 6e9}}, []string{"alpha", "beta"}, [][2]int{{0, 1}}, 200)
	said := strings.Join(c.page(t).Summary, "\n")
	in := 0
	for _, m := range c.messages {
		if counting(c.Solution)(m) {
			in++
		}
	}
	const hour = 3600e9
	c.Options.Window = &network.Window{Begin: epoch + 2e9 + hour, End: epoch + 6e9 + hour}
	if again := strings.Join(c.page(t).Summary, "\n"); again != said {
		t.Errorf("it says\n%s\nnot\n%s", again, said)
	}
	for _, m := range c.messages {
		if counting(c.Solution)(m) {
			in--
		}
	}
	if in != 0 {
		t.Errorf("%d messages more or less are of the window", in)
	}
}

// Where messages outside of the window show that a clock was set, that is said, and that nothing is known there.
func TestSummaryOfAClockSetOutsideOfTheWindow(t *testing.T) {
	c := synchronizedBy(t, network.Config{Window: &network.Window{Begin: epoch + 2e9, End: epoch + 6e9}}, []string{"alpha", "beta"}, [][2]int{{0, 1}}, 200)
	const beyond = "Messages outside of the window show that a clock was set there: beyond that nothing is stated of beta."
	if said := strings.Join(c.page(t).Summary, "\n"); strings.Contains(said, "clock was set there") {
		t.Errorf("no clock was set, and it says\n%s", said)
	}
	h := &c.Hosts[1]
	if h.Reference == 1 {
		h = &c.Hosts[0]
	}
	var err error
	if h.Map, err = h.Map.WithBounds([][2]int64{{h.Begin, 1000}, {h.End - 1e9, 1000}}); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(c.page(t).Summary, "\n")
	for _, want := range []string{strings.Replace(beyond, "beta", h.Name, 1), "or better at every instant with a bound of its recording"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in\n%s", want, said)
		}
	}
}

// A clock that shows time in steps is named, with their size.
func TestSummaryOfATickingClock(t *testing.T) {
	c := newCluster(t, []string{"alpha", "beta"}, [][2]int{{0, 1}}, 200)
	if said := plain(strings.Join(c.page(t).Summary, "\n")); strings.Contains(said, "at once") {
		t.Errorf("of clocks that show every ns it says\n%s", said)
	}
	c.Hosts[1].Tick = 4_000_000
	said := plain(strings.Join(c.page(t).Summary, "\n"))
	if want := "The clock of beta advances by up to 4.00 ms at once: what it recorded happened at the time stated or up to that much later."; !strings.Contains(said, want) {
		t.Errorf("%q is not said in\n%s", want, said)
	}
	for _, table := range Tables(c.Solution, c.each) {
		if table.Name != "hosts" {
			continue
		}
		at := slices.Index(table.Columns, "tick_ns")
		if err := table.Each(func(row ...any) error {
			if want := c.Hosts[slices.Index([]string{"alpha", "beta"}, row[0].(string))].Tick; row[at] != want {
				t.Errorf("%v: tick_ns is %v, want %d", row[0], row[at], want)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// Without hosts there is no picture of them.
func TestPageWithoutHosts(t *testing.T) {
	if p := newCluster(t, nil, nil, 0).page(t); p.Graph.Height > 0 || len(p.Errors) > 0 || len(p.Plots) > 0 {
		t.Errorf("a graph of height %.0f, %d charts, %d plots", p.Graph.Height, len(p.Errors), len(p.Plots))
	}
}

// A page of many hosts and links has an end, and says what it leaves out.
func TestPageIsBounded(t *testing.T) {
	var links [][2]int
	for i := range 60 {
		for j := range i {
			links = append(links, [2]int{j, i})
		}
	}
	p := newCluster(t, names(60), links, 6).page(t)
	if len(p.Plots) != MaxPlots || p.Unshown != len(links)-MaxPlots {
		t.Errorf("%d plots, %d left out of %d", len(p.Plots), p.Unshown, len(links))
	}
	for _, s := range p.Sheets {
		if s.Title == "Links" && (len(s.Rows) != MaxRows || s.More != len(links)-MaxRows) {
			t.Errorf("%d rows, %d left out", len(s.Rows), s.More)
		}
	}
	if edges := countClass(p.Graph, "edge"); edges > 59+mostChecks {
		t.Errorf("the graph has %d edges", edges)
	}
}

func countClass(d Drawing, class string) (n int) {
	for _, s := range d.Shapes {
		if slices.Contains(strings.Fields(s.Class), class) {
			n++
		}
	}
	return n
}

// Hosts of any forest stand apart from each other and on the paper.
func TestHostsStandApart(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(rt, "hosts")
		var links [][2]int
		for i := 1; i < n; i++ {
			if rapid.IntRange(0, 4).Draw(rt, "linked") > 0 {
				links = append(links, [2]int{rapid.IntRange(max(0, i-rapid.IntRange(1, 12).Draw(rt, "back")), i-1).Draw(rt, "to"), i})
			}
		}
		c := newCluster(t, names(n), links, 4)
		pinned := int32(rapid.IntRange(0, n-1).Draw(rt, "pinned"))
		for i, h := range c.Hosts {
			if h.Component == c.Hosts[pinned].Component {
				c.Hosts[i].Reference = pinned
			}
		}
		places, height := arrange(c.Solution)
		for i, p := range places {
			if !(p.x >= p.r && p.x <= graphWidth-p.r && p.y >= p.r && p.y <= height-p.r) {
				rt.Fatalf("host %d of %d is at %.0f, %.0f of %d, %.0f", i, n, p.x, p.y, graphWidth, height)
			}
			for j, q := range places[:i] {
				if d := math.Hypot(p.x-q.x, p.y-q.y); d < p.r+q.r {
					rt.Fatalf("hosts %d and %d of %d are %.0f apart", i, j, n, d)
				}
			}
		}
	})
}

// No message that is drawn lies within the band.
func TestMessagesAreOutsideTheBand(t *testing.T) {
	c := newCluster(t, names(2), [][2]int{{0, 1}}, 400)
	k := &c.Links[0]
	p := newPaper(k, c.link(k.A, k.B))
	if len(p.band) < bandSamples || !p.known {
		t.Fatalf("a band of %d instants, known %v", len(p.band), p.known)
	}
	for _, b := range p.band {
		if b[1] > 0 || b[2] < 0 {
			t.Fatalf("the estimate is outside the band %v", b)
		}
	}
	for _, m := range c.messages {
		at, v, sign := m.Sent, m.Received-p.map_.Reference(m.Sent), int64(1)
		if m.From != k.A {
			at, v, sign = m.Received, m.Sent-p.map_.Reference(m.Received), -1
		}
		if v*sign < -1 {
			t.Fatalf("a message violates the estimate by %d", v)
		}
		lo, hi, ok := p.corridor.Band(at)
		mid := p.map_.Reference(at)
		if !ok || sign > 0 && v < hi-mid-1 || sign < 0 && v > lo-mid+1 {
			t.Fatalf("a message at %d is at %d, inside %d to %d", at, v, lo-mid, hi-mid)
		}
	}
}

// A band of which nothing is known for a while is drawn on either side of that.
func TestBandIsBroken(t *testing.T) {
	c := newCluster(t, names(2), [][2]int{{0, 1}}, 400)
	k := c.Links[0]
	e := c.link(k.A, k.B)
	drawn := func() (stretches, breaks int) {
		p := newPaper(&k, e)
		var d Drawing
		p.drawBand(&d)
		for _, s := range d.Shapes {
			if s.Class == "band" {
				stretches++
			}
		}
		return stretches, len(p.breaks)
	}
	if stretches, breaks := drawn(); stretches != 1 || breaks != 0 {
		t.Errorf("%d stretches, %d breaks of a link that is not cut", stretches, breaks)
	}
	points := e.Points(hull.Upper)
	begin, span := points[0].X, points[len(points)-1].X-points[0].X
	// Hardly a message is after the one and before the other, and nothing is known there.
	middle := begin + span/2
	k.Told = []hull.Cut{{From: begin + span/4, To: middle - 1000}, {From: middle + 1000, To: begin + span*3/4}}
	if stretches, breaks := drawn(); stretches != 2 || breaks != 1 {
		t.Errorf("%d stretches, %d breaks of one that is", stretches, breaks)
	}
}

// The times of both kinds of plots count from the begin of the set, though the messages of a link begin a second later.
func TestTimesCountFromTheBegin(t *testing.T) {
	p := newCluster(t, names(2), [][2]int{{0, 1}}, 400).page(t)
	axis := func(d Drawing, bottom float64) map[string]float64 {
		at := make(map[string]float64)
		for _, s := range d.Shapes {
			if s.Kind == Text && s.Y == bottom {
				at[plain(s.Text)] = s.X
			}
		}
		return at
	}
	bounds, link := axis(p.Errors[0].Drawing, errorHeight-7), axis(p.Plots[0].Drawing, plotHeight-7)
	if x := bounds["2 s"]; math.Abs(x-errorLeft-(errorWidth-errorLeft-errorRight)*2./12) > 1 {
		t.Errorf("the bounds have times at %v, of 12 s", bounds)
	}
	const second = (plotWidth - plotLeft - plotRight) / 9.975 // messages are 25 ms apart
	if x, early := link["2 s"], link["0 s"]; early != 0 || math.Abs(x-plotLeft-second) > 1 {
		t.Errorf("the link has times at %v, 2 s is to be at %.0f", link, plotLeft+second)
	}
}
