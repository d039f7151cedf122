package kernel

import (
	"math"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/scratch"
)

// maxTID bounds the ids that are believed: Linux has no more than 1<<22.
const maxTID = 1 << 22

// A life is where a thread stands between its birth and the free use of its id.
type life uint8

const (
	alive   life = iota
	exiting      // it has announced its exit and runs its last
	ended        // off the CPU for good; a zombie until its parent waits for it
	freed        // nothing of it is left
)

// A thread is one id, in its newest life. The model has those at hand that it needs, departed.go says which. As all of very many can live at a time
// it may be in scratch memory, and has no pointer.
type thread struct {
	tid        int32
	place      int32  // its number in threadTable.slab, -1 where it has memory of its own, as nobody finds it then
	cpu        int32  // where it runs or is queued, or did last; -1 unknown
	home       int32  // the CPU of an idle thread; -1 for others
	row        int32  // its number in rows; -1 for idle threads
	sure       int32  // 1 more than its place in threadTable.sure, 0 if it is not there
	ranked     int32  // likewise in threadTable.ranked
	process    int32  // 1 more than the number of the counters it counts in, 0 until something was counted
	on         int16  // 1 more than the number of the CPU it runs on, 0 if none is known
	status     Status // as stored
	life       life
	parting    bool  // it is in Model.parting
	born       bool  // its life began inside the trace
	known      bool  // whether it is in a system call, and in which
	listed     bool  // it is in Model.zombies
	kernel     bool  // it is known to be a thread of the kernel, which never runs in user space and makes no system calls
	user       bool  // it is known not to be one
	waking     bool  // it is being woken, which began while it was on a CPU
	moved      bool  // it is being woken, which was told by its being moved to another CPU
	slept      bool  // it has slept, as threads that are none do in system calls mostly
	owed       bool  // an earlier life's sched_process_free is yet to come
	leftSeen   uint8 // how often it was seen to leave the CPU that it had taken, up to mostSeen
	leftUnseen bool  // it left a CPU, and nothing told so
	owedMaybe  bool  // where owed: it can as well have been lost
	comm       comm
	heir       int32 // whose id it went on under when it ran another program, until that one's end is told; 0 none
	pid        int32 // 0 unknown
	ppid       int32 // 0 unknown
	inner      inner

	priority int32 // noPriority unknown

	call  history.Value // the system call it is in, or null
	quark struct {
		status, name, pid, ppid, priority, call, cpu attribute.Quark
		waker, wakeup, sleep, exit                   attribute.Quark
		argument, file, failed                       attribute.Quark
	}
}

const noPriority = math.MinInt32

// idle reports whether t is the thread that a CPU runs when there is none.
func (t *thread) idle() bool { return t.tid == 0 }

// runs reports whether t is known to run on a CPU.
func (t *thread) runs() bool { return t.on != 0 }

// runsOn reports whether t is known to run on c.
func (t *thread) runsOn(c *cpu) bool { return t.on == int16(c.id)+1 }

func (t *thread) putOn(c *cpu) { t.on = int16(c.id) + 1 }

// cpuOf is the CPU that t runs on, nil if none is known.
func (m *Model) cpuOf(t *thread) *cpu {
	if !t.runs() {
		return nil
	}
	return m.cpus[t.on-1]
}

// threadTable has the threads that are at hand, by id. Ids are handed out upwards and lie close
// together, so pages of numbers beat a map. All of it may be in scratch memory, as very many threads can live at a time.
type threadTable struct {
	pages []*[idsOfPage]int32 // 1 more than the place of the thread in slab, 0 if it is not at hand; a page stays once it is there
	count int                 // of threads, without idle ones, which belong to their CPUs
	slab  slab[thread]

	// sure holds, in no order, all threads that a loss can put in doubt: those that
	// live and of which anything is known that changes, and some others. So a loss costs what it
	// changes, not what there is. Those that are not at hand are in Model.sureAway.
	sure pile // of places in slab

	// ranked holds, in no order, all threads whose priority is known, and some others.
	ranked pile // likewise
}

func newThreadTable(space *scratch.Space) threadTable {
	return threadTable{slab: newSlab[thread](space), sure: pile{space: space}, ranked: pile{space: space}}
}

func (tt *threadTable) get(tid int64) *thread {
	if page := uint64(tid) / idsOfPage; page < uint64(len(tt.pages)) && tt.pages[page] != nil {
		if n := tt.pages[page][tid%idsOfPage]; n != 0 {
			return tt.slab.at(n - 1)
		}
	}
	return nil
}

// each hands on all threads at hand, in order of their ids.
func (tt *threadTable) each(take func(*thread)) {
	for _, page := range tt.pages {
		if page == nil {
			continue
		}
		for _, n := range page {
			if n != 0 {
				take(tt.slab.at(n - 1))
			}
		}
	}
}

func (tt *threadTable) put(t *thread) {
	for int(t.tid/idsOfPage) >= len(tt.pages) {
		tt.pages = append(tt.pages, nil)
	}
	page := &tt.pages[t.tid/idsOfPage]
	if *page == nil {
		*page = &scratch.Make[[idsOfPage]int32](tt.slab.space, 1)[0]
	}
	(*page)[t.tid%idsOfPage] = t.place + 1
	tt.count++
}

// drop removes a thread.
func (tt *threadTable) drop(t *thread) {
	tt.without(&tt.sure, &t.sure, (*thread).inSure)
	tt.without(&tt.ranked, &t.ranked, (*thread).inRanked)
	tt.pages[t.tid/idsOfPage][t.tid%idsOfPage] = 0
	tt.count--
	tt.slab.give(t.place)
}

func (t *thread) inSure() *int32   { return &t.sure }
func (t *thread) inRanked() *int32 { return &t.ranked }

// without takes the thread at a place, of which place is 1 more, out of a list; the last one has the place then.
func (tt *threadTable) without(list *pile, place *int32, in func(*thread) *int32) {
	if *place == 0 {
		return
	}
	last := list.pop()
	if i := int(*place - 1); i < list.count {
		*list.at(i) = last
		*in(tt.slab.at(last)) = *place
	}
	*place = 0
}

// markSure puts t in sure, if it is no idle thread.
func (tt *threadTable) markSure(t *thread) {
	if t.sure == 0 && !t.idle() {
		tt.sure.push(t.place)
		t.sure = int32(tt.sure.count)
	}
}

// markRanked puts t in ranked.
func (tt *threadTable) markRanked(t *thread) {
	if t.ranked == 0 {
		tt.ranked.push(t.place)
		t.ranked = int32(tt.ranked.count)
	}
}

// takeSure removes the threads that run on no CPU from sure, and appends the rows of those
// of them that live to others, in no order.
func (tt *threadTable) takeSure(others []int32) []int32 {
	on := 0
	for i := range tt.sure.count {
		n := *tt.sure.at(i)
		t := tt.slab.at(n)
		if t.runs() {
			*tt.sure.at(on) = n
			on++
			t.sure = int32(on)
			continue
		}
		t.sure = 0
		if t.life < ended {
			others = append(others, t.row)
		}
	}
	tt.sure.count = on
	return others
}

// thread returns the thread an event names, on the CPU it was recorded on: id 0 is
// that CPU's idle thread. A thread not seen before was there all along, doing what
// nobody knows. nil is what cannot be a thread.
func (m *Model) thread(tid int64, c *cpu) *thread {
	if tid == 0 {
		if c == nil {
			return nil
		}
		if c.idle == nil {
			c.idle = m.addThread(0, idleName(c.id))
			c.idle.home = c.id
			m.assume(c.idle.quark.status, Unknown.value())
			c.idle.status = Unknown
		}
		return c.idle
	}
	t := m.find(tid)
	if t == nil && tid > 0 && tid < maxTID {
		t = m.addThread(int32(tid), strconv.FormatInt(tid, 10))
		m.assume(t.quark.status, Unknown.value())
		t.status = Unknown
		m.part(t)
	}
	return t
}

// addThread makes a thread that has no status yet, and its row.
func (m *Model) addThread(tid int32, name string) *thread {
	t := m.newThread(tid)
	t.quark.status = m.w.Attributes().Add(m.root.threads, name)
	if tid != 0 {
		t.row = m.rows.add(tid, m.now, t.quark.status)
		m.threads.put(t)
	}
	return t
}

// newThread makes a thread without attributes, which will be at hand.
func (m *Model) newThread(tid int32) *thread {
	t, place := m.threads.slab.take()
	t.clear(tid, place)
	return t
}

// clear makes t a thread without attributes.
func (t *thread) clear(tid, place int32) {
	*t = thread{tid: tid, place: place, cpu: -1, home: -1, row: -1, status: absent, priority: noPriority}
	none := attribute.None
	t.quark.status, t.quark.name, t.quark.pid, t.quark.ppid = none, none, none, none
	t.quark.priority, t.quark.call, t.quark.cpu = none, none, none
	t.quark.waker, t.quark.wakeup, t.quark.sleep, t.quark.exit = none, none, none, none
	t.quark.argument, t.quark.file, t.quark.failed = none, none, none
}

func (m *Model) setStatus(t *thread, s Status) {
	if m.noSwitches && s != absent || m.sieve.holds && s != absent && !s.OnCPU() {
		s = Unknown // whatever it does now, when it no longer does is not recorded
	}
	if m.hidden(t) && s != absent && s != Unknown {
		m.doubt(t)
		return
	}
	if t.status == s {
		return
	}
	t.status = s
	m.set(t.quark.status, s.value())
	if s != Unknown && s != absent {
		m.threads.markSure(t)
	}
}

func (m *Model) setCall(t *thread, call history.Value) {
	if m.hidden(t) {
		return
	}
	t.known = true
	m.threads.markSure(t)
	if t.call == call {
		return
	}
	t.call = call
	m.under(&t.quark.call, t.quark.status, "System_call", call)
}

// noCall nulls the call that t is in; whether it is in one is another matter.
func (m *Model) noCall(t *thread) {
	if !t.call.IsNull() {
		t.call = history.Null()
		m.null(t.quark.call)
	}
}

func (m *Model) setThreadCPU(t *thread, cpu int64) {
	if cpu < 0 || cpu >= maxCPU || t.cpu == int32(cpu) || m.hidden(t) {
		return
	}
	t.cpu = int32(cpu)
	m.under(&t.quark.cpu, t.quark.status, "CPU", history.Int(cpu))
	m.threads.markSure(t)
}

// setPriority tells the priority of t. Where events are being lost, on whichever CPU, it could change again at once: whoever waits for t, there, gives
// it its own.
func (m *Model) setPriority(t *thread, priority int64) {
	if p := int32(priority); t.priority != p && !m.anyDark() {
		t.priority = p
		m.under(&t.quark.priority, t.quark.status, "Priority", history.Int(int64(p)))
		m.threads.markRanked(t)
	}
}

// doubtPriorities makes unknown which priorities threads have: those that wait for them may have changed them unseen.
func (m *Model) doubtPriorities() {
	ranked := &m.threads.ranked
	for i := range ranked.count {
		t := m.threads.slab.at(*ranked.at(i))
		t.ranked = 0
		if t.priority != noPriority {
			t.priority = noPriority
			m.null(t.quark.priority)
		}
		if t.status == Unknown {
			m.part(t)
		}
	}
	ranked.count = 0
	for _, n := range m.zombies {
		if r := m.rows.at(n); m.threads.get(int64(r.tid)) == nil && r.facts.life() == ended {
			m.null(m.child(r.quark, "Priority"))
		}
	}
}

// setFamily tells whose thread t is and who made it; 0 is unknown. It holds for
// the whole life.
func (m *Model) setFamily(t *thread, pid, ppid int64) {
	t.pid, t.ppid = int32(pid), int32(ppid)
	m.leaveProcess(t)
	m.joinCounters(t)
	if pid != 0 {
		m.fromBirth(t, &t.quark.pid, "PID", history.Int(pid))
	}
	if ppid != 0 {
		m.fromBirth(t, &t.quark.ppid, "PPID", history.Int(ppid))
	}
	m.updateRow(t)
}

// fromBirth sets what has held since t's life began: where that was before the
// trace did and nothing else was known, the past gets it too. Where events were lost, t can have been made among these, or have been called otherwise before, but for idle threads.
func (m *Model) fromBirth(t *thread, q *attribute.Quark, name string, v history.Value) {
	if *q != attribute.None || t.born || m.doubted && !t.idle() {
		m.under(q, t.quark.status, name, v)
		return
	}
	*q = m.w.Attributes().Add(t.quark.status, name)
	m.assume(*q, v)
}

// updateRow copies what t knows into its row.
func (m *Model) updateRow(t *thread) {
	if t.row < 0 {
		return
	}
	row := m.rows.at(t.row)
	pid, name, last := t.pid, row.name, row.last
	if pid == 0 {
		pid = t.tid
	}
	if t.comm != (comm{}) {
		name = t.comm
	}
	switch {
	case t.life < ended:
		last = 0
	case last == 0:
		last = m.now
	}
	m.rows.set(t.row, pid, t.ppid, name, last)
}
