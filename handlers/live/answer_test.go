package live

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"testing"
	"testing/synctest"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/state/kernel"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

func TestStatusWords(t *testing.T) {
	for _, c := range []struct {
		status  kernel.Status
		syscall string
		want    string
	}{
		{kernel.Unknown, "", "unknown"},
		{kernel.Blocked, "", "blocked"},
		{kernel.Blocked, "futex", "blocked in futex"},
		{kernel.User, "", "running in user space"},
		{kernel.User, "futex", "running in user space"},
		{kernel.Syscall, "read", "running in system call read"},
		{kernel.Syscall, "", "running in system call"},
		{kernel.Interrupted, "read", "interrupted in read"},
		{kernel.Interrupted, "", "interrupted"},
		{kernel.WaitCPU, "write", "waiting for a CPU in write"},
		{kernel.Wait, "", "not running"},
		{kernel.Forked, "clone", "forked, not run yet"},
		{kernel.Kernel, "", "running in the kernel"},
		{kernel.Status(200), "x", "in the unknown status 200"},
	} {
		if got := statusWords(c.status, c.syscall); got != c.want {
			t.Errorf("status %d in %q: %q, want %q", c.status, c.syscall, got, c.want)
		}
	}
}

// Two hosts whose clocks are 1000 ns apart exchange two messages; the second
// arrives too early by the reference clock only.
func TestMessagesOfTwoClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a", "b")
		set.hosts[0].threads, set.hosts[0].version = []kernel.Thread{{TID: 5, PID: 5}}, 1
		set.solve(1, 0, 1000)
		set.solution.Final = true
		set.messages = func(ctx context.Context, yield func(match.Message) bool) error {
			yield(match.Message{From: 0, To: 1, Sent: 10, Received: 1030, FromThread: 5, ToThread: -1, Data: 100})
			yield(match.Message{From: 1, To: 0, Sent: 1050, Received: 45, FromThread: -1, ToThread: 5, Data: 50})
			return nil
		}
		c := connect(t, set, Options{}, nil)
		c.all()
		type arrow struct {
			sent, received float64
			from, to       uint32
			flags          uint8
		}
		read := func(time string) (violations uint32, out []arrow) {
			c.send(fmt.Sprintf(`{"op":"messages","view":1,"gen":1,"begin":"-100","end":"2000","columns":10,"time":%q,"limit":9}`, time))
			r := c.one(1, wire.KindMessages)
			c.ack(r)
			b := r.body
			n := int(binary.LittleEndian.Uint32(b[4:]))
			f64 := func(column, i int) float64 {
				return math.Float64frombits(binary.LittleEndian.Uint64(b[32+8*(column*n+i):]))
			}
			u32 := func(column, i int) uint32 { return binary.LittleEndian.Uint32(b[32+16*n+4*(column*n+i):]) }
			for i := range n {
				out = append(out, arrow{f64(0, i), f64(1, i), u32(0, i), u32(1, i), b[32+16*n+24*n+9*n+i]})
			}
			return binary.LittleEndian.Uint32(b[20:]), out
		}
		thread, hostB := uint32(1), uint32(2)
		if v, got := read("reference"); v != 1 || fmt.Sprint(got) != fmt.Sprint([]arrow{{110, 130, thread, hostB, 0}, {150, 145, hostB, thread, wire.Violation}}) {
			t.Errorf("reference: %d violations, %v", v, got)
		}
		if v, got := read("raw"); v != 1 || fmt.Sprint(got) != fmt.Sprint([]arrow{{110, 1130, thread, hostB, 0}, {1150, 145, hostB, thread, wire.Violation}}) {
			t.Errorf("raw: %d violations, %v", v, got)
		}
	})
}

func messagesFrame(t *testing.T, s *session, r wire.Request) []byte {
	t.Helper()
	return answerFrame(t, answerMessages, s, r)
}

// answerFrame is what a request is answered.
func answerFrame(t *testing.T, ask func(context.Context, *session, wire.Request) (answer, error), s *session, r wire.Request) []byte {
	t.Helper()
	a, err := ask(t.Context(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	frame, err := a(1)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// Messages that clocks have not learnt from may be drawn received before sent by them: while an import runs, that is
// only said where bounds exclude it, in the end wherever one clock follows from the other.
func TestMessagesNewerThanTheClocks(t *testing.T) {
	const early, tooEarly, beyond = 5, 500, 1 << 41
	for _, c := range []struct {
		name  string
		shape func(*network.Solution)
		want  uint32
	}{
		{"while the import runs", func(*network.Solution) {}, 1},
		{"in the end", func(s *network.Solution) { s.Final = true }, 3},
		{"of hosts that nothing relates", func(s *network.Solution) { s.Final, s.Hosts[1].Component = true, 1 }, 0},
		{"without bounds", func(s *network.Solution) {
			for i := range s.Hosts {
				s.Hosts[i].Map, _ = s.Hosts[i].Map.WithBounds(nil)
			}
		}, 0},
	} {
		set := newFake("a", "b")
		set.solve(1, 0, 0) // to 50 ns and 60 ns before 1<<40, no bound later
		c.shape(set.solution)
		set.messages = func(_ context.Context, yield func(match.Message) bool) error {
			yield(match.Message{From: 0, To: 1, Sent: 1000, Received: 1000 - early})
			yield(match.Message{From: 0, To: 1, Sent: 1000, Received: 1000 - tooEarly})
			yield(match.Message{From: 0, To: 1, Sent: beyond, Received: beyond - tooEarly})
			return nil
		}
		s := newSession(NewHub(Options{}), nil, set, new(table), nil)
		s.refreshRows(set.Status())
		frame := messagesFrame(t, s, wire.Request{Op: wire.OpMessages, End: beyond + 1, Columns: 10, Limit: 9})
		if n := binary.LittleEndian.Uint32(frame[wire.HeaderSize+20:]); n != c.want {
			t.Errorf("%s: %d violations, want %d", c.name, n, c.want)
		}
	}
}

// Messages are all told of once the set is at rest and its clocks are final, and of a thread's states also before that: when its host is read.
func TestCompleteAnswers(t *testing.T) {
	for _, c := range []struct {
		name             string
		change           func(*fakeSet)
		raw              bool
		states, messages bool
	}{
		{"while the import runs", func(*fakeSet) {}, false, false, false},
		{"in raw time", func(*fakeSet) {}, true, false, false},
		{"of a host that is read", func(set *fakeSet) { set.status.Hosts[0].State = "done" }, true, true, false},
		{"of one that is read, by clocks that are not final", func(set *fakeSet) { set.status.Hosts[0].State = "done" }, false, false, false},
		{"before the last clocks", func(set *fakeSet) { set.status.State = ingest.Ready }, false, false, false},
		{"in the end", func(set *fakeSet) { set.status.State, set.solution.Final = ingest.Ready, true }, false, true, true},
		{"in the end, in raw time", func(set *fakeSet) { set.status.State = ingest.Ready }, true, true, true},
		{"of a first look", func(set *fakeSet) {
			set.status.Preview, set.status.State, set.solution.Final = true, ingest.Ready, true
		}, false, false, false},
	} {
		set := newFake("a", "b")
		set.solve(1, 0, 0)
		c.change(set)
		s := newSession(NewHub(Options{}), nil, set, new(table), nil)
		s.refreshRows(set.Status())
		r := wire.Request{Op: wire.OpMessages, End: 1000, Columns: 10, Limit: 9, Raw: c.raw}
		if got := s.complete(r, s.lens(c.raw), []row{{host: 0}}); got != c.states {
			t.Errorf("%s: states are complete: %v", c.name, got)
		}
		frame := messagesFrame(t, s, r)
		if got := binary.LittleEndian.Uint32(frame[wire.HeaderSize+24:]) == 1; got != c.messages {
			t.Errorf("%s: messages are complete: %v", c.name, got)
		}
	}
}

// A row whose history has not begun is empty, not an error.
func TestStatesBeforeTheFirstEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		set.hosts[0].threads, set.hosts[0].version = []kernel.Thread{{TID: 5, PID: 5}}, 1
		c := connect(t, set, Options{}, nil)
		c.all()
		c.send(`{"op":"states","view":1,"gen":1,"begin":"0","end":"50","columns":5,"time":"reference","rows":[1,0]}`)
		r := c.one(1, wire.KindStates)
		u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(r.body[at-wire.HeaderSize:]) }
		if rows, complete, runs := u32(12), u32(36), u32(40); rows != 2 || complete != 0 || runs != 2 {
			t.Errorf("%d rows, complete %d, %d runs", rows, complete, runs)
		}
		c.send(`{"op":"at","view":2,"gen":1,"row":1,"at":"7","time":"reference"}`)
		at := unmarshal[wire.At](t, c.one(2, wire.KindAt))
		if at.Host != "a" || at.Thread == nil || at.Thread.TID != 5 || at.Status != nil || at.At != 7 {
			t.Errorf("at %+v", at)
		}
	})
}

// The error of a column is that of the worst clock that has a trace there: without
// any trace there is none.
func TestDensityAddsUp(t *testing.T) {
	if sum := []uint32{1, math.MaxUint32 - 1}; true {
		addTo(sum, []uint32{2, 5, 9})
		if sum[0] != 3 || sum[1] != math.MaxUint32 {
			t.Errorf("sums %v", sum)
		}
	}
	set := newFake("a", "b")
	set.solve(1, 0, 0)
	errors := []float32{-1, -1, -1, 80}
	lens{solution: set.solution}.widen(errors, 0, []int64{0, 10, 20, 30, 40}, 10, 35)
	if want := []float32{-1, 60, 60, 80}; fmt.Sprint(errors) != fmt.Sprint(want) {
		t.Errorf("errors %v, want %v", errors, want)
	}
	set.solution.Hosts[1].Component = 1
	lens{solution: set.solution}.widen(errors, 1, []int64{0, 10, 20, 30, 40}, 0, 40)
	if want := []float32{-1, 60, 60, 80}; fmt.Sprint(errors) != fmt.Sprint(want) {
		t.Errorf("with a host on an island errors are %v, want %v", errors, want)
	}
}
