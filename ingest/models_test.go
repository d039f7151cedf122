package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/kernel"
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

// Declared states of what no trace of a set has are told of in its report.
func TestUnmetDeclarations(t *testing.T) {
	for states, want := range map[string]string{
		requests: "",
		"spans request\nbegin app:begin id=number what=uri\nend app:end id=number": "begin app:begin: no such event has a field uri; is url meant?",
	} {
		s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", userSpaceSet(t, true, states))
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, o := range s.Report().Anomalies {
			if o.Kind == "unmet-declaration" && o.Means != "" {
				got = o.Places[0].Message
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", states, got, want)
		}
	}
}

// That there are more requests at one time than rows is told, and the rows that there are are shown.
func TestTooManyRowsAreToldOf(t *testing.T) {
	raced.Elsewhere(t, "TestHostFailsAlone")
	const first = "1.000000000 app:begin number=1 url=\"/a\"THREAD\n"
	var more strings.Builder
	for i := range 4097 {
		fmt.Fprintf(&more, "1.%09d app:begin number=%d url=\"/a\"\n", i, i)
	}
	context := strings.NewReplacer(first, more.String(), "CONTEXT", "", "THREAD", "", "DECLARED", requests)
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, context.Replace(userSpace)))
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(s.Report().Anomalies, func(o Oddity) bool { return o.Kind == "too-many-rows" && o.Means != "" }) {
		t.Errorf("the report says %+v", s.Report().Anomalies)
	}
	if rows, _ := s.Hosts()[0].Threads(0); len(rows) != 4097 {
		t.Errorf("there are %d rows, want 4096 of requests, and one of their kind", len(rows))
	}
}

// A host with more threads than a history has names for keeps the states that were read, which are unknown from then on; its messages and
// events, and the other hosts, go on.
func TestFullHistory(t *testing.T) {
	raced.Elsewhere(t, "TestHostFailsAlone")
	dir := shop(t).File(t)
	whole := importPath(t, openEngine(t, t.TempDir(), Options{}), "whole", dir)
	if err := whole.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := full
	t.Cleanup(func() { full = before })
	most := whole.Hosts()[0].History().Attributes().Len() * 3 / 4
	full = func(w *history.Writer) bool { return w.Attributes().Len() > most }
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", dir)
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := ""
	for _, a := range s.Anomalies() {
		if a.Kind == "full-history" && a.Host == s.Hosts()[0].Name() {
			found = a.Message
		}
	}
	if !strings.Contains(found, "nearly the most that a history holds") {
		t.Errorf("of the host that is full nothing is said: %q", found)
	}
	for i, h := range s.Hosts() {
		was, is := whole.Status().Hosts[i], s.Status().Hosts[i]
		if is.State != was.State || is.Events != was.Events || is.LocalEnd != was.LocalEnd {
			t.Errorf("host %d is %+v, was %+v", i, is, was)
		}
		if _, end := h.History().Bounds(); fmt.Sprint(end) != fmt.Sprint(number(was.LocalEnd)) {
			t.Errorf("the history of host %d ends at %d, the host at %v", i, end, was.LocalEnd)
		}
	}
	h, old := s.Hosts()[0].History(), whole.Hosts()[0].History()
	begin, end := h.Bounds()
	same := 0
	for q := range attribute.Quark(h.Attributes().Len()) {
		path := h.Attributes().Full(q)
		p, err := query.Find(old.Attributes(), path)
		if err != nil {
			t.Errorf("%s is new", path)
			continue
		}
		iv, err := h.Point(t.Context(), q, begin+1e6)
		then, fail := old.Point(t.Context(), p, begin+1e6)
		if err != nil || fail != nil || h.Text(iv.Value) != old.Text(then.Value) {
			t.Errorf("%s is %s at the front, was %s", path, h.Text(iv.Value), old.Text(then.Value))
		}
		if !then.Value.IsNull() {
			same++
		}
		last, err := h.Point(t.Context(), q, end-1)
		if v, _ := last.Value.Int(); err != nil || strings.Count(path, "/") == 1 && strings.HasPrefix(path, "Threads/") && v > int64(kernel.Unknown) {
			t.Errorf("%s is %s at the end, %v", path, h.Text(last.Value), err)
		}
	}
	if same == 0 {
		t.Error("nothing was known at the front")
	}
}

// That a history is full is told too where an import goes on from a checkpoint behind the last event.
func TestFullWithoutEvents(t *testing.T) {
	before := full
	t.Cleanup(func() { full = before })
	full = func(*history.Writer) bool { return true }
	w, err := history.Create(new(historytest.Memory), 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := (&models{w: w}).doubts(); len(got) != 1 || got[0].Kind != "full-history" {
		t.Errorf("%+v", got)
	}
}

// reused is a recording of a kernel and of applications: thread 30 ends within two calls and its number is given to another thread, which
// in turn runs another program within a call.
const reused = `
-- ust.trace --
ctf 1.8 le
env hostname="web"
env domain="ust"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
event-context {_vtid i32; _vpid i32; _procname string}
event 2 lttng_ust_cyg_profile:func_entry
  fields {addr u64:hex}
file s
packet cpu=0
1.000000000 lttng_ust_cyg_profile:func_entry addr=0x10 | vtid=30 vpid=30 procname="old"
1.100000000 lttng_ust_cyg_profile:func_entry addr=0x20 | vtid=30 vpid=30 procname="old"
8.000000000 lttng_ust_cyg_profile:func_entry addr=0x77 | vtid=30 vpid=30 procname="new"
-- kernel.trace --
ctf 1.8 le
env hostname="web"
env domain="kernel"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
event 0 sched_switch
  fields {prev_comm string; prev_tid i32; prev_prio i32; prev_state i64; next_comm string; next_tid i32; next_prio i32}
event 1 sched_process_exit
  fields {comm string; tid i32; prio i32}
event 2 sched_process_fork
  fields {parent_comm string; parent_tid i32; parent_pid i32; child_comm string; child_tid i32; child_pid i32}
event 3 sched_process_exec
  fields {filename string; tid i32; old_tid i32}
file s
packet cpu=0
0.500000000 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="old" next_tid=30 next_prio=20
2.000000000 sched_process_exit comm="old" tid=30 prio=20
2.000100000 sched_switch prev_comm="old" prev_tid=30 prev_prio=20 prev_state=16 next_comm="bash" next_tid=10 next_prio=20
7.000000000 sched_process_fork parent_comm="bash" parent_tid=10 parent_pid=10 child_comm="new" child_tid=30 child_pid=30
7.500000000 sched_switch prev_comm="bash" prev_tid=10 prev_prio=20 prev_state=1 next_comm="new" next_tid=30 next_prio=20
9.000000000 sched_process_exec filename="/bin/other" tid=30 old_tid=30
9.500000000 sched_switch prev_comm="other" prev_tid=30 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
`

// The calls that a thread was in end with it, and with the program it ran.
func TestCallsEndWithTheThread(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, reused))
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	h := s.Hosts()[0].History()
	q := h.Attributes().Lookup("Threads", "30")
	for _, c := range []struct {
		at       int64
		function string
		depth    string
	}{{15e8, "0x20", "2"}, {19e8, "0x20", "2"}, {25e8, "", "null"}, {72e8, "", "null"}, {76e8, "", "null"}, {82e8, "0x77", "1"}, {92e8, "", "null"}} {
		d, err := query.At(t.Context(), h, q, c.at)
		if err != nil {
			t.Fatal(err)
		}
		iv, err := h.Point(t.Context(), h.Attributes().Lookup("Threads", "30", "Stack"), c.at)
		if err != nil || d.Function != c.function || h.Text(iv.Value) != c.depth {
			t.Errorf("at %d ns it is in %q, %s deep (%v), want %q, %s", c.at, d.Function, h.Text(iv.Value), err, c.function, c.depth)
		}
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
	if h := s.Status().Hosts[0]; h.State != done || h.Events != 0 || h.LostEvents != 7 || len(h.LostByCPU) != 1 || h.LostByCPU[0].Events != 7 {
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

// An event at the latest time that 64 bits hold takes no other with it, though it is left out.
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
	if h := s.Status().Hosts[0]; h.State != done || h.Events != 1 || s.Status().Anomalies != 1 {
		t.Errorf("%+v, want 1 event, and a word on the other", h)
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

// The rows of a host with many threads are not in memory once it is read to its end, and are the same.
func TestRowsOfManyThreads(t *testing.T) {
	raced.Elsewhere(t, "TestHostFailsAlone")
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "shop", shop(t).File(t))
	was := mostRows
	defer func() { mostRows = was }()
	for _, h := range s.Hosts() {
		want, version := h.Threads(0)
		side, err := s.e.catalog.Checkpoint(s.id, h.index)
		if err != nil {
			t.Fatal(err)
		}
		c, err := readCheckpoint(h.dir, side)
		if err != nil {
			t.Fatal(err)
		}
		defer c.close()
		mostRows = len(want) - 1
		r, err := rowsOf(c)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.threads) > 0 || r.version != version || !slices.Equal(r.all(), want) {
			t.Errorf("%s: %d threads in memory; version %d, want %d; the rows are\n%v\nwant\n%v", h.Name(), len(r.threads), r.version, version, r.all(), want)
		}
	}
}
