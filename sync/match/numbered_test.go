package match

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A numberer simulates a stream of TCP whose packets have IP ids: host 0 sends segments, its card makes packets of size bytes
// of each, some are lost, some come twice or late, and what follows on each other is joined before it is recorded. Both hosts have one
// clock.
type numberer struct {
	t           *rapid.T
	now         int64
	id          uint16
	start       uint32
	sends, gets []Endpoint
	of          map[int64][]int64 // by time of receiving: when what is in it was sent
	late        []numbers
	open        *numbers // joined so far
	openOf      []int64
}

// numbers are a packet, or several that were joined.
type numbers struct {
	begin, end int
	first, id  uint16
	sent       int64
}

const packetSize = 1000

func (w *numberer) endpoint(d Direction, begin, end int, id uint16) Endpoint {
	w.now += rapid.Int64Range(1, 3).Draw(w.t, "tick")
	e := Endpoint{Time: w.now, Host: int32(d), Direction: d, Payload: uint32(end - begin), Bytes: uint32(end - begin + 52)}
	e.Key = Key{
		Protocol: tcp, Form: ipv4Form, A: 1<<32 | 2, B: 80<<48 | 5000<<32 | 16<<16 | uint64(uint16(e.Bytes)),
		C: uint64(w.start+uint32(begin)) << 32, D: uint64(id),
	}
	return e
}

func (w *numberer) send(begin, end int) {
	e := w.endpoint(Send, begin, end, w.id)
	w.sends = append(w.sends, e)
	for at := begin; at < end; at += packetSize {
		p := numbers{at, min(end, at+packetSize), w.id, w.id, e.Time}
		if w.id++; w.id == 0 {
			w.id = 1
		}
		switch rapid.IntRange(0, 9).Draw(w.t, "fate") {
		case 0, 1: // lost
		case 2:
			w.late = append(w.late, p)
		case 3:
			w.arrive(p)
			w.arrive(p)
		default:
			w.arrive(p)
		}
	}
	for _, p := range w.late {
		w.arrive(p)
	}
	w.late = w.late[:0]
	w.flush()
}

// arrive joins a packet with those before it, as cards do, if it follows on them by sequence number and id.
func (w *numberer) arrive(p numbers) {
	if o := w.open; o != nil && o.end == p.begin && o.id+1 == p.id && (o.end-o.begin)%packetSize == 0 && rapid.Bool().Draw(w.t, "joined") {
		o.end, o.id = p.end, p.id
		w.openOf = append(w.openOf, p.sent)
		return
	}
	w.flush()
	w.open, w.openOf = &p, []int64{p.sent}
}

func (w *numberer) flush() {
	if w.open == nil {
		return
	}
	e := w.endpoint(Receive, w.open.begin, w.open.end, w.open.first)
	if rapid.IntRange(0, 19).Draw(w.t, "recorded") > 0 {
		w.gets = append(w.gets, e)
	}
	w.of[e.Time] = w.openOf
	w.open = nil
}

// Whatever happens to packets with IP ids on their way, and whatever the tracer loses of what was received, what is received with a message went with what
// was sent with it, not with an earlier or later copy; no more is told to be sent than was; and a packet that was neither cut nor joined nor copied is found.
func TestNumbered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &numberer{t: t, of: make(map[int64][]int64), id: rapid.SampledFrom([]uint16{1, 65530}).Draw(t, "id")}
		w.start = rapid.SampledFrom([]uint32{1, 1<<32 - 20_000}).Draw(t, "start")
		next := 0
		for range rapid.IntRange(1, 12).Draw(t, "segments") {
			length := rapid.IntRange(1, 10).Draw(t, "packets")*packetSize - rapid.SampledFrom([]int{0, 0, 300}).Draw(t, "less")
			if next > 0 && rapid.IntRange(0, 2).Draw(t, "again") == 0 {
				begin := max(0, next-rapid.IntRange(1, 12).Draw(t, "back")*packetSize)
				w.send(begin, begin+length)
				next = max(next, begin+length)
				continue
			}
			w.send(next, next+length)
			next += length
		}
		var got []Message
		m := NewMatcher(0, func(m Message) { got = append(got, m) })
		for _, e := range slices.Concat(w.sends, w.gets) {
			m.Add(e, nil)
		}
		m.Settle(nil)
		if err := m.Counts().identity(); err != nil {
			t.Fatal(err)
		}
		found := make(map[int64]bool)
		sent := int64(0)
		for _, e := range w.sends {
			sent += int64(e.Bytes)
		}
		for _, e := range got {
			if sent -= int64(e.Data); sent < 0 || e.Data < e.Bytes {
				t.Fatalf("more is told than was sent: %v", got)
			}
			if !slices.Contains(w.of[e.Received], e.Sent) {
				t.Fatalf("what was received at %d was sent at %d, not at %d", e.Received, w.of[e.Received], e.Sent)
			}
			found[e.Sent] = true
		}
		for _, s := range w.sends {
			same := 0
			for _, r := range w.gets {
				if r.Key == s.Key {
					same++
				}
			}
			if same == 1 && !found[s.Time] {
				t.Fatalf("what was sent at %d was received as it was, but is missing", s.Time)
			}
		}
	})
}
