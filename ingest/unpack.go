package ingest

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"synchroscope/catalog"
	"synchroscope/trace/archive"
	"synchroscope/trace/ctf"
)

// # Archives are unpacked while they are uploaded
//
// The first piece of an upload starts a goroutine that extracts the growing file into
// traces/<n>.part, as far as it is there, by the code and the limits that extract a whole one. A zip,
// whose directory is at its end, is opened when its last byte is there. The import
// waits for what is left to do.
//
// That is a head start and nothing else: no row of the catalogue tells of it, and no request
// fails by it. Whatever is wrong (a bad archive, a full disk, an upload that stands still, a piece
// that has to be sent again) throws away what was extracted so far; the import unpacks that archive
// from its file, which is complete by then, keeps what is sound of it and says what is wrong with it (damage.go). After a
// start of the server nothing below traces/ is trusted before a set is reading.
//
// An unpacking holds the memory of a decoder, so few of them go on at once ahead of an import
// (earlyPlaces), and none waits forever (Options.unpackPatience). Of a set that is imported as many
// are unpacked at once as there are slots. All of them end with the set.

// earlyPlaces is how many archives are unpacked while they arrive, over all sets. An archive that
// finds no place is unpacked by the import, unless one is free when its next piece comes.
const earlyPlaces = 4

// An unpacking extracts one archive in a goroutine of its own.
type unpacking struct {
	*arrival
	cancel context.CancelCauseFunc
	done   chan struct{}
	err    error // valid once done is closed, as is the next
	part   error // what is wrong with an archive of which a part is unpacked: an [archive.Error]
	budget *archive.Budget
	read   atomic.Int64 // bytes of the archive

	enough     func() // is called once there are more traces than a first look takes
	extracting sync.Mutex
	traces     []string // folders with a file of metadata that is complete
}

// Extracted takes note of a file that is complete ([archive.Follower]).
func (u *unpacking) Extracted(path string) {
	dir, ok := ctf.TraceOf(path)
	if !ok {
		return
	}
	u.extracting.Lock()
	u.traces = append(u.traces, dir)
	enough := len(u.traces) == previewTraces+1
	u.extracting.Unlock()
	if enough {
		u.enough()
	}
}

// found are the folders of the archive that hold complete metadata.
func (u *unpacking) found() []string {
	u.extracting.Lock()
	defer u.extracting.Unlock()
	return slices.Clone(u.traces)
}

// errDiscarded ends an unpacking whose result is not wanted.
var errDiscarded = errors.New("the archive is unpacked again later")

// over tells whether it ended, and how.
func (u *unpacking) over() (over bool, err error) {
	select {
	case <-u.done:
		return true, u.err
	default:
		return false, nil
	}
}

// wait waits for its end; if ctx ends first it is ended.
func (u *unpacking) wait(ctx context.Context) error {
	select {
	case <-u.done:
		return u.err
	case <-ctx.Done():
		u.end()
		return context.Cause(ctx)
	}
}

// end ends it and waits.
func (u *unpacking) end() {
	u.cancel(errDiscarded)
	<-u.done
}

// ahead returns the unpacking of a file of which a piece arrives, nil if there is none. What
// the file holds from now on is told to it.
func (s *Set) ahead(file catalog.File) *unpacking {
	if isText(file) {
		return nil
	}
	s.mu.Lock()
	u := s.unpackings[file.Index]
	s.mu.Unlock()
	if u != nil {
		over, err := u.over()
		switch {
		case u.told() > file.Received: // bytes that are not held any more
			u.end()
		case !over, !errors.Is(err, errStandstill):
			return u
		}
		s.forget(file.Index, u)
	}
	select {
	case s.e.early <- struct{}{}:
	default:
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	u = s.unpack(file, newArrival(file.Received, false), archive.ExtractArriving, func() { <-s.e.early })
	if u == nil {
		<-s.e.early
		return nil
	}
	s.unpackings[file.Index] = u
	return u
}

// tell tells an unpacking, if there is one, how much of its file is there. That it is whole is
// told once it is durable, so nothing is extracted to the end that the catalogue does not hold.
func (u *unpacking) tell(held int64, whole bool) {
	if u != nil {
		u.grow(held, whole)
	}
}

// dropUnpackings ends all that are left and forgets them, once an import needs them no more.
func (s *Set) dropUnpackings() {
	s.mu.Lock()
	all := s.unpackings
	s.unpackings = make(map[int]*unpacking)
	s.budget = archive.NewBudget(s.e.o.Archive)
	s.mu.Unlock()
	for _, u := range all {
		u.end()
	}
}

// forget drops an unpacking that is over.
func (s *Set) forget(index int, u *unpacking) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unpackings[index] == u {
		delete(s.unpackings, index)
	}
}

// An extractor is one of those of package archive: what is damaged is nothing to one, and what is sound of it to the other.
type extractor func(ctx context.Context, root *os.Root, name string, r archive.Arrival, limits archive.Limits, progress func(read int64)) error

// unpack starts to extract a file; nil if the set is being closed. s.mu is held.
func (s *Set) unpack(file catalog.File, a *arrival, by extractor, after func()) *unpacking {
	if !s.enter() {
		return nil
	}
	u := &unpacking{arrival: a, done: make(chan struct{}), budget: s.budget, enough: s.lookEarly}
	u.ctx, u.cancel = context.WithCancelCause(s.ctx)
	u.slot, u.dir, u.name, u.patience = s.e.slots.Job(s), s.dir, file.Name, s.e.o.unpackPatience
	u.free = s.e.o.free
	go func() {
		defer s.busy.Done()
		defer func() { s.unpackedEarly(u.err) }()
		defer close(u.done)
		defer after()
		defer u.cancel(nil)
		if u.err = s.extractProtected(u, file, by); u.err == nil {
			return
		}
		u.read.Store(0)
		if u.fault != nil {
			u.err = u.fault
		}
		if err := os.RemoveAll(s.extracted(file) + partial); err != nil {
			s.log.Warn("what an unpacking left is not removed", "file", file.Name, "error", err)
		}
	}()
	return u
}

// extractProtected turns a panic of a decoder into an error.
func (s *Set) extractProtected(u *unpacking, file catalog.File, by extractor) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic while unpacking", "file", file.Name, "panic", p, "stack", string(debug.Stack()))
			err = &panicked{file.Name, p}
		}
	}()
	return s.extractArriving(u, file, by)
}

// extractArriving extracts an archive into traces/<n>.part and gives that its name.
func (s *Set) extractArriving(u *unpacking, file catalog.File, by extractor) error {
	if err := u.slot.Acquire(u.ctx); err != nil {
		return err
	}
	defer u.slot.Release()
	var err error
	if u.f, err = os.Open(s.source(file)); err != nil {
		return err
	}
	defer u.f.Close()
	part := s.extracted(file) + partial
	for _, dir := range []string{part, s.extracted(file)} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(part, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(part)
	if err != nil {
		return err
	}
	defer root.Close()
	limits := s.e.o.Archive
	limits.Shared = u.budget
	limits.Busy = func() bool { return s.opening() > 0 }
	progress := func(read int64) {
		u.read.Store(read)
		s.mark()
		_ = u.slot.Offer(u.ctx) // that the context is done Extract sees for itself
	}
	if err := by(u.ctx, root, file.Name, u, limits, progress); err != nil {
		if u.ctx.Err() != nil { // why it was ended, which the extraction may not know
			return context.Cause(u.ctx)
		}
		if d, ok := damageOf(err); !ok || !d.kept {
			return err
		}
		u.part = err
	}
	return os.Rename(part, s.extracted(file))
}

// unpacked is the part of the bytes of all archives that was read. s.mu is held.
func (s *Set) unpacked() float64 {
	var read, total int64
	for _, f := range s.row.Files {
		total += f.Received
	}
	for _, u := range s.unpackings {
		read += u.read.Load()
	}
	if total == 0 {
		return 0
	}
	return float64(read) / float64(total)
}
