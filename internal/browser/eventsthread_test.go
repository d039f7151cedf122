package browser

import (
	"strings"
	"testing"
)

// From a thread in the timeline its events lead to what was recorded while it was on a CPU; and who asks for that by a field of other events is
// told what asks for it.
func TestEventsOfThread(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	p.Says("blocked in wait4")
	p.Find("button", "Events of this thread").Click()
	p.opened("Events", []string{"tab=events", "where=thread+%3D%3D+205", "host=db"}, nil)
	n := s.count(set, `host == "db" && thread == 205`)
	if n == 0 {
		t.Fatal("thread 205 has no events")
	}
	p.Says(grouped(n) + " of 770 375 events")
	p.Await("only db's events, the first a switch of 205 or behind it", func() (any, bool) {
		rows := p.listed()
		yes := len(rows) > 3
		for _, r := range rows {
			yes = yes && r[3] == "db" && (r[5] != "sched_switch" || strings.Contains(r[6], "prev_tid=205"))
		}
		return rows, yes
	})
	p.goes("-1")
	p.opened("Timeline", []string{"row=2.205"}, []string{"where="})

	p.Open(s.page(set, "?tab=events&window=all"))
	p.Find("combobox", "Host").Choose("web")
	p.Find("textbox", "Event").Type("syscall_entry_open*")
	p.Find("textbox", "Where").Type("tid == 227")
	p.Find("button", "Filter").Click()
	p.Says("No kind of event of web that is called syscall_entry_open* has a field tid; did you mean thread")
	p.Find("textbox", "Where").Type("thread == 227")
	p.Find("button", "Filter").Click()
	p.Says("1 of 770 375 events")
	p.Await("the one event", func() (any, bool) {
		rows := p.listed()
		return rows, len(rows) == 1 && strings.HasPrefix(rows[0][5], "syscall_entry_open")
	})
}

// What the filters of Events let through is taken away whole: the server is asked for the same, and of all tables that Commands knows this is the
// first where one is there.
func TestEventsTakenAway(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&window=all&event=sched_switch&where=next_tid+%3D%3D+205&host=db&cpu=0"))
	p.Says("of 770 375 events")
	Eval[bool](p, kept)
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	_, address := p.take("csv", "Save the events that fit (CSV)")
	const want = "/events.csv?name=sched_switch&where=next_tid+%3D%3D+205&where=cpu+%3D%3D+0&host=db"
	if !strings.HasSuffix(address, want) {
		t.Errorf("asked for %s, want %s", address, want)
	}
	p.Says("The events that fit the filters are on their way.")
	Eval[bool](p, "(window.kept.length = 0, true)")
	p.Find("button", "Save as CSV").Click()
	p.Await("the same by the button", func() (any, bool) {
		got := Eval[[][]string](p, "window.kept")
		return got, len(got) == 1 && got[0][1] == address
	})
}
