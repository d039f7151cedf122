package match

// A Message is a matched pair, times in the local clocks of their hosts.
//
// Retracted takes an earlier Message back: it has the same fields otherwise.
// It is said when an endpoint with the same key turns up after the pair was
// made, so that nobody can tell any more which send belongs to which receive.
type Message struct {
	From, To             int32
	Sent, Received       int64
	FromThread, ToThread int32
	Bytes                uint32 // of the packet, headers included; of the smaller one where it was cut or joined
	Data                 uint32 // of all that was sent in it: the pieces it stands for are included
	FromPort, ToPort     uint16 // of TCP, as sent; both 0 unknown
	Protocol             uint8
	Content              Content
	Opens                bool // the packet asks for a connection of TCP
	Retracted            bool
}

// Counts says what became of every endpoint; each is in exactly one counter,
// a matched message being two of them:
//
//	Sent + Received = 2·Matched + Retransmitted + Ambiguous + Loopback +
//	                  Pieces + UnmatchedSent + UnmatchedReceived + Evicted
type Counts struct {
	Sent, Received int64 // endpoints seen
	Matched        int64 // messages

	Retransmitted int64 // key seen twice on one side by one host, or bytes sent again
	Ambiguous     int64 // key seen on one side by several hosts: forwarded, bridged, copied
	Loopback      int64 // sent and received by the same host
	Pieces        int64 // of a packet that was cut or joined on its way, whose message another piece makes

	UnmatchedSent, UnmatchedReceived int64 // the other end has not been seen
	Evicted                          int64 // dropped unmatched to bound the memory
}

// add puts n endpoints with the given fate into their counter, or takes them out if n < 0.
func (c *Counts) add(f fate, n int64) {
	switch f {
	case matched:
		c.Matched += n / 2
	case retransmitted:
		c.Retransmitted += n
	case ambiguous:
		c.Ambiguous += n
	case loopback:
		c.Loopback += n
	case unmatchedSent:
		c.UnmatchedSent += n
	case unmatchedReceived:
		c.UnmatchedReceived += n
	case piece:
		c.Pieces += n
	case evicted:
		c.Evicted += n
	}
}
