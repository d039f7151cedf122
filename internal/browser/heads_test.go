package browser

import (
	"net/url"
	"strings"
	"testing"
)

// Every column of the table of events for which that means something has a filter in its head. They hold together, with Where
// as well, are reached by the keyboard and stand in the address.
func TestEventHeads(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events"))
	rows := func(what string, enough func(row []string) bool) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			got := p.listed()
			for _, r := range got {
				if !enough(r) {
					return r, false
				}
			}
			return len(got), len(got) > 0
		})
	}
	p.Find("grid", "Events")

	// From one head to the next by the Tab key, in the order of the columns.
	p.Find("textbox", "Time").Type("6.1..6.5")
	for _, c := range []struct{ label, words string }{{"Host's clock", ""}, {"Host", ""}, {"CPU", "0, 1-2"}, {"Event", "sched_*"}, {"Fields", "tid=20"}} {
		p.Press("Tab")
		p.Await("the focus on "+c.label, func() (any, bool) {
			on := Eval[string](p, `document.activeElement.getAttribute("aria-label") ?? document.activeElement.outerHTML`)
			return on, on == c.label
		})
		if c.words != "" {
			p.Find("textbox", c.label).Type(c.words)
		}
	}
	p.Find("textbox", "Where").Type("has(prev_tid) || has(next_tid)")
	p.Find("textbox", "Fields").Click()
	p.Press("Enter")
	all := func(r []string) bool {
		at := seconds(t, r[0])
		return at >= 6_100_000_000 && at <= 6_500_000_000 && r[4] != "-" && r[4] <= "2" && r[5] == "sched_switch" && strings.Contains(r[6], "tid=20")
	}
	rows("what all heads and Where want", all)
	p.Await("all of them in the address", func() (any, bool) {
		address, err := url.Parse(p.Address())
		if err != nil {
			return err, false
		}
		q := address.Query()
		return p.Address(), q.Get("during") == "6.1..6.5" && q.Get("cpu") == "0, 1-2" && q.Get("event") == "sched_*" && q.Get("fields") == "tid=20" && q.Get("where") != ""
	})
	p.Reload()
	rows("the same from the address", all)
	if got := p.Find("textbox", "CPU").Text(); got != "0, 1-2" {
		t.Errorf("the head of CPU says %q behind a link", got)
	}

	// The clock of a host is another than the time of the page.
	p.Find("button", "All events").Click()
	rows("all events", func(r []string) bool { return len(r) > 0 })
	first := p.listed()[10][2]
	p.Find("textbox", "Host's clock").Type(strings.ReplaceAll(">= "+first, "\u202f", ""))
	p.Find("button", "Filter").Click()
	rows("events from that reading of a clock on", func(r []string) bool { return r[2] >= first })

	// What cannot be read is told by what the column takes; a comparison in the head of the fields is one of Where.
	p.Find("textbox", "CPU").Type("fast")
	p.Find("button", "Filter").Click()
	p.Says("CPU takes numbers such as 0, 2-5 or > 3.")
	p.wrongField("CPU")
	p.Find("button", "All events").Click()
	p.Find("textbox", "Fields").Type("next_tid == 205")
	p.Find("button", "Filter").Click()
	rows("a comparison in the head of the fields", func(r []string) bool { return strings.Contains(r[6], "next_tid=205") })
	p.Find("textbox", "Where").Type("cpu >= 0")
	p.Find("textbox", "Fields").Type("next_tid ==")
	p.Find("button", "Filter").Click()
	p.Matches(`Fields is not a filter: in "next_tid ==", column 12: expected a field or a value`)
	p.wrongField("Fields")
	p.Find("textbox", "Fields").Type(strings.Repeat("next_tid == 205 || ", 12) + "next_tid ==")
	p.Find("button", "Filter").Click()
	p.Matches(`Fields is not a filter: in "next_tid == 205 .*, column 240: expected a field or a value`)
	p.wrongField("Fields")
	p.Find("textbox", "Where").Type("cpu ==")
	p.Find("textbox", "Fields").Type("next_tid == 205")
	p.Find("button", "Filter").Click()
	p.Matches(`Where is not a filter: in "cpu =="`)
	p.wrongField("Where")
	p.Find("textbox", "Event").Type("sched_[")
	p.Find("textbox", "Where").Type("cpu == 0")
	p.Find("button", "Filter").Click()
	p.Matches(`Event is not a pattern: the set "\[" of a pattern has no end`)
	p.wrongField("Event")
	p.Find("button", "All events").Click()
	p.wrongField("")
}

// wrongField waits until the field of the events that is told to be wrong is the one of a name, "" for none.
func (p *Page) wrongField(want string) {
	p.t.Helper()
	p.Await("the wrong field: "+want, func() (any, bool) {
		saw := Eval[string](p, `[...document.querySelectorAll("#events input[aria-invalid=true]")].map((f) => f.ariaLabel ?? f.labels[0].innerText).join()`)
		return saw, saw == want
	})
}
