package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"synchroscope/catalog"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/trace/ctf"
)

// # A first look
//
// An import reads when all archives are unpacked: only then it is known which traces belong to which host, and that
// nothing of them is missing. Until then there is a first look: now and again, in longer and longer steps, the beginning of
// what is unpacked by then is read into histories of their own, which whoever looks at the set is shown in its place.
//
// A preview never changes once it is shown; the next one takes its place, and in the end the import itself does, when it has
// read as many events. It says of itself that it is one (Status.Preview), nothing in it counts as complete, and
// nothing of it is kept: not in the catalogue, nor on the disk after a restart, nor does the import know of it. So what
// an import comes to does not depend on previews, and one that fails is only logged. Of what is unpacked while it is uploaded
// the first is made ahead of the import (early.go).

const (
	previewWait   = 50 * time.Millisecond  // between two attempts at the first
	previewEvery  = 500 * time.Millisecond // from the first to the second; doubled for each
	previewRarely = 8 * time.Second
	previewTraces = 4           // of the first, which is to be there soon
	previewEvents = 1 << 14     // of a host in the first; doubled for each
	previewMost   = 1 << 20     // of all hosts, unless the one before had more of a host
	previewLinger = time.Second // that one stays readable after another has taken its place
)

// A Preview is what can be seen of a set while its archives are unpacked.
type Preview struct {
	of     *Set
	part   *Set // hosts, clocks and messages, in a folder of their own; the catalogue does not know of it
	events int64
}

// Look starts the import, as Prepare does, and waits until there is something to look at: a preview, or the set
// itself. A fault that is found before is returned; one that is found later is that of the set.
func (s *Set) Look(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	s.looked = time.Now()
	s.mu.Unlock()
	prepared := make(chan error, 1)
	go func() { prepared <- s.Prepare(ctx) }()
	for {
		changed := s.Changed()
		if s.Preview() != nil {
			return nil
		}
		select {
		case err := <-prepared:
			return err
		case <-changed:
		}
	}
}

// Preview is the newest first look at a set, nil where the set itself is to be looked at: always before its import, and once
// that has read as much (replacePreview), or knows the hosts if nobody asked for it by [Set.Look].
func (s *Set) Preview() *Preview {
	p := s.preview.Load()
	if p == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.row.State == catalog.Uploading || len(s.hosts) > 0 && s.looked.IsZero() {
		return nil
	}
	return p
}

// Over tells that there is more to see elsewhere now: in another preview, or in the set.
func (p *Preview) Over() bool { return p.of.preview.Load() != p }

// ID is that of the set.
func (p *Preview) ID() string { return p.of.ID() }

// Changed is that of the set.
func (p *Preview) Changed() <-chan struct{} { return p.of.Changed() }

// Report is empty: what is odd is told of whole traces only.
func (p *Preview) Report() Report { return Report{Anomalies: []Oddity{}, Missing: []Lack{}} }

// Hosts are those of which something is unpacked.
func (p *Preview) Hosts() []*Host { return p.part.Hosts() }

// Solution relates the clocks of these hosts, as far as that was read. It is never final.
func (p *Preview) Solution() *network.Solution { return p.part.Solution() }

// EachMessage is [Set.EachMessage].
func (p *Preview) EachMessage(ctx context.Context, begin, end int64, clocks *network.Solution, yield func(m *match.Message, sent, received int64) bool) error {
	return p.part.EachMessage(ctx, begin, end, clocks, yield)
}

// LinkMessages is [Set.LinkMessages].
func (p *Preview) LinkMessages(ctx context.Context, a, b int32, yield func(match.Message) bool) error {
	return p.part.LinkMessages(ctx, a, b, yield)
}

// Status is that of the set, with hosts, times and counts of the preview.
func (p *Preview) Status() Status {
	st := p.of.Status()
	st.Preview, st.Stage = true, "first look, "+st.Stage
	st.Begin, st.End, st.Events, st.LostEvents, st.LostPackets, st.Anomalies, st.Hosts = "", "", 0, 0, 0, 0, []HostStatus{}
	p.part.mu.Lock()
	defer p.part.mu.Unlock()
	p.part.hostStatuses(&st)
	st.Anomalies = 0
	return st
}

// close closes what it holds. Its files have no names any more: another may have a folder of the same name.
func (p *Preview) close() { p.part.close(errDiscarded) }

// previews is where they lie.
func (s *Set) previews() string { return s.path("previews") }

// startPreviews makes previews until stop is called, which waits for the last; that stays to be looked at. An early look that
// is under way is waited for, and is the first.
func (s *Set) startPreviews() (stop func()) {
	ctx, cancel := context.WithCancelCause(s.ctx)
	var work sync.WaitGroup
	work.Go(func() {
		s.early.wait(ctx)
		s.makePreviews(ctx)
	})
	return func() {
		cancel(errDiscarded)
		s.early.end()
		work.Wait()
	}
}

func (s *Set) makePreviews(ctx context.Context) {
	wait, most := time.Duration(0), int64(previewEvents)
	if s.preview.Load() != nil {
		wait = previewEvery
	}
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = max(wait, previewWait)
		dirs, growing := s.unpackedTraces()
		first := s.preview.Load() == nil
		switch {
		case len(dirs) == 0:
			continue
		case first:
			dirs = dirs[:min(len(dirs), previewTraces)]
		case !growing: // the import is about to begin
			return
		default:
			most = max(most, min(2*most, previewMost/int64(len(dirs))))
		}
		p, err := s.makePreview(ctx, strconv.Itoa(n), dirs, most)
		switch {
		case ctx.Err() != nil:
			if err == nil {
				p.close()
			}
			return
		case err != nil:
			s.log.Debug("there is no first look yet", "error", err)
			wait = min(2*wait, previewEvery)
		default:
			s.show(p)
			wait = min(max(2*wait, previewEvery), previewRarely)
		}
	}
}

// unpackedTraces are the folders of traces whose metadata is unpacked, and whether more is to come.
func (s *Set) unpackedTraces() (dirs []string, growing bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.row.Files {
		u := s.unpackings[f.Index]
		if u == nil {
			growing = growing || f.Path == "" && !isText(f)
			continue
		}
		root := s.extracted(f)
		if over, err := u.over(); err != nil {
			continue
		} else if !over {
			root += partial
			growing = true
		}
		for _, dir := range u.found() {
			dirs = append(dirs, filepath.Join(root, dir))
		}
	}
	return dirs, growing
}

// makePreview reads the first events of the traces in dirs, at most so many of each host, into a folder of its own.
func (s *Set) makePreview(ctx context.Context, name string, dirs []string, most int64) (p *Preview, err error) {
	var made *Preview
	defer func() { // also of one that panicked
		if err != nil && made != nil {
			made.close()
			if err := os.RemoveAll(made.part.dir); err != nil {
				s.log.Warn("what a preview left is not removed", "error", err)
			}
		}
	}()
	defer func() {
		if r := recover(); r != nil {
			s.log.Error("panic in a first look", "panic", r, "stack", string(debug.Stack()))
			p, err = nil, fmt.Errorf("the program failed on this archive: %v", r)
		}
	}()
	var traces []*ctf.Trace
	for _, dir := range dirs {
		if t, err := ctf.Open(dir); err == nil && t.Info().Bytes > 0 { // the import says what is wrong with others
			traces = append(traces, t)
		}
	}
	if len(traces) == 0 {
		return nil, errors.New("no stream of a trace is unpacked")
	}
	part := s.e.newSet(catalog.Set{ID: s.id, State: catalog.Reading})
	part.dir, part.changed, part.log = filepath.Join(s.previews(), name), s.changed, s.log
	made = &Preview{of: s, part: part}
	var rows []catalog.Host
	groups := ctf.Group(traces)
	for _, g := range groups {
		row := catalog.Host{Name: strings.TrimSuffix(g.Name, partial), ID: s.hostID(g)}
		for _, t := range g.Traces {
			info := t.Info()
			row.Traces = append(row.Traces, catalog.Trace{Path: t.Dir(), Kind: info.Kind, Bytes: info.Bytes, Moved: t.Moved(), Missing: missing(info, g.Traces, true)})
		}
		rows = append(rows, row)
	}
	part.setHosts(rows)
	if err := made.read(ctx, groups, most); err != nil {
		return nil, err
	}
	return made, os.RemoveAll(part.dir) // the files are open, and need no names
}

// read reads the hosts side by side.
func (p *Preview) read(ctx context.Context, groups []ctf.HostTraces, most int64) error {
	if err := os.MkdirAll(p.part.dir, 0o700); err != nil {
		return err
	}
	store, err := p.part.createMessages()
	if err != nil {
		return err
	}
	hosts := p.part.Hosts()
	y := newSynchronizer(p.part, hosts, store)
	go y.run()
	var work sync.WaitGroup
	errs := make([]error, len(hosts))
	for i, h := range hosts {
		work.Go(func() { errs[i] = h.glance(ctx, y, groups[i].Traces, most) })
	}
	work.Wait()
	if err := y.end(); err != nil {
		return err
	}
	for _, h := range hosts {
		p.events += h.figures().Events
	}
	if p.events == 0 {
		return errors.Join(append(errs, errors.New("no event can be read yet"))...)
	}
	return nil
}

// glance reads the first events of a host of which more may be to come. That its streams end anywhere is no fault.
func (h *Host) glance(ctx context.Context, y *synchronizer, traces []*ctf.Trace, most int64) (err error) {
	j := &job{h: h, ctx: ctx, slot: h.set.e.slots.Job(h.set), sync: y, most: most}
	if err := j.slot.Acquire(ctx); err != nil {
		return err
	}
	defer j.slot.Release()
	defer j.closeFiles()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the program failed on this trace: %v", r)
		}
	}()
	h.become(importing)
	if err := j.openReader(traces); err != nil {
		return err
	}
	if err := j.empty(); err != nil {
		return err
	}
	err = j.readEvents()
	if j.tree == nil || ctx.Err() != nil {
		return err
	}
	h.density.Add(j.times)
	j.times = nil
	return j.publish()
}

// show puts a preview, or the set itself where that is nil, in the place of the one before, which goes when
// those who look at it have turned to the new one.
func (s *Set) show(p *Preview) {
	before := s.preview.Swap(p)
	s.mark()
	if before == nil {
		return
	}
	s.mu.Lock()
	lingers := s.enter()
	s.mu.Unlock()
	if !lingers {
		before.close()
		return
	}
	go func() {
		defer s.busy.Done()
		select {
		case <-time.After(previewLinger):
		case <-s.ctx.Done():
		}
		before.close()
	}()
}

// replacePreview shows the set itself once its import has read as much as the preview has and something of each host, so
// that nobody who opens the set in between sees less, or is over. Hosts are read in turns of few milliseconds ([turn]), so of
// twenty the last has begun when half a second is gone.
func (s *Set) replacePreview(r *run) {
	p := s.preview.Load()
	if p == nil {
		return
	}
	s.mu.Lock()
	going := s.enter()
	s.mu.Unlock()
	if !going {
		s.show(nil)
		return
	}
	go func() {
		defer s.busy.Done()
		defer s.show(nil)
		for {
			changed := s.Changed()
			if s.readAsMuch(p) {
				return
			}
			select {
			case <-changed:
			case <-r.finished:
				return
			case <-s.ctx.Done():
				return
			}
		}
	}()
}

func (s *Set) readAsMuch(p *Preview) bool {
	var events int64
	hosts := s.Hosts()
	for _, h := range hosts {
		n := h.figures().Events
		if state := *h.state.Load(); n == 0 && (state == waiting || state == importing) {
			return false
		}
		events += n
	}
	return len(hosts) > 0 && events >= p.events
}
