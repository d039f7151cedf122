package handlers

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"testing"

	"synchroscope/ingest"
	"synchroscope/internal/raced"
	"synchroscope/state/occupant"
	"synchroscope/trace"
)

// An eventsPage is what a client reads of an answer.
type eventsPage struct {
	Events  []eventAnswer
	Unknown []missingField
}

// Who was on the CPU of an event is what the switches say wherever one begins to read; a switch is of the thread that leaves. Filters ask for it, and
// pages and counts of them agree.
func TestEventsOfThread(t *testing.T) {
	raced.Elsewhere(t, "TestTables")
	s := newSite(t, Options{})
	id, set := s.uploaded("shop")

	// As a reader of all events sees it, who knows nothing but switches.
	type place struct {
		host string
		tid  int32
	}
	counts, told, events := make(map[place]int64), 0, 0
	by := make(map[string]*occupant.Switches)
	threads := make(map[string]*occupant.Threads)
	all := ingest.EventQuery{Begin: -1 << 62, End: 1 << 62}
	err := set.Events(t.Context(), all, func(h *ingest.Host, at int64, ev *trace.Event) bool {
		if by[h.Name()] == nil {
			by[h.Name()] = new(occupant.Switches)
			threads[h.Name()] = occupant.New(t.Context(), h.History())
		}
		seen, known := by[h.Name()], threads[h.Name()]
		seen.Pass(ev)
		known.Pass(ev)
		events++
		want, got := seen.Thread(ev), known.Thread(ev)
		if want >= 0 {
			told++
		}
		if want >= 0 && got >= 0 && want != got {
			t.Errorf("%s at %d: %s on CPU %d is of thread %d, and of %d by the history", h.Name(), ev.Time, ev.Class.Name, ev.CPU, want, got)
			return told < 1000
		}
		if got >= 0 {
			counts[place{h.Name(), got}]++
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if events != demoEvents || told < events*9/10 {
		t.Errorf("the switches tell the threads of %d of %d events", told, events)
	}

	count := func(host, where string) int64 {
		t.Helper()
		q := url.Values{"host": {host}, "where": {where}}
		return decode[countAnswer](t, s.want(200, "GET", "/api/sets/"+id+"/events/count?"+q.Encode(), "")).Count
	}
	for _, p := range []place{{"db", 205}, {"web", 227}, {"web", 0}} {
		if got := count(p.host, fmt.Sprintf("thread == %d", p.tid)); got != counts[p] || got == 0 {
			t.Errorf("thread %d of %s has %d events, counted %d", p.tid, p.host, counts[p], got)
		}
	}
	if got := count("web", `name =~ "syscall_entry_open*" && thread == 227`); got != 1 {
		t.Errorf("thread 227 opened %d files", got)
	}
	known := int64(0)
	for p, n := range counts {
		if p.host == "web" {
			known += n
		}
	}
	if got := count("web", "has(thread)"); got != known {
		t.Errorf("%d of web's events have a thread, counted %d", known, got)
	}

	// From anywhere on it is the same: pages forwards and backwards are those of one list.
	q := "host=db&where=" + url.QueryEscape("thread == 205")
	list := s.pages("/api/sets/" + id + "/events?" + q + "&limit=997")
	if int64(len(list)) != counts[place{"db", 205}] {
		t.Errorf("%d events are listed, want %d", len(list), counts[place{"db", 205}])
	}
	for range 20 {
		i := rand.IntN(len(list))
		at := list[i].Time
		page := decode[eventsPage](t, s.want(200, "GET", fmt.Sprintf("/api/sets/%s/events?%s&limit=5&begin=%d", id, q, at), ""))
		for i > 0 && list[i-1].Time == at {
			i--
		}
		for k, e := range page.Events {
			if e.Time != list[i+k].Time || e.Name != list[i+k].Name || e.Fields != list[i+k].Fields {
				t.Errorf("from %d on event %d is %s at %d, want %s at %d", at, k, e.Name, e.Time, list[i+k].Name, list[i+k].Time)
			}
		}
		before := decode[eventsPage](t, s.want(200, "GET", fmt.Sprintf("/api/sets/%s/events?%s&limit=5&before=%d.0", id, q, at), ""))
		for k, e := range before.Events {
			if want := list[i-len(before.Events)+k]; e.Time != want.Time || e.Name != want.Name {
				t.Errorf("before %d event %d is %s at %d, want %s at %d", at, k, e.Name, e.Time, want.Name, want.Time)
			}
		}
	}

	// A field of other events than those that are let through is told, with what may be meant.
	empty := decode[eventsPage](t, s.want(200, "GET", "/api/sets/"+id+"/events?host=web&name=syscall_entry_open*&where="+url.QueryEscape("tid == 227"), ""))
	if len(empty.Unknown) != 1 || empty.Unknown[0].Path != "tid" || !empty.Unknown[0].Other || len(empty.Unknown[0].Near) == 0 || empty.Unknown[0].Near[0] != "thread" {
		t.Errorf("of a field of other events is told %+v", empty.Unknown)
	}
	if switches := decode[eventsPage](t, s.want(200, "GET", "/api/sets/"+id+"/events?name=sched_wak*&where="+url.QueryEscape("tid == 227"), "")); switches.Unknown != nil {
		t.Errorf("of a field that events have is told %+v", switches.Unknown)
	}
}
