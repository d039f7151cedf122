package match

// A generation is a table of keys; entries are in order of first sight.
type generation struct {
	index   map[Key]int32
	entries []entry
	kept    []kept
}

func newGeneration() generation { return generation{index: make(map[Key]int32)} }

func (g *generation) find(k Key) *entry {
	if i, ok := g.index[k]; ok {
		return &g.entries[i]
	}
	return nil
}

// keep remembers an endpoint whose port may tell which of several with one key it belongs to.
func (g *generation) keep(e *entry, p *Endpoint) {
	g.kept = append(g.kept, kept{leftoverOf(p), e.kept})
	e.kept = int32(len(g.kept))
}

func (g *generation) clear() {
	clear(g.index)
	g.entries, g.kept = g.entries[:0], g.kept[:0]
}

// An entry is all that is remembered of a key. Of each side it keeps the first endpoint.
type entry struct {
	key                  Key
	sent, received       int64
	from, to             int32
	fromThread, toThread int32
	bytes, payload       uint32
	sends, receives      uint32
	kept                 int32 // the last of its endpoints with a port, 1 is the first; 0 none
	protocol             uint8
	copied               bool // several hosts on one side
	resent               bool // sends bytes that were sent before
}

// kept is an endpoint with a port, and the one before it with its key.
type kept struct {
	leftover
	next int32
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
	piece
	evicted
)

func (e *entry) fate() fate {
	switch {
	case e.copied:
		return ambiguous
	case e.resent || e.sends > 1 || e.receives > 1:
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

func (e *entry) take(p *Endpoint) {
	e.protocol = p.Key.Protocol
	if e.bytes == 0 {
		e.bytes = p.Bytes
	}
	e.payload = max(e.payload, p.Payload)
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

// leftover is the one endpoint of an entry that found no partner.
func (e *entry) leftover(f fate) leftover {
	l := leftover{key: e.key, time: e.sent, host: e.from, thread: e.fromThread, bytes: e.bytes, payload: e.payload, fate: f}
	if f == unmatchedReceived {
		l.direction, l.time, l.host, l.thread = Receive, e.received, e.to, e.toThread
	}
	return l
}
