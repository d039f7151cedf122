package ctf

import (
	"errors"
	"runtime"
	"sync"

	"synchroscope/trace"
)

// Count reads a fresh reader to its end and returns the events of each trace. Counts
// have no order, so the streams are not merged: as many are read at the same time as
// there are processors. Losses, anomalies and bytes are those of reading by Next, but for what shows by others going on.
func (r *Reader) Count() ([]int64, error) {
	if r.begun || r.err != nil {
		return nil, errors.New("only a fresh reader can count")
	}
	r.begun = true
	r.lender.places = make(chan struct{}, maxLent)
	defer func() { r.lender.places = nil }()
	counters := make([]counter, len(r.lanes))
	next := make(chan int, len(r.lanes))
	for i := range r.lanes {
		counters[i] = counter{reader: r, events: make([]int64, len(r.traces))}
		next <- i
	}
	close(next)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(r.lanes)) {
		workers.Go(func() {
			for i := range next {
				counters[i].run(r.lanes[i].stream)
			}
		})
	}
	workers.Wait()
	events := make([]int64, len(r.traces))
	for i := range counters {
		c := &counters[i]
		for t, n := range c.events {
			events[t] += n
		}
		for _, a := range c.anomalies.list {
			r.anomalies.add(a)
		}
		r.losses = append(r.losses, c.losses...)
		if r.err == nil {
			r.err = c.err
		}
	}
	return events, r.err
}

// A counter is the sink of a stream that is read by itself.
type counter struct {
	reader    *Reader
	events    []int64 // of each trace
	anomalies anomalies
	losses    []Loss
	err       error
}

func (c *counter) run(s *stream) {
	reader := s.sink
	s.sink = c
	var err error
	for err = s.advance(); err == nil; err = s.advance() {
		c.events[s.event.Trace]++
	}
	s.sink = reader
	if err != errEnd {
		c.err = s.wrap(err)
	}
}

func (c *counter) anomaly(a trace.Anomaly) { c.anomalies.add(a) }
func (c *counter) loss(l Loss) {
	if !l.rest {
		c.losses = append(c.losses, l)
	}
}
func (c *counter) consumed(n int64) { c.reader.consumed(n) }
func (c *counter) placed(Loss)      {}
func (c *counter) looked(*stream)   {}
