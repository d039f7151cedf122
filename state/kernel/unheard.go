package kernel

import (
	"encoding/binary"
	"slices"

	"synchroscope/state/varint"
	"synchroscope/trace"
)

// CPUs of which there is no stream, as where files are missing. A thread that is queued on one runs there unseen, and any thread can. The number
// of a file is not that of its CPU, so this shows by what a CPU does not record: one that has a thread in its queue switches to it.

// An unheard is a CPU that has recorded nothing yet, with a thread in its queue since a time.
type unheard struct {
	cpu   int32
	since int64 // local ns
}

// patience is how long a CPU may have a thread in its queue and record nothing, local ns. A virtual one may not run for some time.
const patience = 1_000_000_000

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
	if m.noSwitches || m.sieve.holds || id < 0 || id >= maxCPU || int(id) < len(m.heard) && m.heard[id] {
		return
	}
	cpu := int32(id)
	if c := m.met(cpu); c != nil && c.dark != bright || slices.ContainsFunc(m.unheard, func(u unheard) bool { return u.cpu == cpu }) {
		return
	}
	m.unheard = append(m.unheard, unheard{cpu, m.now})
}

// giveUp takes the events of CPUs for lost that should have recorded some by now.
func (m *Model) giveUp() {
	for len(m.unheard) > 0 && m.now-m.unheard[0].since > patience {
		id := m.unheard[0].cpu
		m.unheard = slices.Delete(m.unheard, 0, 1)
		m.missing = append(m.missing, id)
		if err := m.Lost(id, m.now, never); err != nil && m.err == nil {
			m.err = err
		}
	}
}

// Missing says that threads were queued on CPUs that recorded nothing. It returns false if there are none. It is asked before the history is finished.
func (m *Model) Missing() (trace.Anomaly, bool) {
	return trace.Anomaly{
		Kind:    "no-stream",
		Count:   int64(len(m.missing)),
		Message: "CPUs with threads in their queues record nothing, so the files of their streams are missing",
	}, len(m.missing) > 0
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
