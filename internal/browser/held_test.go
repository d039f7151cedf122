package browser

import (
	"context"
	"sync"
	"testing"
	"time"

	"synchroscope/ingest"
	"synchroscope/ingest/turn"
)

// A hold keeps the imports of a site where they are, or slows them, for what is to be seen of one that is under way: it has the only slot
// that there is to read with, and gives it away for a slice of time when it wants to.
type hold struct {
	t   testing.TB
	job *turn.Job
	end func() // what lets go
}

// heldSite is a site that reads nothing until its hold lets it.
func heldSite(t *testing.T) (*site, *hold) {
	t.Helper()
	slots := turn.New(1)
	h := &hold{t: t, job: slots.Job("the test")}
	if err := h.job.Acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.end = h.job.Release
	s := newSite(t, ingest.Options{Workers: 1, Slots: slots})
	t.Cleanup(func() { h.end() })
	return s, h
}

// slowedSite is a site that reads at the pace of one that has so many other sets to read, without the work that these would be.
func slowedSite(t *testing.T, others int) (*site, *hold) {
	t.Helper()
	s, h := heldSite(t)
	ctx, cancel := context.WithCancel(t.Context())
	var giving sync.WaitGroup
	giving.Go(func() {
		for h.job.Offer(ctx) == nil {
			select {
			case <-time.After(time.Duration(others) * turn.Slice):
			case <-ctx.Done():
			}
		}
	})
	h.end = func() {
		cancel()
		giving.Wait()
		h.job.Release()
	}
	return s, h
}

// until lets the site read, a slice at a time, until what is wanted of it has come about.
func (h *hold) until(what string, enough func() bool) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), Patience)
	defer cancel()
	for !enough() {
		if err := h.job.Offer(ctx); err != nil {
			h.t.Fatalf("%s: %v", what, err)
		}
		time.Sleep(time.Millisecond)
	}
}

// letGo has the site read on, as fast as it can.
func (h *hold) letGo() { h.end() }
