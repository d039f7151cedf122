package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/partial"
)

// A result is one line of a table.
type result struct {
	name      string
	intervals uint64
	bytes     int64
	build     time.Duration // processor time
	depth     int
	resident  int64 // bytes of the heap once built
	point     time.Duration
	full      time.Duration
	pixels    time.Duration
}

func (r *result) rate() float64        { return float64(r.intervals) / r.build.Seconds() / 1e6 }
func (r *result) perInterval() float64 { return float64(r.bytes) / float64(max(r.intervals, 1)) }

// spent is the processor time of a turn of f: the median of five rounds.
func spent(turns int, f func() error) (time.Duration, error) {
	if err := f(); err != nil { // to warm up
		return 0, err
	}
	var rounds []time.Duration
	for range 5 {
		began := historytest.ProcessorTime()
		for range turns {
			if err := f(); err != nil {
				return 0, err
			}
		}
		rounds = append(rounds, (historytest.ProcessorTime()-began)/time.Duration(turns))
	}
	slices.Sort(rounds)
	return rounds[2], nil
}

// fill drives a recorder and measures that, less what the load itself costs.
func fill(r history.Recorder, threads, events int) (*historytest.Load, time.Duration, error) {
	l := historytest.NewLoad(r, threads, false)
	began := historytest.ProcessorTime()
	for range events {
		if err := l.Event(); err != nil {
			return nil, 0, err
		}
	}
	if err := r.Finish(l.Now + 1); err != nil {
		return nil, 0, err
	}
	used := historytest.ProcessorTime() - began
	idle := historytest.NewLoad(nothing{history.NewMemory(0)}, threads, false)
	began = historytest.ProcessorTime()
	for range events {
		if err := idle.Event(); err != nil {
			return nil, 0, err
		}
	}
	return l, max(used-(historytest.ProcessorTime()-began), 1), nil
}

// nothing is a recorder that keeps nothing.
type nothing struct{ *history.Memory }

func (nothing) Modify(int64, attribute.Quark, history.Value) error { return nil }

// ask measures the three queries.
func ask(r history.Reader, l *historytest.Load, res *result, turns int) (err error) {
	chance := rand.New(rand.NewPCG(3, 4))
	ctx := context.Background()
	res.point, err = spent(turns*20, func() error {
		_, err := r.Point(ctx, l.Threads[chance.IntN(len(l.Threads))].Status, chance.Int64N(l.Now))
		return err
	})
	if err != nil {
		return err
	}
	res.full, err = spent(turns, func() error {
		return r.Full(ctx, chance.Int64N(l.Now), func(history.Interval) bool { return true })
	})
	if err != nil {
		return err
	}
	var qs []attribute.Quark
	first := chance.IntN(len(l.Threads) - 49)
	for i := range 50 {
		qs = append(qs, l.Threads[first+i].Status)
	}
	edges := make([]int64, 1921)
	for i := range edges {
		edges[i] = int64(float64(l.Now) * float64(i) / 1920)
	}
	res.pixels, err = spent(turns, func() error {
		_, err := r.Pixels(ctx, qs, edges)
		return err
	})
	return err
}

// measureTree builds a tree with some options and asks it.
func measureTree(dir, name string, threads, events int, opts history.Options) (*result, error) {
	f, err := os.Create(filepath.Join(dir, "tree"))
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w, err := history.Create(f, 0, opts)
	if err != nil {
		return nil, err
	}
	l, build, err := fill(w, threads, events)
	if err != nil {
		return nil, err
	}
	s := w.History().Stats()
	res := &result{name: name, intervals: s.Intervals, bytes: s.Bytes, build: build, depth: s.Depth, resident: heap()}
	return res, ask(w.History(), l, res, 20)
}

func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapSys - m.HeapReleased)
}

func measureMemory(threads, events int) (*result, error) {
	runtime.GC()
	before := heap()
	m := history.NewMemory(0)
	l, build, err := fill(m, threads, events)
	if err != nil {
		return nil, err
	}
	res := &result{name: "in memory", build: build, resident: heap() - before}
	res.intervals = count(m)
	res.bytes = int64(24 * res.intervals)
	return res, ask(m, l, res, 20)
}

func count(r history.Reader) (n uint64) {
	start, end := r.Bounds()
	var qs []attribute.Quark
	for q := range r.Attributes().Len() {
		qs = append(qs, attribute.Quark(q))
	}
	_ = r.Range(context.Background(), qs, start, end, func(history.Interval) bool { n++; return true })
	return n
}

func measureTable(dir string, rtree bool, threads, events int) (*result, error) {
	t, err := newTable(dir, rtree)
	if err != nil {
		return nil, err
	}
	defer t.db.Close()
	l, build, err := fill(t, threads, events)
	if err != nil {
		return nil, err
	}
	name := "SQLite, table with index"
	if rtree {
		name = "SQLite, R*Tree"
	}
	res := &result{name: name, intervals: uint64(t.rows), bytes: t.size(), build: build, resident: heap()}
	return res, ask(t, l, res, 1)
}

func show(d time.Duration) string {
	switch {
	case d == 0:
		return "-"
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%.1f µs", d.Seconds()*1e6)
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.0f µs", d.Seconds()*1e6)
	}
	return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
}

// counted drives a recorder with a load that counts, and tells p of its events.
func counted(r history.Recorder, p *partial.Writer, threads, events int) (*historytest.Load, time.Duration, error) {
	l := historytest.NewLoad(r, threads, true)
	began := historytest.ProcessorTime()
	for range events {
		l.Next()
		if p != nil {
			if err := p.Event(l.Now, l.Position); err != nil {
				return nil, 0, err
			}
		}
		if err := l.Apply(); err != nil {
			return nil, 0, err
		}
	}
	err := r.Finish(l.Now + 1)
	return l, historytest.ProcessorTime() - began, err
}
