package browser

import (
	"strings"
	"testing"

	"synchroscope/ingest"
)

// ranks is an application of which no kernel is recorded: its events say their thread, and those of a parallel program in it their rank.
const ranks = `
-- a.trace --
ctf 1.8 le
env hostname="a"
env domain="ust"
clock a freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(a); timestamp_end u64:clock(a); cpu_id u32}
event-header {id u8; timestamp u64:clock(a)}
event-context {_vtid i32; _vpid i32; _procname string}
event 0 app:step
  fields {number u32}
event 1 mpi:enter
  fields {rank u32; region string}
event 2 mpi:leave
  fields {rank u32}
file s
packet cpu=0
1.000000000 app:step number=1 | vtid=42 vpid=42 procname="app"
1.100000000 mpi:enter rank=1 region="reduce" | vtid=43 vpid=42 procname="app"
1.200000000 app:step number=2 | vtid=43 vpid=42 procname="app"
1.900000000 mpi:leave rank=1 | vtid=43 vpid=42 procname="app"
2.000000000 app:step number=3 | vtid=42 vpid=42 procname="app"
-- synchroscope-states --
calls rank
begin mpi:enter  row=rank  what=region
end   mpi:leave  row=rank
`

// Where no kernel is recorded events are of the thread that they say, so those of a selected thread are listed. A row that is no thread has
// its name alone, and nothing leads to events that nobody knows.
func TestEventsSayTheirThread(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.written("ranks", ranks)
	p := NewPage(t)
	p.Open(s.page(set, "?row=0.42&did=1500000000"))
	p.Matches(`app · 42 a.* Events of this thread`)
	p.Find("button", "Events of this thread").Click()
	p.Says("2 of 5 events")
	p.Await("its events", func() (any, bool) {
		rows := p.listed()
		return rows, len(rows) > 0 && strings.Contains(strings.Join(rows[len(rows)-1], " "), "number=3")
	})

	p.Find("tab", "Timeline").Click()
	p.threadRow("rank 1").Click()
	p.Matches(`rank 1 a running in user space, in function reduce`)
	p.Gone("button", "Events of this thread")
	if words := p.Text(); strings.Contains(words, "4194") {
		t.Errorf("a number that no machine has is told: %s", words)
	}
	p.Find("tab", "Statistics").Click()
	p.Matches(`rank 1 – a `)

	p.Find("tab", "Timeline").Click()
	p.hostRow("Control flow", "a").Click()
	p.Matches(`Not recorded whether threads have a CPU, and what they wait for; wake-ups;`)
}

// Behind the last event nothing is asked of the events that are not there.
func TestBehindAllEvents(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.written("ranks", ranks)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&at=3000000000"))
	p.Says("All events of the set are before this time.")
	p.Find("button", "From the first event").Click()
	p.Await("the events", func() (any, bool) { rows := p.listed(); return len(rows), len(rows) == 5 })
}
