package handlers

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"synchroscope/handlers/live"
	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/sync/network"
)

// The demonstration archive: a client, a web server, a cache and a database,
// whose first slow query is thread 205 of the database, and who waits for it are 208 and 210.
const (
	demoArchive = "../cmd/synchroscope/demo/shop-4hosts.tar.gz"
	demoEvents  = 770375
	slowBegin   = 1795229345_235_842_846 // by the database's clock
	slowEnd     = 1795229345_698_205_226
)

// A browser is a live session that draws at once: it acknowledges all it gets.
type browser struct {
	t    *testing.T
	conn *websocket.Conn

	mu     sync.Mutex
	frames [][]byte
	news   chan struct{}
}

func (s *site) browse(id string) *browser {
	s.t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.http.URL, "http")+"/api/sets/"+id+"/live", http.Header{"Origin": {s.http.URL}})
	if err != nil {
		s.t.Fatal(err)
	}
	b := &browser{t: s.t, conn: conn, news: make(chan struct{}, 1)}
	s.t.Cleanup(func() { conn.Close() })
	go b.read()
	return b
}

func (b *browser) read() {
	for {
		_, frame, err := b.conn.ReadMessage()
		if err != nil {
			return
		}
		b.mu.Lock()
		b.frames = append(b.frames, frame)
		switch wire.Kind(frame[0]) {
		case wire.KindStates, wire.KindMessages, wire.KindDensity, wire.KindWakeups:
			b.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"op":"ack","view":%d,"gen":%d,"seq":%d}`, view(frame), gen(frame), u32(frame, 8)))
		}
		b.mu.Unlock()
		select {
		case b.news <- struct{}{}:
		default:
		}
	}
}

func view(frame []byte) uint16        { return binary.LittleEndian.Uint16(frame[2:]) }
func gen(frame []byte) uint32         { return u32(frame, 4) }
func u32(frame []byte, at int) uint32 { return binary.LittleEndian.Uint32(frame[at:]) }

func (b *browser) send(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, format, args...)); err != nil {
		b.t.Fatal(err)
	}
}

// await returns the first message that fits, of those that arrived or will.
func (b *browser) await(fits func(frame []byte) bool) []byte {
	b.t.Helper()
	limit := time.After(2 * time.Minute)
	for seen := 0; ; {
		b.mu.Lock()
		frames := b.frames
		b.mu.Unlock()
		for ; seen < len(frames); seen++ {
			if fits(frames[seen]) {
				return frames[seen]
			}
		}
		select {
		case <-b.news:
		case <-limit:
			b.t.Fatalf("%d messages came, the one that is waited for did not", len(frames))
		}
	}
}

// ask sends a request under a generation and returns its answer.
func (b *browser) ask(kind wire.Kind, generation int, format string, args ...any) []byte {
	b.t.Helper()
	b.send(`{"view":1,"gen":%d,`+format+`}`, append([]any{generation}, args...)...)
	frame := b.await(func(f []byte) bool { return view(f) == 1 && gen(f) == uint32(generation) })
	if wire.Kind(frame[0]) != kind {
		b.t.Fatalf("answer of kind %d: %.300q, want %d", frame[0], frame[8:], kind)
	}
	return frame
}

func body[T any](t *testing.T, frame []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(frame[wire.HeaderSize:], &v); err != nil {
		t.Fatalf("%.300s: %v", frame[wire.HeaderSize:], err)
	}
	return v
}

// rowsOf collects the tree of rows from all that was pushed: id by host and tid.
func (b *browser) rowsOf() map[[2]int32]uint32 {
	b.mu.Lock()
	defer b.mu.Unlock()
	rows := make(map[[2]int32]uint32)
	for _, f := range b.frames {
		if wire.Kind(f[0]) != wire.KindRows {
			continue
		}
		n := int(u32(f, 8))
		hosts := 16 + 8*n
		kinds := (hosts + 2*n + 3) / 4 * 4
		tids := (kinds + n + 3) / 4 * 4
		for i := range n {
			rows[[2]int32{int32(binary.LittleEndian.Uint16(f[hosts+2*i:])), int32(u32(f, tids+4*i))}] = u32(f, 16+4*i)
		}
	}
	return rows
}

// One import of the demonstration set, from upload to every kind of answer.
func TestDemonstration(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 770 000 events")
	}
	archive, err := os.ReadFile(demoArchive)
	if err != nil {
		t.Fatal(err)
	}
	focus := make(map[string]live.Focus)
	s := newSite(t, Options{Focus: focus})
	id := s.create("shop-4hosts")
	focus[id] = live.Focus{Host: "db", Begin: slowBegin, End: slowEnd, TID: 205}
	api := "/api/sets/" + id
	half := len(archive) / 2
	s.want(200, "PUT", api+"/files/shop-4hosts.tar.gz", string(archive[:half]), "Content-Range", fmt.Sprintf("bytes 0-%d/%d", half-1, len(archive)))
	s.want(200, "PUT", api+"/files/shop-4hosts.tar.gz", string(archive[half:]), "Content-Range", fmt.Sprintf("bytes %d-%d/%d", half, len(archive)-1, len(archive)))
	s.want(202, "POST", api+"/import", "")
	b := s.browse(id)

	// While the import runs: a density that is asked for once fills up by itself.
	b.send(`{"op":"density","view":2,"gen":1,"begin":"%d","end":"%d","columns":64,"time":"raw"}`, int64(1795229300e9), int64(1795232983e9))
	ready := b.await(func(f []byte) bool {
		if wire.Kind(f[0]) != wire.KindSet || body[ingest.Status](t, f).State != ingest.Ready {
			return false
		}
		by := body[struct{ Clocks int64 }](t, f).Clocks // the clocks of the end may be on their way
		return by == s.solution(id).Version
	})
	b.await(func(f []byte) bool { return view(f) == 2 && sum(f) == demoEvents })
	checkGrowth(t, b)

	status := body[ingest.Status](t, ready)
	if status.Events != demoEvents || status.LostEvents != 0 || len(status.Hosts) != 4 {
		t.Errorf("%d events, %d lost, %d hosts", status.Events, status.LostEvents, len(status.Hosts))
	}
	host := make(map[string]int)
	for _, h := range status.Hosts {
		host[h.Name] = h.Index
	}
	focused := body[struct {
		Focus struct{ Begin, End wire.Time }
	}](t, ready).Focus
	solution := s.solution(id)
	toReference := func(local int64) int64 { return solution.Hosts[host["db"]].Map.Reference(local) }
	if int64(focused.Begin) != toReference(slowBegin) || int64(focused.End) != toReference(slowEnd) {
		t.Errorf("focus %d to %d", focused.Begin, focused.End)
	}
	db := int32(host["db"])
	rows := b.rowsOf()
	within := fmt.Sprintf(`"begin":"%d","end":"%d","columns":500,"time":"reference"`, toReference(slowBegin), toReference(slowEnd))

	t.Run("states", func(t *testing.T) {
		f := b.ask(wire.KindStates, 10, `"op":"states",`+within+`,"rows":[%d,%d,%d]`, rows[[2]int32{db, 205}], rows[[2]int32{db, 208}], rows[[2]int32{db, -1}])
		runs := int(u32(f, 40))
		if n, complete := u32(f, 12), u32(f, 36); n != 3 || complete != 1 {
			t.Fatalf("%d rows, complete %d", n, complete)
		}
		first := 56 + 4*3 // row runs
		ends := first + 4*4
		for row := range 3 {
			last := int(u32(f, first+4*row+4)) - 1
			if end := binary.LittleEndian.Uint16(f[ends+2*last:]); end != 500 {
				t.Errorf("the runs of row %d end at column %d", row, end)
			}
		}
		if runs < 10 {
			t.Errorf("%d runs tell no story", runs)
		}
	})
	t.Run("at", func(t *testing.T) {
		for tid, at := range map[int32]int64{208: slowEnd - 50e6, 210: slowEnd - 50e6} {
			f := b.ask(wire.KindAt, 20+int(tid), `"op":"at","row":%d,"at":"%d","time":"reference"`, rows[[2]int32{db, tid}], toReference(at))
			d := body[wire.At](t, f)
			if d.Status == nil || *d.Status != "blocked in flock" || d.Host != "db" || d.Thread == nil || d.Thread.TID != tid {
				t.Errorf("thread %d waits for the lock, and the answer is %s", tid, f[8:])
			}
			if d.Woken == nil || d.Woken.How != "thread" || !strings.HasPrefix(d.Woken.Name, "dbwork") && d.Woken.Name != "flock" || d.Sleep == nil {
				t.Errorf("who let thread %d have the lock is not told: %s", tid, f[8:])
			}
			if parents := map[int32]int32{205: 204, 208: 207, 211: 208}; d.Woken != nil && (d.Woken.PPID == 0 || d.Woken.PPID != parents[d.Woken.TID]) {
				t.Errorf("the parent of thread %d is told to be %d", d.Woken.TID, d.Woken.PPID)
			}
			if d.Error == nil || *d.Error <= 0 || *d.Error > 1e6 {
				t.Errorf("error bound %s", f[8:])
			}
		}
	})
	t.Run("wakeups", func(t *testing.T) { testWakeups(t, b, rows, int32(db), toReference) })
	t.Run("messages", func(t *testing.T) {
		all := fmt.Sprintf(`"begin":"%s","end":"%s","columns":1000,"limit":2000`, status.Begin, status.End)
		f := b.ask(wire.KindMessages, 30, `"op":"messages","time":"reference",`+all)
		n, total, violations := u32(f, 12), u32(f, 24), u32(f, 28)
		if n == 0 || n > 2000 || total < 10_000 || violations != 0 {
			t.Errorf("%d arrows for %d messages, %d of them violations", n, total, violations)
		}
		const whole = `"begin":"1795229300000000000","end":"1795232990000000000","columns":1000,"limit":2000`
		f = b.ask(wire.KindMessages, 31, `"op":"messages","time":"raw",`+whole)
		if raw := u32(f, 24); raw < 10_000 || u32(f, 28) == 0 {
			t.Errorf("raw: %d messages, %d violations; clocks that are seconds apart must show some", raw, u32(f, 28))
		}
	})
	t.Run("points", func(t *testing.T) {
		for i, link := range solution.Links {
			p := body[wire.Points](t, b.ask(wire.KindPoints, 40+i, `"op":"points","a":%d,"b":%d,"limit":500`, link.B, link.A))
			if p.A != link.A || p.B != link.B || p.Total != link.AToB+link.BToA || p.Shown != len(p.Points) {
				t.Errorf("link %d-%d: points of %d-%d, %d of %d shown", link.A, link.B, p.A, p.B, p.Shown, p.Total)
			}
			for _, q := range p.Points {
				if p.Midline == nil && (q[2] == 0) != (q[1] > 0) {
					t.Errorf("link %d-%d: a message of direction %v on the wrong side of the midline: %v", link.A, link.B, q[2], q)
					break
				}
			}
			if p.Midline == nil && (len(p.Lmin) != 2 || len(p.Lmax) != 2 || len(p.Band) < 2) {
				t.Errorf("link %d-%d: lines %v %v, band of %d", link.A, link.B, p.Lmin, p.Lmax, len(p.Band))
			}
		}
	})
	t.Run("sync", func(t *testing.T) {
		report := decode[network.Report](t, s.want(200, "GET", api+"/sync", ""))
		if len(report.Links) < 5 || !report.Final {
			t.Errorf("%d links, final %v", len(report.Links), report.Final)
		}
		for _, l := range report.Links {
			if l.Class != "accurate" {
				t.Errorf("%s-%s is %s", l.A, l.B, l.Class)
			}
		}
	})
	t.Run("state", func(t *testing.T) {
		local := s.want(200, "GET", fmt.Sprintf("%s/state?time=%d&local=1&host=db&path=Threads/208/**", api, int64(slowEnd-50e6)), "")
		state := decode[stateAnswer](t, local)
		if len(state.Hosts) != 1 || !state.Hosts[0].Known || len(state.Hosts[0].Attributes) == 0 {
			t.Fatalf("state %s", local.body)
		}
		reference := decode[stateAnswer](t, s.want(200, "GET", fmt.Sprintf("%s/state?time=%d&host=db&path=Threads/208/**", api, toReference(slowEnd-50e6)), ""))
		if !reflect.DeepEqual(reference.Hosts[0].Attributes, state.Hosts[0].Attributes) {
			t.Errorf("reference time tells %v, local time %v", reference.Hosts[0].Attributes, state.Hosts[0].Attributes)
		}
		// One level of the tree, the page that the lock's holder stands on, and from there to the next change.
		at := fmt.Sprintf("time=%d&host=db", toReference(slowEnd-50e6))
		level := decode[levelAnswer](t, s.want(200, "GET", api+"/state/level?"+at+"&path=Threads&near=205&limit=10", ""))
		holder := slices.IndexFunc(level.Attributes, func(a levelItem) bool { return a.Path == "Threads/205" })
		if !level.Known || level.From%10 != 0 || level.Total < 60 || len(level.Attributes) != 10 || holder < 0 {
			t.Fatalf("level %+v", level)
		}
		blocked := level.Attributes[holder]
		if blocked.Value != float64(1) || blocked.LocalBegin >= slowEnd-50e6 || *blocked.LocalEnd <= slowEnd-50e6 || int64(*blocked.End) != toReference(int64(*blocked.LocalEnd)) || blocked.Children < 5 {
			t.Errorf("the holder of the lock is %+v", blocked)
		}
		change := decode[changeAnswer](t, s.want(200, "GET", api+"/state/change?"+at+"&path=Threads/205", ""))
		if !change.Found || change.Attribute.LocalBegin != *blocked.LocalEnd || change.Attribute.Begin != *blocked.End || change.Attribute.Value != float64(5) {
			t.Errorf("change %+v", change.Attribute)
		}
		back := decode[changeAnswer](t, s.want(200, "GET", api+"/state/change?back=1&"+at+"&path=Threads/205", ""))
		if !back.Found || !reflect.DeepEqual(*back.Attribute, blocked) {
			t.Errorf("back %+v", back.Attribute)
		}
		found := decode[levelAnswer](t, s.want(200, "GET", api+"/state/level?"+at+"&find=DBWORK&limit=3", ""))
		if found.Total != 1 || !found.All || found.Attributes[0].Path != "Threads/205/Name" || found.Attributes[0].Value != "dbwork" {
			t.Errorf("found %+v", found)
		}
		s.want(400, "GET", api+"/state/level?"+at+"&path=Nothing", "")
		s.want(400, "GET", api+"/state/level?"+at+"&limit=501", "")
		s.want(400, "GET", api+"/state/change?"+at, "")

		if before := decode[stateAnswer](t, s.want(200, "GET", api+"/state?time=5&local=1", "")); len(before.Hosts) != 4 || before.Hosts[0].Known {
			t.Errorf("state before the trace: %+v", before)
		}
	})
	t.Run("statistics", func(t *testing.T) { testStatistics(t, s, api, toReference) })
	t.Run("listing", func(t *testing.T) { testListing(t, s, api) })
	t.Run("sums", func(t *testing.T) { testSums(t, s, api, toReference) })
	t.Run("traffic", func(t *testing.T) { testMessages(t, s, api, toReference) })
	t.Run("requests", func(t *testing.T) { testRequests(t, s, api, toReference) })
	t.Run("events", func(t *testing.T) {
		query := fmt.Sprintf("%s/events?begin=%d&end=%d&name=sched_*", api, toReference(slowBegin), toReference(slowBegin)+int64(20e6))
		whole := s.pages(query + "&limit=1000")
		if len(whole) < 20 {
			t.Fatalf("%d events in 20 ms of four machines", len(whole))
		}
		for _, limit := range []int{7, 50} {
			if got := s.pages(fmt.Sprintf("%s&limit=%d", query, limit)); fmt.Sprint(got) != fmt.Sprint(whole) {
				t.Errorf("pages of %d give %d events, one page gives %d", limit, len(got), len(whole))
			}
		}
		where := url.QueryEscape(`name =~ "sched_s*" && next_tid != 0 && host == "db"`)
		var want []eventAnswer
		for _, e := range whole {
			if e.Name == "sched_switch" && e.Host == "db" && !strings.Contains(e.Fields, "next_tid=0 ") {
				want = append(want, e)
			}
		}
		if got := s.pages(query + "&limit=9&where=" + where); fmt.Sprint(got) != fmt.Sprint(want) || len(want) == 0 {
			t.Errorf("a filter wants %d events, want %d", len(got), len(want))
		}
		parts := "&limit=9&where=&where=" + url.QueryEscape(`name == "sched_switch" || name =~ "sched_s*"`) + "&where=" + url.QueryEscape(`host == "db" && next_tid != 0`)
		if got := s.pages(query + parts); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the filter in two parts wants %d events, want %d", len(got), len(want))
		}
		count := func(query string) countAnswer {
			return decode[countAnswer](t, s.want(200, "GET", strings.Replace(query, "/events?", "/events/count?", 1), ""))
		}
		if got := count(query + "&where=" + where); got.Count != int64(len(want)) || got.Until != nil || got.Looked < int64(len(whole)) {
			t.Errorf("%+v are counted, want %d", got, len(want))
		}
		if got := count(api + "/events?"); got.Count != demoEvents || got.Looked != demoEvents {
			t.Errorf("%+v are counted of all, want %d", got, demoEvents)
		}
		for _, place := range []string{"after=5", "before=5", "limit=9"} {
			s.want(400, "GET", api+"/events/count?"+place, "")
		}
		bare := "&limit=9&where=" + url.QueryEscape(`name == sched_switch && next_tid != 0 && db == host`)
		if got := s.pages(query + bare); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the filter without quotes wants %d events, want %d", len(got), len(want))
		}
		if got := s.get(query + "&limit=1&where=" + url.QueryEscape(`next_comm == bash || next_tid == bish`)).body; !strings.Contains(got, `"unknown":[{"path":"bash","near":["\"bash\""]},{"path":"bish","near":[]}]`) {
			t.Errorf("of a text without quotes it is said: %s", got)
		}
		for query, want := range map[string]string{
			"name=sched_swich": `"unnamed":[{"name":"sched_swich","near":["sched_switch"]}]`,
			"name=sched_swich*&where=" + url.QueryEscape(`name != "qqqq"`):                 `"unnamed":[{"name":"sched_swich*","near":["sched_switch"]},{"name":"qqqq","near":[]}]`,
			"host=db&where=" + url.QueryEscape(`name == sched_swich || name =~ "sched_*"`): `"unnamed":[{"name":"sched_swich","near":["sched_switch"]}]`,
			"name=sched_switch": `"next":`,
		} {
			got := s.get(api + "/events?limit=1&" + query).body
			if !strings.Contains(got, want) || strings.Contains(got, "unnamed") != strings.Contains(want, "unnamed") {
				t.Errorf("of the names in %s it is said: %s", query, got)
			}
		}
		for i, e := range whole {
			if !strings.HasPrefix(e.Name, "sched_") || e.Fields == "" || i > 0 && e.Time < whole[i-1].Time {
				t.Fatalf("event %d: %+v", i, e)
			}
		}
	})
	t.Run("metrics", func(t *testing.T) {
		text := s.get("/metrics").body
		for _, line := range []string{
			fmt.Sprintf("synchroscope_uploaded_bytes_total %g", float64(len(archive))), fmt.Sprintf("synchroscope_events %d", demoEvents),
			"synchroscope_live_connections 1", `synchroscope_query_seconds_count{query="states"} 1`,
		} {
			if !strings.Contains(text, line+"\n") {
				t.Errorf("no line %q", line)
			}
		}
	})
	t.Run("conflicts", func(t *testing.T) {
		s.want(409, "PUT", api+"/files/more.zip", "x")
	})
}

// sum adds up the events of a density.
func sum(f []byte) (n uint32) {
	if wire.Kind(f[0]) != wire.KindDensity {
		return 0
	}
	for c := range int(u32(f, 12)) {
		n += u32(f, 32+4*c)
	}
	return n
}

// checkGrowth insists that what was answered while the import ran never became less.
func checkGrowth(t *testing.T, b *browser) {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := uint32(0)
	for _, f := range b.frames {
		if view(f) != 2 {
			continue
		}
		if n := sum(f); n < last {
			t.Errorf("a density of %d events followed one of %d", n, last)
		} else {
			last = n
		}
	}
}

func (s *site) solution(id string) *network.Solution {
	s.t.Helper()
	set, ok := s.engine.Set(id)
	if !ok || set.Solution() == nil {
		s.t.Fatal("no solution")
	}
	return set.Solution()
}

// pages follows a query to its last page.
func (s *site) pages(query string) (all []eventAnswer) {
	s.t.Helper()
	for after := ""; ; {
		a := s.want(200, "GET", query+"&after="+after, "")
		page := decode[struct {
			Events []eventAnswer
			Next   *string
		}](s.t, a)
		all = append(all, page.Events...)
		if page.Next == nil {
			return all
		}
		after = *page.Next
	}
}
