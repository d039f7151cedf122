package match

// A Matcher pairs the endpoints of all hosts. It takes them in any
// interleaving; what it ends with depends only on the set of endpoints, as
// long as none had to be forgotten:
//
//   - A key seen once on each side, by two hosts, is a message. It is emitted
//     with its second endpoint and retracted with its third.
//   - All endpoints of any other key share one fate, see Counts.
//
// The memory is bounded. Keys live in two generations of at most half the
// limit each; when the young one is full the old one is dropped, and what was
// unmatched in it is counted as evicted. Messages of a dropped generation are
// settled: they can no longer be retracted, and a later copy of their key
// passes for a new one. So two hosts whose recordings are imported one long
// after the other may lose messages, but the counts say so. The generations
// are those of Jabbarifar 2013, section 3.6.1; they are turned over by number,
// not by time, because only the number costs memory.
type Matcher struct {
	settled    func(Message)
	young, old generation
	limit      int // keys per generation
	counts     Counts
}

// NewMatcher returns a matcher that remembers up to keys keys, 1<<20 if 0;
// each costs about 160 bytes. settled is told every message that is final,
// from Add and from Settle, in a deterministic order if Add's calls are; it may be nil.
func NewMatcher(keys int, settled func(Message)) *Matcher {
	if keys <= 0 {
		keys = 1 << 20
	}
	return &Matcher{settled: settled, limit: max(keys/2, 1), young: newGeneration(), old: newGeneration()}
}

// A generation is a table of keys; entries are in order of first sight.
type generation struct {
	index   map[Key]int32
	entries []entry
}

func newGeneration() generation { return generation{index: make(map[Key]int32)} }

func (g *generation) find(k Key) *entry {
	if i, ok := g.index[k]; ok {
		return &g.entries[i]
	}
	return nil
}

// An entry is all that is remembered of a key. Of each side it keeps the first endpoint.
type entry struct {
	sent, received       int64
	from, to             int32
	fromThread, toThread int32
	bytes                uint32
	sends, receives      uint32
	protocol             uint8
	copied               bool // several hosts on one side
}

// A fate is what becomes of the endpoints of one key.
type fate uint8

const (
	unmatchedSent fate = iota
	unmatchedReceived
	matched
	loopback
	retransmitted
	ambiguous
)

func (e *entry) fate() fate {
	switch {
	case e.copied:
		return ambiguous
	case e.sends > 1 || e.receives > 1:
		return retransmitted
	case e.receives == 0:
		return unmatchedSent
	case e.sends == 0:
		return unmatchedReceived
	case e.from == e.to:
		return loopback
	}
	return matched
}

func (e *entry) endpoints() int64 { return int64(e.sends) + int64(e.receives) }

func (e *entry) message() Message {
	return Message{
		From: e.from, To: e.to,
		Sent: e.sent, Received: e.received,
		FromThread: e.fromThread, ToThread: e.toThread,
		Bytes: e.bytes, Protocol: e.protocol,
	}
}

// Add takes one endpoint. emit is called at most once, with a new message or
// a retraction; it may be nil.
func (m *Matcher) Add(p Endpoint, emit func(Message)) {
	e := m.entry(p.Key)
	before := e.fate()
	if n := e.endpoints(); n > 0 {
		m.counts.add(before, -n)
	}
	message := e.message()
	e.take(p)
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

func (e *entry) take(p Endpoint) {
	e.protocol = p.Key.Protocol
	if e.bytes == 0 {
		e.bytes = p.Bytes
	}
	if p.Direction == Send {
		if e.sends == 0 {
			e.sent, e.from, e.fromThread = p.Time, p.Host, p.Thread
		}
		e.copied = e.copied || e.from != p.Host
		e.sends++
		return
	}
	if e.receives == 0 {
		e.received, e.to, e.toThread = p.Time, p.Host, p.Thread
	}
	e.copied = e.copied || e.to != p.Host
	e.receives++
}

// entry finds the key or makes room for it.
func (m *Matcher) entry(k Key) *entry {
	if e := m.young.find(k); e != nil {
		return e
	}
	if e := m.old.find(k); e != nil {
		return e
	}
	if len(m.young.entries) >= m.limit {
		m.drop(&m.old)
		m.old, m.young = m.young, m.old
	}
	m.young.index[k] = int32(len(m.young.entries))
	m.young.entries = append(m.young.entries, entry{})
	return &m.young.entries[len(m.young.entries)-1]
}

// drop settles the messages of a generation, gives up its unmatched endpoints and empties it.
func (m *Matcher) drop(g *generation) {
	for i := range g.entries {
		e := &g.entries[i]
		switch f := e.fate(); f {
		case matched:
			if m.settled != nil {
				m.settled(e.message())
			}
		case unmatchedSent, unmatchedReceived:
			m.counts.add(f, -e.endpoints())
			m.counts.Evicted += e.endpoints()
		}
	}
	clear(g.index)
	g.entries = g.entries[:0]
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

// Settle ends the matching: every message held is settled, and what is
// unmatched stays counted as unmatched. The table is released.
func (m *Matcher) Settle() {
	if m.settled != nil {
		m.Held(m.settled)
	}
	m.young, m.old = newGeneration(), newGeneration()
}

// Counts returns what became of the endpoints so far.
func (m *Matcher) Counts() Counts { return m.counts }
