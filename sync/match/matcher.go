package match

import "synchroscope/state/scratch"

// A Matcher pairs the endpoints of all hosts. It takes them in any
// interleaving, those of each host in the order they were recorded; what it ends
// with depends only on the set of endpoints, as long as none had to be forgotten:
//
//   - A key seen once on each side, by two hosts, is a message. It is emitted
//     with its second endpoint and retracted with its third.
//   - A key that repeats, for the IP id of datagrams has 16 bits, may be that of several messages, if
//     the clocks tell these apart, see repeat.go.
//   - All endpoints of any other key share one fate, see Counts.
//   - What has found no partner by its key is looked at a second time, see
//     second.go, when it would be forgotten or when all is over.
//
// The memory is bounded. Keys live in two generations of at most half the
// limit each; when the young one is full the old one is dropped. Messages of a dropped
// generation are settled: they can no longer be retracted, and a later copy of their key
// passes for a new one. The generations are those of Jabbarifar 2013, section 3.6.1; they are
// turned over by number, not by time, because only the number costs memory and
// because nobody knows how the clocks are related before there are messages.
//
// What has no partner yet is dropped by a watermark of its own host: when that host has
// had a number of endpoints since (its window, an equal part of a generation for each host). So a
// host that records alone, or is read far ahead, pushes out what is its own, and those
// that stand still keep what they wait with. What is dropped is kept for one more
// second look and then counted as evicted.
//
// Whether anything was dropped depends on the endpoints alone (Forgot): on how many keys there are and how often these repeat. What was dropped depends
// on how far apart the hosts were read. Pace reads them in an order of which nothing
// is dropped that could be kept.
type Matcher struct {
	settled    func(Message)
	space      *scratch.Space // of the keys
	table      table
	young, old generation
	limit      int // keys per generation
	counts     Counts
	streams    []streams // by host
	second     second
	forgot     bool
	hosts      int
	progress   []uint32 // endpoints so far, by host
	survivors  []survivor
	secret     secret
	known      relations // of the clocks, by what was told so far
	proven     relations // by what was settled
	judged     []Message // not proven yet
	addresses  addresses
	kept       int      // endpoints that both generations keep
	ends       [2][]end // scratch
}

// NewMatcher returns a matcher that remembers up to keys keys, 1<<20 if 0;
// each costs about 200 bytes. settled is told every message that is final,
// from Add and from Settle, in a deterministic order if Add's calls are; it may be nil.
func NewMatcher(keys int, settled func(Message)) *Matcher {
	if keys <= 0 {
		keys = 1 << 20
	}
	m := &Matcher{settled: settled, limit: max(keys/2, 1), table: newTable(), old: generation{column: 1}, secret: newSecret()}
	if settled == nil {
		m.settled = func(Message) {}
	}
	return m
}

// Space says where the memory for the keys comes from, before the first endpoint; off the heap if nothing is said, or nil.
func (m *Matcher) Space(s *scratch.Space) { m.space = s }

// Hosts tells how many hosts there are.
func (m *Matcher) Hosts(n int) { m.hosts = max(m.hosts, n) }

// Add takes one endpoint. emit is called with new messages and retractions: mostly
// never or once; it may be nil.
func (m *Matcher) Add(p Endpoint, emit func(Message)) {
	for int(p.Host) >= len(m.progress) {
		m.progress = append(m.progress, 0)
		m.Hosts(len(m.progress))
	}
	if p.Key.Form == addressForm {
		m.addresses.dumped(&p)
		return
	}
	m.progress[p.Host]++
	resent := m.resent(&p)
	h := m.secret.hash(&p.Key)
	m.addresses.see(&p, h)
	g, e := m.entry(h, &p.Key, emit)
	before := e.fate()
	e.tally(&m.counts, -1)
	if e.endpoints() == 0 {
		e.at = m.progress[p.Host]
	}
	message := e.message()
	e.take(&p)
	e.resent = e.resent || resent
	if p.Direction == Send {
		m.counts.Sent++
	} else {
		m.counts.Received++
	}
	if p.Key.repeats() {
		if n := e.count(p.Direction); n > 1 && n <= mostRepeats {
			g.keep(m.space, e, &p)
			m.kept++
		}
		m.again(g, e, &p, emit)
		e.tally(&m.counts, 1)
		return
	}
	if p.Port != 0 {
		g.keep(m.space, e, &p)
		m.kept++
	}
	e.tally(&m.counts, 1)
	after := e.fate()
	switch {
	case (before == matched) == (after == matched):
		return
	case after == matched:
		message = e.message()
		m.known.message(&message, true)
	default:
		message.Retracted = true
	}
	if emit != nil {
		emit(message)
	}
}

// resent reports whether p sends bytes that its host sent before, and no IP id tells it from what was sent then.
func (m *Matcher) resent(p *Endpoint) bool {
	if p.Direction != Send || !p.Key.segment() || p.Key.identity() != 0 {
		return false
	}
	for int(p.Host) >= len(m.streams) {
		m.streams = append(m.streams, streams{})
	}
	return m.streams[p.Host].sent(&p.Key, p.Payload)
}

// entry finds the key, whose hash is h, or makes room for it.
func (m *Matcher) entry(h uint64, k *Key, emit func(Message)) (*generation, *entry) {
	if m.full() {
		m.turn(emit)
		m.forgot = true
	}
	if e := m.table.find(&m.young, h, k); e != nil {
		return &m.young, e
	}
	if e := m.table.find(&m.old, h, k); e != nil {
		return &m.old, e
	}
	if m.young.entries.len() >= m.limit {
		m.turn(emit)
	}
	return &m.young, m.insert(h, k)
}

// insert adds a key to the young generation.
func (m *Matcher) insert(h uint64, k *Key) *entry {
	if m.table.full(&m.young) {
		m.table = m.table.larger(m.space, &m.secret, &m.young, &m.old)
	}
	return m.table.insert(&m.young, m.space, h, k)
}

// turn drops the old generation and makes the young one old.
func (m *Matcher) turn(emit func(Message)) {
	m.kept -= m.old.kept.len()
	m.drop(&m.old, emit)
	m.old, m.young = m.young, m.old
	for i := range m.survivors {
		from := &m.survivors[i]
		e := m.insert(m.secret.hash(&from.key), &from.key)
		*e = from.entry
		if e.kept != 0 {
			l := e.leftover(e.fate())
			l.port = from.port
			m.young.kept.add(m.space, kept{leftover: l})
			e.kept = int32(m.young.kept.len())
			m.kept++
		}
	}
	m.survivors = m.survivors[:0]
}

// A survivor is an end without a partner that the next generation has, too, with its port.
type survivor struct {
	entry
	port uint64
}

// full reports whether too many endpoints are kept beside the first of each side. Before anything was
// forgotten that is so when there are as many as limit, wherever they are: it
// must not depend on the interleaving. The keys may all be in one generation, and all be
// seen again and again; so each has its own limit from then on.
func (m *Matcher) full() bool {
	if !m.forgot {
		return m.kept >= m.limit
	}
	return m.young.kept.len() >= m.limit/2 || m.old.kept.len() >= m.limit+m.limit/2
}

// drop settles the messages of a generation, gives what found no partner a
// second look and empties it.
func (m *Matcher) drop(g *generation, emit func(Message)) {
	if g.entries.len() == 0 {
		return
	}
	m.forgot = true
	m.proven.prove(g)
	m.gather(g, uint32(m.limit/2/max(m.hosts, 1)), false, emit)
	for i := range m.judged {
		if p := m.proven.find(m.judged[i].From, m.judged[i].To); p != nil && p.likely.useful {
			m.proven.message(&m.judged[i], false)
		}
	}
	m.judged = m.judged[:0]
	m.look(false, emit)
	m.table.clear(g)
}

// gather settles the messages of a generation and collects what found no partner, but
// for what is within the window of its host.
func (m *Matcher) gather(g *generation, window uint32, last bool, emit func(Message)) {
	for i := range g.entries.len() {
		e := g.entries.at(i)
		if e.key.repeats() && e.endpoints() > 1 {
			m.judge(g, e, last, emit)
			continue
		}
		switch f := e.fate(); f {
		case matched:
			m.settled(e.message())
		case unmatchedSent, unmatchedReceived:
			if s, ok := m.survives(g, e, window); ok {
				m.survivors = append(m.survivors, s)
				continue
			}
			m.second.add(e.leftover(f))
		case retransmitted, ambiguous:
			if e.resent {
				m.second.add(e.leftover(f))
			}
			for at := e.kept; at > 0; at = g.kept.at(int(at - 1)).next {
				k := g.kept.at(int(at - 1))
				k.fate = f
				m.second.add(k.leftover)
			}
		}
	}
}

// survives tells whether what found no partner waits on, as its host has hardly gone on since. What is kept takes room of its own, of which
// the survivors of all hosts have half at most: the next generation would else be full with them.
func (m *Matcher) survives(g *generation, e *entry, window uint32) (s survivor, ok bool) {
	since := m.progress[max(e.from, e.to)] - e.at // the other is 0
	switch {
	case e.kept == 0:
		return survivor{entry: *e}, since < window
	case e.endpoints() == 1:
		return survivor{*e, g.kept.at(int(e.kept - 1)).port}, since < window/2
	}
	return s, false
}

// look gives everything collected its second look.
func (m *Matcher) look(last bool, emit func(Message)) {
	m.second.known, m.second.addresses = &m.proven, &m.addresses
	m.second.look(last, m.limit/2, &m.counts, func(message Message) {
		m.settled(message)
		if emit != nil {
			emit(message)
		}
	})
}

// Held calls f with every message that is not settled yet.
func (m *Matcher) Held(f func(Message)) {
	for _, g := range []*generation{&m.old, &m.young} {
		for i := range g.entries.len() {
			e := g.entries.at(i)
			switch {
			case e.key.repeats():
				g.pairs(e, &m.ends, func(send, receive *end) { f(e.between(send, receive)) })
			case e.fate() == matched:
				f(e.message())
			}
		}
	}
}

// Settle ends the matching: every message held is settled, what is left has its
// second look, and what finds no partner then stays counted as unmatched. emit is told
// of messages that are new; it may be nil. The memory is released.
func (m *Matcher) Settle(emit func(Message)) {
	m.proven.prove(&m.old, &m.young)
	m.gather(&m.old, 0, true, emit)
	m.gather(&m.young, 0, true, emit)
	m.look(true, emit)
	m.table, m.young, m.old, m.space = newTable(), generation{}, generation{column: 1}, nil
	m.second, m.streams, m.survivors, m.kept = second{}, nil, nil, 0
	m.known, m.proven = relations{}, relations{}
}

// Forgot reports whether anything had to be dropped: whether there were more
// different keys than the limit, or too many endpoints of keys that repeat, whatever the interleaving.
func (m *Matcher) Forgot() bool { return m.forgot }

// Counts returns what became of the endpoints so far.
func (m *Matcher) Counts() Counts { return m.counts }
