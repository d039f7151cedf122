package transport

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/simulate/agenda"
	"synchroscope/simulate/chance"
	"synchroscope/simulate/network"
)

// A world is two stacks and what is between them.
type world struct {
	t      *rapid.T
	agenda agenda.Agenda
	hosts  [2]*end
	fate   func() (delays []int64) // of a packet: when each of its copies arrives
	flying []flight
}

type flight struct {
	to     *end
	header network.Header
	peer   any
}

// An end is a host with a program.
type end struct {
	w     *world
	stack *Stack
	step  func() // what the program does when something is ready
	base  uint32 // the other end's first sequence number
	began bool   // it has told the other end its first sequence number
	seen  []bool // the bytes that came, by their offset
}

func (e *end) Now() int64 { return e.w.agenda.Now() }

// Emit cuts what is too long, as a card does.
func (e *end) Emit(h *network.Header, peer any) {
	data := 0
	if h.Protocol == network.TCP {
		data = h.Payload()
	}
	if c, ok := peer.(*Conn); ok && !e.began {
		e.began, e.w.other(e).base = true, c.isn
	}
	for from := 0; ; {
		n := min(mss, data-from)
		part := *h
		part.Seq += uint32(from)
		part.Length = h.Length - data + n
		if from+n < data {
			part.Flags &^= network.PSH | network.FIN
		}
		for _, d := range e.w.fate() {
			e.w.fly(e.w.other(e), part, peer, d)
		}
		if from += n; from >= data {
			return
		}
	}
}

func (w *world) other(e *end) *end {
	if e == w.hosts[0] {
		return w.hosts[1]
	}
	return w.hosts[0]
}

func (w *world) fly(to *end, h network.Header, peer any, d int64) {
	w.flying = append(w.flying, flight{to, h, peer})
	w.agenda.At(w.agenda.Now()+d, w, uint64(len(w.flying)-1))
}

// Do is a packet arriving.
func (w *world) Do(now int64, arg uint64) {
	f := w.flying[arg]
	if h := &f.header; h.Protocol == network.TCP {
		for i := range h.Payload() {
			at := int(h.Seq-f.to.base) + i
			if at > 1<<20 { // of a connection that a copy of a SYN has made behind the end
				break
			}
			for len(f.to.seen) <= at {
				f.to.seen = append(f.to.seen, false)
			}
			f.to.seen[at] = true
		}
	}
	f.to.stack.Receive(&f.header, f.peer)
}

type alarmed struct{ c *Conn }

// Do is an alarm.
func (a alarmed) Do(now int64, _ uint64) {
	if a.c.Due(now) {
		a.c.Expire(now)
	}
}

func (e *end) Alarm(c *Conn, at int64, _ bool) { e.w.agenda.At(at, alarmed{c}, 0) }

func (e *end) Ready(*Waiters) { e.w.agenda.At(e.w.agenda.Now(), (*later)(e), 0) }

// later is the program going on.
type later end

// Do lets it.
func (l *later) Do(int64, uint64) {
	if l.step != nil {
		l.step()
	}
}

func newWorld(t *rapid.T, fate func() []int64, o Options) *world {
	w := &world{t: t, fate: fate}
	for i := range w.hosts {
		w.hosts[i] = &end{w: w}
		w.hosts[i].stack = New(w.hosts[i], 10<<24|uint32(i+1), chance.New(1, string(rune('a'+i))), o)
	}
	return w
}

// All messages arrive once, whole and in order, and then the end of the stream, whatever
// becomes of packets on their way, both ways at once, and across the wrap of sequence numbers.
func TestStreams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		troubled := rapid.IntRange(0, 400).Draw(t, "packets in trouble")
		kind := rapid.SampledFrom([]string{"loss", "copies", "order", "all", "none"}).Draw(t, "kind")
		losses, packets := 0, 0
		fate := func() []int64 {
			if troubled--; troubled < 0 || kind == "none" {
				return []int64{20_000}
			}
			v := rapid.IntRange(0, 99).Draw(t, "fate")
			packets++
			switch {
			case (kind == "loss" && v < 30 || kind == "all" && v < 15) && losses < 14 && (packets > 20 || losses < 4): // more, and it gives up
				losses++
				return nil
			case kind == "copies" && v < 30, kind == "all" && v < 25:
				return []int64{20_000, 20_000 + int64(v)*9_000}
			case kind == "order" && v < 60, kind == "all" && v < 50:
				return []int64{20_000 + int64(v)*7_000}
			}
			return []int64{20_000}
		}
		o := Options{
			Segment:    rapid.SampledFrom([]int{1, 64_000}).Draw(t, "segment"),
			SendBuffer: rapid.SampledFrom([]int{4_000, 0}).Draw(t, "send buffer"),
			Buffer:     rapid.SampledFrom([]int{6_000, 0}).Draw(t, "buffer"),
		}
		w := newWorld(t, fate, o)
		var conns [2]*Conn
		var sent, got [2][]int // sizes of messages, by who sent them
		for i := range sent {
			for range rapid.IntRange(0, 12).Draw(t, "messages") {
				sent[i] = append(sent[i], rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1000, 30_000)).Draw(t, "size"))
			}
		}
		var ended [2]bool
		program := func(i int) func() {
			next, left, started, part := 0, 0, false, 0
			return func() {
				if i == 1 && conns[1] == nil {
					conns[1] = w.hosts[1].stack.listeners[80].Accept()
				}
				c := conns[i]
				if c == nil || !c.Established() {
					return
				}
				for n := c.Readable(); n > 0; n = c.Readable() {
					size, tag, ok := c.Message()
					if !ok {
						t.Fatalf("%d bytes of no message", n)
					}
					if tag != uint32(len(got[1-i])) {
						t.Fatalf("message %d comes as number %d", tag, len(got[1-i]))
					}
					if i := slices.Index(w.hosts[i].seen[c.read:c.read+int64(min(size, n))], false); i >= 0 {
						t.Fatalf("byte %d can be read and has not come", int(c.read)+i)
					}
					k := c.Take(min(size, n))
					if part += k; k == size {
						got[1-i] = append(got[1-i], part)
						part = 0
					}
				}
				if c.Err() != nil {
					t.Fatalf("%v", c.Err())
				}
				for {
					if left == 0 {
						if next == len(sent[i]) {
							break
						}
						left, started = sent[i][next], false
						next++
					}
					if !started {
						c.Mark(left, uint32(next-1))
						started = true
					}
					n := min(c.Room(), left)
					if n == 0 {
						c.Writers.List = append(c.Writers.List[:0], i)
						return
					}
					c.Put(n)
					left -= n
				}
				// the one who has sent less ends when it has heard all, the other one then
				if len(got[1-i]) == len(sent[1-i]) && (i == 0 || c.Ended()) && !ended[i] {
					ended[i] = true
					c.Close()
				}
			}
		}
		for i := range w.hosts {
			w.hosts[i].step = program(i)
		}
		w.hosts[1].stack.Listen(80)
		c, err := w.hosts[0].stack.Connect(10<<24|2, 80, nil)
		if err != nil {
			t.Fatal(err)
		}
		c.isn -= uint32(rapid.IntRange(0, 1<<20).Draw(t, "before the wrap")) + c.isn
		conns[0], w.hosts[1].base = c, c.isn
		for i := range w.flying {
			w.flying[i].header.Seq = c.isn
		}
		w.agenda.Run(4000e9)
		for i := range sent {
			if len(got[i]) != len(sent[i]) {
				t.Fatalf("%d of %d messages of %d have come; %s, %s", len(got[i]), len(sent[i]), i, show(conns[0]), show(conns[1]))
			}
			for k := range sent[i] {
				if sent[i][k] != got[i][k] {
					t.Errorf("message %d has %d bytes of %d", k, got[i][k], sent[i][k])
				}
			}
			if !ended[i] || w.hosts[i].stack.Open() != 0 {
				t.Errorf("end of %d: %t, %d connections are left", i, ended[i], w.hosts[i].stack.Open())
			}
		}
	})
}

// A port where nobody listens refuses, a host that does not answer times out.
func TestRefused(t *testing.T) {
	for _, answers := range []bool{true, false} {
		w := newWorld(nil, func() []int64 {
			if answers {
				return []int64{20_000}
			}
			return nil
		}, Options{})
		c, err := w.hosts[0].stack.Connect(10<<24|2, 81, nil)
		if err != nil {
			t.Fatal(err)
		}
		w.agenda.Run(500e9)
		want := ErrRefused
		if !answers {
			want = ErrTimeout
		}
		if c.Err() != want || c.Established() || w.hosts[0].stack.Open() != 0 {
			t.Errorf("answers %t: %v", answers, c.Err())
		}
	}
}

func show(c *Conn) string {
	if c == nil {
		return "none"
	}
	return fmt.Sprintf("state %d %v una %d next %d highest %d queued %d fin %t window %d cwnd %d tries %d resend %d received %d read %d edge %d ahead %v end %d",
		c.state, c.err, c.una, c.next, c.highest, c.queued, c.fin, c.window, c.cwnd, c.tries, c.resend, c.received, c.read, c.edge, c.ahead, c.end)
}
