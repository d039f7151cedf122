package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/partial"
)

// measurePartial keeps checkpoints every so many events of a load with
// statistics; every 0 is a full history of the same.
func measurePartial(dir string, threads, events, every int) (*result, error) {
	f, err := os.Create(filepath.Join(dir, "partial"))
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w, err := history.Create(f, 0, history.Options{})
	if err != nil {
		return nil, err
	}
	if every == 0 {
		l, build, err := counted(w, nil, threads, events)
		if err != nil {
			return nil, err
		}
		s := w.History().Stats()
		res := &result{name: "full", intervals: s.Intervals, bytes: s.Bytes, build: build, depth: s.Depth}
		return res, ask(w.History(), l, res, 5)
	}
	places, err := os.Create(filepath.Join(dir, "places"))
	if err != nil {
		return nil, err
	}
	defer os.Remove(places.Name())
	defer places.Close()
	points, err := history.Create(places, 0, history.Options{})
	if err != nil {
		return nil, err
	}
	p, err := partial.New(w, points, every)
	if err != nil {
		return nil, err
	}
	l, build, err := counted(p, p, threads, events)
	if err != nil {
		return nil, err
	}
	h, err := partial.Open(w.History(), points.History(), func(_ context.Context, position []byte, until int64, into history.Recorder) error {
		again := historytest.NewLoad(into, threads, true)
		if err := again.Resume(position); err != nil {
			return err
		}
		for ; again.Now < until; again.Next() {
			if err := again.Apply(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s := w.History().Stats()
	res := &result{name: fmt.Sprintf("every %d events", every), intervals: s.Intervals, bytes: s.Bytes + points.History().Stats().Bytes, build: build, depth: s.Depth}
	return res, ask(h, l, res, 1)
}
