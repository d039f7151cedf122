package report

import (
	"cmp"

	"synchroscope/sync/match"
)

// Departures are messages by the time of their sending, a heap. What was sent at one time is in the order of the hosts, and of its arrival.
type departures []departure

type departure struct {
	message match.Message
	sent    int64 // reference time, ns after the sender's component began to record
}

func (d departures) Len() int      { return len(d) }
func (d departures) Swap(i, j int) { d[i], d[j] = d[j], d[i] }

func (d departures) Less(i, j int) bool {
	if d[i].sent != d[j].sent {
		return d[i].sent < d[j].sent
	}
	a, b := &d[i].message, &d[j].message
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Sent, b.Sent), cmp.Compare(a.Received, b.Received)) < 0
}

func (d *departures) Push(x any) { *d = append(*d, x.(departure)) }

func (d *departures) Pop() any {
	last := len(*d) - 1
	x := (*d)[last]
	*d = (*d)[:last]
	return x
}
