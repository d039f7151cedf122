package match

import (
	"cmp"
	"hash/maphash"
	"math/bits"

	"synchroscope/state/scratch"
)

// A generation is keys and their endpoints; entries are in order of first sight.
type generation struct {
	column  int // of the table
	entries list[entry]
	kept    list[kept]
}

// A table finds the keys of both generations. A slot has 1 + index of the entry in as many bits as there are to the number of
// slots, and above it a part of the hash; 0 is free.
//
// It is a hash table of its own because a key is looked for in two generations and mostly found in
// none. Their slots for a hash are side by side, so that such a search touches one line of memory, not several.
type table [][2]uint32

func newTable() table { return make(table, 64) }

func (t table) find(g *generation, h uint64, k *Key) *entry {
	mask := uint64(len(t) - 1)
	part := uint32(h>>32) &^ uint32(mask)
	for at := h & mask; ; at = (at + 1) & mask {
		slot := t[at][g.column]
		if slot == 0 {
			return nil
		}
		if slot&^uint32(mask) == part {
			if e := g.entries.at(int(slot&uint32(mask) - 1)); e.key == *k {
				return e
			}
		}
	}
}

// full reports whether another key of a generation wants a larger table.
func (t table) full(g *generation) bool { return 2*g.entries.len() >= len(t) }

// larger returns a table twice as large with the keys of both generations.
func (t table) larger(space *scratch.Space, s *secret, generations ...*generation) table {
	t = scratch.Make[[2]uint32](space, 2*len(t))
	for _, g := range generations {
		for i := range g.entries.len() {
			t.place(g.column, s.hash(&g.entries.at(i).key), i)
		}
	}
	return t
}

// insert adds a key that is not there. The table must not be full.
func (t table) insert(g *generation, space *scratch.Space, h uint64, k *Key) *entry {
	t.place(g.column, h, g.entries.len())
	return g.entries.add(space, entry{key: *k})
}

func (t table) place(column int, h uint64, index int) {
	mask := uint64(len(t) - 1)
	at := h & mask
	for t[at][column] != 0 {
		at = (at + 1) & mask
	}
	t[at][column] = uint32(h>>32)&^uint32(mask) | uint32(index+1)
}

// clear takes the keys of a generation out.
func (t table) clear(g *generation) {
	for i := range t {
		t[i][g.column] = 0
	}
	g.entries.clear()
	g.kept.clear()
}

// A secret makes hashes that nobody can foresee who makes up a trace. Nothing but the time that
// a search takes depends on it.
type secret [4]uint64

func newSecret() (s secret) {
	for i := range s {
		s[i] = maphash.Bytes(maphash.MakeSeed(), nil) | 1
	}
	return s
}

func (s *secret) hash(k *Key) uint64 {
	hi, lo := bits.Mul64(k.A^s[0], k.B^s[1])
	x := hi ^ lo
	hi, lo = bits.Mul64(k.C^s[2], k.D^s[3])
	x ^= hi ^ lo ^ uint64(k.Protocol)<<8 ^ uint64(k.Form)
	hi, lo = bits.Mul64(x^s[0], s[1]^0x9e3779b97f4a7c15)
	return hi ^ lo
}

// keep remembers an endpoint beside the first of its side.
func (g *generation) keep(space *scratch.Space, e *entry, p *Endpoint) {
	g.kept.add(space, kept{leftover: leftoverOf(p), next: e.kept})
	e.kept = int32(g.kept.len())
}

// An entry is all that is remembered of a key. Of each side it keeps the first endpoint.
type entry struct {
	key                  Key
	sent, received       int64
	from, to             int32
	fromThread, toThread int32
	bytes, payload       uint32
	sends, receives      uint32
	at                   uint32 // how many endpoints the first one's host had had
	kept                 int32  // the last of its endpoints that are kept, 1 is the first; 0 none
	partner              int32  // of the first receive, if the key repeats: see generation.partner
	pairs                uint32 // messages that are told, if the key repeats
	protocol             uint8
	copied               bool // several hosts on one side
	content              Content
	resent               bool // sends bytes that were sent before
}

// kept is an endpoint with a port, or one of several of a side whose key repeats, and the one before it with its key.
type kept struct {
	leftover
	next    int32
	partner int32
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

// tally puts the endpoints of an entry into their counters, or takes them out if sign is -1.
func (e *entry) tally(c *Counts, sign int64) {
	n, f := e.endpoints(), e.fate()
	if e.key.repeats() {
		n -= 2 * int64(e.pairs)
		c.Matched += sign * int64(e.pairs)
		switch {
		case e.receives == 0:
			f = unmatchedSent
		case e.sends == 0:
			f = unmatchedReceived
		case f == matched:
			f = retransmitted // the clocks say that it is another packet
		}
	}
	if n > 0 {
		c.add(f, sign*n)
	}
}

func (e *entry) endpoints() int64 { return int64(e.sends) + int64(e.receives) }

func (e *entry) message() Message {
	m := Message{
		From: e.from, To: e.to,
		Sent: e.sent, Received: e.received,
		FromThread: e.fromThread, ToThread: e.toThread,
		Bytes: e.bytes, Data: e.bytes, Protocol: e.protocol, Content: e.content, Opens: e.key.opens(),
	}
	m.FromPort, m.ToPort = e.key.ports()
	return m
}

func (e *entry) take(p *Endpoint) {
	e.protocol = p.Key.Protocol
	e.bytes = max(e.bytes, p.Bytes) // ends that do not say the same count alike, whichever came first
	e.payload = max(e.payload, p.Payload)
	e.content = cmp.Or(e.content, p.content())
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

// count is how many endpoints of a side there were.
func (e *entry) count(d Direction) uint32 {
	if d == Send {
		return e.sends
	}
	return e.receives
}

// leftover is the one endpoint of an entry that found no partner.
func (e *entry) leftover(f fate) leftover {
	l := leftover{key: e.key, time: e.sent, host: e.from, thread: e.fromThread, bytes: e.bytes, payload: e.payload, content: e.content, fate: f}
	if f == unmatchedReceived {
		l.direction, l.time, l.host, l.thread = Receive, e.received, e.to, e.toThread
	}
	return l
}
