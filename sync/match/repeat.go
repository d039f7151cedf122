package match

// repeats reports whether another packet may have the same key before long. The IP id of datagrams
// has 16 bits, and what has none is told apart by what it carries: after hours, minutes or
// seconds, as busy as the host is, there is another datagram with the same key.
func (k *Key) repeats() bool {
	return k.Protocol != tcp && (k.Form == ipv4Form || k.Form == ipv6Form)
}

// mostRepeats is how many endpoints of each side of such a key are looked at. If there are more none is used.
const mostRepeats = 32

// many reports whether a key was seen too often for any of its endpoints to be used.
func (e *entry) many() bool { return max(e.sends, e.receives) > mostRepeats }

// An end is an endpoint of an entry.
type end struct {
	time         int64
	host, thread int32
	number       int32 // firstEnd, or behind it the place in generation.kept
}

// firstEnd is the number of the endpoint of each side that the entry itself has.
const firstEnd = 1

func (e *entry) firstSend() end    { return end{e.sent, e.from, e.fromThread, firstEnd} }
func (e *entry) firstReceive() end { return end{e.received, e.to, e.toThread, firstEnd} }

// ends appends the endpoints of one side.
func (g *generation) ends(to []end, e *entry, d Direction) []end {
	switch {
	case d == Send && e.sends > 0:
		to = append(to, e.firstSend())
	case d == Receive && e.receives > 0:
		to = append(to, e.firstReceive())
	}
	for at := e.kept; at > 0; at = g.kept.at(int(at - 1)).next {
		if k := g.kept.at(int(at - 1)); k.direction == d {
			to = append(to, end{k.time, k.host, k.thread, firstEnd + at})
		}
	}
	return to
}

// partner is where the number of the send is kept that is told to belong to a receive, 0 if none is.
func (g *generation) partner(e *entry, receive *end) *int32 {
	if receive.number == firstEnd {
		return &e.partner
	}
	return &g.kept.at(int(receive.number - firstEnd - 1)).partner
}

func (e *entry) between(send, receive *end) Message {
	return Message{
		From: send.host, To: receive.host, Sent: send.time, Received: receive.time,
		FromThread: send.thread, ToThread: receive.thread, Bytes: e.bytes, Data: e.bytes, Protocol: e.protocol,
	}
}

// again takes the endpoint p, the newest, of a key that repeats. A send and a receive are a message if, as far as is known of
// the clocks, each is the only one of its side that can belong to the other.
// With more known of the clocks it may look different; judge has the last word.
func (m *Matcher) again(g *generation, e *entry, p *Endpoint, emit func(Message)) {
	if e.many() {
		g.pairs(e, &m.ends, func(send, receive *end) { m.untell(g, e, Send, send, receive, emit) })
		return
	}
	if e.sends == 0 || e.receives == 0 {
		return
	}
	own, other := g.ends(m.ends[0][:0], e, p.Direction), g.ends(m.ends[1][:0], e, 1-p.Direction)
	m.ends = [2][]end{own, other}
	newest := &own[0] // of its side; if more are kept, the first of these
	if len(own) > 1 {
		newest = &own[1]
	}
	var only *end
	candidates := 0
	for i := range other {
		o := &other[i]
		if !m.possible(p.Direction, newest, o) {
			continue
		}
		candidates++
		only = o
		// What o was told to belong to is not its only candidate any more.
		for j := range own {
			if q := &own[j]; q != newest {
				m.untell(g, e, p.Direction, q, o, emit)
			}
		}
	}
	if candidates != 1 || only.host == newest.host {
		return
	}
	for j := range own {
		if q := &own[j]; q != newest && m.possible(p.Direction, q, only) {
			return
		}
	}
	m.tell(g, e, p.Direction, newest, only, emit)
}

// possible has the ends of one side first, of the other then.
func (m *Matcher) possible(d Direction, own, other *end) bool {
	if d == Receive {
		own, other = other, own
	}
	return m.known.possible(own, other)
}

func (m *Matcher) tell(g *generation, e *entry, d Direction, own, other *end, emit func(Message)) {
	if d == Receive {
		own, other = other, own
	}
	*g.partner(e, other) = own.number
	e.pairs++
	message := e.between(own, other)
	m.known.message(&message, false)
	if emit != nil {
		emit(message)
	}
}

// untell takes back that two ends are a message, if they are.
func (m *Matcher) untell(g *generation, e *entry, d Direction, own, other *end, emit func(Message)) {
	if d == Receive {
		own, other = other, own
	}
	partner := g.partner(e, other)
	if *partner != own.number {
		return
	}
	*partner = 0
	e.pairs--
	if emit != nil {
		message := e.between(own, other)
		message.Retracted = true
		emit(message)
	}
}

// pairs calls f with the ends that are told to belong together.
func (g *generation) pairs(e *entry, scratch *[2][]end, f func(send, receive *end)) {
	if e.pairs == 0 {
		return
	}
	sends, receives := g.ends(scratch[0][:0], e, Send), g.ends(scratch[1][:0], e, Receive)
	*scratch = [2][]end{sends, receives}
	for i := range receives {
		partner := *g.partner(e, &receives[i])
		for j := range sends {
			if sends[j].number == partner {
				f(&sends[j], &receives[i])
				break
			}
		}
	}
}

// A verdict is what is made of one side of a key: how many ends of the other side can belong to each, and the last of these.
type verdict [mostRepeats]struct{ candidates, last int }

// judge decides for good what the messages of a key that repeats are, by what is proven of the clocks, and settles
// them. What no other end can belong to is unmatched, or evicted if this is not the last judgement.
func (m *Matcher) judge(g *generation, e *entry, last bool, emit func(Message)) {
	e.tally(&m.counts, -1)
	doubtful := retransmitted
	if e.copied {
		doubtful = ambiguous
	}
	if e.many() {
		m.counts.add(doubtful, e.endpoints())
		return
	}
	sends, receives := g.ends(m.ends[0][:0], e, Send), g.ends(m.ends[1][:0], e, Receive)
	m.ends = [2][]end{sends, receives}
	var sent, received verdict
	for i := range sends {
		for j := range receives {
			if m.proven.possible(&sends[i], &receives[j]) {
				sent[i].candidates, sent[i].last = sent[i].candidates+1, j
				received[j].candidates, received[j].last = received[j].candidates+1, i
			}
		}
	}
	count := func(candidates int, f fate) {
		if candidates > 0 {
			f = doubtful
		} else if !last {
			f = evicted
		}
		m.counts.add(f, 1)
	}
	for j := range receives {
		receive, i := &receives[j], received[j].last
		belongs := received[j].candidates == 1 && sent[i].candidates == 1
		if told := *g.partner(e, receive); told != 0 && !(belongs && sends[i].number == told) {
			for k := range sends {
				m.untell(g, e, Send, &sends[k], receive, emit)
			}
		}
		switch {
		case !belongs:
			count(received[j].candidates, unmatchedReceived)
		case sends[i].host == receive.host:
			m.counts.add(loopback, 2)
		default:
			message := e.between(&sends[i], receive)
			if *g.partner(e, receive) == 0 && emit != nil {
				emit(message)
			}
			m.counts.add(matched, 2)
			m.settled(message)
			if !last {
				m.judged = append(m.judged, message)
			}
		}
	}
	for i := range sends {
		if j := sent[i].last; sent[i].candidates != 1 || received[j].candidates != 1 {
			count(sent[i].candidates, unmatchedSent)
		}
	}
}
