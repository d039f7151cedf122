package ingest

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"synchroscope/ingest/turn"
)

// An arrival is the file of an archive for who extracts it, perhaps while it is uploaded
// ([archive.Arrival]). A read waits for its bytes, without holding a slot meanwhile.
type arrival struct {
	ctx      context.Context
	slot     *turn.Job
	f        *os.File
	dir      string // on the disk that must keep its reserve
	free     func(dir string) (int64, bool)
	patience time.Duration // how long it may stand still
	name     string

	mu    sync.Mutex
	held  int64         // bytes that may be read
	whole bool          // there will be no more
	more  chan struct{} // closed when one of these changes
	fault error         // why a read failed: who reads may wrap it beyond recognition
}

// errStandstill ends the extraction of an archive of which nothing more comes.
var errStandstill = errors.New("the upload stands still")

func newArrival(held int64, whole bool) *arrival {
	return &arrival{held: held, whole: whole, more: make(chan struct{})}
}

// grow says that held bytes are there, and whether that is all.
func (a *arrival) grow(held int64, whole bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.held == held && a.whole == whole {
		return
	}
	a.held, a.whole = held, whole
	close(a.more)
	a.more = make(chan struct{})
}

// told is how many bytes may have been read.
func (a *arrival) told() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.held
}

// await waits until n bytes are there or it is whole, and tells how many there are.
func (a *arrival) await(n int64) (int64, error) {
	a.mu.Lock()
	held, whole, more := a.held, a.whole, a.more
	a.mu.Unlock()
	if held >= n || whole {
		return held, nil
	}
	a.slot.Release()
	timer := time.NewTimer(a.patience)
	defer timer.Stop()
	for held < n && !whole {
		select {
		case <-more:
			timer.Reset(a.patience)
		case <-timer.C:
			return 0, errStandstill
		case <-a.ctx.Done():
			return 0, context.Cause(a.ctx)
		}
		a.mu.Lock()
		held, whole, more = a.held, a.whole, a.more
		a.mu.Unlock()
	}
	return held, a.slot.Acquire(a.ctx)
}

func (a *arrival) ReadAt(p []byte, off int64) (int, error) {
	n, err := a.readAt(p, off)
	if err != nil && err != io.EOF {
		a.fault = err
	}
	return n, err
}

func (a *arrival) readAt(p []byte, off int64) (int, error) {
	held, err := a.await(off + int64(len(p)))
	if err != nil {
		return 0, err
	}
	// Other archives and uploads fill the same disk, so this is asked for again and again.
	if free, ok := a.free(a.dir); ok && free < reserve {
		return 0, faultf(NoRoom, "%s: the disk of the server has no room for what it holds", a.name)
	}
	return io.NewSectionReader(a.f, 0, held).ReadAt(p, off)
}

// Size waits until all is there.
func (a *arrival) Size() (int64, error) {
	const all = 1<<63 - 1
	size, err := a.await(all)
	if err != nil {
		a.fault = err
	}
	return size, err
}
