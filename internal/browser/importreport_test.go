package browser

import (
	"strconv"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/trace/ctf/text/texttest"
)

// lossy is a kernel trace of a machine whose tracer lost nine events in two packets, and which recorded no wake-ups,
// no network, no system calls.
const lossy = `
ctf 1.8 le
env hostname="web"
env domain="kernel"
clock monotonic freq=1000000000
packet-header {magic u32; stream_id u32}
stream 0
packet-context {timestamp_begin u64:clock(monotonic); timestamp_end u64:clock(monotonic); content_size u64; packet_size u64; events_discarded u64; cpu_id u32}
event-header {id u16; timestamp u64:clock(monotonic)}
event 0 sched_switch
  fields {_prev_comm [16]u8; _prev_tid i32; _prev_prio i32; _prev_state i64; _next_comm [16]u8; _next_tid i32; _next_prio i32}
file channel0_0 stream=0
packet discarded=0 cpu=0
2.000000000 sched_switch prev_comm=[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0] prev_tid=0 prev_prio=20 prev_state=0 next_comm=[98,97,115,104,0,0,0,0,0,0,0,0,0,0,0,0] next_tid=7 next_prio=20
packet discarded=4 cpu=0
3.000000000 sched_switch prev_comm=[98,97,115,104,0,0,0,0,0,0,0,0,0,0,0,0] prev_tid=7 prev_prio=20 prev_state=1 next_comm=[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0] next_tid=0 next_prio=20
packet discarded=9 cpu=0
4.000000000 sched_switch prev_comm=[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0] prev_tid=0 prev_prio=20 prev_state=0 next_comm=[98,97,115,104,0,0,0,0,0,0,0,0,0,0,0,0] next_tid=7 next_prio=20
`

// What was odd in the traces is said in words, once for each kind, with its places; and what they lack with the line
// that records it, once for all views that want it.
func TestImportReport(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.written("losses", lossy)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=import"))
	p.Matches(`Imported 100 % 3 events 9 lost by the tracer From \S+( \([\d.]+ [KM]?i?B\))?; here since [^;]*, read in [\d.]+ [mµ]?s\.`)
	p.Matches(`web reference read 100 % 3 9 1970-01-01 00:00:02\.000 000 000`)
	p.Matches(`Events were lost by the tracer\. 2 times on web`)
	p.Says("states are drawn as unknown")
	p.Matches(`web \S*channel0_0 2 \d+ 4 events were lost`)
	p.Matches(`Wake-ups on web need sched_waking\. Who woke a thread, and how long it then waited for a CPU, is not known: it counts as blocked until it runs\. To record it next time: lttng enable-event -k sched_waking`)
	p.Matches(`Communication and synchronization on web need net_dev_queue and net_if_receive_skb\.`)
	p.Matches(`is related to no other\. To record them next time: lttng enable-event -k net_dev_queue,net_if_receive_skb`)
	p.Says("lttng enable-event -k --syscall --all")

	// The timeline leads to when and on which host, and back to the files.
	p.Find("tab", "Timeline").Click()
	p.Find("button", "9 lost").Click()
	p.Matches(`9 events lost The tracer wrote faster .* On web 9, 75 % of all CPU 0: 9 When 2 times between 0\.000 000 000 s and 2\.000 000 000 s 0\.000 000 000 s \+ 1\.00 s 4 events, CPU 0 Events 1\.000 000 000 s \+ 1\.00 s 5 events, CPU 0 Events In which files`)
	// Who came there by keys is there, and a press further at the first stretch.
	p.Await("the focus at what was lost", func() (any, bool) {
		got := spaces.Replace(Eval[string](p, `document.activeElement.getAttribute("aria-label") ?? ""`))
		return got, got == "9 events lost"
	})
	p.Press("Tab")
	p.Await("the focus on the whole of it", func() (any, bool) {
		got := spaces.Replace(Eval[string](p, `document.activeElement.textContent`))
		return got, strings.HasPrefix(got, "2 times between ")
	})
	// That is all there is, so that it leads to the whole set, and to nothing beside it.
	p.Press("+")
	p.Await("a part of the set", func() (any, bool) { got := p.Address(); return got, strings.Contains(got, "begin=") })
	p.Press("Enter")
	p.Await("the whole set", func() (any, bool) { got := p.Address(); return got, strings.Contains(got, "window=all") })
	p.Resize(Width, 220) // the report is longer than the page
	p.Find("button", "In which files: import report").Click()
	p.Matches(`web \S*channel0_0 2 \d+ 4 events were lost`)
	p.Await("the focus at the files", func() (any, bool) {
		got := Eval[string](p, `document.activeElement.innerText`)
		return got, strings.HasPrefix(got, "Events were lost by the tracer.")
	})
	if seen := Eval[bool](p, `(() => { const r = document.activeElement.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; })()`); !seen {
		t.Error("what is said of losses is not in view")
	}
	if covered := Eval[string](p, `(() => {
		const heading = [...document.querySelectorAll("h2")].find((e) => e.textContent.startsWith("Anomalies"));
		const [r, summary] = [heading, document.activeElement].map((e) => e.getBoundingClientRect());
		const top = document.elementFromPoint(r.left + 30, r.top + r.height / 2);
		return top !== heading ? "by " + (top?.outerHTML ?? "the edge of the page") : summary.top < r.bottom - 1 ? "in part, by its first line" : "";
	})()`); covered != "" {
		t.Errorf("the heading of the anomalies is covered %s", covered)
	}
	if *statesDir != "" {
		p.keep(*statesDir, "report-from-loss")
	}
	p.Resize(Width, Height)
	// The list of sets marks it, by more than a colour.
	home := NewPage(t)
	home.Open(s.url)
	home.Matches(`losses ready .* 3 events · ⚠ 9 lost · `)
	// One machine sends nothing to another.
	p.Find("tab", "Messages").Click()
	p.Says("This set is of one host. Messages are what hosts send to each other")
}

// An empty view of the timeline names the command that would have recorded what it lacks, and one press selects it to be copied.
func TestCommandIsCopied(t *testing.T) {
	s := newSite(t, ingest.Options{})
	other := strings.Replace(lossy, `hostname="web"`, `hostname="db"`, 1) // of one host nothing is said of messages
	for _, c := range []struct {
		name          string
		texts         []string
		says, command string
	}{
		{"kernel", []string{lossy, other}, "lack net_dev_queue, net_if_receive_skb; record them with: ", "lttng enable-event -k net_dev_queue,net_if_receive_skb"},
		{"application", []string{tick}, "lack a kernel trace; record it with: ", "lttng create && lttng enable-event -k --all && lttng start"},
	} {
		var dirs []string
		for _, text := range c.texts {
			dirs = append(dirs, texttest.Dir(t, text))
		}
		set, err := s.engine.ImportPaths(c.name, dirs...)
		if err != nil {
			t.Fatal(err)
		}
		s.ready(set)
		p := NewPage(t)
		p.Open(s.page(set, ""))
		p.Says(c.says + c.command)
		if c.name == "application" {
			p.Matches(`Resources no kernel trace web no kernel trace`)
		}
		p.Matches(`\b(6 events|1 event)\b`)
		at := Eval[[2]float64](p, `(() => {
			const box = [...document.querySelectorAll(".empty code")].find((e) => e.textContent === `+strconv.Quote(c.command)+`).getClientRects()[0]
			return [box.x + box.width / 2, box.y + box.height / 2]
		})()`)
		p.Click(at[0], at[1])
		if got := Eval[string](p, "getSelection().toString()"); got != c.command {
			t.Errorf("a press on the command of %s selects %q", c.name, got)
		}
	}
}

// tick is a trace of an application with one event.
const tick = `
ctf 1.8 le
env hostname="web"
env domain="ust"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
event 0 app:tick
file s
packet cpu=0
1.000000000 app:tick
`

// Of a set with one event, which is less than the least window shows, the state opens at a time that is recorded; and one event is not several.
func TestSetOfOneEvent(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set, err := s.engine.ImportPaths("one event", texttest.Dir(t, lossy[:strings.Index(lossy, "packet discarded=4")]))
	if err != nil {
		t.Fatal(err)
	}
	s.ready(set)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=state"))
	p.attribute("Threads")
	if words := p.Find("tabpanel", "State").Text(); strings.Contains(words, "is recorded at this time") {
		t.Errorf("the state opens where nothing is recorded: %s", words)
	}
	p.Find("tab", "Events").Click()
	p.Matches(`\b1 event\b`)
	if words := p.Find("tabpanel", "Events").Text(); strings.Contains(spaces.Replace(words), "1 events") {
		t.Errorf("one event is told of as several: %s", words)
	}
}
