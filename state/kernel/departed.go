package kernel

import (
	"strconv"

	"synchroscope/state/attribute"
)

// Threads at hand and others. A host that runs for weeks has had every id there is, and few of its threads live at a time. So the model has a
// thread in memory while something is known that can change, and for some time after. Of others it keeps the row, which need not be in
// memory, and what the history says; from these a thread comes back as it was when an event is about it. When one is let go of therefore makes
// no difference, and a checkpoint does not say which ones were.
//
// Let go of are threads
//
//   - that have ended, whether or not somebody waited for them;
//   - of which a loss has left nothing known but who they are: many of them have ended unseen;
//   - whose status is never known, where no switches are recorded. Of those a loss makes the rest unknown, too.
//
// With the last thread that counts in a process its counters go, once all is written.

// mostParting is how many threads that may be let go of stay at hand. Most events of one that has ended come soon after.
const mostParting = 1 << 12

// facts are what a row says of a thread that is not at hand.
type facts uint64

// Where in facts the bits are.
const (
	factBorn = 2 + iota // behind the life
	factPID             // that of the row is the thread's
	factPPID            // likewise
	factName            // likewise
	factKnown
	factListed
	factSlept
	factUser
	factKernel
	factOwed
	factOwedMaybe
	factWaking
	factMoved
	factLeftUnseen
	factInner // it has an inner: for checkpoints
	factLeftSeen

	factHeir = factLeftSeen + 5
	factEnd  = factHeir + 22
)

// factSureAway is of the rows that are in Model.sureAway; a checkpoint does not have it.
const factSureAway facts = 1 << factEnd

func (f facts) is(bit int) bool { return f>>bit&1 != 0 }

func (f facts) life() life { return life(f & 3) }

func fact(is bool, bit int) facts {
	if is {
		return 1 << bit
	}
	return 0
}

func (t *thread) facts() facts {
	return facts(t.life) | fact(t.born, factBorn) | fact(t.pid != 0, factPID) | fact(t.ppid != 0, factPPID) | fact(t.comm != comm{}, factName) |
		fact(t.known, factKnown) | fact(t.listed, factListed) | fact(t.slept, factSlept) | fact(t.user, factUser) | fact(t.kernel, factKernel) |
		fact(t.owed, factOwed) | fact(t.owedMaybe, factOwedMaybe) | fact(t.waking, factWaking) | fact(t.moved, factMoved) |
		fact(t.leftUnseen, factLeftUnseen) | fact(t.inner != inner{}, factInner) | facts(t.leftSeen)<<factLeftSeen | facts(t.heir)<<factHeir
}

func (t *thread) setFacts(f facts, r *row) {
	t.life, t.born, t.known, t.listed, t.slept = f.life(), f.is(factBorn), f.is(factKnown), f.is(factListed), f.is(factSlept)
	t.user, t.kernel, t.owed, t.owedMaybe = f.is(factUser), f.is(factKernel), f.is(factOwed), f.is(factOwedMaybe)
	t.waking, t.moved, t.leftUnseen = f.is(factWaking), f.is(factMoved), f.is(factLeftUnseen)
	t.leftSeen, t.heir = uint8(f>>factLeftSeen&31), int32(f>>factHeir&(maxTID-1))
	if f.is(factPID) {
		t.pid = r.pid
	}
	if f.is(factPPID) {
		t.ppid = r.ppid
	}
	if f.is(factName) {
		t.comm = r.name
	}
}

// find returns the thread with an id, nil if there was none, or it is 0.
func (m *Model) find(tid int64) *thread {
	if t := m.threads.get(tid); t != nil {
		return t
	}
	if n := m.rows.find(tid); n >= 0 {
		return m.comeBack(n)
	}
	return nil
}

// part takes note that t may be let go of before long.
func (m *Model) part(t *thread) {
	if !t.parting && !t.idle() {
		t.parting = true
		m.parting = append(m.parting, t)
	}
}

// letGo lets go of threads, those first that have been at rest longest. It is called between events, when nobody but the model knows any. As
// many as half of all at hand stay, or a loss would cost twice.
func (m *Model) letGo() {
	if m.mostParting > 0 && len(m.parting) <= m.threads.count/2 {
		return
	}
	n := max(len(m.parting)-m.mostParting, len(m.parting)/8)
	for _, t := range m.parting[:n] {
		if t.parting = false; m.atRest(t) && m.threads.get(int64(t.tid)) == t { // a damaged checkpoint can have a CPU run one that is not at hand
			m.putAway(t)
		}
	}
	rest := append(m.parting[:0], m.parting[n:]...)
	clear(m.parting[len(rest):])
	m.parting = rest
	m.letGoOfProcesses()
}

// atRest reports whether nothing is lost if t is not at hand. What becomes of it while it is not, when events are lost, is what becomes of zombies, and of
// those in sureAway; nothing becomes of others.
func (m *Model) atRest(t *thread) bool {
	switch {
	case t.runs():
		return false
	case t.life >= ended:
		return t.priority == noPriority || t.life == ended && t.listed
	}
	return t.status == Unknown && t.priority == noPriority && !m.sieve.holds && (m.noSwitches || m.isBlank(t))
}

// isBlank reports whether to doubt t would change nothing.
func (m *Model) isBlank(t *thread) bool {
	for _, q := range [...]attribute.Quark{t.quark.call, t.quark.cpu, t.quark.sleep, t.quark.waker, t.quark.wakeup, t.quark.argument, t.quark.file, t.quark.failed} {
		if q == attribute.None {
			continue
		}
		if v, _ := m.w.Ongoing(q); !v.IsNull() {
			return false
		}
	}
	return t.known == t.kernel && !m.exits(t)
}

func (m *Model) putAway(t *thread) {
	r := m.rows.at(t.row)
	r.facts = t.facts() | r.facts&factSureAway
	if t.life < ended && r.facts&factSureAway == 0 && !m.isBlank(t) {
		r.facts |= factSureAway
		m.sureAway = append(m.sureAway, t.row)
	}
	r.setInner(t.inner)
	if t.life >= ended {
		m.leaveInside(t)
	}
	m.leaveProcess(t)
	m.threads.drop(t)
}

// comeBack makes the thread of a row that is not at hand.
func (m *Model) comeBack(n int32) *thread {
	t := m.newThread(m.rows.at(n).tid)
	m.readRow(t, n)
	m.threads.put(t)
	if t.life < ended && (t.status != Unknown || !m.isBlank(t)) {
		m.threads.markSure(t)
	}
	if t.priority != noPriority {
		m.threads.markRanked(t)
	}
	if t.life >= ended {
		m.enterInside(t)
	}
	m.part(t)
	return t
}

// readRow makes t, which is new, the thread of a row.
func (m *Model) readRow(t *thread, n int32) {
	r := m.rows.at(n)
	m.readThread(t, r.quark)
	t.row = n
	t.inner = r.inner()
	t.setFacts(r.facts, r)
}

// readThread makes t, which is new, what the history says of it: status is its attribute.
func (m *Model) readThread(t *thread, status attribute.Quark) {
	t.quark.status = status
	for q, name := range m.w.Attributes().Below(status) {
		switch name {
		case "Name":
			t.quark.name = q
		case "PID":
			t.quark.pid = q
		case "PPID":
			t.quark.ppid = q
		case "Priority":
			t.quark.priority = q
		case "System_call":
			t.quark.call = q
		case "CPU":
			t.quark.cpu = q
		case "Waker":
			t.quark.waker = q
		case "Wakeup":
			t.quark.wakeup = q
		case "Sleep":
			t.quark.sleep = q
		case "Exit":
			t.quark.exit = q
		}
	}
	if t.quark.call != attribute.None {
		for q, name := range m.w.Attributes().Below(t.quark.call) {
			switch name {
			case "Argument":
				t.quark.argument = q
			case "File":
				t.quark.file = q
			case "Error":
				t.quark.failed = q
			}
		}
	}
	if v, ok := m.ongoing(status); ok {
		t.status = Status(v)
	}
	if v, ok := m.ongoing(t.quark.priority); ok {
		t.priority = int32(v)
	}
	if v, ok := m.ongoing(t.quark.cpu); ok {
		t.cpu = int32(v)
	}
	if t.quark.call != attribute.None {
		t.call, _ = m.w.Ongoing(t.quark.call)
	}
}

// idleName is what the idle thread of a CPU is called among the attributes.
func idleName(cpu int32) string { return "0_" + strconv.Itoa(int(cpu)) }

// lifeOf is where the thread of a row stands.
func (m *Model) lifeOf(n int32) life {
	r := m.rows.at(n)
	if t := m.threads.get(int64(r.tid)); t != nil {
		return t.life
	}
	return r.facts.life()
}

// unlist takes note that the thread of a row is no longer in m.zombies.
func (m *Model) unlist(n int32) {
	r := m.rows.at(n)
	if t := m.threads.get(int64(r.tid)); t != nil {
		t.listed = false
	}
	r.facts &^= 1 << factListed
}

// child is the quark of what a history may have below parent.
func (m *Model) child(parent attribute.Quark, name string) attribute.Quark {
	if parent == attribute.None {
		return attribute.None
	}
	return m.w.Attributes().Child(parent, name)
}

// ongoing is the integer that an attribute has now.
func (m *Model) ongoing(q attribute.Quark) (int64, bool) {
	if q == attribute.None {
		return 0, false
	}
	v, _ := m.w.Ongoing(q)
	return v.Int()
}
