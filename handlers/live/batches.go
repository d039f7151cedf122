package live

import (
	"iter"

	"synchroscope/handlers/rowfilter"
	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
)

// A rowsOf is some of a host's threads, by place.
type rowsOf struct {
	host     int32
	ids      []uint32
	quarks   []attribute.Quark
	subjects []rowfilter.Subject // what they are, not what they do
}

// batches are all threads of the table, a host after the other, at most n at once. Rows that come meanwhile
// may be among them or not.
func (t *table) batches(n int) iter.Seq[rowsOf] {
	return func(yield func(rowsOf) bool) {
		t.mu.Lock()
		hosts := len(t.hosts)
		t.mu.Unlock()
		for host := range int32(hosts) {
			for from, more := 0, true; more; {
				var b rowsOf
				b, from, more = t.batch(host, from, n)
				if len(b.ids) > 0 && !yield(b) {
					return
				}
			}
		}
	}
}

// batch is the next of a host's threads from a row on, and where the one after it begins.
func (t *table) batch(host int32, from, n int) (b rowsOf, next int, more bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b.host = host
	h := &t.hosts[host]
	for ; from < len(t.rows) && len(b.ids) < n; from++ {
		r := &t.rows[from]
		if r.host != host || r.kind != wire.RowProcess && r.kind != wire.RowThread {
			continue
		}
		pid := r.thread.PID
		if pid <= 0 {
			pid = r.thread.TID
		}
		of := rowfilter.Subject{
			Host: t.rows[h.id].named, Name: r.named, Process: r.named,
			TID: int64(r.thread.TID), PID: int64(pid), PPID: int64(r.thread.PPID),
		}
		if p, ok := h.byTID[pid]; ok {
			of.Process = t.rows[p].named
		}
		b.ids = append(b.ids, uint32(from))
		b.quarks = append(b.quarks, r.quark)
		b.subjects = append(b.subjects, of)
	}
	return b, from, from < len(t.rows)
}
