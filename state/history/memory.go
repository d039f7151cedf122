package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"

	"synchroscope/state/attribute"
)

// A Memory is a history in memory: for each attribute the times of its changes,
// in order. It is recorder and reader in one, and takes 24 bytes for a change;
// it is for histories that are known to be short, such as the piece that a
// partial history makes again for a query.
type Memory struct {
	mu       sync.RWMutex // held for reading by readers, and by the recorder while it changes something
	names    *names
	start    int64
	now      int64
	end      int64 // published
	finished bool
	rows     [][]change // by quark, born ones only
}

type change struct {
	at    int64
	value Value
}

// NewMemory begins a history in memory. start is the time before which nothing
// is known, in local ns.
func NewMemory(start int64) *Memory {
	return &Memory{names: newNames(nil), start: start, now: start, end: start}
}

// Attributes is the tree of this history's attributes.
func (m *Memory) Attributes() *attribute.Tree { return m.names.tree }

// Text interns s.
func (m *Memory) Text(s []byte) Value {
	return m.names.text(s)
}

// String resolves a string value. It returns "" for other values.
func (m *Memory) String(v Value) string { return m.names.string(v) }

// Modify gives q the value v from t on, as [Writer.Modify].
func (m *Memory) Modify(t int64, q attribute.Quark, v Value) error {
	if err := m.refuse(t, q); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = t
	row := m.row(q)
	last := len(*row) - 1
	switch {
	case last < 0 && v.IsNull() || last >= 0 && (*row)[last].value == v:
	case last >= 0 && (*row)[last].at == t:
		if last == 0 && v.IsNull() || last > 0 && (*row)[last-1].value == v {
			*row = (*row)[:last] // it is taken back
		} else {
			(*row)[last].value = v
		}
	default:
		*row = append(*row, change{t, v})
	}
	return nil
}

// Update replaces the ongoing value of q, as [Writer.Update].
func (m *Memory) Update(q attribute.Quark, v Value) error {
	if err := m.refuse(m.now, q); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	row := m.row(q)
	if last := len(*row) - 1; last >= 0 {
		(*row)[last].value = v
	} else if !v.IsNull() {
		*row = append(*row, change{m.start, v})
	}
	return nil
}

func (m *Memory) refuse(t int64, q attribute.Quark) error {
	if q < 0 || int(q) >= m.names.tree.Len() {
		return fmt.Errorf("history: attribute %d does not exist", q)
	}
	return m.refuseTime(t)
}

func (m *Memory) refuseTime(t int64) error {
	switch {
	case m.finished:
		return errors.New("history: the history is finished")
	case t < m.now:
		return fmt.Errorf("history: a change at %d ns comes after one at %d ns", t, m.now)
	case t > Latest(m.start):
		return tooLong(m.start, t)
	}
	return nil
}

func (m *Memory) row(q attribute.Quark) *[]change {
	for len(m.rows) <= int(q) {
		m.rows = append(m.rows, nil)
	}
	return &m.rows[q]
}

// Ongoing is the value q has now, and since when.
func (m *Memory) Ongoing(q attribute.Quark) (v Value, since int64) {
	if q < 0 || int(q) >= len(m.rows) || len(m.rows[q]) == 0 {
		return Value{}, m.start
	}
	last := m.rows[q][len(m.rows[q])-1]
	return last.value, last.at
}

// Publish shows readers everything before t.
func (m *Memory) Publish(t int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.finished {
		m.now, m.end = max(m.now, t), max(m.end, t)
	}
}

// Finish ends the history.
func (m *Memory) Finish(end int64) error {
	if err := m.refuseTime(end); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now, m.end, m.finished = end, end, true
	return nil
}

// Bounds are the start and the published end.
func (m *Memory) Bounds() (start, end int64) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.start, m.end
}

// Point returns the interval of q that holds t.
func (m *Memory) Point(_ context.Context, q attribute.Quark, t int64) (Interval, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if err := (&view{start: m.start, end: m.end}).check(t); err != nil {
		return Interval{}, err
	}
	return m.at(q, t, m.end), nil
}

// at returns the interval of q that holds t, a time within the bounds, where the history ends at last.
func (m *Memory) at(q attribute.Quark, t, last int64) Interval {
	iv := Interval{Quark: q, Start: m.start, End: last}
	if q < 0 || int(q) >= len(m.rows) {
		return iv
	}
	row := m.rows[q]
	i := sort.Search(len(row), func(i int) bool { return row[i].at > t })
	if i > 0 {
		iv.Start, iv.Value = row[i-1].at, row[i-1].value
	}
	if i < len(row) {
		iv.End = min(iv.End, row[i].at)
	}
	return iv
}

// Full yields the interval that holds t of every attribute that has changed at or before t.
func (m *Memory) Full(ctx context.Context, t int64, yield func(Interval) bool) error {
	start, end := m.Bounds()
	if err := (&view{start: start, end: end}).check(t); err != nil {
		return err
	}
	var some [atOnce]Interval
	for q, more := 0, true; more; {
		n := 0
		m.mu.RLock()
		for ; q < len(m.rows) && n < atOnce; q++ {
			if row := m.rows[q]; len(row) > 0 && row[0].at <= t {
				some[n] = m.at(attribute.Quark(q), t, end)
				n++
			}
		}
		more = q < len(m.rows)
		m.mu.RUnlock()
		for _, iv := range some[:n] {
			if !yield(iv) {
				return nil
			}
		}
	}
	return ctx.Err()
}

// atOnce intervals are gathered under the lock and then given away without it: who takes them may ask the history again.
const atOnce = 64

// Range yields all intervals of attributes that touch [begin, end).
func (m *Memory) Range(ctx context.Context, qs []attribute.Quark, begin, end int64, yield func(Interval) bool) error {
	start, last := m.Bounds()
	begin, end = max(begin, start), min(end, last)
	var some [atOnce]Interval
	for _, q := range slices.Compact(slices.Sorted(slices.Values(qs))) {
		for t := begin; t < end; {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := 0
			m.mu.RLock()
			for ; t < end && n < atOnce; n++ {
				some[n] = m.at(q, t, last)
				t = some[n].End
			}
			m.mu.RUnlock()
			for _, iv := range some[:n] {
				if !yield(iv) {
					return nil
				}
			}
		}
	}
	return nil
}

// Pixels reduces each attribute to columns.
func (m *Memory) Pixels(ctx context.Context, qs []attribute.Quark, edges []int64) ([][]Run, error) {
	return Reduce(ctx, m, qs, edges)
}

// Sampled yields the intervals that hold certain instants, as [History.Sampled].
func (m *Memory) Sampled(ctx context.Context, qs []attribute.Quark, begin, end, every int64, yield func(Interval) bool) error {
	return Sample(ctx, m, qs, begin, end, every, yield)
}

// Totals returns what each attribute was from begin until before end, as [History.Totals].
func (m *Memory) Totals(ctx context.Context, qs []attribute.Quark, begin, end int64) ([][]Total, error) {
	return Sum(ctx, m, qs, begin, end)
}

// Alive returns the attributes that are not null all of the time, as [History.Alive].
func (m *Memory) Alive(ctx context.Context, qs []attribute.Quark, begin, end int64) ([]attribute.Quark, error) {
	return Alive(ctx, m, qs, begin, end)
}

// NextChange returns the first wanted interval of q that begins after t, as [History.NextChange].
func (m *Memory) NextChange(ctx context.Context, q attribute.Quark, t int64, want func(Value) bool) (Interval, bool, error) {
	return Next(ctx, m, q, t, want)
}

// PreviousChange returns the last wanted interval of q that begins before t, as [History.PreviousChange].
func (m *Memory) PreviousChange(ctx context.Context, q attribute.Quark, t int64, want func(Value) bool) (Interval, bool, error) {
	return Previous(ctx, m, q, t, want)
}
