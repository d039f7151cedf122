package browser

import (
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"synchroscope/ingest"
	"synchroscope/sync/match"
)

// chosenBundle is what the inspector says of a bundle: its hosts, how many messages it has, and when the first and the last of them
// were sent and received, ns.
type chosenBundle struct {
	from, to               string
	messages               int
	sent, sentLast         int64
	received, receivedLast int64
	words                  string
}

var bundleWords = regexp.MustCompile(`(\d[\d ]*) messages (\w+) → (\w+) .*First sent (\d[\d. ]*) s Last sent (\d[\d. ]*) s First received (\d[\d. ]*) s Last received (\d[\d. ]*) s `)

// inspected waits until the inspector tells of a bundle that is wanted.
func (p *Page) inspected(set *ingest.Set, what string, want func(chosenBundle) bool) (b chosenBundle) {
	p.t.Helper()
	var origin int64
	if _, err := fmt.Sscan(set.Status().Begin, &origin); err != nil {
		p.t.Fatal(err)
	}
	p.Await(what, func() (any, bool) {
		words := strings.Join(strings.Fields(spaces.Replace(p.Find("complementary", "What is selected").Text())), " ")
		m := bundleWords.FindStringSubmatch(words)
		if m == nil {
			return words, false
		}
		var times [4]int64
		for i, s := range m[4:] {
			times[i] = origin + seconds(p.t, s+" s")
		}
		n, err := strconv.Atoi(strings.ReplaceAll(m[1], " ", ""))
		b = chosenBundle{m[2], m[3], n, times[0], times[1], times[2], times[3], words}
		return words, err == nil && want(b)
	})
	return b
}

// checkInspected compares a bundle with the messages of the set: in its times lie as many as it says, and its times are of some of them.
func checkInspected(t *testing.T, set *ingest.Set, b chosenBundle) {
	t.Helper()
	hosts := set.Hosts()
	n, found := 0, [4]bool{}
	err := set.EachMessage(t.Context(), math.MinInt64/2, math.MaxInt64/2, set.Solution(), func(m *match.Message, sent, received int64) bool {
		if hosts[m.From].Name() != b.from || hosts[m.To].Name() != b.to || sent < b.sent || sent > b.sentLast || received < b.received || received > b.receivedLast {
			return true
		}
		n++
		for i, same := range []bool{sent == b.sent, sent == b.sentLast, received == b.received, received == b.receivedLast} {
			found[i] = found[i] || same
		}
		return true
	})
	if err != nil || n != b.messages || found != [4]bool{true, true, true, true} {
		t.Errorf("%d messages lie in the bundle %q, %v; its times are of messages: %v", n, b.words, err, found)
	}
}

// addressOfBundle is what the address has of a bundle that is chosen, once it has been so for longer than it may lag behind.
func (p *Page) addressOfBundle() (message string) {
	p.t.Helper()
	since := time.Now()
	p.Await("an address with the bundle", func() (any, bool) {
		u, err := url.Parse(p.Address())
		if err != nil {
			p.t.Fatal(err)
		}
		if now := u.Query().Get("message"); now != message {
			message, since = now, time.Now()
		}
		return message, strings.Count(message, "~") == 8 && time.Since(since) > 600*time.Millisecond
	})
	return message
}

// inAccent are the lines of a picture that are drawn as chosen, and the width of the broadest.
func (p *Page) inAccent(drawn func() ([]Line, []Word)) (lines []Line, broadest float64) {
	p.t.Helper()
	accent := p.Color("--accent")
	all, _ := drawn()
	for _, l := range all {
		if l.Color == accent {
			lines, broadest = append(lines, l), max(broadest, l.Width)
		}
	}
	return lines, broadest
}

// A bundle that is chosen says when its messages were sent and received. F shows all of these, I where they are drawn one by one, and M goes
// from there to the first of them, and from each to the next; the address has it, so that it is chosen again after a reload and by the hosts' own clocks.
func TestBundle(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Says("10 684 messages in view")
	talk := p.Canvas("Communication")
	drawn := talk.Listen()
	left, top, _, _ := talk.Box()
	p.Click(left+445, top+83)
	whichever := func(chosenBundle) bool { return true }
	clicked := p.inspected(set, "the bundle that was clicked", whichever)
	checkInspected(t, set, clicked)
	p.Press("n")
	b := p.inspected(set, "the next bundle", func(b chosenBundle) bool { return b.words != clicked.words })
	checkInspected(t, set, b)
	p.Await("the chosen bundle in the colour of what is chosen", func() (any, bool) {
		lines, broadest := p.inAccent(drawn)
		return lines, len(lines) > 0 && broadest > 2.3
	})
	same := func(c chosenBundle) bool { return c.words == b.words }
	p.Press("N")
	p.inspected(set, "the bundle before", func(c chosenBundle) bool { return c.words == clicked.words })
	p.Press("n")
	p.inspected(set, "the next bundle once more", same)

	p.addressOfBundle()
	p.Reload()
	p.inspected(set, "the bundle after a reload", same)
	talk = p.Canvas("Communication")
	drawn = talk.Listen()

	p.Press("f")
	head := regexp.MustCompile(`Communication (\d+) messages in view`)
	p.Await("all of its messages in view, marked", func() (any, bool) {
		begin, end, _ := view(t, p)
		lines, _ := p.inAccent(drawn)
		number := 0
		if m := head.FindStringSubmatch(strings.Join(strings.Fields(spaces.Replace(p.Text())), " ")); m != nil {
			number, _ = strconv.Atoi(m[1])
		}
		saw := fmt.Sprintf("%d to %d, %d messages, %d lines", begin, end, number, len(lines))
		return saw, begin < b.sent && end > b.receivedLast && end-begin < 2*(b.receivedLast-b.sent) && number >= b.messages && len(lines) > 0
	})
	p.inspected(set, "the bundle still", same)

	fromF, toF, _ := view(t, p)
	p.Press("i")
	p.Matches(`(The first \d+ of|All) \d+ messages, one by one: M chooses the first\.`)
	p.Await("its messages as lines of their own", func() (any, bool) {
		lines, broadest := p.inAccent(drawn)
		return lines, len(lines) >= min(4, b.messages) && len(lines) <= b.messages && broadest < 2.3
	})
	if from, to, _ := view(t, p); from == fromF && to != toF || from != fromF && to-from > (toF-fromF)*9/10 {
		t.Errorf("a window from %d to %d, in which they were lines of their own, is one from %d to %d", fromF, toF, from, to)
	}
	p.Press("m")
	p.Matches(fmt.Sprintf(`Message %s → %s .* Go to where it was received.* Message 1 of the %d of the bundle`, b.from, b.to, b.messages))
	// Through the messages of the bundle, and none between them.
	p.Press("m")
	p.Matches(fmt.Sprintf(`Message %s → %s .* Message 2 of the %d of the bundle`, b.from, b.to, b.messages))
	p.Press("m")
	p.Matches(fmt.Sprintf(`Message %s → %s .* Message 3 of the %d of the bundle`, b.from, b.to, b.messages))
	p.Press("M")
	p.Matches(fmt.Sprintf(`Message %s → %s .* Message 2 of the %d of the bundle`, b.from, b.to, b.messages))
	p.Press("Backspace")
	p.Press("Backspace")
	p.Says("10 684 messages in view")

	// A link with the bundle, to a smaller window and in a smaller page: other bundles are drawn there, and this one is chosen.
	p.Press("n")
	other := p.inspected(set, "another bundle", whichever)
	message := p.addressOfBundle()
	p.Resize(1100, 720)
	p.Open(s.page(set, "?window=all&message="+url.QueryEscape(message)))
	p.inspected(set, "the bundle of the link", func(c chosenBundle) bool { return c.sent == other.sent && c.receivedLast == other.receivedLast })
	p.Press("r")
	p.inspected(set, "the same messages by the hosts' own clocks", func(c chosenBundle) bool {
		return c.messages >= other.messages && c.from == other.from && c.sentLast-c.sent > 0 && c.sent != other.sent
	})
}

// rowInSight is the chosen row of Control flow, where all of it can be seen.
func (p *Page) rowInSight() string {
	p.t.Helper()
	return Eval[string](p, `(() => {
		const all = document.querySelector("[role=treegrid][aria-label='Control flow: rows']");
		const row = all.querySelector("[role=row][aria-selected=true]");
		if (!row) return "none";
		const [r, a] = [row.getBoundingClientRect(), all.getBoundingClientRect()];
		return (r.top < a.top - 1 || r.bottom > a.bottom + 1 ? "out of sight: " : "") + row.title;
	})()`)
}

// What is gone to is seen: hosts and processes that hide it are opened, and the way back closes them. A filter hides neither it nor its host.
func TestFoldedRowsOpen(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	const window = "?begin=1795229355216433800&end=1795229355230433800"
	folded := func() string {
		u, err := url.Parse(p.Address())
		if err != nil {
			t.Fatal(err)
		}
		return u.Query().Get("collapsed")
	}
	opened := func(row, want string) {
		t.Helper()
		p.Await(row+" chosen in sight", func() (any, bool) {
			got := p.rowInSight()
			return got + " " + folded(), got == row && folded() == want
		})
	}
	p.Open(s.page(set, window+"&collapsed=2&row=3.230&did=1795229355220693172"))
	p.Says("4 messages in view")
	p.Await("the row of the address", func() (any, bool) {
		got := p.rowInSight()
		return got, got == "wget, thread 230"
	})
	talk := p.Canvas("Communication")
	drawn := talk.Listen()
	p.Press("m")
	p.Await("the message", func() (any, bool) { lines, _ := p.inAccent(drawn); return lines, len(lines) == 1 })
	p.Press("t")
	opened("httpd, thread 204", "") // whom the selected thread wrote to
	p.Press("Backspace")
	opened("wget, thread 230", "2")

	// A process, by the palette, whatever the filter wants.
	p.Open(s.page(set, window+"&collapsed=2,2.151&filter=wget&row=3.230"))
	p.palette("lttng-consumerd 156 db", "lttng-consumerd · 156 on db")
	p.Press("Enter")
	opened("lttng-consumerd, thread 156", "")
	p.Press("Backspace")
	opened("wget, thread 230", "2,2.151")

	// What a wait was for.
	p.Open(s.page(set, "?collapsed=2,2.205&row=2.205&did=1795229345470000000&begin=1795229355186433800&end=1795229355756519553"))
	p.Matches(`Follow crunch · 206`)
	p.Press("g")
	opened("crunch, thread 206", "2.205")
}

// A link that names a host that the set has not says so in words of the page, and shows the messages of all hosts.
func TestPairOfAStranger(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=messages&pair=web~nosuch"))
	p.Says("The address asks for the messages of web and nosuch alone. There is no host nosuch in this set, so those of all hosts are shown. There are cache, client, db and web.")
	p.Says("In the timeline's window alone")
	p.Matches(`Slowest requests 8 requests over TCP`)
	if words := p.Text(); strings.Contains(words, `"nosuch"`) || strings.Contains(words, "The trace set has") {
		t.Errorf("the server's words are shown: %s", words)
	}
	p.Find("tab", "Timeline").Click()
	p.Matches(`Communication \d+ messages in view none received before sent .*no host nosuch in this set`)
	p.Find("button", "no host nosuch in this set").Click()
	p.Await("an address without the pair", func() (any, bool) { at := p.Address(); return at, !strings.Contains(at, "nosuch") })
	p.Find("tab", "Messages").Click()
	p.Await("no word of it", func() (any, bool) { words := p.Text(); return words, !strings.Contains(words, "nosuch") })
}

// A link to the clocks of a host that the set has not says so as well, until that is forgotten, and shows others.
func TestLinkOfAStranger(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&link=web~nosuch&compare=db~other"))
	p.Matches(`The address asks for the link of web and nosuch\. There is no host nosuch in this set, so that of \w+ and \w+ is shown\. The address asks to compare db with other\. There is no host other in this set\. There are cache, client, db and web\.\s*Forget it`)
	p.Find("button", "Forget it").Click()
	p.Await("no word of it, and the host that there is", func() (any, bool) {
		words, at := p.Text(), p.Address()
		return words + at, !strings.Contains(words+at, "nosuch") && !strings.Contains(words, "The address asks") && strings.Contains(at, "compare=db")
	})
	// So it is with the clock that its times are by, and with the row that is selected.
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d&by=nosuch", demoFocus.Begin, demoFocus.End)))
	p.Says("The times of this link are by the clock of nosuch. There is no host nosuch in this set, so they are taken for times of web's.")
	if words := p.Text(); strings.Contains(words, "the same moments") {
		t.Errorf("of the clock of no host is said: %s", words)
	}
	p.Open(s.page(set, "?window=all&row=9.99999"))
	p.Says("The address asks for a row of host number 9. There are 4 hosts in this set, counted from 0, so no row is selected.")
	p.Open(s.page(set, "?window=all&row=2.99999"))
	p.Says("The address asks for thread 99999 of db. There is no such thread in this set, so no row is selected.")
	p.Press("Escape")
	p.Await("no word of it, nor in the address", func() (any, bool) {
		words, at := p.Text(), p.Address()
		return words + at, !strings.Contains(words+at, "99999")
	})
	// And with a window that cannot be, until there is another.
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d&row=2.99999", demoFocus.End, demoFocus.Begin)))
	p.Says(fmt.Sprintf("The address asks for a window from %d to %d. It ends before it begins, so the whole set is shown. The address asks for thread 99999 of db.", demoFocus.End, demoFocus.Begin))
	p.Open(s.page(set, "?begin=abc&end=5"))
	p.Says("The address asks for a window from abc to 5. abc is no time in ns that a recording can have, so the whole set is shown.")
	p.Press("w")
	p.Await("no word of it", func() (any, bool) { words := p.Text(); return words, !strings.Contains(words, "The address asks") })
	p.Press("Home")
	p.Await("the whole set again", func() (any, bool) { at := p.Address(); return at, strings.Contains(at, "window=all") })
	if words := p.Text(); strings.Contains(words, "The address asks") {
		t.Errorf("of a window that was left is said: %s", words)
	}
	p.Open(s.page(set, "?tab=sync&link=web~cache"))
	p.Matches(`cache – web what each message says about web's clock`)
	p.Await("nothing said of a link that there is", func() (any, bool) { words := p.Text(); return words, !strings.Contains(words, "The address asks") })
	// A host whose state is asked for.
	const stranger = "There is no host nosuch in this set: this is the state of web."
	p.Open(s.page(set, "?tab=state&state=1795229355471480250&of=nosuch"))
	p.Says(stranger)
	p.Find("combobox", "State of").Choose("db")
	p.Await("nothing said of it where there is one", func() (any, bool) { words := p.Text(); return words, !strings.Contains(words, "nosuch") })
}
