package live

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/state/kernel"
	"synchroscope/sync/match"
)

const (
	density  = `{"op":"density","view":1,"gen":%d,"begin":"0","end":"100","columns":10,"time":"reference"}`
	messages = `{"op":"messages","view":%d,"gen":%d,"begin":"0","end":"100","columns":10,"time":"reference","limit":5}`
)

func TestFirstSight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("client", "db")
		set.hosts[1].threads, set.hosts[1].version = []kernel.Thread{{TID: 42, PID: 42, Name: "mysqld", First: 1500}}, 1
		set.solve(3, 0, -5000)
		c := connect(t, set, Options{}, &Focus{Host: "db", Begin: 10000, End: 20000, TID: 42})
		got := make(map[wire.Kind]received)
		for _, r := range c.all() {
			got[r.kind] = r
		}
		body := unmarshal[struct {
			Name  string
			Hosts []struct{ Name string }
			Focus focusBody
		}](t, got[wire.KindSet])
		if body.Name != "fake" || len(body.Hosts) != 2 {
			t.Errorf("set %s", got[wire.KindSet].body)
		}
		if want := (focusBody{Begin: 15000, End: 25000, Host: "db", TID: 42}); body.Focus != want {
			t.Errorf("focus %v, want %v: the host's times shown by the reference clock", body.Focus, want)
		}
		if clocks := unmarshal[struct{ Version int }](t, got[wire.KindClocks]); clocks.Version != 3 {
			t.Errorf("clocks %s", got[wire.KindClocks].body)
		}
		if rows := got[wire.KindRows]; !strings.Contains(string(rows.body), "mysqld") || rows.body[0] != 3 {
			t.Errorf("rows %q, want three: two hosts and mysqld", rows.body)
		}
	})
}

// A set that says no more than before is not sent again.
func TestSetIsSentWhenItChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		c := connect(t, set, Options{}, nil)
		c.all()
		set.change(func() {})
		time.Sleep(time.Second)
		c.none(0)
		set.change(func() { set.status.Events = 5 })
		time.Sleep(time.Second)
		if r := c.one(0, wire.KindSet); !strings.Contains(string(r.body), `"events":5`) {
			t.Errorf("set %s", r.body)
		}
	})
}

// However often the import changes, pushes keep their distance, and the last state arrives.
func TestPushesKeepTheirDistance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		c := connect(t, set, Options{}, nil)
		for i := range int64(3000) {
			set.solve(i+1, 0)
			set.change(func() {
				set.status.Events = i + 1
				set.status.Anomalies = i + 1
				set.anomalies = []ingest.HostAnomaly{{Host: fmt.Sprint(i + 1)}}
			})
			time.Sleep(time.Millisecond)
		}
		time.Sleep(2 * time.Second)
		least := map[wire.Kind]time.Duration{wire.KindSet: setSpacing, wire.KindClocks: clocksSpacing, wire.KindReport: reportSpacing}
		last := make(map[wire.Kind]received)
		for _, r := range c.all() {
			if before, ok := last[r.kind]; ok && r.at.Sub(before.at) < least[r.kind] {
				t.Errorf("kind %d came %v after the one before", r.kind, r.at.Sub(before.at))
			}
			last[r.kind] = r
		}
		for kind, want := range map[wire.Kind]string{wire.KindSet: `"events":3000,`, wire.KindClocks: `"version":3000,`, wire.KindReport: `"host":"3000"`} {
			if !strings.Contains(string(last[kind].body), want) {
				t.Errorf("the last message of kind %d is %s, want %s", kind, last[kind].body, want)
			}
		}
	})
}

// However fast solutions follow each other, what a set message says of reference and times is by the clocks that came
// before it, and in the end by the last.
func TestSetIsByTheClocksThatWereSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a", "b")
		set.status.Hosts[0].LocalEnd, set.status.Hosts[1].LocalEnd = "2000", "2000"
		c := connect(t, set, Options{}, &Focus{Host: "b", Begin: 1000, End: 1500})
		for i := range int64(40) {
			solution := set.solved(i+1, 0, 100*(i+1))
			solution.Reference = int32(i % 2)
			for h := range solution.Hosts {
				solution.Hosts[h].Reference = solution.Reference
			}
			set.change(func() { set.solution, set.status = solution, set.status.By(solution) })
			time.Sleep(70 * time.Millisecond)
		}
		time.Sleep(time.Second)
		var version int64
		for _, r := range c.all() {
			switch r.kind {
			case wire.KindClocks:
				version = unmarshal[struct{ Version int64 }](t, r).Version
			case wire.KindSet:
				body := unmarshal[struct {
					Clocks int64
					Hosts  []struct {
						Reference bool
						Begin     string
					}
					Focus *focusBody
				}](t, r)
				if body.Clocks != version {
					t.Fatalf("a set by clocks %d came after those of version %d", body.Clocks, version)
				}
				if version == 0 {
					if body.Focus != nil || body.Hosts[1].Begin != "" {
						t.Errorf("before there are clocks, the set is %s", r.body)
					}
					continue
				}
				begin := 1000 - 100*version
				if body.Hosts[version%2].Reference || !body.Hosts[1-version%2].Reference || body.Hosts[1].Begin != fmt.Sprint(begin) || body.Focus.Begin != wire.Time(begin) {
					t.Errorf("by clocks %d the set is %s", version, r.body)
				}
			}
		}
		if version != 40 {
			t.Errorf("the last clocks are of version %d", version)
		}
	})
}

// A client that never acknowledges gets one answer per view and costs no more work.
func TestSlowClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		var asked atomic.Int32
		set.hosts[0].density = func() uint32 { asked.Add(1); return 1 }
		c := connect(t, set, Options{}, nil)
		c.all()
		c.send(fmt.Sprintf(density, 1))
		first := c.one(1, wire.KindDensity)
		for version := range int64(50) {
			set.solve(version+1, 0)
			time.Sleep(time.Second)
		}
		c.none(1)
		if n := asked.Load(); n != 1 {
			t.Errorf("%d queries for a client that draws nothing, want 1", n)
		}
		c.ack(first)
		second := c.one(1, wire.KindDensity)
		if second.seq() == first.seq() || second.gen != 1 {
			t.Errorf("second answer has number %d and generation %d", second.seq(), second.gen)
		}
	})
}

// A subscription is answered again when something in its range changed, at
// most every 100 ms, and at once when it was quiet before.
func TestSubscription(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		c := connect(t, set, Options{}, nil)
		c.all()
		c.send(fmt.Sprintf(density, 9))
		r := c.one(1, wire.KindDensity)
		c.ack(r)
		time.Sleep(time.Second)
		c.none(1)

		asked := time.Now()
		set.solve(1, 0)
		r = c.one(1, wire.KindDensity)
		if !r.at.Equal(asked) {
			t.Errorf("the answer came %v after the change", r.at.Sub(asked))
		}
		for version := range int64(20) {
			c.ack(r)
			set.solve(version+2, 0)
			time.Sleep(spacing)
			next := c.one(1, wire.KindDensity)
			if d := next.at.Sub(r.at); d < spacing {
				t.Errorf("two answers within %v", d)
			}
			r = next
		}
		set.change(func() { set.status.Events++ }) // changes nothing in the range
		c.ack(r)
		time.Sleep(time.Second)
		c.none(1)
	})
}

// The end of the import is answered once more; after that only who synchronizes in another way changes anything.
func TestSubscriptionAfterTheImport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a", "b")
		c := connect(t, set, Options{}, nil)
		c.all()
		c.send(fmt.Sprintf(density, 1))
		c.ack(c.one(1, wire.KindDensity))
		set.change(func() { set.status.State = ingest.Ready })
		time.Sleep(time.Second)
		c.ack(c.one(1, wire.KindDensity))
		time.Sleep(time.Second)
		c.none(1)
		set.change(func() { set.status.Name = "renamed" })
		time.Sleep(time.Second)
		c.none(1)
		for version := range int64(2) {
			set.solve(version+1, 0, 0)
			c.ack(c.one(1, wire.KindDensity))
			time.Sleep(time.Second)
			c.none(1)
		}
		c.send(fmt.Sprintf(density, 2))
		r := c.one(1, wire.KindDensity)
		if r.gen != 2 {
			t.Errorf("generation %d, want 2", r.gen)
		}
		c.ack(r)

		// Where nothing relates a host to the others any more it lies elsewhere in the range, which is the same.
		island := set.solved(3, 0, 0)
		island.Hosts[1].Reference = 1
		set.change(func() { set.solution = island })
		time.Sleep(time.Second)
		c.ack(c.one(1, wire.KindDensity))

		// By another reference the range that was asked for is another one.
		other := set.solved(4, 0, 0)
		other.Reference, other.Hosts[0].Reference, other.Hosts[1].Reference = 1, 1, 1
		set.change(func() { set.solution = other })
		time.Sleep(time.Second)
		c.none(1)
	})
}

// While an answer is in the air a newer one waits, and the newest takes its place.
func TestNewerReplacesUnsent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		c := connect(t, set, Options{}, nil)
		c.all()
		c.send(fmt.Sprintf(density, 1))
		first := c.one(1, wire.KindDensity)
		for gen := range 5 {
			c.send(fmt.Sprintf(density, gen+2))
			c.none(1)
		}
		c.ack(first)
		if r := c.one(1, wire.KindDensity); r.gen != 6 {
			t.Errorf("generation %d, want 6: the newest", r.gen)
		}
	})
}

// A stale acknowledgement lets nothing pass.
func TestStaleAck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		c := connect(t, set, Options{}, nil)
		c.all()
		c.send(fmt.Sprintf(density, 1))
		first := c.one(1, wire.KindDensity)
		c.send(fmt.Sprintf(density, 2))
		c.send(fmt.Sprintf(`{"op":"ack","view":1,"gen":1,"seq":%d}`, first.seq()+1))
		c.send(`{"op":"ack","view":7,"gen":1,"seq":1}`)
		c.none(1)
		c.ack(first)
		c.one(1, wire.KindDensity)
	})
}

// A new request ends the work for the one before.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		var begun, cancelled int
		set.messages = func(ctx context.Context, yield func(match.Message) bool) error {
			if begun++; begun == 2 {
				return nil
			}
			<-ctx.Done()
			cancelled++
			return ctx.Err()
		}
		c := connect(t, set, Options{Heavy: 1}, nil)
		c.all()
		c.send(fmt.Sprintf(messages, 1, 1))
		c.none(1)
		c.send(fmt.Sprintf(messages, 1, 2))
		if r := c.one(1, wire.KindMessages); r.gen != 2 || cancelled != 1 {
			t.Errorf("generation %d answered, %d queries cancelled; want 2 and 1", r.gen, cancelled)
		}
		c.send(fmt.Sprintf(messages, 2, 3))
		c.none(2)
		c.send(`{"op":"close","view":2}`)
		synctest.Wait()
		if cancelled != 2 {
			t.Errorf("closing a view cancelled %d queries, want 1", cancelled-1)
		}
		c.send(fmt.Sprintf(messages, 3, 4))
		synctest.Wait()
		c.conn.Close()
		synctest.Wait()
		if cancelled != 3 {
			t.Errorf("the end of a connection cancelled %d queries, want 1", cancelled-2)
		}
	})
}

// Whether the server is there is answered whatever else it has to do, and however many views there are.
func TestAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		set.messages = func(ctx context.Context, yield func(match.Message) bool) error {
			<-ctx.Done()
			return ctx.Err()
		}
		c := connect(t, set, Options{Heavy: 1}, nil)
		c.all()
		for view := range maxViews {
			c.send(fmt.Sprintf(messages, view+1, 1))
		}
		c.send(`{"op":"alive","view":200,"gen":9}`)
		if r := c.one(200, wire.KindAlive); r.gen != 9 || len(r.body) != 0 {
			t.Errorf("generation %d and %d bytes, want 9 and none", r.gen, len(r.body))
		}
	})
}

// A view that was closed starts afresh: nobody acknowledges what was in the air.
func TestCloseView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		c := connect(t, set, Options{}, nil)
		c.all()
		c.send(fmt.Sprintf(density, 1))
		c.one(1, wire.KindDensity)
		c.send(`{"op":"close","view":1}`)
		set.solve(1, 0)
		time.Sleep(time.Second)
		c.none(1)
		c.send(fmt.Sprintf(density, 2))
		if r := c.one(1, wire.KindDensity); r.gen != 2 {
			t.Errorf("generation %d, want 2", r.gen)
		}
	})
}

// No more than Heavy queries run at once, whoever asks.
func TestHeavyQueries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		running, most := 0, 0
		go_ := make(chan struct{})
		set.messages = func(ctx context.Context, yield func(match.Message) bool) error {
			running++
			most = max(most, running)
			<-go_
			running--
			return nil
		}
		c := connect(t, set, Options{Heavy: 1}, nil)
		c.all()
		for view := range 5 {
			c.send(fmt.Sprintf(messages, view+1, 1))
		}
		c.all()
		for range 5 {
			go_ <- struct{}{}
			synctest.Wait()
		}
		if got := len(c.all()); got != 5 || most != 1 {
			t.Errorf("%d answers, %d queries at once; want 5 and 1", got, most)
		}
	})
}

// What makes no sense is answered with a sentence, and the connection goes on.
func TestHostileFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a", "b")
		c := connect(t, set, Options{}, nil)
		c.all()
		for _, frame := range []string{
			``, `{`, `null`, `[]`, `7`, `"op"`, "\xff\xfe", strings.Repeat("[", 60000),
			`{"op":"density"}`,
			`{"op":"density","view":0}`,
			`{"op":"density","view":99999999999999999999}`,
			`{"op":"density","view":1,"gen":1e300,"begin":"0","end":"1","columns":1,"time":"raw"}`,
			`{"op":"density","view":1,"gen":1,"begin":"5","end":"5","columns":1,"time":"raw"}`,
			`{"op":"density","view":1,"gen":1,"begin":"0","end":"9223372036854775807","columns":1,"time":"raw"}`,
			`{"op":"density","view":1,"gen":1,"begin":"0","end":"1","columns":100000000,"time":"raw"}`,
			`{"op":"states","view":1,"gen":1,"begin":"0","end":"1","columns":1,"time":"raw","rows":[4294967295]}`,
			`{"op":"states","view":1,"gen":1,"begin":"0","end":"1","columns":1,"time":"raw","rows":[-1]}`,
			`{"op":"at","view":1,"gen":1,"row":77,"at":"0","time":"raw"}`,
			`{"op":"points","view":1,"gen":1,"a":0,"b":1,"limit":10}`,
			`{"op":"points","view":1,"gen":1,"a":100000,"b":2000000000,"limit":10}`,
		} {
			c.send(frame)
			got := c.all()
			if len(got) != 1 || got[0].kind != wire.KindError || unmarshal[struct{ Message string }](t, got[0]).Message == "" {
				t.Errorf("%.80q was answered with %v, want one error", frame, got)
			}
		}
		c.conn.WriteMessage(websocket.BinaryMessage, []byte{1, 2, 3})
		c.one(0, wire.KindError)
		c.send(`{"op":"density","view":1,"gen":1,"begin":"-4611686018427387904","end":"4611686018427387904","columns":8192,"time":"reference"}`)
		c.one(1, wire.KindDensity)
	})
}

// A storm of bad frames is answered as fast as answers leave, not one by one.
func TestHostileStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newFake("a"), Options{}, nil)
		c.all()
		for range 10000 {
			c.send(`{"op":"density","view":1}`)
		}
		if got := c.all(); len(got) == 0 {
			t.Error("no answer")
		}
		c.send(fmt.Sprintf(density, 1))
		c.one(1, wire.KindDensity)
	})
}

func TestTooManyViews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newFake("a"), Options{}, nil)
		c.all()
		for view := range maxViews + 1 {
			c.send(fmt.Sprintf(messages, view+1, 1))
		}
		got := c.all()
		refused := 0
		for _, r := range got {
			if r.kind == wire.KindError {
				refused++
			}
		}
		if len(got) != maxViews+1 || refused != 1 {
			t.Errorf("%d answers, %d refusals", len(got), refused)
		}
		c.send(`{"op":"close","view":1}`)
		c.send(fmt.Sprintf(messages, 100, 1))
		c.one(100, wire.KindMessages)
	})
}

func TestTooLargeFrameEndsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newFake("a"), Options{}, nil)
		c.conn.WriteMessage(websocket.TextMessage, make([]byte, wire.MaxRequest+1))
		if code := c.closed(); code != websocket.CloseMessageTooBig {
			t.Errorf("closed with %d, want %d", code, websocket.CloseMessageTooBig)
		}
	})
}

// A few bytes that are many once unpacked are a large frame as well.
func TestPackedFrameIsBoundedUnpacked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newFake("a"), Options{}, nil)
		c.conn.EnableWriteCompression(true)
		c.conn.WriteMessage(websocket.TextMessage, make([]byte, 32<<20))
		if code := c.closed(); code != websocket.CloseMessageTooBig {
			t.Errorf("closed with %d, want %d", code, websocket.CloseMessageTooBig)
		}
	})
}

// A panic in a query fails its request and nothing else.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		set.hosts[0].density = func() uint32 { panic("broken") }
		c := connect(t, set, Options{Heavy: 1}, nil)
		c.all()
		c.send(fmt.Sprintf(density, 1))
		if r := c.one(1, wire.KindError); unmarshal[struct{ Message string }](t, r).Message != "Internal error." {
			t.Errorf("error %s", r.body)
		}
		c.send(fmt.Sprintf(messages, 2, 1))
		c.one(2, wire.KindMessages)
	})
}

// A dead peer is noticed by its silence; a living one answers pings for ever.
func TestSignsOfLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newFake("a"), Options{}, nil)
		time.Sleep(time.Hour)
		if code := c.closed(); code != 0 || c.hub.Sessions() != 1 {
			t.Fatalf("closed with %d after an hour", code)
		}
		c.silent.Store(true)
		time.Sleep(2 * pongWait)
		synctest.Wait()
		if n := c.hub.Sessions(); n != 0 {
			t.Errorf("%d sessions with a silent peer", n)
		}
	})
}

func TestServerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newFake("a"), Options{}, nil)
		if err := c.hub.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if code := c.closed(); code != websocket.CloseGoingAway {
			t.Errorf("closed with %d, want %d", code, websocket.CloseGoingAway)
		}
	})
}

func TestDeletedSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newFake("a"), Options{}, nil)
		c.hub.Forget("another")
		if code := c.closed(); code != 0 {
			t.Errorf("closed with %d for another set", code)
		}
		c.hub.Forget("s")
		if code := c.closed(); code != websocket.CloseNormalClosure {
			t.Errorf("closed with %d, want %d", code, websocket.CloseNormalClosure)
		}
	})
}
