package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"time"

	"synchroscope/catalog"
	"synchroscope/ingest/attribution"
	"synchroscope/ingest/endpoints"
	"synchroscope/ingest/losses"
	"synchroscope/ingest/turn"
	"synchroscope/state/history"
	"synchroscope/sync/clock"
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

	traces    []*ctf.Trace
	reader    *ctf.Reader
	tree      *history.Writer
	models    *models
	origins   origins
	extractor *match.Extractor
	sources   []bool // by number of a trace: its events can be ends of messages
	ticks     clock.Ticks
	queue     *attribution.Queue
	log       *endpoints.Writer
	logFile   *os.File

	sum   summary
	times []int64          // of events not yet counted in the density
	batch []match.Endpoint // not yet sent
	last  int64            // local ns of the newest event

	doubts []trace.Anomaly // of the end of the history

	most int64 // events to be read, 0 for all; less than all are a preview, of which nothing is kept

	side      catalog.SideFile
	published time.Time     // or later by as long as others had the slot
	waited    time.Duration // when they last had
	shown     int64         // events by then
	saved     time.Time
	savedAt   int64 // bytes read by then
	pause     time.Duration
}

const (
	step           = 1024 // events between two looks at the clock
	publishEvery   = 50 * time.Millisecond
	publishAtLeast = 500 * time.Millisecond
	eventsPerCopy  = 8 // what to copy a page of a history takes is little beside so many events
	saveBytes      = 64 << 20
	farthest       = 1<<62 - 1<<58 // ns from 1970 that an event may be; views show nine years more, for what is around them
	anomaliesLimit = 1000          // kinds and places kept per host
)

// work runs a host's job. It returns an error only if the work was stopped, or the disk is full; a host that cannot be
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
	if roomless(err) {
		return err // which is no fault of the host: it is gone on with when there is room
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
	if err := j.whyNothing(); err != nil {
		return err
	}
	return j.end()
}

// whyNothing says why no event could be read of traces that hold some, as where the metadata is cut between two of its blocks
// and so is valid; nil where one was read, or nothing was in the way.
func (j *job) whyNothing() error {
	if j.sum.Events > 0 {
		return nil
	}
	for _, a := range j.reader.Anomalies() {
		if hiding[a.Kind] {
			return fmt.Errorf("no event can be read; the first cause, in %s at byte %d: %s", a.Stream, a.Offset, a.Message)
		}
	}
	return nil
}

// hiding are the kinds of anomalies that keep events from being read.
var hiding = map[string]bool{
	"unknown-event": true, "unknown-stream": true, "bad-event": true, "large-event": true, "empty-event": true,
	"bad-packet": true, "bad-magic": true, "wrong-trace": true, "truncated": true, "far-time": true,
}

// readEvents is the loop over all events.
func (j *job) readEvents() error {
	j.saved = time.Now()
	for n := 1; ; n++ {
		ev, err := j.reader.Next()
		if err != nil && err != io.EOF {
			return err
		}
		if err == nil && j.tree == nil {
			if err := j.start(ev.Time); err != nil {
				return err
			}
		}
		if losses := j.reader.Losses(); len(losses) > 0 {
			if err := j.lose(losses); err != nil {
				return err
			}
		}
		for _, l := range j.reader.Placed() {
			if j.unpacking(l) {
				continue
			}
			if err := j.note(l); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err := j.handle(ev); err != nil {
			return err
		}
		if j.most > 0 && j.sum.Events >= j.most {
			return nil
		}
		if n%step == 0 {
			if err := j.breathe(); err != nil {
				return err
			}
		}
	}
}

func (j *job) handle(ev *trace.Event) error {
	j.sum.Events++
	j.last = ev.Time
	j.times = append(j.times, ev.Time)
	j.ticks.Add(ev.Recorded)
	if ev.Recorded < ev.Time {
		j.sum.Twice = passed(j.sum.Twice, ev.Recorded, ev.Time)
	}
	if j.reader.Doubled(ev) {
		return j.handleDoubled(ev)
	}
	kernel, err := j.models.handle(ev)
	if err != nil {
		return err
	}
	e, ok := j.extractor.Extract(ev)
	switch {
	case ok && kernel:
		return j.queue.Add(e)
	case ok:
		e.Thread = j.models.recorder(ev)
		return j.queue.AddOwn(e)
	case kernel:
		return j.queue.Event(ev.CPU)
	}
	return nil
}

// handleDoubled takes an event that another recording of the kernel has as well: no state follows from it, and no end of a message. Which addresses the host has
// each recording says as it begins, so the other need not have that.
func (j *job) handleDoubled(ev *trace.Event) error {
	if err := j.models.advance(ev.Time); err != nil || j.extractor.Wants(ev.Class) {
		return err
	}
	if e, ok := j.extractor.Extract(ev); ok {
		return j.queue.Add(e)
	}
	return nil
}

// endpoint takes what leaves the attribution.
func (j *job) endpoint(e *match.Endpoint) error {
	if err := j.log.Add(e); err != nil {
		return err
	}
	if j.batch == nil {
		j.batch = j.sync.place()
	}
	j.batch = append(j.batch, *e)
	if len(j.batch) < packetEndpoints {
		return nil
	}
	// This may be in the middle of an event: one that is asked to stop does so after it, and from the file
	// nothing is missing.
	if err := j.flush(false); !stopped(err) {
		return err
	}
	return nil
}

// flush sends what is known to the synchronizer.
func (j *job) flush(done bool) error {
	p := packet{host: j.h.index, endpoints: j.batch, begin: j.sum.Begin, end: j.last, tick: j.ticks.Tick(), rising: j.h.rising(&j.sum), spanned: j.sum.Events > 0, done: done}
	j.batch = nil
	return j.sync.send(j.ctx, p)
}

// lose tells models and counts of events that are missing. Before the first event there is no history that they would be missing in.
func (j *job) lose(found []ctf.Loss) error {
	for _, l := range found {
		if 0 <= l.Trace && int(l.Trace) < len(j.sources) && j.sources[l.Trace] {
			j.h.gaps.Add(l.Begin, l.End)
		}
		if (l.Count > 0 || l.Packets > 0) && !j.unpacking(l) { // else nobody knows whether there was anything
			j.sum.Lost += l.Count
			j.sum.Packets += min(l.Packets, mostPackets-j.sum.Packets)
			j.sum.LostOn = lostOn(j.sum.LostOn, l)
			if j.h.losses.Load() == nil && l.Begin != math.MinInt64 { // else it is known exactly, or from no time on; packets of an unknown number of events count as one
				end := l.End
				if end == losses.Endless {
					end = max(l.Begin, j.last)
				}
				j.h.density.AddLost(l.Begin, end, max(l.Count, 1))
			}
		}
		if j.models == nil {
			continue
		}
		// First up to the newest event, wherever the history was published last.
		if err := j.models.advance(j.last); err != nil {
			return err
		}
		if err := j.models.lost(l); err != nil {
			return err
		}
	}
	return nil
}

// unpacking reports whether a loss is the end of a stream in a first look: that is as far as it is unpacked.
func (j *job) unpacking(l ctf.Loss) bool {
	return j.most > 0 && l.Packets > 0 && l.End == math.MaxInt64
}

// breathe does what is due by the clock. One that is asked to stop, wherever that reaches it, makes a checkpoint first.
func (j *job) breathe() error {
	err := j.due()
	if errors.Is(err, errStopped) {
		return errors.Join(err, j.save())
	}
	return err
}

func (j *job) due() error {
	j.h.density.Add(j.times)
	j.times = j.times[:0]
	now := time.Now()
	if timeToShow(j.unshown(now), j.sum.Events-j.shown, j.tree.Copied()) {
		if err := j.publish(); err != nil {
			return err
		}
		j.published, j.shown = now, j.sum.Events
	}
	if now.Sub(j.saved) >= max(j.h.set.e.o.saveEvery, j.pause) || j.reader.Bytes()-j.savedAt >= saveBytes {
		if err := j.save(); err != nil {
			return err
		}
	}
	return j.offer()
}

// offer lets other jobs have the slot.
func (j *job) offer() error {
	if !j.slot.Due() {
		return j.slot.Offer(j.ctx)
	}
	begin := time.Now()
	err := j.slot.Offer(j.ctx)
	j.waited = time.Since(begin)
	j.published = j.published.Add(j.waited)
	return err
}

// unshown is how long readers will have been shown nothing new, time in which others had the slot aside. One that is about to give it away counts
// how long it will be without: meanwhile it can show nothing, and what was replaced since readers were shown something would stay in memory for them.
func (j *job) unshown(now time.Time) time.Duration {
	since := now.Sub(j.published)
	if j.slot.Due() {
		since += j.waited
	}
	return since
}

// timeToShow tells whether to publish, after so long in which so many events were read and so many pages copied because of the last time. Among
// hundreds of thousands of threads nearly every event is of another page, and beside others there are few events in a while.
func timeToShow(since time.Duration, events int64, copied int) bool {
	return since >= publishEvery && events >= eventsPerCopy*int64(copied) || since >= publishAtLeast
}

// publish shows everything before the newest event.
func (j *job) publish() error {
	if err := j.models.advance(j.last); err != nil {
		return err
	}
	j.tree.Publish(j.last)
	j.sum.End = j.last
	j.show()
	return j.flush(false)
}

func (j *job) show() {
	j.sum.Bytes, j.sum.Tick = j.reader.Bytes(), j.ticks.Tick()
	j.sum.Anomalies = j.reader.Anomalies()
	if len(j.sum.Anomalies) > anomaliesLimit {
		j.sum.Anomalies = j.sum.Anomalies[:anomaliesLimit]
	}
	j.sum.Anomalies = append(j.sum.Anomalies, j.doubts...)
	j.h.mu.Lock()
	j.h.summary = j.sum
	j.h.mu.Unlock()
	j.h.set.mark()
}
