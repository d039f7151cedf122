package match

// A Matcher pairs the endpoints of all hosts. It takes them in any
// interleaving, those of each host in the order they were recorded; what it ends
// with depends only on the set of endpoints, as long as none had to be forgotten:
//
//   - A key seen once on each side, by two hosts, is a message. It is emitted
//     with its second endpoint and retracted with its third.
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
// Whether anything was dropped depends on the endpoints alone (Forgot). What was dropped depends
// on how far apart the hosts were read. Pace reads them in an order of which nothing
// is dropped that could be kept.
type Matcher struct {
	settled    func(Message)
	young, old generation
	limit      int // keys per generation
	counts     Counts
	streams    []streams // by host
	second     second
	forgot     bool
	hosts      int
	progress   []uint32 // endpoints so far, by host
	survivors  []entry
	secret     secret
}

// NewMatcher returns a matcher that remembers up to keys keys, 1<<20 if 0;
// each costs about 200 bytes. settled is told every message that is final,
// from Add and from Settle, in a deterministic order if Add's calls are; it may be nil.
func NewMatcher(keys int, settled func(Message)) *Matcher {
	if keys <= 0 {
		keys = 1 << 20
	}
	m := &Matcher{settled: settled, limit: max(keys/2, 1), young: newGeneration(), old: newGeneration(), secret: newSecret()}
	if settled == nil {
		m.settled = func(Message) {}
	}
	return m
}

// Hosts tells how many hosts there are.
func (m *Matcher) Hosts(n int) { m.hosts = max(m.hosts, n) }

// Add takes one endpoint. emit is called with new messages and retractions: mostly
// never or once; it may be nil.
func (m *Matcher) Add(p Endpoint, emit func(Message)) {
	for int(p.Host) >= len(m.progress) {
		m.progress = append(m.progress, 0)
		m.Hosts(len(m.progress))
	}
	m.progress[p.Host]++
	resent := m.resent(&p)
	g, e := m.entry(&p.Key, emit)
	before := e.fate()
	if n := e.endpoints(); n > 0 {
		m.counts.add(before, -n)
	}
	message := e.message()
	if e.endpoints() == 0 {
		e.at = m.progress[p.Host]
	}
	e.take(&p)
	e.resent = e.resent || resent
	if p.Port != 0 {
		g.keep(e, &p)
	}
	if p.Direction == Send {
		m.counts.Sent++
	} else {
		m.counts.Received++
	}
	after := e.fate()
	m.counts.add(after, e.endpoints())
	if emit == nil || (before == matched) == (after == matched) {
		return
	}
	if after == matched {
		message = e.message()
	} else {
		message.Retracted = true
	}
	emit(message)
}

// resent reports whether p sends bytes that its host sent before.
func (m *Matcher) resent(p *Endpoint) bool {
	if p.Direction != Send || p.Key.Form != ipv4Form && p.Key.Form != ipv6Form || p.Key.Protocol != tcp {
		return false
	}
	for int(p.Host) >= len(m.streams) {
		m.streams = append(m.streams, streams{})
	}
	return m.streams[p.Host].sent(&p.Key, p.Payload)
}

// entry finds the key or makes room for it.
func (m *Matcher) entry(k *Key, emit func(Message)) (*generation, *entry) {
	h := m.secret.hash(k)
	if e := m.young.find(h, k); e != nil {
		return &m.young, e
	}
	if e := m.old.find(h, k); e != nil {
		return &m.old, e
	}
	if len(m.young.entries) >= m.limit || len(m.young.kept) >= 2*m.limit {
		m.drop(&m.old, emit)
		m.old, m.young = m.young, m.old
		for i := range m.survivors {
			e := &m.survivors[i]
			*m.young.insert(m.secret.hash(&e.key), &e.key, &m.secret) = *e
		}
		m.survivors = m.survivors[:0]
	}
	return &m.young, m.young.insert(h, k, &m.secret)
}

// drop settles the messages of a generation, gives what found no partner a
// second look and empties it.
func (m *Matcher) drop(g *generation, emit func(Message)) {
	if len(g.entries) == 0 {
		return
	}
	m.forgot = true
	m.gather(g, uint32(m.limit/2/max(m.hosts, 1)))
	m.look(false, emit)
	g.clear()
}

// gather settles the messages of a generation and collects what found no partner, but
// for what is within the window of its host.
func (m *Matcher) gather(g *generation, window uint32) {
	for i := range g.entries {
		e := &g.entries[i]
		switch f := e.fate(); f {
		case matched:
			m.settled(e.message())
		case unmatchedSent, unmatchedReceived:
			if e.kept == 0 && m.progress[max(e.from, e.to)]-e.at < window { // the other is 0
				m.survivors = append(m.survivors, *e)
				continue
			}
			m.second.add(e.leftover(f))
		case retransmitted, ambiguous:
			for at := e.kept; at > 0; at = g.kept[at-1].next {
				k := &g.kept[at-1]
				k.fate = f
				m.second.add(k.leftover)
			}
		}
	}
}

// look gives everything collected its second look.
func (m *Matcher) look(last bool, emit func(Message)) {
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
		for i := range g.entries {
			if e := &g.entries[i]; e.fate() == matched {
				f(e.message())
			}
		}
	}
}

// Settle ends the matching: every message held is settled, what is left has its
// second look, and what finds no partner then stays counted as unmatched. emit is told
// of messages that are new; it may be nil. The memory is released.
func (m *Matcher) Settle(emit func(Message)) {
	m.gather(&m.old, 0)
	m.gather(&m.young, 0)
	m.look(true, emit)
	m.young, m.old = newGeneration(), newGeneration()
	m.second, m.streams, m.survivors = second{}, nil, nil
}

// Forgot reports whether anything had to be dropped: whether there were more
// different keys than the limit, whatever the interleaving.
func (m *Matcher) Forgot() bool { return m.forgot }

// Counts returns what became of the endpoints so far.
func (m *Matcher) Counts() Counts { return m.counts }
