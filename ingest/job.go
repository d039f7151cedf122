package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"synchroscope/catalog"
	"synchroscope/ingest/attribution"
	"synchroscope/ingest/endpoints"
	"synchroscope/ingest/turn"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/sync/match"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// A job reads one host from where its checkpoint says to the end. It belongs to one goroutine.
//
// What it makes of the events must not depend on when it pauses. Three things happen
// at times that a clock chooses: publishing, checkpoints and giving the slot
// away. None of them changes what the later events come to: a checkpoint
// keeps even the endpoints that wait for a thread, instead of settling them.
type job struct {
	h    *Host
	ctx  context.Context
	slot *turn.Job
	sync *synchronizer

	reader    *ctf.Reader
	kernel    []bool // by trace
	tree      *history.Writer
	model     *kernel.Model
	extractor *match.Extractor
	queue     *attribution.Queue
	log       *endpoints.Writer
	logFile   *os.File

	sum   summary
	times []int64          // of events not yet counted in the density
	batch []match.Endpoint // not yet sent
	last  int64            // local ns of the newest event

	side      catalog.SideFile
	published time.Time
	saved     time.Time
	savedAt   int64 // bytes read by then
	pause     time.Duration
}

const (
	step           = 1024 // events between two looks at the clock
	publishEvery   = 50 * time.Millisecond
	saveBytes      = 64 << 20
	anomaliesLimit = 1000 // kinds and places kept per host
)

// work runs a host's job. It returns an error only if the work was stopped; a host that cannot be
// read fails alone.
func (h *Host) work(ctx context.Context, sync *synchronizer) error {
	side, err := h.set.e.catalog.Checkpoint(h.set.id, h.index)
	if err == nil && side.Flags&(catalog.Done|catalog.Broken) != 0 {
		if err = h.replayDone(ctx, sync, side); err == nil || stopped(err) {
			return err
		}
		h.set.log.Warn("a host that was done is read again", "host", h.row.Name, "error", err)
	}
	j := &job{h: h, ctx: ctx, slot: h.set.e.slots.Job(h.set), sync: sync}
	if err := j.slot.Acquire(ctx); err != nil {
		return err
	}
	defer j.slot.Release()
	defer j.closeFiles()
	h.become(importing)
	h.set.mark()
	err = j.protected()
	if err == nil || stopped(err) {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	h.set.log.Error("a host failed", "host", h.row.Name, "error", err)
	return j.giveUp(err)
}

// protected turns a panic into an error: a host fails, not the server.
func (j *job) protected() (err error) {
	defer func() {
		if p := recover(); p != nil {
			j.h.set.log.Error("panic in a job", "host", j.h.row.Name, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("the program failed on this trace: %v", p)
		}
	}()
	if err := j.begin(); err != nil {
		return err
	}
	if err := j.readEvents(); err != nil {
		return err
	}
	return j.end()
}

// replayDone feeds the endpoints of a host that is read to its end.
func (h *Host) replayDone(ctx context.Context, sync *synchronizer, side catalog.SideFile) error {
	c, err := readCheckpoint(h.dir, side)
	if err != nil {
		return err
	}
	if err := h.replay(ctx, c.summary, nil); err != nil { // checks the file, so that nothing is fed of a damaged one
		return err
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
	return sync.send(ctx, packet{host: h.index, begin: c.summary.Begin, end: c.summary.End - 1, spanned: c.summary.Events > 0, done: true})
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
	return endpoints.Read(f, sum.Endpoints, h.index, yield)
}

// begin opens the traces and goes on from the checkpoint, if there is one that can be used.
func (j *job) begin() error {
	if err := j.openReader(); err != nil {
		return err
	}
	var err error
	if j.side, err = j.h.set.e.catalog.Checkpoint(j.h.set.id, j.h.index); err == nil {
		if err = j.resume(); err == nil || stopped(err) {
			return err
		}
		j.h.set.log.Warn("a checkpoint cannot be used: the host is read from its beginning", "host", j.h.row.Name, "error", err)
		j.closeFiles()
		if err := j.openReader(); err != nil {
			return err
		}
	}
	return j.fresh()
}

func (j *job) openReader() error {
	traces, err := j.h.open()
	if err != nil {
		return err
	}
	if j.reader, err = ctf.NewReader(traces, ctf.Options{}); err != nil {
		return err
	}
	j.h.read.Store(j.reader)
	j.kernel, _ = j.h.kernel()
	j.extractor = match.NewExtractor(j.h.index)
	return nil
}

// fresh empties the host's folder and begins with the first event.
func (j *job) fresh() error {
	h := j.h
	if err := h.set.e.catalog.DropCheckpoint(h.set.id, h.index); err != nil {
		return err
	}
	h.close()
	h.history.Store(nil)
	h.model.Store(nil)
	if err := os.RemoveAll(h.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		return err
	}
	if err := syncFolder(filepath.Dir(h.dir)); err != nil {
		return err
	}
	j.side, j.sum = catalog.SideFile{}, summary{}
	j.tree, j.model = nil, nil
	if err := h.density.UnmarshalBinary(noDensity); err != nil {
		return err
	}
	var err error
	if j.logFile, err = os.OpenFile(h.path(endpointsFile), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	if j.log, err = endpoints.Create(j.logFile); err != nil {
		return err
	}
	return nil
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
	j.sum.Begin, j.last = first, first
	j.attach()
	return nil
}

// attach makes model and queue over the history.
func (j *job) attach() {
	var threads attribution.Threads
	if _, any := j.h.kernel(); any {
		j.model = kernel.New(j.tree)
		threads = j.model
		j.h.model.Store(j.model)
	}
	j.queue = attribution.New(threads, j.endpoint)
	j.h.history.Store(j.tree.History())
}

// resume goes on from j.side.
func (j *job) resume() error {
	h := j.h
	c, err := readCheckpoint(h.dir, j.side)
	if err != nil {
		return err
	}
	if err := h.replay(j.ctx, c.summary, nil); err != nil {
		return err
	}
	f, err := os.OpenFile(h.path(historyFile), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	h.keep(f)
	if j.tree, err = history.ResumeCached(f, c.history, h.set.e.o.History.Cache); err != nil {
		return err
	}
	j.attach()
	if j.model != nil {
		if err := j.model.Restore(c.model); err != nil {
			return err
		}
	}
	if err := j.queue.Restore(c.attribution, h.index); err != nil {
		return err
	}
	if err := h.density.UnmarshalBinary(c.density); err != nil {
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

// readEvents is the loop over all events.
func (j *job) readEvents() error {
	j.saved = time.Now()
	for n := 1; ; n++ {
		ev, err := j.reader.Next()
		if err != nil && err != io.EOF {
			return err
		}
		if losses := j.reader.Losses(); len(losses) > 0 {
			if err := j.lose(losses); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err := j.handle(ev); err != nil {
			return err
		}
		if n%step == 0 {
			if err := j.breathe(); err != nil {
				return err
			}
		}
	}
}

func (j *job) handle(ev *trace.Event) error {
	if j.tree == nil {
		if err := j.start(ev.Time); err != nil {
			return err
		}
	}
	j.sum.Events++
	j.last = ev.Time
	j.times = append(j.times, ev.Time)
	if j.model != nil && j.kernel[ev.Trace] {
		if err := j.model.Handle(ev); err != nil {
			return err
		}
	}
	if e, ok := j.extractor.Extract(ev); ok {
		return j.queue.Add(e)
	}
	if j.model != nil && j.kernel[ev.Trace] {
		return j.queue.Event(ev.CPU)
	}
	return nil
}

// endpoint takes what leaves the attribution.
func (j *job) endpoint(e *match.Endpoint) error {
	if err := j.log.Add(e); err != nil {
		return err
	}
	j.batch = append(j.batch, *e)
	if len(j.batch) < packetEndpoints {
		return nil
	}
	return j.flush(false)
}

// flush sends what is known to the synchronizer.
func (j *job) flush(done bool) error {
	p := packet{host: j.h.index, endpoints: j.batch, begin: j.sum.Begin, end: j.last, spanned: j.sum.Events > 0, done: done}
	j.batch = nil
	return j.sync.send(j.ctx, p)
}

// lose tells model and counts of events that are missing.
func (j *job) lose(losses []ctf.Loss) error {
	for _, l := range losses {
		j.sum.Lost += l.Count
		// Packets of an unknown number of events are drawn as one.
		j.h.density.AddLost(l.Begin, l.End, max(l.Count, 1))
		if j.model == nil || int(l.Trace) >= len(j.kernel) || !j.kernel[l.Trace] {
			continue
		}
		// First up to the newest event, wherever the history was published last.
		if err := j.model.Advance(j.last); err != nil {
			return err
		}
		if err := j.model.Lost(l.CPU, l.Begin, l.End); err != nil {
			return err
		}
	}
	return nil
}

// breathe does what is due by the clock.
func (j *job) breathe() error {
	j.h.density.Add(j.times)
	j.times = j.times[:0]
	now := time.Now()
	if now.Sub(j.published) >= publishEvery {
		if err := j.publish(); err != nil {
			return err
		}
		j.published = now
	}
	if now.Sub(j.saved) >= max(j.h.set.e.o.saveEvery, j.pause) || j.reader.Bytes()-j.savedAt >= saveBytes {
		if err := j.save(); err != nil {
			return err
		}
	}
	if err := j.slot.Offer(j.ctx); err != nil {
		if stopped(err) {
			return errors.Join(err, j.save())
		}
		return err
	}
	return nil
}

// publish shows everything before the newest event.
func (j *job) publish() error {
	if j.model != nil {
		if err := j.model.Advance(j.last); err != nil {
			return err
		}
	}
	j.tree.Publish(j.last)
	j.sum.End = j.last
	j.show()
	return j.flush(false)
}

func (j *job) show() {
	j.sum.Bytes = j.reader.Bytes()
	j.sum.Anomalies = j.reader.Anomalies()
	if len(j.sum.Anomalies) > anomaliesLimit {
		j.sum.Anomalies = j.sum.Anomalies[:anomaliesLimit]
	}
	j.h.mu.Lock()
	j.h.summary = j.sum
	j.h.mu.Unlock()
	j.h.set.mark()
}

// save makes a checkpoint.
func (j *job) save() error {
	begin := time.Now()
	c := checkpoint{position: j.reader.Position(), attribution: j.queue.AppendState(nil)}
	var err error
	if c.history, err = j.tree.Checkpoint(); err != nil {
		return err
	}
	if err := j.describe(&c); err != nil {
		return err
	}
	if j.side, err = j.h.writeCheckpoint(&c, j.side, 0); err != nil {
		return err
	}
	j.saved, j.savedAt = time.Now(), j.reader.Bytes()
	// Where checkpoints take long, a twentieth of the time is for them, within reason.
	j.pause = min(20*j.saved.Sub(begin), 10*j.h.set.e.o.saveEvery)
	return nil
}

// describe fills in what a checkpoint has at any time: numbers, threads, density.
func (j *job) describe(c *checkpoint) (err error) {
	if j.sum.Endpoints, err = j.log.Sync(); err != nil {
		return err
	}
	j.h.density.Add(j.times)
	j.times = j.times[:0]
	if j.model != nil {
		c.model = j.model.AppendState(nil)
	}
	if c.density, err = j.h.density.AppendBinary(nil); err != nil {
		return err
	}
	c.summary = j.sum
	c.summary.End = max(j.last, j.sum.End)
	return nil
}

// end finishes history and endpoints after the last event.
func (j *job) end() error {
	if j.tree != nil {
		if err := j.queue.Close(); err != nil {
			return err
		}
		end := j.last + 1
		if j.model != nil {
			if err := j.model.Advance(end); err != nil {
				return err
			}
		}
		if err := j.tree.Finish(end); err != nil {
			return err
		}
		j.sum.End = end
	}
	j.show()
	var c checkpoint
	if err := j.describe(&c); err != nil {
		return err
	}
	if _, err := j.h.writeCheckpoint(&c, j.side, catalog.Done); err != nil {
		return err
	}
	if err := j.retire(&c); err != nil {
		return err
	}
	j.h.become(done)
	return j.flush(true)
}

// retire lets the host answer without its model, which is large.
func (j *job) retire(c *checkpoint) error {
	if j.model == nil {
		return nil
	}
	threads, version, err := kernel.Rows(c.model)
	if err != nil {
		return err
	}
	j.h.rows.Store(&rows{threads, version})
	j.h.model.Store(nil)
	return nil
}

// giveUp keeps what was read of a host that failed, as far as that can be.
func (j *job) giveUp(cause error) error {
	h := j.h
	j.sum.Error = h.set.relative(cause.Error())
	j.sum.Anomalies = append(j.sum.Anomalies, trace.Anomaly{Kind: "host-failed", Message: j.sum.Error, Count: 1})
	c, err := j.remains()
	if err != nil {
		h.set.log.Warn("nothing that was read of a failed host is kept", "host", h.row.Name, "error", err)
		j.sum = summary{Error: j.sum.Error, Anomalies: j.sum.Anomalies}
		c = &checkpoint{summary: j.sum, density: noDensity}
		h.history.Store(nil)
		h.model.Store(nil)
		err = errors.Join(h.density.UnmarshalBinary(noDensity), os.MkdirAll(h.dir, 0o700))
	}
	if err == nil {
		_, err = h.writeCheckpoint(c, j.side, catalog.Broken)
	}
	if err != nil {
		h.set.log.Error("the failure of a host is not stored", "host", h.row.Name, "error", err)
	}
	h.mu.Lock()
	h.summary = j.sum
	h.mu.Unlock()
	h.become(broken)
	h.set.mark()
	return j.flush(true)
}

// noDensity is that of a host without events.
var noDensity = []byte{0, 0, 0}

// remains finishes the history of a host that failed where it stands.
func (j *job) remains() (*checkpoint, error) {
	if j.tree == nil || j.log == nil {
		return nil, errors.New("it failed before its first event")
	}
	if err := j.tree.Finish(j.last + 1); err != nil {
		return nil, err
	}
	j.sum.End = j.last + 1
	c := new(checkpoint)
	return c, j.describe(c)
}

// closeFiles closes what only the job uses.
func (j *job) closeFiles() {
	if j.reader != nil {
		j.reader.Close()
	}
	if j.logFile != nil {
		j.logFile.Close()
	}
	j.reader, j.logFile, j.log = nil, nil, nil
}
