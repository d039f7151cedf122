package ingest

import (
	"time"

	"synchroscope/catalog"
)

const (
	sweepEvery    = time.Minute
	maxUnfinished = 100 // sets whose archives are not complete or not yet imported
)

// sweeps removes what has outlived its time, now and then, until the engine is closed.
func (e *Engine) sweeps() {
	defer e.sweeping.Done()
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-e.ctx.Done():
			return
		case now := <-ticker.C:
			e.sweep(now)
		}
	}
}

// sweep removes discarded sets whose grace is over, and uploads that nobody has gone on with.
func (e *Engine) sweep(now time.Time) {
	var over, left []string
	e.mu.Lock()
	for id, row := range e.discarded {
		if now.Sub(row.Deleted) >= e.o.Grace {
			over = append(over, id)
		}
	}
	e.mu.Unlock()
	for _, s := range e.Sets() {
		if end, ok := s.expires(); ok && now.After(end) {
			left = append(left, s.ID())
		}
	}
	for _, id := range over {
		if _, err := e.remove(id); err != nil {
			e.o.Log.Error("a deleted set is not removed", "set", id, "error", err)
		}
	}
	for _, id := range left {
		if err := e.Delete(id); err != nil {
			e.o.Log.Error("an upload that was given up is not removed", "set", id, "error", err)
		} else {
			e.o.Log.Info("an upload that was given up is removed", "set", id)
		}
	}
}

// expires tells when an upload that nobody goes on with is removed; false of a set that is none, of which something arrives, or that was found again.
func (s *Set) expires() (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.touched.Add(s.e.o.Unfinished), s.row.State == catalog.Uploading && len(s.uploading) == 0 && !s.row.Again && !s.row.Spared
}

// unfinished counts the sets that are not imported yet, and the bytes that are held or announced of them, but those of one
// file. Sets that were discarded and can be had back count, too: their bytes are on the disk.
func (e *Engine) unfinished(but *Set, name string) (sets int, bytes int64) {
	count := func(row *catalog.Set, but string) {
		if row.State != catalog.Uploading {
			return
		}
		sets++
		for _, f := range row.Files {
			if f.Path == "" && f.Name != but {
				bytes += max(f.Size, f.Received)
			}
		}
	}
	for _, s := range e.Sets() {
		s.mu.Lock()
		if s == but {
			count(&s.row, name)
		} else {
			count(&s.row, "")
		}
		s.mu.Unlock()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, row := range e.discarded {
		count(&row, "")
	}
	return sets, bytes
}
