package traffic

import (
	"cmp"
	"slices"

	"synchroscope/sync/match"
)

// A Request is data that went over a TCP connection from the side that opened it, and the data that came back until it sent data again. How long
// that took is between two times of the asking host, and how long the other host had it between two of that one, so neither needs to know how far their clocks are apart.
//
// What is on the wire says nothing of what the data mean. So a connection is taken to be used by turns, which most are: one asks, waits for
// all of the answer, and asks again. What a server sends unasked counts to the answer before it, and where several questions are under way on one
// connection at once, they are told as shorter requests than they are. A packet that the network lost is no message: of a question that had to be sent again
// the time counts from the copy that arrived.
type Request struct {
	Client, Server             int32 // hosts
	ClientPort, ServerPort     uint16
	ClientThread, ServerThread int32 // that sent the first of the question, and the last of the answer; -1 unknown
	Asked, First, Answered     int64 // ns: the first of the question was sent, the first and the last of the answer received
	Began, Came, Replied       int64 // ns: the first and the last of the question were received, the last of the answer sent
}

// Took is how long the client waited, ns.
func (r *Request) Took() int64 { return r.Answered - r.Asked }

// Served is how long the server had all of the question until it had sent all of the answer, ns.
func (r *Request) Served() int64 { return r.Replied - r.Came }

// Requests finds the requests among messages, and keeps the slowest. Its memory does not depend on how many messages there are.
type Requests struct {
	Count int64  // those that are wanted
	Times Spread // how long each of them took

	at      func(host int32, local int64) int64
	wanted  func(*Request) bool
	most    int
	slowest []Request
	talks   map[connection]*talk
	added   int64
}

// mostTalks bounds the connections that are followed at once; a talk takes some 150 bytes. Those that were silent for longest are left for others.
const mostTalks = 1 << 15

// mostEmpty is the greatest size of packets that carry no data, over IP version 4, with all options, and that open a connection over version 6.
const mostEmpty = 80

// opening is by how many bytes packets that open a connection are larger than acknowledgements.
const opening = 8

// mostBrief is of how many bytes of data the sizes are that options of TCP can have as well, at most.
const mostBrief = 40

// firstEphemeral is the least port that systems choose for the side that opens a connection.
const firstEphemeral = 32768

// NewRequests makes one that counts those that are wanted, of which it is asked with all times by their hosts' own clocks, and keeps so many of the
// slowest of them, with times by the clock that at reads.
func NewRequests(at func(host int32, local int64) int64, wanted func(*Request) bool, most int) *Requests {
	return &Requests{at: at, wanted: wanted, most: most, talks: make(map[connection]*talk)}
}

// A connection is one between two hosts, the lower of its ends first.
type connection struct {
	a, b         int32
	aPort, bPort uint16
}

func connectionOf(m *match.Message) connection {
	if cmp.Or(cmp.Compare(m.From, m.To), cmp.Compare(m.FromPort, m.ToPort)) <= 0 {
		return connection{m.From, m.To, m.FromPort, m.ToPort}
	}
	return connection{m.To, m.From, m.ToPort, m.FromPort}
}

// A talk is what is known of a connection so far.
type talk struct {
	client, clientPort int32 // the side that asks
	least              uint32
	last               int64 // when it was last heard of, counted in messages
	turn               turn
	spoke, brief       bool // what asks sent data, and some as small as options are
	opens              bool // the last message was taken for one that opens the connection again
	question           Request
}

// A turn is who sent data last.
type turn uint8

const (
	nobody turn = iota
	asking
	answering
)

// Add adds a message. They must come in the order in which they were sent, by the best clocks there are; a message that the clocks
// put in a wrong place is not taken for an answer, for that must have been sent after the question was received, by the server's own clock.
func (r *Requests) Add(m *match.Message) {
	if m.FromPort == 0 || m.ToPort == 0 || m.Bytes == 0 || m.From == m.To {
		return
	}
	r.added++
	key := connectionOf(m)
	t := r.talks[key]
	if t != nil && m.Opens {
		r.keep(t)
		t = nil
	}
	if t == nil {
		r.makeRoom()
		t = newTalk(m)
		r.talks[key] = t
	}
	t.last = r.added
	if m.Content == match.Nothing || m.Content == match.Unrecorded && t.looksEmpty(m) {
		return
	}
	if m.From == t.client && int32(m.FromPort) == t.clientPort {
		if t.turn == answering {
			r.keep(t)
		}
		t.ask(m)
		return
	}
	t.answer(m)
}

// looksEmpty tells of the next message of a connection, whose headers do not say whether it carries data, what its size says of that.
func (t *talk) looksEmpty(m *match.Message) bool {
	// An acknowledgement without data is the smallest packet of its connection, and those that open it are no larger than the first of them.
	t.least = min(t.least, m.Bytes)
	return m.Bytes == t.least || t.options(m)
}

// options tells of the next message of a connection whether it is taken for a packet that has more options of TCP than others, and no data: an acknowledgement of the side that asks,
// which lists up to three ranges that came behind a gap of the answer (RFC 2018), or one of the two that open the connection again after another of the same
// ports. By its size alone it could be data as well. So it is data where that side asked in so few bytes before, or began with such a size; what the other
// side sends is an answer.
func (t *talk) options(m *match.Message) bool {
	more := m.Bytes - t.least
	opens := t.opens
	t.opens = false
	if m.From != t.client || int32(m.FromPort) != t.clientPort {
		return opens && more == opening
	}
	options := more == opening || more == 12 || more == 20 || more == 28
	if more <= mostBrief && (!options || !t.spoke) {
		t.brief = true
	}
	t.spoke = true
	if !options || t.brief {
		return false
	}
	t.opens = more == opening
	return true
}

func newTalk(m *match.Message) *talk {
	t := &talk{client: m.From, clientPort: int32(m.FromPort), least: mostEmpty}
	if !m.Opens && m.FromPort < firstEphemeral && m.ToPort >= firstEphemeral {
		t.client, t.clientPort = m.To, int32(m.ToPort)
	}
	return t
}

func (t *talk) ask(m *match.Message) {
	if t.turn == asking {
		t.question.Came = max(t.question.Came, m.Received)
		return
	}
	t.turn = asking
	t.question = Request{
		Client: m.From, Server: m.To, ClientPort: m.FromPort, ServerPort: m.ToPort,
		ClientThread: m.FromThread, ServerThread: -1, Asked: m.Sent, Began: m.Received, Came: m.Received,
	}
}

func (t *talk) answer(m *match.Message) {
	q := &t.question
	if t.turn == nobody || m.Sent < q.Began || m.Received < q.Asked {
		return
	}
	if t.turn == asking {
		t.turn = answering
		q.First, q.Answered, q.Replied = m.Received, m.Received, m.Sent
		if q.Came > m.Sent {
			q.Came = q.Began
		}
	}
	q.Answered, q.Replied = max(q.Answered, m.Received), max(q.Replied, m.Sent)
	if m.FromThread >= 0 {
		q.ServerThread = m.FromThread
	}
}

// makeRoom leaves half of the connections, those that were heard of last, where there is no room for one more.
func (r *Requests) makeRoom() {
	if len(r.talks) < mostTalks {
		return
	}
	lasts := make([]int64, 0, len(r.talks))
	for _, t := range r.talks {
		lasts = append(lasts, t.last)
	}
	slices.Sort(lasts)
	middle := lasts[len(lasts)/2]
	for key, t := range r.talks {
		if t.last < middle {
			r.keep(t)
			delete(r.talks, key)
		}
	}
}

// slower orders requests by falling time, equal ones by everything else that tells them apart.
func slower(a, b Request) int {
	return cmp.Or(
		cmp.Compare(b.Took(), a.Took()),
		cmp.Compare(a.Client, b.Client),
		cmp.Compare(a.Asked, b.Asked),
		cmp.Compare(a.Server, b.Server),
		cmp.Compare(a.ClientPort, b.ClientPort),
		cmp.Compare(a.ServerPort, b.ServerPort),
	)
}

// keep counts the request of a connection, to which no more belongs, if it was answered.
func (r *Requests) keep(t *talk) {
	q := t.question
	if t.turn != answering || !r.wanted(&q) {
		return
	}
	for _, at := range []*int64{&q.Asked, &q.First, &q.Answered} {
		*at = r.at(q.Client, *at)
	}
	for _, at := range []*int64{&q.Began, &q.Came, &q.Replied} {
		*at = r.at(q.Server, *at)
	}
	r.Count++
	r.Times.Add(q.Took())
	at, _ := slices.BinarySearchFunc(r.slowest, q, slower)
	if at >= r.most {
		return
	}
	if len(r.slowest) == r.most {
		r.slowest = r.slowest[:r.most-1]
	}
	r.slowest = slices.Insert(r.slowest, at, q)
}

// Slowest are those that took longest, the longest first. They are valid until the next Add.
func (r *Requests) Slowest() []Request { return r.slowest }

// Finish counts the requests whose connections were not heard of again: no message comes any more.
func (r *Requests) Finish() {
	for _, t := range r.talks {
		r.keep(t)
	}
	r.talks = nil
}
