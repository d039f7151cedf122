package kernel

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/varint"
)

// A checkpoint of the model holds what the history's own checkpoint does not: rows,
// lives, who is where. What an attribute holds now is read back from the history. All numbers
// are varints, signed ones zigzag:
//
//	format (6; 5, 4 and 3 differ where they say so)
//	rows:    version, count, each: tid, pid, ppid, first, last, quark, changed, name
//	model:   now, modern, doubted, waking, whether there was a wake-up (5, 4, 3 only), nested, sieve (it holds, is loose, turns, breaks) (4, 3: none of these), end of darkness everywhere
//	calls:   count, each: class
//	paths:   count, each: hash
//	threads: count, in order of first sight, each: tid and,
//	         for an idle thread (tid 0): CPU
//	         for others: flags (life, born << 2, owed << 3, known << 4, kernel << 5,
//	         user << 6, slept << 7, waking << 8, heir << 9, moved << 31, owedMaybe << 32, leftUnseen << 33, leftSeen << 34),
//	         pid, ppid, comm, pid namespace, id and level there (4, 3: none of these three)
//	lines:   count, each: flags (soft, named << 1), number, name
//	CPUs:    count, each: id, current tid (-1 none), tid that is awaited to leave (-1 none; 4, 3: not here), told, since, last page fault (5, 4, 3: not here), end of darkness,
//	         twice the timer (1 more than the lines served when it began), and 1 if it is vague (4, 3: the timer, 1 more than the lines of interrupts), six counters (value, cell),
//	         count of lines, each: line, status; count of those served, each inside the ones before it: line
//	         (3: before the counters the two served last, of interrupts and of soft ones; no list of those served)
//	dark:    count, each: CPU
//	heard:   count of CPUs, each: 1 if it has recorded an event; count of those that should have, each: CPU, since; count of those without a
//	         stream, each: CPU (4, 3: none of this)
//	losses:  count, each: begin, end, CPU
//	zombies: count after the last trimming, count, each: tid
//	disks:   count, each: device, sectors read, written,
//	         count of requests, each: sector, sectors, issued
//	processes: count, each: pid, six counters
//
// Strings have their length before them.
const checkpointFormat = 6

var errCheckpoint = errors.New("kernel model: the checkpoint is damaged")

// AppendState and Restore carry what the model knows beyond the ongoing values of
// the history through a checkpoint.
func (m *Model) AppendState(b []byte) []byte {
	b = binary.AppendUvarint(b, checkpointFormat)
	b = m.rows.append(b)
	b = binary.AppendVarint(b, m.now)
	b = varint.AppendBool(b, m.modern)
	b = varint.AppendBool(b, m.doubted)
	b = varint.AppendBool(b, m.waking)
	b = varint.AppendBool(b, m.nested)
	b = m.sieve.append(b)
	b = binary.AppendVarint(b, m.darkAll)

	b = binary.AppendUvarint(b, uint64(len(m.calls)))
	for _, c := range m.calls {
		b = binary.AppendVarint(b, int64(c))
	}
	b = binary.AppendUvarint(b, uint64(len(m.paths)))
	for _, h := range slices.Sorted(maps.Keys(m.paths)) {
		b = binary.AppendUvarint(b, h)
	}

	b = binary.AppendUvarint(b, uint64(len(m.threads.all)))
	for _, t := range m.threads.all {
		b = binary.AppendVarint(b, int64(t.tid))
		if t.idle() {
			b = binary.AppendVarint(b, int64(t.home))
			continue
		}
		b = binary.AppendUvarint(b, uint64(t.life)|varint.Flag(t.born)<<2|varint.Flag(t.owed)<<3|varint.Flag(t.known)<<4|varint.Flag(t.kernel)<<5|varint.Flag(t.user)<<6|varint.Flag(t.slept)<<7|varint.Flag(t.waking)<<8|uint64(t.heir)<<9|varint.Flag(t.moved)<<31|varint.Flag(t.owedMaybe)<<32|varint.Flag(t.leftUnseen)<<33|uint64(t.leftSeen)<<34)
		b = binary.AppendVarint(b, int64(t.pid))
		b = binary.AppendVarint(b, int64(t.ppid))
		b = varint.AppendString(b, t.comm.String())
		b = binary.AppendVarint(b, t.inner.ns)
		b = binary.AppendVarint(b, int64(t.inner.tid))
		b = binary.AppendVarint(b, int64(t.inner.level))
	}

	b = binary.AppendUvarint(b, uint64(len(m.lines.all)))
	for _, l := range m.lines.all {
		b = binary.AppendUvarint(b, varint.Flag(l.key.soft)|varint.Flag(l.named)<<1)
		b = binary.AppendVarint(b, l.key.nr)
		b = varint.AppendString(b, l.key.name)
	}

	var cpus []*cpu
	for _, c := range m.cpus {
		if c != nil {
			cpus = append(cpus, c)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(cpus)))
	for _, c := range cpus {
		current := int64(-1)
		if c.current != nil {
			current = int64(c.current.tid)
		}
		b = binary.AppendVarint(b, int64(c.id))
		b = binary.AppendVarint(b, current)
		awaited := int64(-1)
		if c.awaited != nil {
			awaited = int64(c.awaited.tid)
		}
		b = binary.AppendVarint(b, awaited)
		b = binary.AppendUvarint(b, uint64(c.told))
		b = binary.AppendVarint(b, c.since)
		b = binary.AppendVarint(b, c.faulted)
		b = binary.AppendVarint(b, c.dark)
		b = binary.AppendUvarint(b, uint64(c.timer)<<1|varint.Flag(c.vague))
		b = c.counters.append(b)
		b = binary.AppendUvarint(b, uint64(len(c.lines.all)))
		for _, cl := range c.lines.all {
			b = binary.AppendUvarint(b, uint64(cl.line))
			b = binary.AppendUvarint(b, uint64(cl.status))
		}
		b = binary.AppendUvarint(b, uint64(len(c.serving)))
		for _, n := range c.serving {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}

	b = binary.AppendUvarint(b, uint64(len(m.dark)))
	for _, c := range m.dark {
		b = binary.AppendVarint(b, int64(c.id))
	}
	b = m.appendUnheard(b)
	b = binary.AppendUvarint(b, uint64(len(m.pending)))
	for _, l := range m.pending {
		b = binary.AppendVarint(b, l.begin)
		b = binary.AppendVarint(b, l.end)
		b = binary.AppendVarint(b, int64(l.cpu))
	}
	b = binary.AppendUvarint(b, uint64(m.zombiesLeft))
	b = binary.AppendUvarint(b, uint64(len(m.zombies)))
	for _, t := range m.zombies {
		b = binary.AppendVarint(b, int64(t.tid))
	}
	b = m.appendDisks(b)
	b = binary.AppendUvarint(b, uint64(len(m.pids)))
	for _, pid := range m.pids {
		b = binary.AppendVarint(b, int64(pid))
		b = m.processes[pid].append(b)
	}
	return b
}

// Restore takes up what AppendState wrote. The model must be new, over a writer
// resumed from the history's checkpoint of the same moment.
func (m *Model) Restore(b []byte) error {
	d := varint.NewDecoder(b)
	format := d.Uint()
	if !readable(format) {
		return errCheckpoint
	}
	m.rows.restore(d)
	m.now = d.Int()
	m.modern, m.doubted = d.Uint() != 0, d.Uint() != 0
	m.waking = d.Uint() != 0
	if format < 6 {
		d.Uint() // whether there was a sched_wakeup
	}
	if format >= 5 {
		m.nested = d.Uint() != 0
		m.sieve.restore(d)
	}
	m.darkAll = d.Int()
	for range d.Count() {
		m.calls = append(m.calls, int32(d.Int()))
	}
	for range d.Count() {
		m.paths[d.Uint()] = struct{}{}
	}

	row := int32(0)
	for range d.Count() {
		tid := d.Int()
		if tid == 0 {
			if c := m.restoreCPU(d.Int()); c != nil && c.idle == nil {
				c.idle = m.restoreThread(0, "0_"+strconv.Itoa(int(c.id)))
				c.idle.home = c.id
			} else {
				d.Fail()
			}
			continue
		}
		if tid < 0 || tid >= maxTID || m.threads.get(tid) != nil || int(row) >= len(m.rows.list) || int64(m.rows.list[row].TID) != tid {
			return errCheckpoint
		}
		t := m.restoreThread(int32(tid), strconv.FormatInt(tid, 10))
		if int32(t.quark.status) != m.rows.list[row].Quark {
			return errCheckpoint
		}
		t.row = row
		row++
		flags := d.Uint()
		t.life, t.born, t.owed = life(flags&3), flags>>2&1 != 0, flags>>3&1 != 0
		t.known, t.kernel, t.user, t.slept = flags>>4&1 != 0, flags>>5&1 != 0, flags>>6&1 != 0, flags>>7&1 != 0
		t.waking, t.heir = flags>>8&1 != 0, int32(flags>>9&(maxTID-1))
		t.moved = flags>>31&1 != 0
		t.owedMaybe = flags>>32&1 != 0
		t.leftUnseen, t.leftSeen = flags>>33&1 != 0, uint8(flags>>34&31)
		if flags>>39 != 0 {
			return errCheckpoint
		}
		t.pid, t.ppid = int32(d.Int()), int32(d.Int())
		t.comm = makeComm(d.Bytes())
		if format >= 5 && !m.restoreInner(t, d) {
			return errCheckpoint
		}
	}
	if int(row) != len(m.rows.list) {
		return errCheckpoint
	}
	for _, t := range m.threads.all {
		if t.heir != 0 && m.threads.get(int64(t.heir)) == nil {
			return errCheckpoint
		}
	}

	for range d.Count() {
		flags := d.Uint()
		key := lineKey{soft: flags&1 != 0, nr: d.Int(), name: d.Text()}
		count := len(m.lines.all)
		n := m.line(key)
		if n != count {
			return errCheckpoint
		}
		l := m.lines.all[n]
		l.named = flags>>1&1 != 0
		l.total = m.child(m.linesRoot(l), l.name)
		if v, ok := m.ongoing(l.total); ok {
			l.status = LineStatus(v)
		}
	}

	last := int64(-1)
	for range d.Count() {
		id := d.Int()
		c := m.restoreCPU(id)
		if c == nil || id <= last {
			return errCheckpoint
		}
		last = id
		if !m.restoreCurrent(c, d.Int()) {
			return errCheckpoint
		}
		if format >= 5 {
			c.awaited = m.restoreAwaited(c, d.Int())
		}
		told := d.Uint()
		c.since = d.Int()
		if format >= 6 {
			c.faulted = d.Int()
		}
		c.dark = d.Int()
		timer := d.Uint()
		if format >= 5 {
			c.vague, timer = timer&1 != 0, timer>>1
		}
		if told >= uint64(len(cpuStatusNames)) || timer > maxLines+1 {
			return errCheckpoint
		}
		c.told, c.timer = CPUStatus(told), int(timer)
		var line uint64 // served last
		if format == 3 {
			line, _ = d.Uint(), d.Uint()
		}
		m.restoreCounters(c.counters, d)
		for range d.Count() {
			n, s := d.Uint(), d.Uint()
			if n >= uint64(len(m.lines.all)) || s > uint64(Raised|Served) || c.lines.has(int(n)) {
				return errCheckpoint
			}
			m.restoreLine(c, int(n), LineStatus(s))
		}
		if !m.restoreServing(c, d, format, line) {
			return errCheckpoint
		}
		if format < 5 && c.timer > 0 {
			for _, n := range c.serving {
				c.timer += int(varint.Flag(m.lines.all[n].key.soft))
			}
		}
	}

	for range d.Count() {
		c := m.restoreCPU(d.Int())
		if c == nil || c.dark == bright || slices.Contains(m.dark, c) {
			return errCheckpoint
		}
		m.dark = append(m.dark, c)
	}
	if format < 5 {
		for _, c := range m.cpus {
			if c != nil {
				m.hear(c.id)
			}
		}
	} else if !m.restoreUnheard(d) {
		return errCheckpoint
	}
	for range d.Count() {
		l, cpu := loss{begin: d.Int(), end: d.Int()}, d.Int()
		if cpu < -1 || cpu >= maxCPU || l.begin > l.end {
			return errCheckpoint
		}
		l.cpu = int32(cpu)
		m.pending = append(m.pending, l)
	}
	left := d.Uint()
	if left >= maxTID {
		return errCheckpoint
	}
	m.zombiesLeft = int(left)
	for range d.Count() {
		t := m.threads.get(d.Int())
		if t == nil || t.listed {
			return errCheckpoint
		}
		t.listed = true
		m.zombies = append(m.zombies, t)
	}
	m.restoreDisks(d)
	for range d.Count() {
		pid := d.Int()
		if _, again := m.processes[int32(pid)]; pid < 0 || pid >= maxTID || again {
			return errCheckpoint
		}
		m.restoreCounters(m.processOf(int32(pid)), d)
	}
	if !d.Done() {
		return errCheckpoint
	}
	return nil
}

// restoreCPU makes a CPU from its attributes.
func (m *Model) restoreCPU(id int64) *cpu {
	if id < 0 || id >= maxCPU {
		return nil
	}
	for int(id) >= len(m.cpus) {
		m.cpus = append(m.cpus, nil)
	}
	if m.cpus[id] == nil {
		c := m.addCPU(int32(id))
		c.quark.current = m.child(c.quark.status, "Current_thread")
		c.quark.frequency = m.child(c.quark.status, "Frequency")
		c.quark.irqs = m.child(c.quark.status, "IRQs")
		c.quark.softIRQs = m.child(c.quark.status, "Soft_IRQs")
		if v, ok := m.ongoing(c.quark.status); ok {
			c.status = CPUStatus(v)
		}
		m.cpus[id] = c
	}
	return m.cpus[id]
}

// restoreThread makes a thread from its attributes.
func (m *Model) restoreThread(tid int32, name string) *thread {
	t := newThread(tid)
	t.quark.status = m.w.Attributes().Add(m.root.threads, name)
	t.quark.name = m.child(t.quark.status, "Name")
	t.quark.pid = m.child(t.quark.status, "PID")
	t.quark.ppid = m.child(t.quark.status, "PPID")
	t.quark.priority = m.child(t.quark.status, "Priority")
	t.quark.call = m.child(t.quark.status, "System_call")
	t.quark.cpu = m.child(t.quark.status, "CPU")
	t.quark.waker = m.child(t.quark.status, "Waker")
	t.quark.wakeup = m.child(t.quark.status, "Wakeup")
	t.quark.sleep = m.child(t.quark.status, "Sleep")
	t.quark.exit = m.child(t.quark.status, "Exit")
	t.quark.argument = m.child(t.quark.call, "Argument")
	t.quark.file = m.child(t.quark.call, "File")
	t.quark.failed = m.child(t.quark.call, "Error")
	if v, ok := m.ongoing(t.quark.status); ok {
		t.status = Status(v)
	}
	if v, ok := m.ongoing(t.quark.priority); ok {
		t.priority = int32(v)
		m.threads.markRanked(t)
	}
	if v, ok := m.ongoing(t.quark.cpu); ok {
		t.cpu = int32(v)
	}
	if t.quark.call != attribute.None {
		t.call, _ = m.w.Ongoing(t.quark.call)
	}
	m.threads.put(t)
	m.threads.markSure(t)
	return t
}

func (m *Model) restoreLine(c *cpu, n int, s LineStatus) {
	l, cl := m.lines.all[n], c.lines.get(n)
	group := c.quark.irqs
	if l.key.soft {
		group = c.quark.softIRQs
	}
	cl.quark, cl.status = m.child(group, l.name), s
	l.raised += bit(s, Raised)
	l.served += bit(s, Served)
}

// restoreCurrent puts the thread with an id, -1 for none, on a CPU. It reports false if that cannot be.
func (m *Model) restoreCurrent(c *cpu, tid int64) bool {
	switch {
	case tid == -1:
		return true
	case tid == 0:
		c.current = c.idle
	default:
		c.current = m.threads.get(tid)
	}
	if c.current == nil || c.current.on != nil {
		return false
	}
	c.current.on = c
	return true
}

// restoreInner takes up what a thread is called in its namespace. It reports false if that cannot be.
func (m *Model) restoreInner(t *thread, d *varint.Decoder) bool {
	ns, tid, level := d.Int(), d.Int(), d.Int()
	if tid < 0 || tid >= maxTID || level < 0 || level > maxLevel || level > 0 && tid == 0 {
		return false
	}
	t.inner = inner{ns, int32(tid), int32(level)}
	m.enterInside(t)
	return true
}

// restoreAwaited is the thread with an id on a CPU, nil for none.
func (m *Model) restoreAwaited(c *cpu, tid int64) *thread {
	if tid == 0 {
		return c.idle
	}
	return m.threads.get(tid)
}

// restoreServing takes up in which order the lines are served that are, of which format 3 has but the last. It reports false
// if it is told of others.
func (m *Model) restoreServing(c *cpu, d *varint.Decoder, format, last uint64) bool {
	var served []int
	for _, cl := range c.lines.all {
		if cl.status&Served != 0 {
			served = append(served, cl.line)
		}
	}
	if format == 3 {
		slices.SortStableFunc(served, func(a, b int) int { return cmp.Compare(varint.Flag(uint64(a) == last), varint.Flag(uint64(b) == last)) })
		c.serving = served
		return true
	}
	for range d.Count() {
		n := d.Uint()
		if n >= uint64(len(m.lines.all)) || slices.Contains(c.serving, int(n)) {
			return false
		}
		c.serving = append(c.serving, int(n))
	}
	return slices.Equal(slices.Sorted(slices.Values(c.serving)), slices.Sorted(slices.Values(served)))
}

// child is the quark of what a checkpoint's history may have below parent.
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

// Rows reads the threads, and their version, out of what AppendState wrote: for a host
// whose import is over and that needs no model.
func Rows(state []byte) (threads []Thread, version uint64, err error) {
	d := varint.NewDecoder(state)
	if !readable(d.Uint()) {
		return nil, 0, errCheckpoint
	}
	var r rows
	r.restore(d)
	if d.Bad() {
		return nil, 0, errCheckpoint
	}
	return r.list, r.version, nil
}

func readable(format uint64) bool { return format >= 3 && format <= checkpointFormat }

func (r *rows) append(b []byte) []byte {
	b = binary.AppendUvarint(b, r.version)
	b = binary.AppendUvarint(b, uint64(len(r.list)))
	for i, t := range r.list {
		b = binary.AppendVarint(b, int64(t.TID))
		b = binary.AppendVarint(b, int64(t.PID))
		b = binary.AppendVarint(b, int64(t.PPID))
		b = binary.AppendVarint(b, t.First)
		b = binary.AppendVarint(b, t.Last)
		b = binary.AppendVarint(b, int64(t.Quark))
		b = binary.AppendUvarint(b, r.changed[i])
		b = varint.AppendString(b, t.Name)
	}
	return b
}

func (r *rows) restore(d *varint.Decoder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = d.Uint()
	for range d.Count() {
		t := Thread{TID: int32(d.Int()), PID: int32(d.Int()), PPID: int32(d.Int()), First: d.Int(), Last: d.Int(), Quark: int32(d.Int())}
		r.changed = append(r.changed, d.Uint())
		t.Name = d.Text()
		r.list = append(r.list, t)
	}
}
