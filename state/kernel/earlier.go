package kernel

import (
	"synchroscope/state/attribute"
	"synchroscope/state/varint"
)

// What checkpoints of formats 3 to 6 have of rows, threads and zombies:
//
//	rows:    version, count, each: tid, pid, ppid, first, last, quark, changed, name
//	threads: count, in order of first sight, each: tid and,
//	         for an idle thread (tid 0): CPU
//	         for others: flags (life, born << 2, owed << 3, known << 4, kernel << 5,
//	         user << 6, slept << 7, waking << 8, heir << 9, moved << 31, owedMaybe << 32, leftUnseen << 33, leftSeen << 34),
//	         pid, ppid, comm, pid namespace, id and level there (4, 3: none of these three)
//	zombies: count, each: tid

func eachEarlierRow(d *varint.Decoder, each func(row)) (version uint64) {
	version = d.Uint()
	for range d.Count() {
		r := row{tid: int32(d.Int()), pid: int32(d.Int()), ppid: int32(d.Int()), first: d.Int(), last: d.Int(), quark: attribute.Quark(d.Int())}
		r.changed = d.Uint()
		r.name = makeComm(d.Bytes())
		if d.Bad() {
			return 0
		}
		each(r)
	}
	return version
}

// earlierBits are the flags of these formats, by bit.
var earlierBits = map[int]int{
	2: factBorn, 3: factOwed, 4: factKnown, 5: factKernel, 6: factUser, 7: factSlept, 8: factWaking, 31: factMoved, 32: factOwedMaybe, 33: factLeftUnseen,
}

// restoreEarlierThreads is restoreThreads for these formats.
func (m *Model) restoreEarlierThreads(d *varint.Decoder, format uint64) bool {
	n := int32(0)
	for range d.Count() {
		tid := d.Int()
		if tid == 0 {
			if !m.restoreIdle(d.Int()) {
				return false
			}
			continue
		}
		if int(n) == m.rows.count || int64(m.rows.at(n).tid) != tid {
			return false
		}
		r, flags := m.rows.at(n), d.Uint()
		f := facts(flags & 3)
		for from, to := range earlierBits {
			f |= facts(flags>>from&1) << to
		}
		f |= facts(flags>>9&(maxTID-1))<<factHeir | facts(flags>>34&31)<<factLeftSeen
		pid, ppid, name, in := d.Int(), d.Int(), makeComm(d.Bytes()), inner{}
		if format >= 5 && !restoreInner(&in, d) {
			return false
		}
		// A row says what was known last.
		if flags>>39 != 0 || pid != 0 && pid != int64(r.pid) || ppid != 0 && ppid != int64(r.ppid) || name != (comm{}) && name != r.name {
			return false
		}
		f |= fact(pid != 0, factPID) | fact(ppid != 0, factPPID) | fact(name != comm{}, factName) | fact(in != inner{}, factInner)
		if !m.restoreThread(n, f, in) {
			return false
		}
		n++
	}
	return int(n) == m.rows.count && m.heirsThere()
}

func (m *Model) restoreEarlierZombies(d *varint.Decoder) bool {
	for range d.Count() {
		n := m.rows.find(d.Int())
		if n < 0 {
			return false
		}
		r := m.rows.at(n)
		t := m.threads.get(int64(r.tid))
		if t != nil && t.listed || r.facts.is(factListed) {
			return false
		}
		if r.facts |= 1 << factListed; t != nil {
			t.listed = true
		}
		m.zombies = append(m.zombies, n)
	}
	return true
}
