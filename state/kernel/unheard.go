package kernel

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"synchroscope/state/varint"
	"synchroscope/trace"
)

// CPUs of which there is no stream, as where files are missing, or where every packet was lost. A thread that is queued on one runs there unseen, and
// any thread can. The number of a file is not that of its CPU, and files of CPUs that are switched off are empty. So there being one shows by a thread that is put into its queue,
// or that comes from it though it was seen on another before, as it was put there unseen, or though nobody wakes it, as it was in the queue. Of any other thread the CPU
// may have been switched off before the recording, while it slept.
//
// Of which CPUs there are packets is mostly known beforehand; then one that is named and has none is dark at once. It is so from the beginning
// where it is named by an event that the model foresees, as most are: events name each CPU of a busy machine all the while, and history is
// appended to. Where packets do not say of which CPU they are, or a CPU has some and they tell of no state, it shows by what it does
// not record: one that has a thread in its queue switches to it.

// An unheard is a CPU that has recorded nothing yet, with a thread in its queue since a time.
type unheard struct {
	cpu   int32
	since int64 // local ns
}

// patience is how long a CPU may have a thread in its queue and record nothing, local ns. A virtual one may not run for some time.
const patience = 1_000_000_000

// Streams tells of which CPUs there are packets, before the first event. It is not told where some packets do not say of which CPU they are.
func (m *Model) Streams(cpus []int32) {
	m.streams = make(map[int32]bool, len(cpus))
	for _, cpu := range cpus {
		m.streams[cpu] = true
	}
}

// Foreseen is how many of the first events of a host a model is told of ahead. Most CPUs that there are have been named by then.
const Foreseen = 4096

// A Foresight tells a new model, after Recorded and Streams, of the events that are to come.
type Foresight struct {
	model *Model
	last  map[int64]int64 // where threads were seen last, by number
	woken map[int32]int64 // whom each CPU that has recorded something woke last, -1 for nobody yet
}

// Foresee begins to tell a new model of what is to come.
func (m *Model) Foresee() *Foresight {
	return &Foresight{m, make(map[int64]int64), make(map[int32]int64)}
}

// Take tells of the event that comes next.
func (f *Foresight) Take(ev *trace.Event) error {
	m, c := f.model, ev.Class
	tid := ev.Int(c.Field("tid"))
	if c.Name == "sched_switch" {
		tid = ev.Int(c.Field("next_tid"))
		f.last[tid] = int64(ev.CPU)
	}
	if from := leftOf(c); from != nil {
		last, seen := f.last[tid]
		if !seen {
			last = -1
		}
		m.cameFrom(ev.Int(from), last, f.pulled(ev, tid))
	}
	if to := queueOf(c); to != nil {
		cpu := ev.Int(to)
		if f.last[tid] = cpu; m.absent(cpu) && !m.settled(cpu) {
			m.miss(int32(cpu))
		}
	}
	if _, heard := f.woken[ev.CPU]; !heard {
		f.woken[ev.CPU] = -1
	}
	if c.Name == "sched_waking" {
		f.woken[ev.CPU] = tid
	}
	return m.err
}

// pulled reports whether a thread is moved that sleeps no more: the CPU that wakes one says so, and moves it at once.
func (f *Foresight) pulled(ev *trace.Event, tid int64) bool {
	woken, heard := f.woken[ev.CPU]
	return ev.Class.Name == "sched_migrate_task" && f.model.events["sched_waking"] && heard && woken != tid
}

// queueOf is the field by which events of a class tell in which queue they put a thread; nil where they do not.
func queueOf(c *trace.Class) *trace.Field {
	switch c.Name {
	case "sched_wakeup", "sched_wakeup_new":
		return c.Field("target_cpu")
	case "sched_migrate_task":
		return c.Field("dest_cpu")
	}
	return nil
}

// leftOf is the field by which events of a class tell on which CPU the thread was until then, in its queue or asleep; nil where they do not.
func leftOf(c *trace.Class) *trace.Field {
	switch c.Name {
	case "sched_migrate_task":
		return c.Field("orig_cpu")
	case "sched_waking":
		return c.Field("target_cpu")
	}
	return nil
}

// absent reports whether it is known that there is no packet of a CPU.
func (m *Model) absent(id int64) bool { return m.streams != nil && !m.streams[int32(id)] }

// hear takes note that a CPU has recorded an event.
func (m *Model) hear(id int32) {
	if id < 0 || id >= maxCPU || int(id) < len(m.heard) && m.heard[id] {
		return
	}
	for len(m.heard) <= int(id) {
		m.heard = append(m.heard, false)
	}
	m.heard[id] = true
	m.unheard = slices.DeleteFunc(m.unheard, func(u unheard) bool { return u.cpu == id })
	if slices.Contains(m.missing, id) {
		m.missing = slices.DeleteFunc(m.missing, func(cpu int32) bool { return cpu == id })
		m.cpus[id].dark = m.now
		m.lighten(m.now)
	}
}

// queued takes note that a thread is put into the queue of a CPU.
func (m *Model) queued(id int64) {
	cpu := int32(id)
	switch {
	case m.settled(id):
	case m.absent(id):
		m.miss(cpu)
	case !slices.ContainsFunc(m.unheard, func(u unheard) bool { return u.cpu == cpu }):
		m.unheard = append(m.unheard, unheard{cpu, m.now})
	}
}

// cameFrom takes note that a thread was on a CPU until now, where it was seen last, -1 for nowhere, and whether it is known to have been in the queue there.
func (m *Model) cameFrom(id, last int64, queued bool) {
	if (queued || last >= 0 && id != last) && m.absent(id) && !m.settled(id) {
		m.miss(int32(id))
	}
}

// settled reports whether nothing comes of there being a thread in the queue of a CPU: it has recorded something, or is dark as it is, or there is no such CPU,
// or it need not record that it takes the thread.
func (m *Model) settled(id int64) bool {
	if m.noSwitches || m.sieve.holds || id < 0 || id >= maxCPU || int(id) < len(m.heard) && m.heard[id] {
		return true
	}
	c := m.met(int32(id))
	return c != nil && c.dark != bright
}

// giveUp takes the events of CPUs for lost that should have recorded some by now.
func (m *Model) giveUp() {
	for len(m.unheard) > 0 && m.now-m.unheard[0].since > patience {
		id := m.unheard[0].cpu
		m.unheard = slices.Delete(m.unheard, 0, 1)
		m.miss(id)
	}
}

// miss takes the events of a CPU for lost, from now until it is heard of.
func (m *Model) miss(id int32) {
	m.missing = append(m.missing, id)
	if err := m.Lost(id, m.now, never); err != nil && m.err == nil {
		m.err = err
	}
}

// Missing says that threads were queued on CPUs that recorded nothing. It returns false if there are none. It is asked before the history is finished.
func (m *Model) Missing() (trace.Anomaly, bool) {
	return trace.Anomaly{
		Kind:    "no-stream",
		Count:   int64(len(m.missing)),
		Message: namesOf(m.missing) + ": nothing is recorded there, though threads are put into the queue, so the file of the stream is missing, or all that was in it is lost",
	}, len(m.missing) > 0
}

// mostNumbered bounds the CPUs that a message names.
const mostNumbered = 16

// namesOf names CPUs.
func namesOf(cpus []int32) string {
	names := make([]string, 0, mostNumbered)
	for _, cpu := range slices.Sorted(slices.Values(cpus)) {
		if len(names) == mostNumbered {
			return fmt.Sprintf("CPUs %s and %d others", strings.Join(names, ", "), len(cpus)-mostNumbered)
		}
		names = append(names, strconv.Itoa(int(cpu)))
	}
	if len(names) == 1 {
		return "CPU " + names[0]
	}
	return "CPUs " + strings.Join(names, ", ")
}

func (m *Model) appendUnheard(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(m.heard)))
	for _, heard := range m.heard {
		b = varint.AppendBool(b, heard)
	}
	b = binary.AppendUvarint(b, uint64(len(m.unheard)))
	for _, u := range m.unheard {
		b = binary.AppendVarint(b, int64(u.cpu))
		b = binary.AppendVarint(b, u.since)
	}
	b = binary.AppendUvarint(b, uint64(len(m.missing)))
	for _, id := range m.missing {
		b = binary.AppendVarint(b, int64(id))
	}
	return b
}

// restoreUnheard takes up which CPUs have recorded something. It reports false if that cannot be.
func (m *Model) restoreUnheard(d *varint.Decoder) bool {
	for range d.Count() {
		m.heard = append(m.heard, d.Uint() != 0)
	}
	for range d.Count() {
		u := unheard{int32(d.Int()), d.Int()}
		if u.cpu < 0 || u.cpu >= maxCPU {
			return false
		}
		m.unheard = append(m.unheard, u)
	}
	for range d.Count() {
		id := d.Int()
		if c := m.met(int32(id)); c == nil || c.dark != never {
			return false
		}
		m.missing = append(m.missing, int32(id))
	}
	return len(m.heard) <= maxCPU
}
