package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"synchroscope/state/query"
	"synchroscope/trace/ctf/text/texttest"
)

// userSpace is a recording of an application alone, without and with what LTTng calls the
// thread; what it declares stands beside it.
const userSpace = `
-- ust.trace --
ctf 1.8 le
env hostname="web"
env domain="ust"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
CONTEXT
event 0 app:begin
  fields {number u32; url string}
event 1 app:end
  fields {number u32}
event 2 lttng_ust_cyg_profile:func_entry
  fields {addr u64:hex}
file s
packet cpu=0
1.000000000 app:begin number=1 url="/a"THREAD
2.000000000 lttng_ust_cyg_profile:func_entry addr=0x10THREAD
3.000000000 app:end number=1THREAD
-- synchroscope-states --
DECLARED
`

func userSpaceSet(t *testing.T, thread bool, declared string) string {
	context, values := "", ""
	if thread {
		context, values = "event-context {_vtid i32; _vpid i32; _procname string}", ` | vtid=12 vpid=11 procname="app"`
	}
	return texttest.Dir(t, strings.NewReplacer("CONTEXT", context, "THREAD", values, "DECLARED", declared).Replace(userSpace))
}

const requests = "spans request\nbegin app:begin id=number what=url\nend app:end id=number"

func rowsOfHost(h *Host) string {
	var b strings.Builder
	threads, _ := h.Threads(0)
	for _, th := range threads {
		fmt.Fprintf(&b, "%d/%d %s; ", th.PID, th.TID, th.Name)
	}
	return b.String()
}

func lacks(s *Set) string {
	var views []string
	for _, hint := range s.Status().Hosts[0].Missing {
		views = append(views, hint.View)
	}
	return strings.Join(views, "; ")
}

// A host without a kernel trace has rows: of its threads, and of what is declared beside the trace;
// they are there after a restart, and the hints do not ask for what there is.
func TestUserSpaceRows(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "set", userSpaceSet(t, true, requests))
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	const want = "11/12 app; 4194305/4194305 request; 4194305/4194306 request 1; "
	hints := lacks(s)
	if strings.Contains(hints, "control flow") || strings.Contains(hints, "rows for") || !strings.Contains(hints, "whether threads have a CPU") {
		t.Errorf("the hints are about %q", hints)
	}
	for range 2 {
		h := s.Hosts()[0]
		if got := rowsOfHost(h); got != want {
			t.Errorf("rows %s, want %s", got, want)
		}
		tree := h.History().Attributes()
		d, err := query.At(t.Context(), h.History(), tree.Lookup("Threads", "12"), 25e8)
		if err != nil || d.Function != "0x10" || d.Event != "lttng_ust_cyg_profile:func_entry" {
			t.Errorf("thread 12 is in %+v, %v; want 0x10", d, err)
		}
		d, err = query.At(t.Context(), h.History(), tree.Lookup("Threads", "4194306"), 15e8)
		if err != nil || d.Function != "/a" || d.Begin != 1e9 || d.End != 3e9 {
			t.Errorf("the request is %+v, %v; want /a", d, err)
		}
		e = restart(t, e, Options{})
		s = e.Sets()[0]
	}
}

// A host that has lost all of its events is read to its end, and says how many there were.
func TestNothingButLosses(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, `
ctf 1.8 le
env hostname="web"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); events_discarded u64; cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
event 0 e
file s
packet begin=1.000000000 end=2.000000000 discarded=7 cpu=0
`))
	if h := s.Status().Hosts[0]; h.State != done || h.Events != 0 || h.LostEvents != 7 {
		t.Errorf("%+v, want 7 lost events", h)
	}
	checkNoEvents(t, s)
}

// So is one that was never recorded: nothing is wrong with its trace, but the report says why nothing is shown.
func TestMetadataAlone(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, `
ctf 1.8 le
env hostname="web"
stream 0
event-header {id u8}
event 0 e
`))
	if h := s.Status().Hosts[0]; h.State != done || h.Events != 0 {
		t.Errorf("%+v, want no event", h)
	}
	checkNoEvents(t, s)
}

func checkNoEvents(t *testing.T, s *Set) {
	t.Helper()
	for _, a := range s.Anomalies() {
		if a.Kind == "no-events" && a.Host == "web" && a.Message == "the trace holds no events" {
			return
		}
	}
	t.Errorf("nobody says that there are no events: %+v", s.Anomalies())
}

// An event at the latest time that 64 bits hold is read like others.
func TestLatestTime(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, `
ctf 1.8 le
env hostname="web"
clock c freq=1000000000
stream 0
event-header {id u8; timestamp u64:clock(c)}
event 0 e
file s
packet
1.000000000 e
9223372036.854775807 e
`))
	if h := s.Status().Hosts[0]; h.State != done || h.Events != 2 {
		t.Errorf("%+v, want 2 events", h)
	}
}

// Without contexts there are no rows of threads, and the hints say how there would be.
func TestUserSpaceWithoutThreads(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", userSpaceSet(t, false, ""))
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows, hints := rowsOfHost(s.Hosts()[0]), lacks(s); rows != "" || !strings.Contains(hints, "rows for the threads of applications") {
		t.Errorf("rows %q, hints about %q", rows, hints)
	}
}

// A file of states that cannot be used is told of, and the set is imported without it.
func TestUnusableStates(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", userSpaceSet(t, true, "spans request\nbegin app:begin"))
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, a := range s.Anomalies() {
		found = found || a.Kind == "unreadable-declarations" && strings.Contains(a.Message, "synchroscope-states:2: id=FIELD,... is missing")
	}
	if !found {
		t.Errorf("the anomalies %+v do not tell what is wrong", s.Anomalies())
	}
	if got := rowsOfHost(s.Hosts()[0]); got != "11/12 app; " {
		t.Errorf("rows %s, want those of threads", got)
	}
}

// The report does not say that no message is known of hosts whose applications tell of messages; where they tell of
// one direction alone, it is the other that nobody knows.
func TestMessagesOfApplicationsAreNoLack(t *testing.T) {
	const back = "2.100000000 app:send key=2\n"
	for _, test := range []struct{ back, want string }{
		{back, ""},
		{"", "a: No message to the host is known.; b: No message from the host is known.; "},
	} {
		trace := func(host, events string) string {
			return "-- " + host + ".trace --\nctf 1.8 le\nenv hostname=\"" + host + "\"\nenv domain=\"ust\"\nclock " + host + ` freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(` + host + `); timestamp_end u64:clock(` + host + `); cpu_id u32}
event-header {id u8; timestamp u64:clock(` + host + `)}
event 0 app:send
  fields {key u32}
event 1 app:receive
  fields {key u32}
file s
packet cpu=0
` + events
		}
		text := trace("a", "1.000000000 app:send key=1\n2.200000000 app:receive key=2\n") + trace("b", "1.100000000 app:receive key=1\n"+test.back) +
			"-- synchroscope-endpoints --\nmessage request\nsend app:send key=key\nreceive app:receive key=key\n"
		s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, text))
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got string
		for _, lack := range s.Report().Missing {
			if slices.Contains(lack.Views, "communication") {
				got += strings.Join(lack.Hosts, ", ") + ": " + lack.Without + "; "
			}
		}
		if got != test.want {
			t.Errorf("of messages the report says %q, want %q", got, test.want)
		}
	}
}
