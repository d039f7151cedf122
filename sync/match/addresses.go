package match

import (
	"bytes"
	"cmp"
	"net/netip"
	"slices"
)

// A Holding is a stretch of time in which a host had an address.
type Holding struct {
	Host      int32
	Address   netip.Addr
	Interface string // name of the device; "" if only traffic tells of the address
	// Begin and End are the first and the last time at which the host is known to have had it, by its own clock, ns.
	Begin, End int64
	Sent       int64 // packets that it sent from it and nobody before it
	Lost       bool  // afterwards others sent from it
}

// An Alias is an address that others know a host by because it was translated on the way.
type Alias struct {
	Host     int32      // whose address it stands for
	By       int32      // who saw it
	Address  netip.Addr // that By saw
	Of       netip.Addr // that Host used
	Messages int64
	// Begin and End are the times of the first and the last message, by By's clock, ns.
	Begin, End int64
}

// What addresses may hold at most. More are not remembered.
const (
	mostAddresses = 1 << 8 // of a host
	mostHoldings  = 1 << 4 // of an address; the last of them goes on
	mostAliases   = 1 << 12
	recentKeys    = 1 << 8  // of either direction
	recentSources = 1 << 10 // powers of two
)

// forwarding is how long, in ns, a host that received packets from an address is
// taken to pass on what it sends from it.
const forwarding = 10_000_000_000

// addresses learn from endpoints which host has which address, and when. An address belongs to the host that
// sends from it first-hand: that did not receive the packet before, nor others from that address shortly
// before. What a host receives of its own packets, on the devices that
// it keeps for containers, says nothing. What a state dump says is believed.
//
// Each host's endpoints must come in their order; hosts may be interleaved in any way.
type addresses struct {
	hosts   []holder
	aliases []Alias
}

// A holder is what is known of a host.
type holder struct {
	held   []held
	recent [2][recentKeys]uint64 // hashes of keys, by direction
	heard  [recentSources]heard
}

// held is an address of a host, with its stretches of time.
type held struct {
	address [16]byte
	list    []Holding
}

// heard is when a packet from an address was received last.
type heard struct {
	address [16]byte
	time    int64
}

// see takes an endpoint and the hash of its key.
func (a *addresses) see(p *Endpoint, hash uint64) {
	if p.Source == [16]byte{} {
		return
	}
	h := a.holder(p.Host)
	own, other := &h.recent[p.Direction][hash%recentKeys], h.recent[1-p.Direction][hash%recentKeys]
	*own = hash
	if other == hash {
		return // passed on, or its own on the next device
	}
	var d digest
	d.text(p.Source[:])
	last := &h.heard[d.x>>32%recentSources]
	if p.Direction == Send {
		if last.address != p.Source || p.Time-last.time > forwarding {
			h.hold(p.Host, &p.Source, p.Time, "").Sent++
		}
		return
	}
	known := last.address == p.Source && p.Time-last.time < forwarding
	*last = heard{p.Source, p.Time}
	if known {
		return
	}
	if i := h.find(&p.Source); i >= 0 {
		h.held[i].list[len(h.held[i].list)-1].Lost = true
	}
}

func (a *addresses) holder(host int32) *holder {
	for int(host) >= len(a.hosts) {
		a.hosts = append(a.hosts, holder{})
	}
	return &a.hosts[host]
}

// dumped takes what a state dump says.
func (a *addresses) dumped(p *Endpoint) {
	name, _, _ := bytes.Cut(p.Destination[:], []byte{0})
	a.holder(p.Host).hold(p.Host, &p.Source, p.Time, string(name))
}

// find returns where an address of the host is, -1 if it has none such.
func (h *holder) find(address *[16]byte) int {
	for i := range h.held {
		if h.held[i].address == *address {
			if i > 0 { // what is used comes to the front
				h.held[i], h.held[i-1] = h.held[i-1], h.held[i]
				i--
			}
			return i
		}
	}
	return -1
}

// hold notes that the host has an address now.
func (h *holder) hold(host int32, address *[16]byte, now int64, device string) *Holding {
	i := h.find(address)
	if i < 0 {
		if !ordinary(*address) || len(h.held) == mostAddresses {
			return new(Holding)
		}
		i = len(h.held)
		h.held = append(h.held, held{address: *address})
	}
	list := &h.held[i].list
	n := len(*list)
	if n == 0 || (*list)[n-1].Lost && n < mostHoldings {
		*list = append(*list, Holding{Host: host, Address: netip.AddrFrom16(*address).Unmap(), Begin: now, End: now})
		n++
	}
	last := &(*list)[n-1]
	last.Begin, last.End = min(last.Begin, now), max(last.End, now)
	if device != "" {
		last.Interface = device
	}
	return last
}

// ordinary reports whether an address can be that of one host.
func ordinary(address [16]byte) bool {
	a := netip.AddrFrom16(address).Unmap()
	return a.IsValid() && !a.IsUnspecified() && !a.IsLoopback() && !a.IsMulticast() && a != netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// translated takes a message whose addresses are others where it was received. Only those of IPv4 can be had from keys.
func (a *addresses) translated(send, receive *leftover) {
	if send.key.Form != ipv4Form || send.key.A == receive.key.A {
		return
	}
	if own, seen := address4(send.key.A>>32), address4(receive.key.A>>32); own != seen {
		a.alias(Alias{Host: send.host, By: receive.host, Address: seen, Of: own, Begin: receive.time, End: receive.time})
	}
	if seen, own := address4(send.key.A), address4(receive.key.A); own != seen {
		a.alias(Alias{Host: receive.host, By: send.host, Address: seen, Of: own, Begin: send.time, End: send.time})
	}
}

func address4(a uint64) netip.Addr {
	return netip.AddrFrom4([4]byte{byte(a >> 24), byte(a >> 16), byte(a >> 8), byte(a)})
}

func (a *addresses) alias(n Alias) {
	i := slices.IndexFunc(a.aliases, func(o Alias) bool {
		return o.Host == n.Host && o.By == n.By && o.Address == n.Address && o.Of == n.Of
	})
	if i < 0 {
		if len(a.aliases) == mostAliases {
			return
		}
		i = len(a.aliases)
		a.aliases = append(a.aliases, n)
	}
	o := &a.aliases[i]
	o.Begin, o.End, o.Messages = min(o.Begin, n.Begin), max(o.End, n.End), o.Messages+1
}

// Addresses returns which host had which address, and when, as far as is known: by host, then in the order of
// time, then by address. The lists are the caller's.
func (m *Matcher) Addresses() ([]Holding, []Alias) {
	var list []Holding
	for i := range m.addresses.hosts {
		for _, h := range m.addresses.hosts[i].held {
			list = append(list, h.list...)
		}
	}
	slices.SortFunc(list, func(p, q Holding) int {
		return cmp.Or(cmp.Compare(p.Host, q.Host), cmp.Compare(p.Begin, q.Begin), p.Address.Compare(q.Address))
	})
	aliases := slices.Clone(m.addresses.aliases)
	slices.SortFunc(aliases, func(p, q Alias) int {
		return cmp.Or(cmp.Compare(p.Host, q.Host), p.Address.Compare(q.Address), p.Of.Compare(q.Of), cmp.Compare(p.By, q.By))
	})
	return list, aliases
}
