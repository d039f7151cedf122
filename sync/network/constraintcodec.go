package network

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// The stored form is the body of docs/format/constraints.md.

const mostHosts = 1 << 16

// Flags of a host.
const (
	hasSpan = 1 << iota
	hasTick
	isRising
)

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// counters are those of matching, in the order they are stored in.
func counters(c *match.Counts) [10]*int64 {
	return [...]*int64{
		&c.Sent, &c.Received, &c.Matched, &c.Retransmitted, &c.Ambiguous,
		&c.Loopback, &c.Pieces, &c.UnmatchedSent, &c.UnmatchedReceived, &c.Evicted,
	}
}

// AppendBinary appends the stored form to b.
func (c *Constraints) AppendBinary(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(c.hosts)))
	for _, h := range c.hosts {
		b = appendText(appendText(b, h.name), h.id)
		var flags byte
		if h.spanned {
			flags |= hasSpan
		}
		if h.tick > 0 {
			flags |= hasTick
		}
		if h.rising {
			flags |= isRising
		}
		b = binary.AppendVarint(append(b, flags), h.begin)
		b = binary.AppendUvarint(b, uint64(h.end)-uint64(h.begin))
		if h.tick > 0 {
			b = binary.AppendUvarint(b, uint64(h.tick))
		}
	}
	for _, n := range counters(&c.counts) {
		b = binary.AppendUvarint(b, uint64(*n))
	}
	b = binary.AppendUvarint(b, uint64(len(c.order)))
	for _, l := range c.order {
		b = binary.AppendUvarint(b, uint64(l.a))
		b = binary.AppendUvarint(b, uint64(l.b))
		b = l.live.hull.AppendBinary(b)
		b = l.live.series.AppendBinary(b)
		for side := range l.live.sample {
			b = l.live.sample[side].append(b)
		}
	}
	return c.appendAddresses(b)
}

func (c *Constraints) appendAddresses(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(c.holdings)))
	for _, h := range c.holdings {
		b = appendText(appendText(binary.AppendUvarint(b, uint64(h.Host)), string(h.Address.AsSlice())), h.Interface)
		b = binary.AppendVarint(binary.AppendVarint(b, h.Begin), h.End)
		b = binary.AppendUvarint(b, uint64(h.Sent))
		if h.Lost {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(c.aliases)))
	for _, a := range c.aliases {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(a.Host)), uint64(a.By))
		b = appendText(appendText(b, string(a.Address.AsSlice())), string(a.Of.AsSlice()))
		b = binary.AppendUvarint(b, uint64(a.Messages))
		b = binary.AppendVarint(binary.AppendVarint(b, a.Begin), a.End)
	}
	return b
}

func compareSampled(p, q sampled) int {
	return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y), cmp.Compare(p.bytes, q.bytes))
}

func (s *sample) append(b []byte) []byte {
	messages := slices.SortedFunc(s.all(), compareSampled)
	b = binary.AppendUvarint(append(b, byte(s.level)), uint64(len(messages)))
	for i, m := range messages {
		if i == 0 {
			b = binary.AppendVarint(binary.AppendVarint(b, m.X), m.Y)
		} else {
			b = binary.AppendUvarint(b, uint64(m.X)-uint64(messages[i-1].X))
			b = binary.AppendVarint(b, int64(uint64(m.Y)-uint64(messages[i-1].Y)))
		}
		b = binary.AppendUvarint(b, uint64(m.bytes))
	}
	return b
}

var errShort = errors.New("the constraints end early")

// A scanner reads the stored form; after an error it reads zeros.
type scanner struct {
	b   []byte
	err error
}

func (s *scanner) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.b = nil
}

func (s *scanner) uvarint(most uint64) uint64 {
	v, n := binary.Uvarint(s.b)
	switch {
	case n <= 0:
		s.fail(errShort)
		return 0
	case v > most:
		s.fail(fmt.Errorf("the constraints have the number %d where %d is the most", v, most))
		return 0
	}
	s.b = s.b[n:]
	return v
}

func (s *scanner) varint() int64 {
	v, n := binary.Varint(s.b)
	if n <= 0 {
		s.fail(errShort)
		return 0
	}
	s.b = s.b[n:]
	return v
}

func (s *scanner) byte() byte {
	if len(s.b) == 0 {
		s.fail(errShort)
		return 0
	}
	c := s.b[0]
	s.b = s.b[1:]
	return c
}

func (s *scanner) text() string {
	n := s.uvarint(uint64(len(s.b)))
	if n > uint64(len(s.b)) {
		s.fail(errShort)
		return ""
	}
	t := string(s.b[:n])
	s.b = s.b[n:]
	return t
}

// ParseConstraints reads the stored form, which nobody vouches for.
func ParseConstraints(b []byte) (*Constraints, error) {
	s := &scanner{b: b}
	c := new(Constraints)
	for range s.uvarint(mostHosts) {
		h := host{name: s.text(), id: s.text(), done: true}
		flags := s.byte()
		h.spanned, h.rising = flags&hasSpan != 0, flags&isRising != 0
		h.begin = s.varint()
		length := s.uvarint(math.MaxUint64)
		h.end = int64(uint64(h.begin) + length)
		if flags&hasTick != 0 {
			h.tick = int64(s.uvarint(math.MaxInt64))
		}
		if flags > hasSpan|hasTick|isRising {
			s.fail(fmt.Errorf("host %d of the constraints has flags %#x, of which some are not known", len(c.hosts), flags))
		}
		if h.end < h.begin || !h.spanned && (h.begin != 0 || length != 0) {
			s.fail(fmt.Errorf("host %d of the constraints has a span that cannot be", len(c.hosts)))
		}
		if s.err != nil {
			return nil, s.err
		}
		c.hosts = append(c.hosts, h)
	}
	for _, n := range counters(&c.counts) {
		*n = int64(s.uvarint(math.MaxInt64))
	}
	n, ok := s.uvarint(mostHosts*mostHosts), false
	if c.order, ok = s.links(n, c.hosts); ok {
		n = 0
	}
	for range n {
		l := s.link(c.hosts)
		if n := len(c.order); s.err == nil && n > 0 && !c.order[n-1].before(l) {
			s.fail(fmt.Errorf("link %d of the constraints is out of order", n))
		}
		if s.err != nil {
			return nil, s.err
		}
		c.order = append(c.order, l)
	}
	c.holdings, c.aliases = s.addresses(len(c.hosts))
	if s.err == nil && len(s.b) > 0 {
		s.fail(fmt.Errorf("behind the constraints are %d bytes more", len(s.b)))
	}
	return c, s.err
}

// addresses reads what is known of them; each entry takes bytes, so nothing is allocated for a claim.
func (s *scanner) addresses(hosts int) (holdings []match.Holding, aliases []match.Alias) {
	for range s.uvarint(uint64(len(s.b))) {
		h := match.Holding{Host: s.host(hosts), Address: s.address(), Interface: s.text(), Begin: s.varint(), End: s.varint()}
		h.Sent, h.Lost = int64(s.uvarint(math.MaxInt64)), s.byte() == 1
		if s.err != nil {
			return nil, nil
		}
		holdings = append(holdings, h)
	}
	for range s.uvarint(uint64(len(s.b))) {
		a := match.Alias{Host: s.host(hosts), By: s.host(hosts), Address: s.address(), Of: s.address()}
		a.Messages, a.Begin, a.End = int64(s.uvarint(math.MaxInt64)), s.varint(), s.varint()
		if s.err != nil {
			return nil, nil
		}
		aliases = append(aliases, a)
	}
	return holdings, aliases
}

func (s *scanner) host(hosts int) int32 {
	h := s.uvarint(mostHosts)
	if s.err == nil && h >= uint64(hosts) {
		s.fail(fmt.Errorf("the constraints have an address of host %d of %d", h, hosts))
	}
	return int32(h)
}

func (s *scanner) address() netip.Addr {
	b := s.text()
	a, ok := netip.AddrFromSlice([]byte(b))
	if s.err == nil && b != "" && !ok {
		s.fail(fmt.Errorf("the constraints have an address of %d bytes", len(b)))
	}
	return a
}

func (l *link) before(o *link) bool {
	return cmp.Or(cmp.Compare(l.a, o.a), cmp.Compare(l.b, o.b)) < 0
}

func (s *scanner) link(hosts []host) *link {
	a, b := s.uvarint(mostHosts), s.uvarint(mostHosts)
	if s.err == nil && (a >= b || b >= uint64(len(hosts))) {
		s.fail(fmt.Errorf("the constraints have a link between hosts %d and %d of %d", a, b, len(hosts)))
	}
	if s.err != nil {
		return nil
	}
	l := newLink(hosts, int32(a), int32(b))
	h, rest, err := hull.Parse(s.b)
	if err != nil {
		s.fail(err)
		return nil
	}
	series, rest, err := hull.ParseSeries(rest)
	if err != nil {
		s.fail(err)
		return nil
	}
	s.b = rest
	l.live.hull, l.live.series = *h, *series
	for side := range l.live.sample {
		l.live.sample[side] = s.sample()
	}
	return l
}

func (s *scanner) sample() sample {
	m := sample{level: int(s.byte())}
	n := s.uvarint(sampleLen)
	if m.level > 63 || n > uint64(len(s.b)/3) {
		s.fail(fmt.Errorf("the constraints have a sample of level %d with %d messages in %d bytes", m.level, n, len(s.b)))
		return sample{}
	}
	var before sampled
	for i := range n {
		var p sampled
		if i == 0 {
			p.X, p.Y = s.varint(), s.varint()
		} else {
			p.X = int64(uint64(before.X) + s.uvarint(math.MaxUint64))
			p.Y = int64(uint64(before.Y) + uint64(s.varint()))
		}
		p.bytes = uint32(s.uvarint(math.MaxUint32))
		if i > 0 && compareSampled(before, p) > 0 {
			s.fail(errors.New("a sample of the constraints is out of order"))
		}
		if s.err == nil && !m.takes(p.Point) {
			s.fail(fmt.Errorf("message %d of a sample is not of its level, %d", i, m.level))
		}
		if s.err != nil {
			return sample{}
		}
		m.put(p)
		before = p
	}
	return m
}
