package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"synchroscope/catalog"
	"synchroscope/trace"
	"synchroscope/trace/archive"
	"synchroscope/trace/ctf"
)

// A meter counts bytes of archives that were read.
type meter struct{ read, total atomic.Int64 }

// extract brings the traces of all archives below traces/. It begins from nothing: what
// an interrupted run left is removed first.
func (s *Set) extract() error {
	if err := os.RemoveAll(s.path("traces")); err != nil {
		return err
	}
	if err := os.MkdirAll(s.path("traces"), 0o700); err != nil {
		return err
	}
	s.mu.Lock()
	files := append([]catalog.File(nil), s.row.Files...)
	s.mu.Unlock()
	s.extraction.read.Store(0)
	s.extraction.total.Store(0)
	var archives []catalog.File
	for _, f := range files {
		if info, err := os.Stat(s.source(f)); err != nil {
			return faultf(Invalid, "%s cannot be read: %v", f.Name, errors.Unwrap(err))
		} else if !info.IsDir() {
			s.extraction.total.Add(info.Size())
			archives = append(archives, f)
		}
	}
	if len(archives) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for _, f := range archives {
		wg.Go(func() {
			if err := s.extractOne(ctx, f); err != nil {
				cancel(err) // the first fault is the one to tell
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return syncTree(s.path("traces"))
}

// source is where an archive or a folder of traces lies.
func (s *Set) source(f catalog.File) string {
	if f.Path != "" {
		return f.Path
	}
	return s.uploaded(f.Name)
}

func (s *Set) extractOne(ctx context.Context, f catalog.File) error {
	slot := s.e.slots.Job(s)
	if err := slot.Acquire(ctx); err != nil {
		return err
	}
	defer slot.Release()
	s.setStage("extracting %s", f.Name)
	r, err := os.Open(s.source(f))
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	part := s.extracted(f) + partial
	if err := os.Mkdir(part, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(part)
	if err != nil {
		return err
	}
	defer root.Close()
	limits := s.e.o.Archive
	if free, ok := freeBytes(s.dir); ok {
		if free = max(free-reserve, 1); limits.TotalBytes == 0 || limits.TotalBytes > free {
			limits.TotalBytes = min(free, 64<<30)
		}
	}
	var before int64
	progress := func(read int64) {
		s.extraction.read.Add(read - before)
		before = read
		s.mark()
		_ = slot.Offer(ctx) // that ctx is done Extract sees for itself
	}
	if err := archive.Extract(ctx, root, f.Name, r, info.Size(), limits, progress); err != nil {
		return err
	}
	return os.Rename(part, s.extracted(f))
}

// discover looks for traces, groups them into hosts and stores these.
func (s *Set) discover() error {
	s.setStage("looking for traces")
	s.mu.Lock()
	files := append([]catalog.File(nil), s.row.Files...)
	s.mu.Unlock()
	var traces []*ctf.Trace
	var unreadable []HostAnomaly
	var first error
	var empty, names []string
	for _, f := range files {
		names = append(names, f.Name)
		root := s.source(f)
		if info, err := os.Stat(s.extracted(f)); err == nil && info.IsDir() {
			root = s.extracted(f)
		}
		dirs, err := ctf.Discover(root)
		if err != nil {
			return err
		}
		if len(dirs) == 0 {
			empty = append(empty, f.Name)
		}
		for _, dir := range dirs {
			t, err := ctf.Open(dir)
			if err != nil {
				if first == nil {
					first = err
				}
				place, _ := filepath.Rel(root, dir)
				unreadable = append(unreadable, HostAnomaly{Anomaly: trace.Anomaly{
					Kind: "unreadable-trace", Stream: filepath.Join(f.Name, place), Message: s.relative(err.Error()), Count: 1,
				}})
				continue
			}
			traces = append(traces, t)
		}
	}
	switch {
	case len(traces) == 0 && first == nil:
		return faultf(Invalid, "no trace found in %s: a trace is a folder that holds a file called metadata", strings.Join(names, ", "))
	case len(traces) == 0 && len(unreadable) == 1:
		return faultf(Invalid, "%s", s.relative(first.Error()))
	case len(traces) == 0:
		return faultf(Invalid, "none of %s can be read; the first: %s", count(len(unreadable), "trace"), s.relative(first.Error()))
	}
	for _, name := range empty {
		unreadable = append(unreadable, HostAnomaly{Anomaly: trace.Anomaly{
			Kind: "no-trace", Stream: name, Message: "no folder in it holds a file called metadata", Count: 1,
		}})
	}
	return s.found(traces, unreadable)
}

// found stores the hosts of a set.
func (s *Set) found(traces []*ctf.Trace, unreadable []HostAnomaly) error {
	var rows []catalog.Host
	for _, g := range ctf.Group(traces) {
		row := catalog.Host{Name: g.Name, ID: g.ID}
		for _, t := range g.Traces {
			path := t.Dir()
			if in, err := filepath.Rel(s.dir, path); err == nil && filepath.IsLocal(in) {
				path = in
			}
			info := t.Info()
			row.Traces = append(row.Traces, catalog.Trace{Path: path, Kind: info.Kind, Bytes: info.Bytes, Missing: missing(info)})
		}
		rows = append(rows, row)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	row, err := s.e.catalog.Found(s.id, rows, result{Unreadable: unreadable})
	if err != nil {
		return err
	}
	s.row = row
	s.anomalies = unreadable
	s.setHosts(rows)
	s.mark()
	return nil
}
