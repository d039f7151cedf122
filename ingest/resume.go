package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"synchroscope/catalog"
	"synchroscope/ingest/attribution"
	"synchroscope/ingest/blockfile"
	"synchroscope/ingest/endpoints"
	"synchroscope/internal/durable"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/sync/clock"
	"synchroscope/sync/match"
	"synchroscope/trace/ctf"
)

// replayDone feeds the endpoints of a host that is read to its end.
func (h *Host) replayDone(ctx context.Context, sync *synchronizer, side catalog.SideFile) error {
	c, err := readCheckpoint(h.dir, side)
	if err != nil {
		return err
	}
	defer c.close()
	if err := h.replay(ctx, c.summary, nil); err != nil { // checks the file, so that nothing is fed of a damaged one
		return err
	}
	if h.set.Again() {
		if err := errors.Join(h.unusable(), h.harmBefore()); err != nil {
			return err
		}
		if h.earlier.Load() {
			return errors.Join(errEarlierModel, h.set.e.catalog.DropCheckpoint(h.set.id, h.index))
		}
	}
	h.mu.Lock()
	err = h.take(c)
	h.mu.Unlock()
	if err != nil {
		return err
	}
	if err := h.replay(ctx, c.summary, sync); err != nil {
		return err
	}
	h.become(done)
	if side.Flags&catalog.Broken != 0 {
		h.become(broken)
	}
	return sync.send(ctx, packet{host: h.index, begin: c.summary.Begin, end: c.summary.End - 1, tick: c.summary.Tick, rising: h.rising(&c.summary), spanned: c.summary.Events > 0, done: true})
}

// replay feeds the endpoints that a checkpoint covers to the synchronizer, or
// checks that they can be read if that is nil.
func (h *Host) replay(ctx context.Context, sum summary, sync *synchronizer) error {
	return h.eachEndpoint(sum, func(list []match.Endpoint) error {
		if sync == nil {
			return context.Cause(ctx)
		}
		return sync.send(ctx, packet{host: h.index, endpoints: append([]match.Endpoint(nil), list...)})
	})
}

// eachEndpoint yields the endpoints that a checkpoint covers, in batches.
func (h *Host) eachEndpoint(sum summary, yield func([]match.Endpoint) error) error {
	if sum.Endpoints == 0 {
		return nil // it failed before there was a file
	}
	f, err := os.Open(h.path(endpointsFile))
	if err != nil {
		return err
	}
	defer f.Close()
	err = endpoints.Read(f, sum.Endpoints, h.index, yield)
	if errors.Is(err, blockfile.ErrDamaged) {
		return &FileError{f.Name(), err}
	}
	return err
}

// recall shows how far an earlier process had read an import that goes on, before its jobs have their turns.
func (s *Set) recall() {
	s.mu.Lock()
	hosts, state := s.hosts, s.row.State
	s.mu.Unlock()
	for _, h := range hosts {
		if state == catalog.Reading {
			h.recall()
		}
	}
}

func (h *Host) recall() {
	side, err := h.set.e.catalog.Checkpoint(h.set.id, h.index)
	if err != nil {
		return
	}
	if c, err := readCheckpoint(h.dir, side); err == nil {
		c.close()
		h.mu.Lock()
		h.summary = c.summary
		h.mu.Unlock()
	}
}

// begin opens the traces and goes on from the checkpoint, if there is one that can be used.
func (j *job) begin() error {
	if err := j.reopen(); err != nil {
		return err
	}
	var err error
	if j.side, err = j.h.set.e.catalog.Checkpoint(j.h.set.id, j.h.index); err == nil {
		if err = j.resume(); err == nil || stopped(err) {
			return err
		}
		j.h.set.log.Warn("a checkpoint cannot be used: the host is read from its beginning", "host", j.h.row.Name, "error", err)
		j.closeFiles()
		if err := j.reopen(); err != nil {
			return err
		}
	}
	return j.fresh()
}

func (j *job) reopen() error {
	traces, err := j.h.open()
	if err != nil {
		return err
	}
	return j.openReader(traces)
}

func (j *job) openReader(traces []*ctf.Trace) (err error) {
	if j.reader, err = ctf.NewReader(traces, ctf.Options{Places: true, Within: farthest, Among: len(j.h.set.Hosts())}); err != nil {
		return err
	}
	j.traces, j.origins = traces, originsOf(traces)
	declared, err := j.h.set.declarations()
	if err != nil {
		return err
	}
	j.extractor = match.NewExtractor(j.h.index)
	j.extractor.Declare(declared, j.h.row.Name)
	j.sources = sources(traces, declared != nil)
	return nil
}

// sources tells of which traces events can be ends of messages: the kernel's, and all where ends are declared or there is no kernel's.
func sources(traces []*ctf.Trace, declared bool) []bool {
	is := make([]bool, len(traces))
	kernel := false
	for i, t := range traces {
		is[i] = t.Info().Kind == "kernel"
		kernel = kernel || is[i]
	}
	for i := range is {
		is[i] = is[i] || declared || !kernel
	}
	return is
}

// fresh empties the host's folder and begins with the first event.
func (j *job) fresh() error {
	h := j.h
	if err := h.set.e.catalog.DropCheckpoint(h.set.id, h.index); err != nil {
		return err
	}
	if err := j.empty(); err != nil {
		return err
	}
	return durable.SyncFolder(filepath.Dir(h.dir))
}

// empty makes the host one of which nothing is read.
func (j *job) empty() error {
	h := j.h
	h.close()
	h.history.Store(nil)
	h.models.Store(nil)
	h.losses.Store(nil)
	h.unharmed()
	if err := os.RemoveAll(h.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		return err
	}
	j.side, j.sum = catalog.SideFile{}, summary{}
	j.tree, j.models, j.ticks = nil, nil, clock.Ticks{}
	h.mu.Lock()
	h.summary = j.sum
	h.mu.Unlock()
	if err := errors.Join(h.density.UnmarshalBinary(noDensity), h.gaps.UnmarshalBinary(noGaps)); err != nil {
		return err
	}
	var err error
	if j.logFile, err = os.OpenFile(h.path(endpointsFile), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	if j.log, err = endpoints.Create(j.logFile); err != nil {
		return err
	}
	return h.createLosses()
}

// start makes history and model: their time begins with the first event.
func (j *job) start(first int64) error {
	f, err := os.OpenFile(j.h.path(historyFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	j.h.keep(f)
	if j.tree, err = history.Create(f, first, j.h.set.e.o.History); err != nil {
		return err
	}
	j.h.earlier.Store(false)
	j.sum.Begin, j.last = first, first
	if err := j.attach(); err != nil {
		return err
	}
	return j.foresee()
}

// foresee tells the kernel model of the first events ahead, so that a CPU of which there is no stream is known from the beginning. What is wrong with
// the files is told where they are read.
func (j *job) foresee() error {
	if j.models.kernel == nil || j.origins.cpus == nil {
		return nil
	}
	r, err := ctf.NewReader(j.traces, ctf.Options{Window: foreseenWindow, Ahead: -1, Within: farthest})
	if err != nil {
		return err
	}
	defer r.Close()
	ahead := j.models.kernel.Foresee()
	for range kernel.Foreseen {
		ev, err := r.Next()
		if err != nil {
			return nil
		}
		if !j.models.is[ev.Trace] {
			continue
		}
		if err := ahead.Take(ev); err != nil {
			return err
		}
	}
	return nil
}

// foreseenWindow is how many bytes of a stream are held for that: as few events of each are read, few.
const foreseenWindow = 8 << 10

// attach makes models and queue over the history.
func (j *job) attach() error {
	declared, err := j.h.set.declaredStates()
	if err != nil {
		return err
	}
	symbols, err := j.h.set.symbols()
	if err != nil {
		return err
	}
	j.models = newModels(j.tree, j.h, declared, j.origins)
	j.models.declared.Symbols = symbols
	var threads attribution.Threads
	if j.models.kernel != nil {
		threads = j.models
	}
	j.h.models.Store(j.models)
	j.queue = attribution.New(threads, j.endpoint)
	j.h.history.Store(j.tree.History())
	return nil
}

// resume goes on from j.side.
func (j *job) resume() error {
	h := j.h
	c, err := readCheckpoint(h.dir, j.side)
	if err != nil {
		return err
	}
	defer c.close()
	if err := h.replay(j.ctx, c.summary, nil); err != nil {
		return err
	}
	f, err := os.OpenFile(h.path(historyFile), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	h.keep(f)
	if j.tree, err = history.ResumeCached(f, c.history.open(), h.set.e.o.History.Cache); err != nil {
		return err
	}
	if err := j.attach(); err != nil {
		return err
	}
	if err := j.models.restore(c); err != nil {
		return err
	}
	if err := j.queue.Restore(c.attribution, h.index); err != nil {
		return err
	}
	if err := j.extractor.Restore(c.extractor); err != nil {
		return err
	}
	if err := j.ticks.Restore(c.ticks); err != nil {
		return err
	}
	if err := errors.Join(h.density.UnmarshalBinary(c.density), h.gaps.UnmarshalBinary(c.gaps)); err != nil {
		return err
	}
	if err := j.reader.Seek(c.position); err != nil {
		return err
	}
	if j.logFile, err = os.OpenFile(h.path(endpointsFile), os.O_RDWR, 0); err != nil {
		return err
	}
	if j.log, err = endpoints.Resume(j.logFile, c.summary.Endpoints); err != nil {
		return err
	}
	if err := h.resumeLosses(c.summary.Losses); err != nil {
		return err
	}
	j.sum, j.last = c.summary, c.summary.End
	j.savedAt = j.reader.Bytes()
	h.set.log.Info("a host goes on from its checkpoint", "host", h.row.Name, "events", j.sum.Events)
	j.show()
	return h.replay(j.ctx, c.summary, j.sync)
}

// keep remembers a file that queries read, to be closed with the host.
func (h *Host) keep(f *os.File) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.files = append(h.files, f)
}
