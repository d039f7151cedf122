package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"synchroscope/catalog"
	"synchroscope/ingest/declarations"
	"synchroscope/trace"
	"synchroscope/trace/archive"
	"synchroscope/trace/ctf"
)

// extract brings the traces of all archives below traces/, as far as they are sound (damage.go). Where there is nothing but
// bad archives the first of them is the one to tell.
func (s *Set) extract() error {
	files := s.files()
	s.mu.Lock()
	s.damages = nil
	s.mu.Unlock()
	var archives []catalog.File
	texts := false
	for _, f := range files {
		info, err := os.Stat(s.source(f))
		if err != nil && s.again() && isFolder(s.extracted(f)) {
			continue // its traces are all there is of it
		}
		if err != nil {
			return faultf(Invalid, "%s cannot be read: %v", f.Name, errors.Unwrap(err))
		}
		if kind, _ := declarations.Named(f.Name); isText(f) && !info.IsDir() {
			if err := s.extractText(kind, f); err != nil {
				return err
			}
			texts = true
		} else if !info.IsDir() {
			f.Size = info.Size()
			archives = append(archives, f)
		}
	}
	if len(archives) == 0 && !texts {
		return nil
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	defer wg.Wait()
	places := make(chan struct{}, s.e.o.Workers)
	results := make([]chan error, len(archives))
	for i, f := range archives {
		results[i] = make(chan error, 1)
		wg.Go(func() { results[i] <- s.extractOne(ctx, f, places) })
	}
	for _, result := range results {
		if err := <-result; err != nil {
			cancel(err)
			return err
		}
	}
	if err := s.nothing(files); err != nil {
		return err
	}
	return syncTree(s.path("traces"))
}

// nothing is what is wrong with the first of the files where nothing can be had of any.
func (s *Set) nothing(files []catalog.File) error {
	for _, f := range files {
		if d, ok := s.damageTo(f); !ok || d.kept {
			return nil
		}
	}
	d, _ := s.damageTo(files[0])
	return d.err
}

// extractOne waits for the unpacking of an archive that was begun while it arrived. If
// there was none, or it failed, the archive is unpacked now, in one of the places.
func (s *Set) extractOne(ctx context.Context, f catalog.File, places chan struct{}) error {
	s.setStage("extracting %s", f.Name)
	s.mu.Lock()
	u := s.unpackings[f.Index]
	s.mu.Unlock()
	if u != nil {
		u.tell(f.Size, true)
		if err := u.wait(ctx); err == nil || ctx.Err() != nil {
			return err
		}
	}
	select {
	case places <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-places }()
	s.mu.Lock()
	u = s.unpack(f, newArrival(f.Size, true), archive.Salvage, func() {})
	if u != nil {
		s.unpackings[f.Index] = u
	}
	s.mu.Unlock()
	if u == nil {
		return context.Cause(s.ctx)
	}
	err := u.wait(ctx)
	bad := err
	if err == nil {
		bad = u.part
	}
	if d, ok := damageOf(bad); ok && ctx.Err() == nil {
		s.damaged(f, d)
		return nil
	}
	return err
}

// source is where an archive or a folder of traces lies.
func (s *Set) source(f catalog.File) string {
	switch {
	case filepath.IsAbs(f.Path):
		return f.Path
	case f.Path != "":
		return s.path(f.Path)
	}
	return s.uploaded(f.Name)
}

// discover looks for traces, groups them into hosts and stores these.
func (s *Set) discover() error {
	s.setStage("looking for traces")
	files := s.files()
	var traces []*ctf.Trace
	var first error
	var worst *damage // of the first archive that has one
	var empty, names, within []string
	told := declaring{own: ownTexts(files), endpoints: s.e.o.Declarations}
	given := s.givenDamages(files)
	unreadable := slices.Clone(given)
	for _, f := range files {
		d, damaged := s.damageTo(f)
		if damaged {
			unreadable = append(unreadable, s.anomaly(f, d))
			if worst == nil {
				worst = &d
			}
			if !d.kept {
				continue
			}
		}
		damaged = damaged || isGiven(f) && slices.ContainsFunc(given, func(a HostAnomaly) bool { return a.Stream == f.Name })
		names = append(names, f.Name)
		root := s.source(f)
		if isFolder(s.extracted(f)) {
			root = s.extracted(f)
		}
		dirs, err := ctf.Discover(root)
		if err != nil {
			return err
		}
		for _, err := range told.find(f.Name, root) {
			unreadable = append(unreadable, HostAnomaly{Anomaly: trace.Anomaly{
				Kind: "unreadable-declarations", Stream: f.Name, Message: s.relative(err.Error()), Count: 1,
			}})
		}
		place := func(dir string) string {
			in, _ := filepath.Rel(root, dir)
			return filepath.Join(f.Name, in)
		}
		left := func(dir, message string) {
			unreadable = append(unreadable, HostAnomaly{Anomaly: trace.Anomaly{
				Kind: unreadableTrace, Stream: place(dir), Message: s.relative(message), Count: 1,
			}})
		}
		if damaged {
			headless, err := ctf.Headless(root)
			if err != nil {
				return err
			}
			for _, dir := range headless {
				left(dir, place(dir)+": its metadata is not in what is whole of the archive")
			}
		}
		packed := packedIn(root)
		for _, in := range packed {
			unreadable = append(unreadable, HostAnomaly{Anomaly: trace.Anomaly{
				Kind: packedTrace, Stream: filepath.Join(f.Name, in), Message: filepath.Join(f.Name, in) + " is an archive itself, and was not unpacked", Count: 1,
			}})
		}
		if len(dirs) == 0 && !damaged && !isText(f) {
			empty = append(empty, f.Name)
			within = append(within, packed...)
		}
		for _, dir := range dirs {
			t, err := ctf.Open(dir)
			if err == nil && damaged && t.Info().Bytes == 0 {
				err = fmt.Errorf("%s: no stream of it is in what is whole of the archive", place(dir))
			}
			if err != nil {
				switch {
				case first != nil:
				case root == s.extracted(f):
					first = fmt.Errorf("%s: %w", f.Name, err)
				default: // the name of the folder is in the path
					first = err
				}
				left(dir, err.Error())
				continue
			}
			traces = append(traces, t)
		}
	}
	switch {
	case len(traces) == 0 && worst != nil && worst.kept:
		return faultf(Invalid, "%s, but no trace can be read of that", s.relative(worst.err.Error()))
	case len(traces) == 0 && worst != nil:
		return worst.err
	case len(traces) == 0 && first == nil && len(within) > 0:
		return faultf(Invalid, "no trace found in %s, but %s in it: unpack the outer archive, and import what is in it", strings.Join(names, ", "), archivesWords(within))
	case len(traces) == 0 && first == nil:
		return faultf(Invalid, "no trace found in %s: a trace is a folder that holds a file called metadata", strings.Join(names, ", "))
	case len(traces) == 0 && first != nil && unreadableTraces(unreadable) == 1:
		return faultf(Invalid, "%s", s.relative(first.Error()))
	case len(traces) == 0:
		return faultf(Invalid, "none of %s can be read; the first: %s", count(unreadableTraces(unreadable), "trace"), s.relative(first.Error()))
	}
	for _, name := range empty {
		unreadable = append(unreadable, HostAnomaly{Anomaly: trace.Anomaly{
			Kind: noTrace, Stream: name, Message: name + " holds no trace: no folder in it holds a file called metadata", Count: 1,
		}})
	}
	texts := told.texts()
	if err := s.keepTexts(texts); err != nil {
		return err
	}
	var err error
	if texts.Symbols, err = s.keepSymbols(told.symbols); err != nil {
		return err
	}
	return s.found(traces, append(unreadable, told.unmet(traces)...), texts)
}

// unreadableTrace is the anomaly of a trace whose metadata cannot be understood.
const unreadableTrace = "unreadable-trace"

// found stores the hosts of a set.
func (s *Set) found(traces []*ctf.Trace, unreadable []HostAnomaly, declared *texts) error {
	var rows []catalog.Host
	for _, g := range ctf.Group(traces) {
		row := catalog.Host{Name: g.Name, ID: s.hostID(g)}
		for _, t := range g.Traces {
			path := t.Dir()
			if in, err := filepath.Rel(s.dir, path); err == nil && filepath.IsLocal(in) {
				path = in
			}
			info := t.Info()
			row.Traces = append(row.Traces, catalog.Trace{Path: path, Kind: info.Kind, Bytes: info.Bytes, Moved: t.Moved(), Missing: missing(info, g.Traces, declared.Symbols != nil)})
		}
		rows = append(rows, row)
	}
	if err := s.placeBookmarks(rows); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	row, err := s.e.catalog.Found(s.id, rows, result{Unreadable: unreadable, Declared: declared})
	if err != nil {
		return err
	}
	s.row = row
	s.anomalies, s.declared = unreadable, declared
	s.setHosts(rows)
	s.mark()
	return nil
}

// hostID is what tells a host from others: its clock or its name. One that has neither goes by its
// first place in what was given to the set, so that it is the same in another import.
func (s *Set) hostID(g ctf.HostTraces) string {
	kind, place, _ := strings.Cut(g.ID, ":")
	if !filepath.IsAbs(place) {
		return g.ID
	}
	for _, f := range s.files() {
		root := s.extracted(f)
		if in, err := filepath.Rel(root, g.Traces[0].Dir()); err != nil || !filepath.IsLocal(in) {
			root = s.source(f)
			if in, err := filepath.Rel(root, g.Traces[0].Dir()); err != nil || !filepath.IsLocal(in) {
				continue
			}
		}
		in, err := filepath.Rel(root, place)
		if err != nil || !filepath.IsLocal(in) {
			in = "" // the session that a folder of it was given of
		}
		return kind + ":" + filepath.ToSlash(filepath.Join(f.Name, in))
	}
	return kind + ":" + g.Name
}

// files are those of the row.
func (s *Set) files() []catalog.File {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]catalog.File(nil), s.row.Files...)
}
