package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"synchroscope/catalog"
	"synchroscope/internal/durable"
)

// A run is one import of a set, from its archives or from where a crash left it.
type run struct {
	prepared chan struct{} // closed when reading starts, or with finished
	finished chan struct{}
	err      error // valid once finished is closed
}

// A Stage is a part of an import and the time it took.
type Stage struct {
	Name string        `json:"name"`
	Time time.Duration `json:"ns"`
}

// Stages tells how long the parts of the import took that this process did.
func (s *Set) Stages() []Stage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Stage(nil), s.stages...)
}

// Import starts, or goes on with, the import; it returns at once. Faults found before
// the first trace is read (no archive, not an archive, no trace inside, bad metadata
// everywhere) are returned by Wait, shown by Status, and leave no extracted files.
func (s *Set) Import() error {
	if again, err := s.unhalt(); again || err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.row.State {
	case catalog.Uploading:
	case catalog.Failed:
		return s.failure()
	default:
		return nil
	}
	if len(s.row.Files) == 0 {
		return faultf(Invalid, "the set has no archive yet")
	}
	for _, f := range s.row.Files {
		if s.uploading[f.Name] {
			return faultf(Conflict, "%s is still being uploaded", f.Name)
		}
		if f.Size >= 0 && f.Received < f.Size {
			return faultf(Conflict, "%s is not complete: %d of %d bytes arrived", f.Name, f.Received, f.Size)
		}
	}
	row, err := s.e.catalog.Move(s.id, catalog.Extracting, nil)
	if err != nil {
		return err
	}
	s.row = row
	s.start()
	return nil
}

// start begins a run. s.mu is held.
func (s *Set) start() {
	if !s.enter() {
		return
	}
	r := &run{prepared: make(chan struct{}), finished: make(chan struct{})}
	s.run = r
	s.mark()
	go func() {
		defer s.busy.Done()
		r.err = s.protected(r)
		s.conclude(r)
		close(r.finished)
		s.mark()
	}()
}

func (s *Set) protected(r *run) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic in an import", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("the program failed: %v", p)
		}
	}()
	return s.importAll(r)
}

// conclude makes a failure part of the catalogue, after removing every file, unless there is only no room on the disk. A set that was ready once keeps what was uploaded
// of it, for nobody may have it elsewhere; it goes with the set.
func (s *Set) conclude(r *run) {
	s.dropUnpackings()
	if r.err == nil || s.ctx.Err() != nil {
		if s.ctx.Err() != nil {
			r.err = context.Cause(s.ctx)
		}
		return
	}
	s.leave()
	fault := s.asFault(r.err)
	r.err = fault
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.Info("import failed", "name", s.row.Name, "fault", fault.Message)
	s.hosts, s.anomalies, s.stage = nil, nil, ""
	if roomless(fault) && s.halt(fault) {
		return
	}
	if s.row.Again {
		fault.Message = "it was read again, and that failed; its traces are kept until it is deleted: " + fault.Message
	}
	if err := s.clear(); err != nil {
		s.log.Error("files of a failed import are left", "error", err)
	}
	row, err := s.e.catalog.Fail(s.id, fault.Message, isFolder(s.path(givenFolder)))
	if err != nil {
		s.log.Error("a failure is not in the catalogue", "error", err)
		s.row.State, s.row.Error = catalog.Failed, fault.Message
		return
	}
	s.row = row
	s.anomalies = s.givenDamages(row.Files)
}

// leave closes what the import was made in.
func (s *Set) leave() {
	for _, h := range s.Hosts() {
		h.close()
	}
	if m := s.messages.Swap(nil); m != nil {
		m.Close()
	}
	s.solution.Store(nil)
}

// clear removes every file of a set that failed, but for what another set gave it, and for the traces of one that was ready once, its archives, and what the catalogue keeps beside
// them. Nothing goes of a set whose rows were damaged: what it was nobody knows for certain.
func (s *Set) clear() error {
	if s.row.Spared {
		return nil
	}
	if !s.row.Again && !isFolder(s.path(givenFolder)) {
		return os.RemoveAll(s.dir)
	}
	entries, err := os.ReadDir(s.dir)
	for _, entry := range entries {
		name := entry.Name()
		uploaded := name == "traces" || name == "files" || strings.HasPrefix(name, keptTraces)
		if name != givenFolder && name != catalog.CopyFile && !(s.row.Again && uploaded) {
			err = errors.Join(err, os.RemoveAll(s.path(name)))
		}
	}
	return err
}

// Prepare is Import up to the point where reading starts: it returns the faults above.
func (s *Set) Prepare(ctx context.Context) error {
	return s.await(ctx, func(r *run) <-chan struct{} { return r.prepared })
}

// Wait blocks until the import ended and returns its fault.
func (s *Set) Wait(ctx context.Context) error {
	s.mu.Lock()
	var err error
	if s.run == nil && s.row.State == catalog.Failed {
		err = s.failure()
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.await(ctx, func(r *run) <-chan struct{} { return r.finished })
}

// failure is why the import of a set that failed did, as whoever waited for it was told: what is wrong with the archives
// stays so, whenever it is asked again. The catalogue holds only the sentence. s.mu is held.
func (s *Set) failure() error {
	if s.run != nil {
		return s.run.err
	}
	return &Fault{Invalid, s.row.Error}
}

func (s *Set) await(ctx context.Context, event func(*run) <-chan struct{}) error {
	s.mu.Lock()
	r := s.run
	s.mu.Unlock()
	if r == nil {
		if err := s.Import(); err != nil {
			return err
		}
		s.mu.Lock()
		halted := s.halted
		r = s.run
		s.mu.Unlock()
		switch {
		case r == nil && halted != nil:
			return halted // it had no room, and is over by now
		case r == nil:
			return nil // it is ready since before the start
		}
	}
	select {
	case <-event(r):
	case <-r.finished:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-r.finished:
		return r.err
	default:
		return nil
	}
}

// importAll is the whole import, or what is left of it.
func (s *Set) importAll(r *run) error {
	s.mu.Lock()
	state := s.row.State
	s.mu.Unlock()
	if state == catalog.Extracting {
		if err := s.extractShown(r); err != nil {
			return err
		}
		whole, err := s.adopt()
		if err != nil {
			return err
		}
		if whole {
			s.dropUnpackings()
			s.dropKept()
			return s.dropArchives()
		}
		if err := s.timed("discover", s.discover); err != nil {
			return err
		}
	} else if err := s.goOnDeclared(); err != nil {
		return err
	}
	s.dropUnpackings()
	// Archives have served, also those that a crash kept from being removed.
	if err := s.dropArchives(); err != nil {
		return err
	}
	close(r.prepared)
	defer s.leaveRoom()()
	return s.readHosts()
}

// extractShown extracts the archives, with first looks at them meanwhile, which also end if that panics.
func (s *Set) extractShown(r *run) error {
	defer s.replacePreview(r)
	defer func() {
		if err := os.RemoveAll(s.previews()); err != nil {
			s.log.Warn("the folder of first looks is not removed", "error", err)
		}
	}()
	defer s.startPreviews()()
	return s.timed("extract", s.extract)
}

// timed does a part of the import and remembers how long it took.
func (s *Set) timed(name string, part func() error) error {
	begin := time.Now()
	err := part()
	s.noteStage(name, time.Since(begin))
	return err
}

func (s *Set) noteStage(name string, took time.Duration) {
	s.mu.Lock()
	s.stages = append(s.stages, Stage{name, took})
	s.mu.Unlock()
}

func (s *Set) setStage(format string, args ...any) {
	s.mu.Lock()
	s.stage = fmt.Sprintf(format, args...)
	s.mu.Unlock()
	s.mark()
}

// readHosts runs a job per host and the synchronizer, and ends the import.
func (s *Set) readHosts() error {
	hosts := s.Hosts()
	if err := os.MkdirAll(s.path("hosts"), 0o700); err != nil {
		return err
	}
	for _, dir := range []string{s.path("hosts"), s.dir, filepath.Dir(s.dir)} {
		if err := durable.SyncFolder(dir); err != nil {
			return err
		}
	}
	store, err := s.createMessages()
	if err != nil {
		return err
	}
	s.setStage("reading %s", count(len(hosts), "host"))
	sync := newSynchronizer(s, hosts, store)
	s.mu.Lock()
	s.milestones = sync.way
	s.mu.Unlock()
	go sync.run()
	if err := s.timed("read", func() error { return s.runJobs(hosts, sync) }); err != nil {
		close(sync.in)
		<-sync.ended
		return err
	}
	s.setStage("finishing")
	if err := s.timed("finish", func() error { return s.complete(hosts, sync) }); err != nil {
		return err
	}
	s.noteStage("synchronize (beside the others)", sync.spent)
	s.dropKept()
	return nil
}

func (s *Set) runJobs(hosts []*Host, y *synchronizer) error {
	var wg sync.WaitGroup
	errs := make([]error, len(hosts))
	for i, h := range hosts {
		wg.Go(func() { errs[i] = h.work(s.ctx, y) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// complete makes the end of an import durable.
func (s *Set) complete(hosts []*Host, y *synchronizer) error {
	if err := y.finish(); err != nil {
		return err
	}
	var sentence string
	failed := 0
	for _, h := range hosts {
		if *h.state.Load() == broken {
			failed++
			sentence = h.Name() + ": " + h.figures().Error
		}
	}
	if failed == len(hosts) {
		return faultf(Invalid, "no host could be read: %s", sentence)
	}
	net := y.net
	if net.Forgot() {
		s.setStage("pairing all endpoints once more, in order")
		var err error
		if net, err = s.pairAgain(); err != nil {
			return err
		}
	}
	if net != y.net {
		y.way.add(s.solution.Load(), time.Now())
	}
	constraints := net.Constraints()
	if err := s.storeConstraints(constraints); err != nil {
		return err
	}
	if err := s.solveAsBefore(constraints); err != nil {
		return err
	}
	if err := writeSolution(s.path("solution"), s.solution.Load()); err != nil {
		return err
	}
	if err := durable.SyncFolder(s.dir); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stage = ""
	res := &result{Status: s.status(0), Unreadable: s.anomalies, Milestones: y.way.all(), Declared: s.declared}
	res.Status.State, res.Status.Progress, res.Status.Rate, res.Status.Stages = Ready, 1, 0, nil
	row, err := s.e.catalog.Finish(s.id, res)
	if err != nil {
		return err
	}
	s.row, s.result = row, res
	s.mark()
	return nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
