package match

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A wire simulates a stream of TCP from host 0 to host 1 between two records of it: what is sent is
// cut into pieces, lost, sent again whole or in part, and joined again. Both hosts have one clock, the true time.
type wire struct {
	t           *rapid.T
	now         int64
	sends, gets []Endpoint
	start       uint32  // sequence number
	buffer      []chunk // arrived, not yet recorded
}

type chunk struct{ begin, end int }

func (w *wire) key(begin, end int) Endpoint {
	e := Endpoint{Payload: uint32(end - begin), Bytes: uint32(end - begin + 52)}
	e.Key = Key{Protocol: tcp, Form: ipv4Form, A: 1<<32 | 2, B: 80<<48 | 5000<<32 | 16<<16 | uint64(e.Bytes), C: uint64(w.start+uint32(begin)) << 32}
	return e
}

func (w *wire) tick() { w.now += rapid.Int64Range(1, 3).Draw(w.t, "tick") }

func (w *wire) send(begin, end int) {
	w.tick()
	e := w.key(begin, end)
	e.Time, e.Direction, e.Host = w.now, Send, 0
	w.sends = append(w.sends, e)
	for at := begin; at < end; {
		to := min(end, at+rapid.IntRange(1, 4).Draw(w.t, "piece"))
		w.tick()
		if rapid.IntRange(0, 6).Draw(w.t, "lost") > 0 {
			w.arrive(at, to)
		}
		at = to
	}
	w.flush()
}

// arrive joins what follows on what arrived before, or records it.
func (w *wire) arrive(begin, end int) {
	if n := len(w.buffer); n > 0 && w.buffer[n-1].end == begin && rapid.Bool().Draw(w.t, "joined") {
		w.buffer[n-1].end = end
		return
	}
	w.flush()
	w.buffer = append(w.buffer, chunk{begin, end})
}

func (w *wire) flush() {
	for _, p := range w.buffer {
		w.tick()
		e := w.key(p.begin, p.end)
		e.Time, e.Direction, e.Host = w.now, Receive, 1
		w.gets = append(w.gets, e)
	}
	w.buffer = w.buffer[:0]
}

// Whatever happens to a stream between its ends, no message was received before it was sent, and whatever the
// interleaving, the messages are the same and each endpoint is in one counter, and no more is told to be sent in them than was sent. A stream to
// which nothing happens but cutting and joining loses no send whose bytes begin a packet that was received.
func TestCutAndJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &wire{t: t, start: rapid.SampledFrom([]uint32{1, 1<<32 - 20}).Draw(t, "start")}
		next := 0
		for range rapid.IntRange(1, 12).Draw(t, "segments") {
			if next > 0 && rapid.IntRange(0, 3).Draw(t, "again") == 0 {
				begin := rapid.IntRange(0, next-1).Draw(t, "from")
				w.send(begin, rapid.IntRange(begin+1, next+2).Draw(t, "to"))
				next = max(next, begin+int(w.sends[len(w.sends)-1].Payload))
				continue
			}
			to := next + rapid.IntRange(1, 10).Draw(t, "length")
			w.send(next, to)
			next = to
		}
		var first []Message
		for round := range 3 {
			var got []Message
			m := NewMatcher(0, func(m Message) { got = append(got, m) })
			s, r := w.sends, w.gets
			for len(s)+len(r) > 0 {
				if len(r) == 0 || len(s) > 0 && rapid.Bool().Draw(t, "sender") {
					m.Add(s[0], nil)
					s = s[1:]
				} else {
					m.Add(r[0], nil)
					r = r[1:]
				}
			}
			m.Settle(nil)
			if err := m.Counts().identity(); err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(got, func(p, q Message) int { return int(p.Sent - q.Sent) })
			sent, told := int64(0), int64(0)
			for _, e := range w.sends {
				sent += int64(e.Bytes)
			}
			for i, e := range got {
				if told += int64(e.Data); e.Data < e.Bytes || told > sent {
					t.Fatalf("%d bytes are told of the %d that were sent, %d of them in a message of %d:\n%v", told, sent, e.Data, e.Bytes, w.sends)
				}
				if e.Content != Something {
					t.Fatalf("a message with data is said to have content %d", e.Content)
				}
				if e.Received < e.Sent {
					t.Fatalf("sent at %d, received at %d:\n%v\n%v", e.Sent, e.Received, w.sends, w.gets)
				}
				if i > 0 && got[i-1].Sent == e.Sent {
					t.Fatalf("two messages of the send at %d", e.Sent)
				}
			}
			if round == 0 {
				first = got
			} else if !slices.Equal(first, got) {
				t.Fatalf("%v in one order, %v in another", first, got)
			}
		}
	})
}

// Lengths of segments as they were sent and as they were received, which make a message, and how much is sent in it: with
// what is in no other message, and 52 bytes of headers for each send.
func TestTightestPairs(t *testing.T) {
	for _, c := range []struct {
		sent, received []int
		want           [][3]int
		pieces         int64
	}{
		{[]int{30}, []int{10, 10, 10}, [][3]int{{0, 0, 82}}, 2},
		{[]int{10, 10, 10}, []int{30}, [][3]int{{2, 0, 186}}, 2},
		{[]int{10, 10}, []int{12, 8}, [][3]int{{1, 0, 124}}, 2},
		{[]int{20, 20}, []int{20, 10, 10}, [][3]int{{0, 0, 72}, {1, 1, 72}}, 1},
		{[]int{30, 30}, []int{15, 15, 20, 10}, [][3]int{{0, 0, 82}, {1, 2, 82}}, 2},
		{[]int{10, 20, 10}, []int{15, 20, 5}, [][3]int{{1, 0, 134}, {2, 1, 62}}, 2},
		{[]int{10, 20, 10}, []int{25, 10}, [][3]int{{1, 0, 134}, {2, 1, 62}}, 1},
	} {
		var got [][3]int
		m := NewMatcher(0, func(m Message) { got = append(got, [3]int{int(m.Sent), int(m.Received) - 1000, int(m.Data)}) })
		w := &wire{}
		for i, at := 0, 0; i < len(c.sent); i++ {
			e := w.key(at, at+c.sent[i])
			e.Time = int64(i)
			at += c.sent[i]
			m.Add(e, nil)
		}
		for i, at := 0, 0; i < len(c.received); i++ {
			e := w.key(at, at+c.received[i])
			e.Time, e.Host, e.Direction = int64(1000+i), 1, Receive
			at += c.received[i]
			m.Add(e, nil)
		}
		m.Settle(nil)
		slices.SortFunc(got, func(p, q [3]int) int { return p[0] - q[0] })
		if !slices.Equal(got, c.want) || m.Counts().Pieces != c.pieces {
			t.Errorf("%v to %v: %v and %d pieces, want %v and %d", c.sent, c.received, got, m.Counts().Pieces, c.want, c.pieces)
		}
	}
}
