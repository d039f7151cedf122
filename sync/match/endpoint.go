// Package match turns network events into endpoints and endpoints into
// messages.
package match

import "synchroscope/trace"

type Direction uint8

const (
	Send Direction = iota
	Receive
)

// A Key is equal on both ends of one packet and, as far as the events allow, on no other.
type Key struct {
	Protocol   uint8 // IP protocol number
	Form       uint8 // which event form it was built from; forms do not mix
	A, B, C, D uint64
}

// An Endpoint is one end of a packet as one host saw it.
type Endpoint struct {
	Time                int64 // local ns
	Host                int32
	CPU                 int32
	Thread              int32 // -1 unknown
	Bytes               uint32
	Direction           Direction
	Key                 Key
	Source, Destination [16]byte // addresses (IPv4 mapped), zero where not recorded
}

// An Extractor finds the endpoints among the events of one host.
type Extractor struct{}

func NewExtractor(host int32) *Extractor { panic("unbuilt") }

// Extract reports whether ev is an endpoint; Thread is left -1.
func (x *Extractor) Extract(ev *trace.Event) (Endpoint, bool) { panic("unbuilt") }

// A Message is a matched pair, times in the local clocks of their hosts.
type Message struct {
	From, To             int32
	Sent, Received       int64
	FromThread, ToThread int32
	Bytes                uint32
	Protocol             uint8
}

// Counts says what became of every endpoint; each is in exactly one counter.
type Counts struct {
	Sent, Received                   int64
	Matched                          int64
	Retransmitted, Ambiguous         int64
	UnmatchedSent, UnmatchedReceived int64
	Evicted                          int64
}
