package live

import "sync"

// A slot is a place for one unsent message. Pushes have one each, a view has
// three: its answer, the error that came instead of one, and the sign of life it asked for.
type slot struct {
	view uint16
	part part
}

type part uint8

const (
	partSet part = iota
	partReport
	partClocks
	partRows
	partAnswer
	partError
	partAlive
)

// A parcel is what lies in a slot.
type parcel struct {
	frame []byte
	fill  func() []byte // makes the frame when it is sent, nil if there is nothing to say; instead of frame
	seq   uint32
	acked bool // the message is to be acknowledged before the next of its view
}

// A flight is a message that was sent and not yet acknowledged.
type flight struct {
	seq  uint32
	size int
}

// flightBudget is how many bytes may wait for acknowledgement on one
// connection. Over it answers are held back (but one is always let through), so that a
// browser that does not draw holds kernel buffers, not our heap.
const flightBudget = 8 << 20

// An outbox is what a connection has to say: slots, not a queue. A newer
// message replaces the unsent one in its slot, which keeps its turn. Any
// goroutine may put; the write pump alone takes.
type outbox struct {
	ready chan struct{} // there may be something to take

	mu      sync.Mutex
	slots   map[slot]parcel
	turns   []slot // slots that hold something, first come first
	flights map[uint16]flight
	flying  int // bytes of flights
}

func newOutbox() *outbox {
	return &outbox{ready: make(chan struct{}, 1), slots: make(map[slot]parcel), flights: make(map[uint16]flight)}
}

func (o *outbox) signal() {
	select {
	case o.ready <- struct{}{}:
	default:
	}
}

func (o *outbox) put(s slot, p parcel) {
	o.mu.Lock()
	if _, full := o.slots[s]; !full {
		o.turns = append(o.turns, s)
	}
	o.slots[s] = p
	o.mu.Unlock()
	o.signal()
}

// take returns the next frame that may be sent now, nil if there is none.
func (o *outbox) take() []byte {
	for {
		p, ok := o.next()
		if !ok {
			return nil
		}
		if p.fill == nil {
			return p.frame
		}
		if frame := p.fill(); frame != nil {
			return frame
		}
	}
}

func (o *outbox) next() (parcel, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, s := range o.turns {
		p := o.slots[s]
		if p.acked {
			if _, busy := o.flights[s.view]; busy || o.flying > 0 && o.flying+len(p.frame) > flightBudget {
				continue
			}
			o.flights[s.view] = flight{p.seq, len(p.frame)}
			o.flying += len(p.frame)
		}
		o.turns = append(o.turns[:i], o.turns[i+1:]...)
		delete(o.slots, s)
		return p, true
	}
	return parcel{}, false
}

// ack ends the flight of a view; it reports whether seq was the one in the air.
func (o *outbox) ack(view uint16, seq uint32) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	f, ok := o.flights[view]
	if !ok || f.seq != seq {
		return false
	}
	o.land(view)
	return true
}

func (o *outbox) land(view uint16) {
	o.flying -= o.flights[view].size
	delete(o.flights, view)
	o.signal()
}

// settled reports whether a view's answers are all sent and acknowledged.
func (o *outbox) settled(view uint16) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, unsent := o.slots[slot{view, partAnswer}]
	_, flying := o.flights[view]
	return !unsent && !flying
}

// withdraw removes what of a view was not sent yet.
func (o *outbox) withdraw(view uint16) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.clear(view)
}

// forget removes everything of a view. Nobody will acknowledge its flight.
func (o *outbox) forget(view uint16) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.clear(view)
	if _, ok := o.flights[view]; ok {
		o.land(view)
	}
}

func (o *outbox) clear(view uint16) {
	kept := o.turns[:0]
	for _, s := range o.turns {
		if s.view != view || s.part < partAnswer {
			kept = append(kept, s)
		} else {
			delete(o.slots, s)
		}
	}
	o.turns = kept
}
