package traffic

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/match"
)

// A wire is a simulated connection between a client, whose clock is ahead, and a server: what goes over it comes in the order of sending.
type wire struct {
	client, server         int32
	clientPort, serverPort uint16
	ahead                  int64 // of the client's clock, ns
	now                    int64
	sent                   []timedMessage
}

type timedMessage struct {
	at int64
	match.Message
}

func all(*Request) bool              { return true }
func own(_ int32, local int64) int64 { return local }

const delay = 1000 // of every message, ns

func (w *wire) up(bytes uint32, thread int32) {
	w.add(match.Message{From: w.client, To: w.server, FromPort: w.clientPort, ToPort: w.serverPort, Sent: w.now + w.ahead, Received: w.now + delay, Bytes: bytes, FromThread: thread, ToThread: -1})
}

func (w *wire) down(bytes uint32, thread int32) {
	w.add(match.Message{From: w.server, To: w.client, FromPort: w.serverPort, ToPort: w.clientPort, Sent: w.now, Received: w.now + delay + w.ahead, Bytes: bytes, FromThread: thread, ToThread: -1})
}

func (w *wire) add(m match.Message) {
	w.sent = append(w.sent, timedMessage{w.now, m})
	w.now += delay
}

// size is of a packet with data, but none that could have options in their place.
func size(random *rand.Rand) uint32 {
	if n := 53 + random.Uint32N(1000); n != 60 && n != 64 && n != 72 && n != 80 {
		return n
	}
	return 53
}

func (w *wire) open() {
	w.up(60, -1)
	w.down(60, -1)
	w.up(52, -1)
}

// Connections of clients whose clocks are far off, mixed with each other: every turn is found with its times and threads, and
// neither what opens a connection, nor acknowledgements, nor the time in which a client thinks, is taken for one.
func TestRequestsAreTheTurnsThatWereTaken(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		var sent []timedMessage
		var want []Request
		for c := range int32(12) {
			w := &wire{
				client: c % 3, server: 3 + c%2, clientPort: uint16(40000 + c), serverPort: 80, ahead: int64(c%3)*7e9 - 5e9, now: random.Int64N(1e6),
			}
			if c%4 == 0 {
				w.serverPort = 50051 // no port tells who asks: the one who opened it does
			}
			w.open()
			for range random.IntN(5) {
				w.now += random.Int64N(5e6) // the client thinks
				q := Request{Client: w.client, Server: w.server, ClientPort: w.clientPort, ServerPort: w.serverPort, ClientThread: c, ServerThread: 100 + c, Asked: w.now + w.ahead}
				for range 1 + random.IntN(3) {
					q.Came = w.now + delay
					q.Began = cmp.Or(q.Began, q.Came)
					w.up(size(random), c)
				}
				w.down(52, -1)
				w.now += random.Int64N(3e6) // the server works
				q.First = w.now + delay + w.ahead
				for range 1 + random.IntN(3) {
					q.Replied, q.Answered = w.now, w.now+delay+w.ahead
					w.down(size(random), 100+c)
					w.up(52, -1)
					w.now += random.Int64N(1e6) // and works on
				}
				want = append(want, q)
			}
			w.up(52, -1)
			w.down(52, -1)
			sent = append(sent, w.sent...)
		}
		slices.SortStableFunc(sent, func(a, b timedMessage) int { return int(a.at - b.at) })
		begin, end := int64(-8e9), int64(12e9)
		if len(want) > 0 && random.IntN(2) == 0 {
			begin, end = want[0].Asked, want[len(want)-1].Asked
			want = slices.DeleteFunc(want, func(q Request) bool { return q.Asked < begin || q.Asked >= end })
		}
		r := NewRequests(own, func(q *Request) bool { return begin <= q.Asked && q.Asked < end }, 6)
		for i := range sent {
			r.Add(&sent[i].Message)
		}
		r.Finish()
		slices.SortFunc(want, slower)
		if r.Count != int64(len(want)) || r.Times.Count() != r.Count {
			t.Fatalf("%d requests found, %d made", r.Count, len(want))
		}
		if want = want[:min(6, len(want))]; !slices.Equal(r.Slowest(), want) {
			t.Fatalf("the slowest are\n%+v, want\n%+v", r.Slowest(), want)
		}
	}
}

// Messages between one's own, without ports or without a size tell nothing, and an answer that was sent before its question came is none.
func TestRequestsTakeNoOtherMessages(t *testing.T) {
	r := NewRequests(own, all, 4)
	ask := match.Message{From: 0, To: 1, FromPort: 40000, ToPort: 80, Sent: 100, Received: 200, Bytes: 300}
	answer := match.Message{From: 1, To: 0, FromPort: 80, ToPort: 40000, Sent: 199, Received: 150, Bytes: 300}
	small := ask
	small.Bytes = 52
	for _, m := range []match.Message{small, ask, answer} {
		r.Add(&m)
	}
	for _, change := range []func(m *match.Message){
		func(m *match.Message) { m.FromPort = 0 }, func(m *match.Message) { m.ToPort = 0 }, func(m *match.Message) { m.Bytes = 0 }, func(m *match.Message) { m.To = m.From },
	} {
		late := answer
		late.Sent, late.Received = 500, 600
		change(&late)
		r.Add(&late)
	}
	late := answer
	late.Sent, late.Received = 500, 600
	r.Add(&late)
	r.Finish()
	if r.Count != 1 || r.Slowest()[0].Took() != 500 || r.Slowest()[0].First != 600 || r.Slowest()[0].Served() != 300 {
		t.Fatalf("found %+v", r.Slowest())
	}
}

// The times of a request are by the clock that is asked for, what is wanted is told by the hosts' own.
func TestRequestsByAnotherClock(t *testing.T) {
	at := func(host int32, local int64) int64 { return local*2 + int64(host)*1000 }
	for _, from := range []int64{100, 101} {
		r := NewRequests(at, func(q *Request) bool { return q.Asked >= from }, 4)
		r.Add(&match.Message{From: 3, To: 1, FromPort: 40000, ToPort: 80, Sent: 100, Received: 200, Bytes: 300})
		r.Add(&match.Message{From: 1, To: 3, FromPort: 80, ToPort: 40000, Sent: 250, Received: 170, Bytes: 300})
		r.Finish()
		if from > 100 {
			if r.Count != 0 {
				t.Errorf("one that was asked at 100 is wanted from %d on", from)
			}
			continue
		}
		q := r.Slowest()[0]
		if q.Asked != 3200 || q.Answered != 3340 || q.Came != 1400 || q.Replied != 1500 || q.Took() != 140 || r.Times.Quantile(1) != 140 {
			t.Errorf("%+v", q)
		}
	}
}

// What lists gaps, or opens a connection of the same ports again, is neither a question nor an answer, but where questions are as small; answers may always be.
func TestRequestsAmongOptions(t *testing.T) {
	for first, want := range map[uint32]struct{ count, took int64 }{300: {2, 55}, 64: {5, 15}, 70: {5, 15}} {
		r := NewRequests(own, all, 9)
		now := int64(0)
		up := func(bytes uint32) {
			now += 10
			r.Add(&match.Message{From: 0, To: 1, FromPort: 40000, ToPort: 80, Sent: now, Received: now + 5, Bytes: bytes})
		}
		down := func(bytes uint32) {
			now += 10
			r.Add(&match.Message{From: 1, To: 0, FromPort: 80, ToPort: 40000, Sent: now, Received: now + 5, Bytes: bytes})
		}
		up(60)
		down(60)
		up(52)
		up(first)
		down(1000)
		up(64)
		down(1000)
		up(72)
		down(1000)
		up(52)
		up(60)
		down(60)
		up(52)
		up(400)
		down(60)
		r.Finish()
		if r.Count != want.count || r.Slowest()[0].Took() != want.took {
			t.Errorf("where the first question has %d bytes: %d requests, the slowest %+v", first-52, r.Count, r.Slowest())
		}
	}
}

// Where headers say what carries data, sizes count for nothing: neither options, however long, nor data, however short, are taken for each other, and
// one who asks for a connection is who asks on it, whatever was said on these ports before.
func TestRequestsByTheirHeaders(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		r := NewRequests(own, all, 1<<10)
		now, want := int64(0), int64(0)
		say := func(from int32, content match.Content, opens bool) {
			now += 10
			m := match.Message{From: from, To: 1 - from, FromPort: 40000, ToPort: 80, Sent: now, Received: now + 5, Bytes: 52 + 4*random.Uint32N(12), Content: content, Opens: opens}
			if from == 1 {
				m.FromPort, m.ToPort = m.ToPort, m.FromPort
			}
			r.Add(&m)
		}
		for range 3 {
			client := random.Int32N(2)
			say(client, match.Nothing, true)
			say(1-client, match.Nothing, false)
			for range random.IntN(4) {
				for _, side := range []int32{client, 1 - client} {
					for range 1 + random.IntN(3) {
						say(side, match.Something, false)
						for range random.IntN(3) {
							say(random.Int32N(2), match.Nothing, false)
						}
					}
				}
				want++
			}
		}
		r.Finish()
		if r.Count != want {
			t.Fatalf("%d requests, want %d: %+v", r.Count, want, r.Slowest())
		}
	}
}

// Of a connection that was opened before the stretch, what is too large to be empty is data from the first packet on.
func TestRequestsOfAConnectionThatWasOpen(t *testing.T) {
	for bytes, want := range map[uint32]int64{53: 0, mostEmpty: 0, mostEmpty + 1: 1} {
		r := NewRequests(own, all, 4)
		r.Add(&match.Message{From: 0, To: 1, FromPort: 40000, ToPort: 80, Sent: 1, Received: 2, Bytes: bytes})
		r.Add(&match.Message{From: 1, To: 0, FromPort: 80, ToPort: 40000, Sent: 3, Received: 4, Bytes: 52})
		r.Add(&match.Message{From: 1, To: 0, FromPort: 80, ToPort: 40000, Sent: 5, Received: 6, Bytes: 60})
		r.Finish()
		if r.Count != want {
			t.Errorf("a first packet of %d bytes makes %d requests, want %d", bytes, r.Count, want)
		}
	}
}

// However many connections there are, no more are followed than there is room for, and those that were heard of last are.
func TestRequestsOfManyConnections(t *testing.T) {
	r := NewRequests(own, all, 4)
	kept := match.Message{From: 9, To: 8, FromPort: 40000, ToPort: 80, Bytes: 52}
	for i := range 3 * mostTalks {
		r.Add(&match.Message{From: int32(10 + i/20000), To: 1, FromPort: uint16(32768 + i%20000), ToPort: 80, Sent: int64(i), Received: int64(i), Bytes: 52})
		if i%1000 == 0 {
			r.Add(&kept)
		}
		if len(r.talks) > mostTalks {
			t.Fatalf("%d connections are followed", len(r.talks))
		}
	}
	ask, answer := kept, kept
	ask.Bytes, ask.Sent, ask.Received = 100, 1, 2
	answer.From, answer.To, answer.FromPort, answer.ToPort, answer.Bytes, answer.Sent, answer.Received = 8, 9, 80, 40000, 100, 5, 6
	r.Add(&ask)
	r.Add(&answer)
	r.Finish()
	if r.Count != 1 {
		t.Error("a connection that is heard of again and again was left")
	}
}
