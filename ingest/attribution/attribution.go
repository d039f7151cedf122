// Package attribution finds the thread behind each end of a packet.
//
// The network events tell on which CPU a packet was sent or received, not for
// whom. Four cases cover what a Linux kernel does:
//
//   - Sent outside an interrupt: the thread that runs on the CPU called send,
//     or something that amounts to it.
//   - Sent in a soft interrupt: an acknowledgement, a retransmission, a segment
//     that waited for the window to open. The thread that last sent on the
//     same flow wrote those bytes or owns the socket.
//   - Received, and a thread is woken on the same CPU before the interrupt ends, in
//     which it was received: it was asleep in recv, accept or poll on the socket. The
//     network stack wakes it from inside the delivery of the packet. It can take several
//     before it delivers the first: of those that woke nobody yet it is that of
//     a flow on which the thread sent last, else the last of those on whose flow nobody sent, else the last. A timer that is not recorded can wake others
//     meanwhile; that these do not wait for a packet the kernel's state tells.
//   - Received, and nobody is woken: the thread was not asleep. The one that
//     last sent on the flow the other way is the best guess; a thread that
//     never answers stays unknown.
//
// The third case needs the future. So an endpoint that was received waits, and
// those that follow wait behind it, because they must leave in the order they were
// recorded: the pairing relies on it. What waits is bounded by number, never by
// time or by when somebody asks for a checkpoint, so the answer is the same however
// the work was cut up.
//
// What we chose not to do: follow a request through a second wake-up (an event
// loop that hands a connection to a worker), which is a matter of the application, and
// system call arguments, which would tell the socket where they were recorded,
// but most recordings leave them out.
package attribution

import (
	"slices"

	"synchroscope/sync/match"
)

// Threads is what must be known of the kernel's state: that of kernel.Model.
type Threads interface {
	Running(cpu int32) (tid int32, irq bool)
	Delivered() int32 // the thread that the newest event woke for a packet, or may have; -1 for none
}

const (
	// maxQueue bounds the endpoints that wait.
	maxQueue = 1024
	// patience is how many events of its CPU a receive outside any known interrupt
	// waits for a wake-up: where the interrupts were not recorded.
	patience = 16
	// mostWaiting bounds the receives of a CPU that wait: as many as one soft interrupt takes (net.core.netdev_budget).
	mostWaiting = 300
)

// Queue gives endpoints their threads. It belongs to one goroutine.
type Queue struct {
	threads Threads
	yield   func(*match.Endpoint) error

	queue []entry
	first uint64             // sequence number of queue[0]
	awake map[int32][]waiter // by CPU: the receives that wait for a wake-up, oldest first; several only in one interrupt
	flows flows
	err   error

	passed match.Endpoint
}

type entry struct {
	match.Endpoint
	waits bool
}

// A waiter is a receive that nobody was woken for yet.
type waiter struct {
	seq  uint64
	irq  bool // it was received in an interrupt, whose end is the end of waiting
	left int  // events to wait for otherwise
}

// New makes a queue that yields endpoints in the order they were added. threads is nil for
// a host without a kernel trace, whose endpoints pass as they are.
func New(threads Threads, yield func(*match.Endpoint) error) *Queue {
	return &Queue{threads: threads, yield: yield, awake: make(map[int32][]waiter), flows: newFlows()}
}

// Add takes the endpoint of the event that the model has just handled, instead of Event.
func (q *Queue) Add(e match.Endpoint) error {
	if q.threads == nil {
		return q.pass(e)
	}
	tid, irq := q.threads.Running(e.CPU)
	waits := false
	if e.Direction == match.Send {
		if !irq && tid > 0 {
			e.Thread = tid
			q.flows.put(flowOf(&e), tid)
		} else {
			e.Thread = q.flows.get(flowOf(&e))
		}
	} else {
		if all := q.awake[e.CPU]; !irq || len(all) >= mostWaiting || len(all) > 0 && !all[0].irq {
			q.giveUp(e.CPU)
		}
		waits = true
		q.awake[e.CPU] = append(q.awake[e.CPU], waiter{seq: q.first + uint64(len(q.queue)), irq: irq, left: patience})
	}
	return q.push(entry{e, waits})
}

// AddOwn takes the endpoint that a thread has recorded itself, which it names.
func (q *Queue) AddOwn(e match.Endpoint) error {
	if q.threads == nil {
		return q.pass(e)
	}
	return q.push(entry{e, false})
}

// pass yields an endpoint as it is.
func (q *Queue) pass(e match.Endpoint) error {
	q.passed = e // one of its own would come off the heap
	return q.yield(&q.passed)
}

func (q *Queue) push(e entry) error {
	q.queue = append(q.queue, e)
	if len(q.queue) > maxQueue {
		q.giveUp(q.queue[0].CPU)
	}
	return q.drain()
}

// Event looks at what the model made of the newest event, recorded on a CPU.
func (q *Queue) Event(cpu int32) error {
	if len(q.awake) == 0 {
		return nil
	}
	all := q.awake[cpu]
	if len(all) == 0 {
		return nil
	}
	if tid := q.threads.Delivered(); tid > 0 {
		q.deliver(cpu, tid)
		return q.drain()
	}
	w := &all[0]
	if _, irq := q.threads.Running(cpu); irq && w.irq {
		return nil
	}
	if w.left--; w.irq || w.left <= 0 {
		q.giveUp(cpu)
		return q.drain()
	}
	return nil
}

// Close yields everything that waits.
func (q *Queue) Close() error {
	for cpu := range q.awake {
		q.giveUp(cpu)
	}
	return q.drain()
}

// giveUp ends the waiting of the receives of a CPU: they woke nobody.
func (q *Queue) giveUp(cpu int32) {
	for _, w := range q.awake[cpu] {
		e := &q.queue[w.seq-q.first]
		e.waits, e.Thread = false, q.owner(w)
	}
	delete(q.awake, cpu)
}

// deliver ends the waiting of one of the receives of a CPU: it woke a thread.
func (q *Queue) deliver(cpu, tid int32) {
	all := q.awake[cpu]
	which, allOwned := len(all)-1, true
	for i, w := range slices.Backward(all) {
		owner := q.owner(w)
		if owner == tid {
			which = i
			break
		}
		if allOwned && owner < 0 {
			which, allOwned = i, false
		}
	}
	e := &q.queue[all[which].seq-q.first]
	e.waits, e.Thread = false, tid
	if all = slices.Delete(all, which, which+1); len(all) == 0 {
		delete(q.awake, cpu)
		return
	}
	q.awake[cpu] = all
}

// owner is the thread that last sent on the flow of a receive the other way, -1 if nobody did.
func (q *Queue) owner(w waiter) int32 {
	return q.flows.get(flowOf(&q.queue[w.seq-q.first].Endpoint).reverse())
}

func (q *Queue) drain() error {
	n := 0
	for n < len(q.queue) && !q.queue[n].waits && q.err == nil {
		q.err = q.yield(&q.queue[n].Endpoint)
		n++
	}
	q.queue = q.queue[:copy(q.queue, q.queue[n:])]
	q.first += uint64(n)
	return q.err
}
