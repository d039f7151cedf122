package kernel

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"runtime"
	"slices"

	"synchroscope/state/varint"
)

// A checkpoint of the model holds what the history's own checkpoint does not: rows,
// lives, who is where. What an attribute holds now is read back from the history, counters too, unless they have come further in the cell of now. All numbers
// are varints, signed ones zigzag:
//
//	format (10; 9, 8, 7, 6, 5, 4 and 3 differ where they say so, and earlier.go reads what they have of rows, threads and zombies)
//	rows:    version, count, each, as a difference from the row before it: tid, ppid, first, quark, changed; from its own tid: pid; from its own first, and 1 more: last, 0 while
//	         it lives; the number of an earlier name, of the first 4096, 0 and the name if it is none of these
//	model:   now, modern, doubted, waking, whether there was a wake-up (5, 4, 3 only), nested, sieve (it holds, is loose, turns, breaks) (4, 3: none of these), halves of calls (as the sieve, but loose), count of calls, each: name, whether its ends are missing, turns, breaks (9 and before: none of these), end of darkness everywhere
//	calls:   count, each: class
//	paths:   count, each: hash
//	idle:    count of CPUs whose idle thread is known, each: CPU, twice how often it was seen to leave it, and 1 if it left it unseen once
//	threads: of each row: facts, and where these say that there are: pid namespace, id and level there
//	lines:   count, each: flags (soft, named << 1), number, name
//	CPUs:    count, each: id, current tid (-1 none), tid that is awaited to leave (-1 none; 4, 3: not here), told, since, last page fault (5, 4, 3: not here), end of darkness,
//	         twice the timer (1 more than the lines served when it began), and 1 if it is vague (4, 3: the timer, 1 more than the lines of interrupts), packets that woke nobody yet (7 and before: not here), six counters (value, cell),
//	         count of lines, each: line, status; count of those served, each inside the ones before it: line
//	         (3: before the counters the two served last, of interrupts and of soft ones; no list of those served)
//	dark:    count, each: CPU
//	heard:   count of CPUs, each: 1 if it has recorded an event; count of those that should have, each: CPU, since; count of those without a
//	         stream, each: CPU (4, 3: none of this)
//	losses:  count, each: begin, end, CPU
//	zombies: count after the last trimming
//	disks:   count, each: device, sectors read, written,
//	         count of requests, each: sector, sectors, issued, again (8 and before: not here)
//	processes: those that are counting, count, each: pid, six counters (6 and before: all)
//
// Strings have their length before them.
const checkpointFormat = 10

var errCheckpoint = errors.New("kernel model: the checkpoint is damaged")

// State and Restore carry what the model knows beyond the ongoing values of
// the history through a checkpoint. The state is written part by part, as often as it is asked for until the model is told of anything else, and
// always the same.
func (m *Model) State() io.WriterTo { return varint.Parts(m.appendState) }

// AppendState is State, in memory.
func (m *Model) AppendState(b []byte) []byte { return m.appendState(b, nil) }

func (m *Model) appendState(b []byte, out *varint.Out) []byte {
	defer runtime.KeepAlive(m.w) // who has the scratch memory that is read
	b = binary.AppendUvarint(b, checkpointFormat)
	b = m.rows.append(b, out)
	b = binary.AppendVarint(b, m.now)
	b = varint.AppendBool(b, m.modern)
	b = varint.AppendBool(b, m.doubted)
	b = varint.AppendBool(b, m.waking)
	b = varint.AppendBool(b, m.nested)
	b = m.sieve.append(b)
	b = m.appendHalves(b)
	b = binary.AppendVarint(b, m.darkAll)

	b = binary.AppendUvarint(b, uint64(len(m.calls)))
	for _, c := range m.calls {
		b = binary.AppendVarint(b, int64(c))
	}
	b = binary.AppendUvarint(b, uint64(len(m.paths)))
	for _, h := range slices.Sorted(maps.Keys(m.paths)) {
		b = out.Pass(binary.AppendUvarint(b, h))
	}

	b = m.appendThreads(b, out)

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
		b = binary.AppendVarint(b, int64(c.awaited))
		b = binary.AppendUvarint(b, uint64(c.told))
		b = binary.AppendVarint(b, c.since)
		b = binary.AppendVarint(b, c.faulted)
		b = binary.AppendVarint(b, c.dark)
		b = binary.AppendUvarint(b, uint64(c.timer)<<1|varint.Flag(c.vague))
		b = binary.AppendUvarint(b, uint64(c.packets))
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
	b = m.appendDisks(b)
	return m.appendProcesses(b, out)
}

// Restore takes up what State wrote. The model must be new, over a writer
// resumed from the history's checkpoint of the same moment.
func (m *Model) Restore(state varint.Source) error {
	defer runtime.KeepAlive(m.w)
	d := varint.NewReader(state)
	format := d.Uint()
	if !readable(format) {
		return errCheckpoint
	}
	if !m.restoreRows(d, format) {
		return errCheckpoint
	}
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
	m.restoreHalves(d, format)
	m.darkAll = d.Int()
	for range d.Count() {
		m.calls = append(m.calls, int32(d.Int()))
	}
	for range d.Count() {
		m.paths[d.Uint()] = struct{}{}
	}

	if format < 7 && !m.restoreEarlierThreads(d, format) || format >= 7 && !m.restoreThreads(d) {
		return errCheckpoint
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
		if format >= 8 {
			if c.packets = int(d.Uint()); c.packets < 0 {
				return errCheckpoint
			}
		}
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
	if format < 7 && !m.restoreEarlierZombies(d) {
		return errCheckpoint
	}
	m.restoreDisks(d, format)
	for range d.Count() {
		pid := d.Int()
		if _, again := m.processes[int32(pid)]; pid <= 0 || pid >= maxTID || again {
			return errCheckpoint
		}
		m.restoreCounters(m.processOf(int32(pid)), d)
		m.letGoOfProcesses()
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
		c.current = m.find(tid)
	}
	if c.current == nil || c.current.runs() {
		return false
	}
	c.current.putOn(c)
	return true
}

// restoreAwaited is the id of the thread that a CPU awaits, -1 if there is none.
func (m *Model) restoreAwaited(c *cpu, tid int64) int32 {
	if tid == 0 && c.idle != nil || m.rows.find(tid) >= 0 {
		return int32(tid)
	}
	return -1
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

// Rows reads the threads, and their version, out of what State wrote: for a host
// whose import is over and that needs no model.
func Rows(state varint.Source) (threads []Thread, version uint64, err error) {
	names := make(map[comm]string)
	version, err = readRows(state, func(r row) { threads = append(threads, r.thread(names)) })
	if err != nil {
		return nil, 0, err
	}
	return threads, version, nil
}

// CountRows counts the threads that Rows would read.
func CountRows(state varint.Source) (count int, version uint64, err error) {
	version, err = readRows(state, func(row) { count++ })
	return count, version, err
}

func readRows(state varint.Source, each func(row)) (version uint64, err error) {
	d := varint.NewReader(state)
	format := d.Uint()
	if !readable(format) {
		return 0, errCheckpoint
	}
	version = eachRow(d, format, each)
	if d.Bad() {
		return 0, errCheckpoint
	}
	return version, nil
}

func readable(format uint64) bool { return format >= 3 && format <= checkpointFormat }
