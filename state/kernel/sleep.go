package kernel

import (
	"slices"

	"synchroscope/state/history"
)

// A Sleep is how a thread waits that is Blocked or in Wait. The numbers are stored.
type Sleep uint8

const (
	Interruptible   Sleep = 1 + iota // until something happens, or a signal comes
	Uninterruptible                  // for something that is sure to come, mostly of a device
	Lazy                             // as Uninterruptible, but not counted as load: threads of the kernel
	Stopped                          // by a signal
	Traced                           // by a debugger
	Parked                           // a thread of the kernel whose CPU is unplugged
)

var sleepNames = [...]string{
	Interruptible: "interruptible", Uninterruptible: "uninterruptible", Lazy: "lazy",
	Stopped: "stopped", Traced: "traced", Parked: "parked",
}

// String names s in words.
func (s Sleep) String() string {
	if s > 0 && int(s) < len(sleepNames) {
		return sleepNames[s]
	}
	return "none"
}

// sleepOf reads how a thread waits from prev_state.
func sleepOf(state int64) Sleep {
	switch {
	case state == taskIdle || state&0x402 == 0x402:
		return Lazy
	case state&0x02 != 0:
		return Uninterruptible
	case state&0x01 != 0:
		return Interruptible
	case state&0x04 != 0:
		return Stopped
	case state&0x08 != 0:
		return Traced
	case state&taskClash != 0:
		return Parked
	}
	return 0
}

func (m *Model) setSleep(t *thread, s Sleep) {
	if s != 0 && !m.hidden(t) {
		m.under(&t.quark.sleep, t.quark.status, "Sleep", history.Int(int64(s)))
		m.threads.markSure(t)
	}
}

// An Exit is how far a thread has come in ending. The numbers are stored.
type Exit uint8

const (
	Exiting Exit = 1 + iota // it has said so, and runs its last
	Zombie                  // it is off its CPU for good, and nobody has waited for it
)

// String names e in words.
func (e Exit) String() string {
	switch e {
	case Exiting:
		return "exiting"
	case Zombie:
		return "zombie"
	}
	return "none"
}

func (m *Model) setExit(t *thread, e Exit) {
	v := history.Null()
	fleeting := m.fleeting(t, e)
	if e != 0 && !fleeting && (e != Zombie || !m.noFrees) {
		v = history.Int(int64(e))
	}
	if e == Exiting {
		m.threads.markSure(t)
	}
	m.under(&t.quark.exit, t.quark.status, "Exit", v)
	if e == Zombie && !fleeting && !t.listed {
		m.zombies = append(m.zombies, t.row)
		t.listed = true
		m.trimZombies()
	}
}

// fleeting reports whether t can have come further in ending than e at once, unseen: where events of its CPU are being lost, or of any CPU where somebody can wait for it; and
// where its last switch is not recorded.
func (m *Model) fleeting(t *thread, e Exit) bool {
	if e == Zombie {
		return m.anyDark()
	}
	return m.hidden(t) || m.noSwitches || m.sieve.holds && !m.follows(t)
}

// exits reports whether t is known to run its last. One that was so when a loss began may have ended in it; while its id is not seen to have been given to another,
// it does nothing else.
func (m *Model) exits(t *thread) bool {
	if t.life != exiting {
		return false
	}
	e, ok := m.ongoing(t.quark.exit)
	return ok && Exit(e) == Exiting
}

// trimZombies drops those that somebody has waited for, once they are many.
func (m *Model) trimZombies() {
	if len(m.zombies) < max(1024, 2*m.zombiesLeft) {
		return
	}
	m.zombies = slices.DeleteFunc(m.zombies, func(n int32) bool {
		if m.lifeOf(n) == ended {
			return false
		}
		m.unlist(n)
		return true
	})
	m.zombiesLeft = len(m.zombies)
}

// forgetZombies makes unknown which threads are zombies: they could have been waited for unseen.
func (m *Model) forgetZombies() {
	for _, n := range m.zombies {
		if m.unlist(n); m.lifeOf(n) != ended {
			continue
		}
		r := m.rows.at(n)
		m.null(m.child(r.quark, "Exit"))
	}
	m.zombies, m.zombiesLeft = nil, 0
}
