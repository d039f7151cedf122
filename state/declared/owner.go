package declared

import (
	"encoding/binary"
	"slices"
	"strconv"

	"synchroscope/state/kernel"
	"synchroscope/state/varint"
	"synchroscope/trace"
)

// A Source says where a trace was recorded: under which host name, where that is not the machine's, as in containers, and by
// which process alone, as far as its metadata tells.
type Source struct {
	Place string
	PID   int64
	Name  string // of the process
}

// An owner is who recorded an event, as it says itself. Ids are those of a pid namespace, and in two containers
// two threads have the same.
type owner struct {
	place    string // of its source
	ns       int64  // the pid namespace, 0 unknown
	pid, tid int32
}

// A home is the place, and the pid namespace there, whose ids are those of rows where there is no kernel trace.
type home struct {
	place string
	ns    int64
}

// maxOwners bounds under how many names a thread is known at one time.
const maxOwners = 8

// source finds where an event was recorded, and the number of its process, 0 unknown.
func (m *Model) source(ev *trace.Event, b *binding) (s Source, pid int64) {
	if n := int(ev.Trace); n >= 0 && n < len(m.Sources) {
		s = m.Sources[n]
	}
	if ev.Has(b.pid) {
		return s, ev.Int(b.pid)
	}
	return s, s.PID
}

// claim reads what an event says of its thread.
func (m *Model) claim(ev *trace.Event, b *binding) (kernel.Claim, owner) {
	s, pid := m.source(ev, b)
	c := kernel.Claim{CPU: ev.CPU, TID: ev.Int(b.tid), PID: pid, NS: ev.Int(b.ns), Name: []byte(s.Name), Foreign: s.Place != ""}
	if ev.Has(b.comm) {
		c.Name = ev.Bytes(b.comm)
	}
	if c.PID < 0 || c.PID >= firstOther {
		c.PID = 0
	}
	return c, owner{s.Place, c.NS, int32(c.PID), int32(c.TID)}
}

// thread finds the row of an event's thread, nil if it has none. mixed tells that others may have said the same of themselves: which
// calls are whose, nobody knows then.
func (m *Model) thread(ev *trace.Event, b *binding) (t *track, mixed bool) {
	if b.tid == nil || !ev.Has(b.tid) {
		return nil, false
	}
	c, o := m.claim(ev, b)
	if c.TID <= 0 || c.TID >= firstOther {
		return nil, false
	}
	if m.alone {
		t = m.lone(o)
	} else {
		t, mixed = m.owned(c, o)
	}
	if t != nil && t.row >= 0 {
		m.introduce(t, c)
	}
	return t, mixed
}

// lone finds a row where nothing but its events tells of a thread: the ids of the first place that is met are the numbers of rows.
func (m *Model) lone(o owner) *track {
	if !m.atHome(o) {
		return m.stranger(o)
	}
	t := m.threads[o.tid]
	if t == nil {
		t = m.addThread(o.tid)
	}
	return t
}

// atHome reports whether an id is one of the first place that was met. A trace that does not tell its namespaces is of that of its machine.
func (m *Model) atHome(o owner) bool {
	if m.home == nil {
		m.home = &home{o.place, o.ns}
	}
	if m.home.ns == 0 && o.ns == kernel.MachineNS {
		m.home.ns = o.ns
	}
	return o.place == m.home.place && (o.ns == m.home.ns || o.ns == 0 && m.home.ns == kernel.MachineNS)
}

// owned finds the row of a thread of which there is a kernel trace. Calls that it was seen in before it could be told which thread it
// is go over to it.
func (m *Model) owned(c kernel.Claim, o owner) (t *track, mixed bool) {
	tid, only := o.tid, true
	if m.Who != nil {
		tid, only = m.Who(c)
	}
	if tid == 0 {
		for _, t := range m.placed[o] {
			m.clear(t) // it can have been any of them
		}
		return m.stranger(o), !only
	}
	t = m.threads[tid]
	if t == nil {
		t = m.addThread(tid)
	}
	if t != nil && !slices.Contains(t.owners, o) {
		m.own(t, o)
	}
	if s := m.strangers[o]; s != nil && t != nil && len(s.frames) > 0 {
		frames, deep := slices.Clone(s.frames), slices.Clone(s.deep)
		m.clear(s)
		for _, f := range frames {
			m.push(t, f)
		}
		for _, c := range deep {
			if !m.deepen(t, c) {
				m.clear(t)
				break
			}
		}
	}
	return t, false
}

// addThread adds the row of a thread that has its number, nil if there are too many.
func (m *Model) addThread(tid int32) *track {
	if !m.hasRoom() {
		return nil
	}
	t := m.addTrack(&track{tid: tid, pid: tid}, m.alone)
	m.threads[tid] = t
	return t
}

// own notes as whom a thread is known.
func (m *Model) own(t *track, o owner) {
	if len(t.owners) == maxOwners {
		m.drop(t, t.owners[0])
		t.owners = slices.Delete(t.owners, 0, 1)
	}
	t.owners = append(t.owners, o)
	m.placed[o] = append(m.placed[o], t)
}

// disown forgets as whom a thread is known, as another may be that now.
func (m *Model) disown(t *track) {
	for _, o := range t.owners {
		m.drop(t, o)
	}
	t.owners = nil
}

func (m *Model) drop(t *track, o owner) {
	list := slices.DeleteFunc(m.placed[o], func(u *track) bool { return u == t })
	if m.placed[o] = list; len(list) == 0 {
		delete(m.placed, o)
	}
}

// stranger finds the row of a thread of which it is not known which one of the machine's it is: it hangs under the row of the first thread of
// its process.
func (m *Model) stranger(o owner) *track {
	if t := m.strangers[o]; t != nil {
		return t
	}
	pid := int32(0)
	if o.pid != 0 && o.pid != o.tid {
		first := m.stranger(owner{o.place, o.ns, o.pid, o.pid})
		if first == nil {
			return nil
		}
		pid = first.tid
	}
	if !m.hasRoom() {
		return nil
	}
	t := m.addOther(&track{pid: pid, sort: ofStranger, name: o.title(""), owners: []owner{o}})
	m.strangers[o] = t
	return t
}

// title names the row of a stranger by what it says: "java 12 in web1".
func (o owner) title(comm string) string {
	name := comm
	if name == "" {
		name = "thread"
		if o.pid == o.tid {
			name = "process"
		}
	}
	name += " " + strconv.Itoa(int(o.tid))
	switch {
	case o.place != "":
		name += " in " + o.place
	case o.ns != 0:
		name += " in namespace " + strconv.FormatInt(o.ns, 10)
	}
	return name
}

// owns reports whether a row is one that owners are kept of.
func (t *track) owns() bool { return t.sort == ofThread || t.sort == ofStranger }

func (t *track) appendOwners(b []byte) []byte {
	if !t.owns() {
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(t.owners)))
	for _, o := range t.owners {
		b = varint.AppendString(b, o.place)
		b = binary.AppendVarint(b, o.ns)
		b = binary.AppendVarint(b, int64(o.pid))
		b = binary.AppendVarint(b, int64(o.tid))
	}
	return b
}

// restoreOwners takes up as whom a thread is known. It reports false if that cannot be.
func (m *Model) restoreOwners(t *track, d *varint.Decoder) bool {
	if !t.owns() {
		return true
	}
	for range d.Count() {
		o := owner{place: d.Text(), ns: d.Int(), pid: int32(d.Int()), tid: int32(d.Int())}
		if len(t.owners) == maxOwners || slices.Contains(t.owners, o) {
			return false
		}
		if t.sort == ofThread {
			m.own(t, o)
			continue
		}
		if m.strangers[o] != nil {
			return false
		}
		t.owners = append(t.owners, o)
		m.strangers[o] = t
	}
	return t.sort == ofThread || len(t.owners) == 1
}
