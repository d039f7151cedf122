package machine

// A Mutex is held by one thread at a time. It belongs to threads of one machine. The zero value is free.
type Mutex struct {
	owner   *Thread
	waiting []*Thread
	at      int64 // when it was given back last
}

// Lock waits until nobody else holds the mutex. The kernel is asked only where it must be.
func (t *Thread) Lock(m *Mutex) {
	t.cpu.spend(25)
	if m.owner == nil || m.owner.state >= ended { // who ends gives back what it holds
		t.cpu.lift(m.at)
		m.owner = t
		return
	}
	address := stackOf(m.owner) &^ 0xff
	t.call("futex", address, 128, 2, 0, 0, 0)
	t.work(900)
	if m.owner == nil {
		m.owner = t
	} else {
		m.waiting = append(m.waiting, t)
	}
	for m.owner != t {
		t.block(interruptible)
	}
	t.cpu.lift(m.at)
	t.ret(0, address)
}

// Unlock gives the mutex to the thread that waits longest.
func (t *Thread) Unlock(m *Mutex) {
	t.cpu.spend(25)
	m.owner, m.at = nil, t.cpu.now
	for len(m.waiting) > 0 && m.owner == nil {
		next := m.waiting[0]
		m.waiting = m.waiting[1:]
		if next.state >= ended || next.killed {
			continue
		}
		m.owner = next
		address := stackOf(t) &^ 0xff
		t.call("futex", address, 129, 1, 0, 0, 0)
		t.work(600)
		t.m.wake(next)
		m.at = t.cpu.now
		t.work(300)
		t.ret(1, address)
	}
}

// An Event is something that happens once, until it is reset. It belongs to threads of one machine.
type Event struct {
	set     bool
	at      int64
	waiting []*Thread
}

// WaitOn waits until the event is set.
func (t *Thread) WaitOn(e *Event) {
	t.cpu.spend(20)
	if !e.set {
		t.call("futex", stackOf(t)&^0xff, 128, 0, 0, 0, 0)
		t.work(900)
		for !e.set {
			e.waiting = append(e.waiting, t)
			t.block(interruptible)
		}
		t.ret(0, stackOf(t)&^0xff)
	}
	t.cpu.lift(e.at)
}

// Set lets all go on who wait.
func (t *Thread) Set(e *Event) {
	t.cpu.spend(20)
	e.set, e.at = true, t.cpu.now
	if len(e.waiting) == 0 {
		return
	}
	t.call("futex", stackOf(t)&^0xff, 129, 1<<31-1, 0, 0, 0)
	t.work(600)
	n := len(e.waiting)
	for _, w := range e.waiting {
		t.m.wake(w)
	}
	e.waiting = e.waiting[:0]
	e.at = t.cpu.now
	t.work(300)
	t.ret(int64(n), stackOf(t)&^0xff)
}

// Reset makes threads wait again.
func (e *Event) Reset() { e.set = false }
