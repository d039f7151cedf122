package losses

import (
	"context"
	"sort"
)

// A Column is what was lost in a part of an axis, or may have been.
type Column struct {
	Events, Packets int64 // of the losses that touch it, at most [Most]
	Reaching        int64 // so many of them reach out of it, so their events may have been lost beside it
	// Spread is how many events these are if those of each loss are spread evenly over its time, and its whole packets count as one.
	Spread float64
}

// Add adds what was lost of another host.
func (c *Column) Add(o Column) {
	c.Events, c.Packets = min(c.Events, Most-o.Events)+o.Events, min(c.Packets, Most-o.Packets)+o.Packets
	c.Reaching += o.Reaching
	c.Spread += o.Spread
}

// Columns tells what was lost from each edge on to before the next, by the clock that time reads; nil leaves local time as it is. Edges ascend. Each column
// has the numbers that [Log.Ask] has of its stretch. final is that of a [Query].
func (l *Log) Columns(ctx context.Context, edges []int64, time func(local int64) int64, final int64) ([]Column, error) {
	n := len(edges) - 1
	columns := make([]Column, max(n, 0))
	if n < 1 {
		return columns, nil
	}
	q := Query{Begin: edges[0], End: edges[n], Time: time, Final: final}
	l.endOf(&q)
	at := func(t int64) int { return sort.Search(n, func(i int) bool { return edges[i+1] > t }) }
	whole := func(b *block, in, _ bool) bool {
		i := at(q.time(b.sum.Begin))
		if !in || b.sum.Packets > 0 || i != at(q.time(b.sum.End)) {
			return false
		}
		columns[i].Add(Column{Events: b.sum.Events, Spread: float64(b.sum.Events)})
		return true
	}
	err := l.each(ctx, &q, whole, func(x Loss, _ bool) {
		begin, end := q.time(x.Begin), q.time(x.End)
		sum := SumOf(x)
		events := float64(max(sum.Events, 1))
		for i := at(begin); i < n && edges[i] <= end; i++ {
			c := Column{Events: sum.Events, Packets: sum.Packets}
			if begin < edges[i] || end >= edges[i+1] {
				c.Reaching = 1
			}
			if edges[i] < edges[i+1] {
				c.Spread = events * duration(max(begin, edges[i]), min(end, edges[i+1]-1)) / duration(begin, end)
			}
			columns[i].Add(c)
		}
	})
	return columns, err
}

// duration is from one time to another, both included, ns.
func duration(begin, end int64) float64 { return float64(uint64(end)-uint64(begin)) + 1 }
