package browser

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/sync/network"
)

// island is the demonstration set with no link in use to cache, whose clock is an hour ahead of the others'.
func island(t *testing.T) (*site, *ingest.Set) {
	t.Helper()
	s, set := demoSite(t)
	if _, err := set.Synchronize(t.Context(), network.Options{Exclude: [][2]string{{"cache", "web"}, {"cache", "client"}}}); err != nil {
		t.Fatal(err)
	}
	return s, set
}

// Of messages between hosts whose clocks nothing relates no latency and no order is told: where they are counted, in the key of what
// is drawn, beside the pointer, and of one that is chosen. By raw time all is as ever.
func TestMessagesOfIslands(t *testing.T) {
	s, set := island(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Matches(`Communication 10 684 messages in view, 3 916 between hosts whose clocks are not related none of the others received before sent bundles: [\d.]+ µs [\d.]+ ms not related`)

	canvas := p.Canvas("Communication")
	left, top, _, _ := canvas.Box()
	_, a, _, height := p.hostRow("Communication", "cache").Box()
	_, b, _, _ := p.hostRow("Communication", "web").Box()
	y := (a+b)/2 + height/2 - top
	over := regexp.MustCompile(`\d+ messages? (web → cache|cache → web) Sent, mean [\d. ]+ s Received, mean [\d. ]+ s Size .*clocks not related, latency not known`)
	p.Await("a bundle from or to cache under the mouse", func() (any, bool) {
		words := ""
		for _, x := range canvas.Inked(y, "--panel") {
			p.Point(left+x, top+y)
			if words = strings.Join(strings.Fields(p.Text()), " "); over.MatchString(words) {
				p.Click(left+x, top+y)
				return nil, true
			}
		}
		return words, false
	})
	p.Matches(`latency not known: their clocks are not related`)
	inspector := p.Find("complementary", "What is selected")
	var words string
	p.Await("the bundle in the inspector", func() (any, bool) {
		words = strings.Join(strings.Fields(spaces.Replace(inspector.Text())), " ")
		return words, regexp.MustCompile(`The clocks of (web and cache|cache and web) are not related: no link in use leads from one to the other\.`).MatchString(words)
	})
	if strings.Contains(words, "Latency") || strings.Contains(words, "Usual") {
		t.Errorf("a latency is told of clocks that are not related: %s", words)
	}

	if strings.Contains(words, "threads not known") {
		t.Errorf("of a bundle, whose messages are of many threads, these are said not to be known: %s", words)
	}

	// With the pair alone nothing is left of which it could be told.
	p.Open(s.page(set, "?window=all&pair=cache~web"))
	p.Matches(`Communication 3 894 messages in view, 3 894 between hosts whose clocks are not related not related by connection`)

	p.Press("r")
	p.Matches(`Communication 3 894 messages in view ⚠ 1 930 received before sent bundles: .* by connection`)
}

// The timeline says that there are two groups of hosts, and of a host that nothing relates to the reference it says what Synchronization says.
func TestGroupsOfHosts(t *testing.T) {
	s, set := island(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	const groups = "Nothing relates the clocks of two groups of hosts, so times of one cannot be compared with those of the other: client, db and web; cache."
	p.Says(groups)
	if words := p.hostRow("Communication", "cache").Text(); !strings.Contains(words, "not related to web") {
		t.Errorf("the row of cache says %q", words)
	}
	p.Press("r")
	p.Says("Each host's own clock is drawn")
	if words := p.Text(); strings.Contains(words, groups) {
		t.Error("in raw time, where no host's times are those of another, groups are told of")
	}
	p.Open(s.page(set, "?tab=sync"))
	p.Await("cache in the graph", func() (any, bool) {
		notes := must[string](p.Find("region", "Graph of hosts and links"), "function() { return this.textContent }")
		return notes, strings.Contains(notes, "cache not related to web")
	})
	p.Matches(`cache not related to web`)
}

// What is known of clocks is told of an instant at which they ran: between the recordings of two islands there is none.
func TestInstantOfIslands(t *testing.T) {
	s, set := island(t)
	p := NewPage(t)
	c := clocksOf(t, set)
	for _, time := range []string{"", "&time=raw"} {
		p.Open(s.page(set, "?tab=sync&window=all&compare=web~db"+time))
		p.Says("half-width of what the messages allow, of the hosts related to web")
		p.Matches(`Hosts ± there: at \d\d\.\d+ s, the middle of what web and the hosts related to it recorded`)
		p.Matches(`db synchronized accurate ± 1\d\d µs ` + c.everKnown("db"))
		p.Matches(`db is behind web by [\d. ]+ s ± \d+ µs at \d\d\.\d+ s, the middle of what web and the hosts related to it recorded\.`)
		p.Await("that instant in the field as well", func() (any, bool) {
			words := Eval[string](p, `document.querySelector("select[aria-label='which is']").selectedOptions[0].text`)
			return words, words == "the middle of what web and the hosts related to it recorded"
		})
	}
}

// The strip tells how well the clocks are known that something relates to the reference, and whose these are: not that those of an island know
// each other better or worse.
func TestBoundsOverIslands(t *testing.T) {
	s, set := demoSite(t)
	// client and db, whose clocks are known better, are apart from web and cache.
	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "client", Exclude: [][2]string{{"client", "web"}, {"db", "web"}, {"cache", "client"}}}); err != nil {
		t.Fatal(err)
	}
	p := NewPage(t)
	_, most, _ := strings.Cut(clocksOf(t, set).everKnown("db"), " to ")
	p.Open(s.page(set, "?window=all"))
	p.Matches(`2 of 4 clocks ± (\S+ µs to )?` + most + ` Window`)
	p.Await("all of these words in sight", func() (any, bool) {
		words := Eval[[2]float64](p, `(() => { const e = document.querySelector(".overview .facts .t:last-child"); return [e.scrollWidth, e.clientWidth]; })()`)
		return words, words[0] <= words[1]
	})
	x, y, width, height := p.Canvas("Events over the whole set").Box()
	p.Point(x+width/2, y+height/2)
	p.Matches(`Clocks known to ± \d+ µs, of the hosts related to client`)
}

// Two hosts on an island know their clocks against each other: the latencies of their messages have an error, be it the island's own reference
// that sent or received them.
func TestLatenciesOnAnIsland(t *testing.T) {
	s, set := demoSite(t)
	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "web", Exclude: [][2]string{{"client", "web"}, {"db", "web"}, {"cache", "client"}}}); err != nil {
		t.Fatal(err)
	}
	p := NewPage(t)
	p.Open(s.page(set, "?tab=messages&window=all"))
	p.Matches(`13 messages, [\d.]+ KiB, median latency 58\d µs ± 1\d\d µs`)
	p.Matches(`17 messages, [\d.]+ KiB, median latency 8\d\d µs ± 1\d\d µs`)

	p.Open(s.page(set, "?window=all&pair=client~db"))
	p.Matches(`Communication 30 messages in view none received before sent`)
	p.Press("m")
	p.Matches(`(Received after sent: certain|The latency is within the error).* the clocks of its group are known against (client|db)'s`)
}

// Of clocks that lie an hour apart each recording is a few pixels of the whole set: a mark leads to it, and so do a key, a row, the
// palette and the table of hosts.
func TestToWhereAHostRecorded(t *testing.T) {
	s, set := island(t)
	p := NewPage(t)
	begin, end := make(map[string]int64), make(map[string]int64)
	var cache int
	for _, h := range set.Status().Hosts {
		if h.Name == "cache" {
			cache = h.Index
		}
		begin[h.Name] = instant(t, h.Begin)
		end[h.Name] = instant(t, h.End)
	}
	shows := func(how, host string) {
		t.Helper()
		p.Await("what "+host+" recorded, by "+how, func() (any, bool) {
			from, to, ok := view(t, p)
			return p.Address(), ok && from <= begin[host] && end[host] <= to && to-from < 2*(end[host]-begin[host])
		})
	}
	all := func() {
		t.Helper()
		p.Press("Home")
		p.Says(", all")
	}
	p.Open(s.page(set, fmt.Sprintf("?window=all&row=%d.-1", cache)))
	p.Says("final")
	x, y, width, _ := p.Canvas("Events over the whole set").Box()
	p.Point(x+width-3, y+12)
	p.Matches(`Click to go there cache recorded from 3 \d+\.\d+ s to 3 \d+\.\d+ s\.`)
	p.Click(x+width-3, y+12)
	shows("its mark", "cache")
	p.Await("the mark of the others, and nothing beside it", func() (any, bool) {
		at := p.Canvas("Events over the whole set").Inked(1, "--panel")
		return at, len(at) > 5 && at[0] < 12 && slices.IndexFunc(at, func(x float64) bool { return 20 < x && x < width-30 }) < 0
	})
	all()
	p.Click(x+4, y+12)
	shows("its mark", "web")

	row := p.hostRow("Control flow", "cache")
	left, top, w, height := row.Box()
	p.Point(left+w/2, top+height/2)
	p.Await("the way in the row", func() (any, bool) {
		return must[string](row, "function() { return this.innerText }"), must[bool](row, `function() {
			const way = this.querySelector(".deed");
			if (!way.checkVisibility()) return false;
			way.click();
			return true;
		}`)
	})
	shows("its row", "cache")
	p.Says("cache recorded from 3")
	all()
	p.Press("z")
	shows("the key", "cache")
	p.palette("where web recorded", "Go to where web recorded")
	p.Press("Enter")
	shows("the palette", "web")
	p.Find("tab", "Synchronization").Click()
	p.Find("button", "Go to where cache recorded").Click()
	shows("the table of hosts", "cache")
}

// A link by a clock that is no longer related to the reference leads to the same instants of its island, and so do the page that was reloaded
// and the link that is copied from it; who goes elsewhere copies times by the reference.
func TestLinkToAnIsland(t *testing.T) {
	s, set := demoSite(t)
	// client and db are apart from web and cache.
	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "web", Exclude: [][2]string{{"client", "web"}, {"db", "web"}, {"cache", "client"}}}); err != nil {
		t.Fatal(err)
	}
	var by, own string // one of the two, and the other, whose clock is that of both
	for _, h := range set.Status().Hosts {
		switch {
		case h.Name != "client" && h.Name != "db":
		case h.Reference:
			own = h.Name
		default:
			by = h.Name
		}
	}
	c := clocksOf(t, set)
	const from, to = 1795229345_300_000_000, 1795229345_400_000_000
	begin := c.at(by, from)
	if begin == from {
		t.Fatalf("%s shows the same time as %s", by, own)
	}
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?by=%s&begin=%d&end=%d", by, from, to)))
	same := func(how string) {
		t.Helper()
		p.Await(fmt.Sprintf("a window from %d by %s, %s", begin, own, how), func() (any, bool) {
			at, _, ok := view(t, p)
			return p.Address(), ok && at >= begin-1e6 && at <= begin+1e6 && strings.Contains(p.Address(), "?by="+own+"&")
		})
	}
	same("by the link")
	p.Reload()
	p.Says("final")
	same("reloaded")
	p.Press("d")
	p.Await("an address by the reference", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "?by=web&") })
}

// instant is a time of the API, ns.
func instant(t *testing.T, words string) int64 {
	t.Helper()
	ns, err := strconv.ParseInt(words, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return ns
}
