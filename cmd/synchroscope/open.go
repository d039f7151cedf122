package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"synchroscope/ingest/declarations"
	"synchroscope/trace"
	"synchroscope/trace/archive"
	"synchroscope/trace/ctf"
	"synchroscope/trace/filter"
)

// opened is what a command line led to: every trace at or below its paths, grouped into hosts.
// A path is a trace, a directory with traces at any depth, or an archive, which
// is extracted to a temporary directory.
//
// close closes the traces and removes the temporary directories. Until then an
// interrupt removes them too and ends the process.
type opened struct {
	hosts    []ctf.HostTraces
	declared string                // text of what declares endpoints beside the traces
	shown    map[*ctf.Trace]string // path of each trace as the user knows it
	states   string                // text of what declares states beside them
	symbols  string                // text of what functions are called, beside them
	errs     []error               // one sentence for each path and trace that cannot be read
	mistakes []error               // and for each file with states that cannot be understood, which is in no command's way
	harmed   []string              // one for each host of which a part could not be read, once it was

	traces []*ctf.Trace
	known  map[string]bool // directories of traces, to open each once

	work sync.Mutex // held while something is written to temps
	temp []string
	stop func()
}

func openPaths(paths []string) *opened {
	o := &opened{shown: make(map[*ctf.Trace]string), known: make(map[string]bool)}
	signal.Ignore(syscall.SIGPIPE) // a write fails instead, and what was extracted is removed
	ctx, cancel := context.WithCancel(context.Background())
	interrupts, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	o.stop = sync.OnceFunc(func() {
		signal.Stop(interrupts)
		close(over)
		cancel()
	})
	go func() {
		select {
		case <-over:
		case <-interrupts:
			cancel() // ends an extraction, which holds the lock
			o.work.Lock()
			o.removeTemp()
			os.Exit(exitInterrupt)
		}
	}()
	for _, p := range paths {
		if err := o.path(ctx, p); err != nil {
			o.errs = append(o.errs, err)
		}
	}
	o.hosts = ctf.Group(o.traces)
	return o
}

// path opens what is at or below p.
func (o *opened) path(ctx context.Context, p string) error {
	info, err := os.Stat(p)
	if err != nil {
		return plain(p, err)
	}
	p = filepath.Clean(p)
	dir, err := o.directory(ctx, p, info)
	var part *archive.Error
	if errors.As(err, &part) && part.Kept > 0 {
		err = nil
	}
	if err != nil {
		return err
	}
	found, err := ctf.Discover(dir)
	if err != nil {
		return renamed{err, dir, p}
	}
	if part != nil && len(found) == 0 {
		return fmt.Errorf("%w, but none of them is the metadata of a trace", part)
	}
	if part != nil {
		o.errs = append(o.errs, fmt.Errorf("%w; only what is whole is read", part))
		headless, err := ctf.Headless(dir)
		if err != nil {
			return renamed{err, dir, p}
		}
		for _, d := range headless {
			o.errs = append(o.errs, fmt.Errorf("%s: its metadata is not in what is whole of the archive", shownPath(p, dir, d)))
		}
	}
	if len(found) == 0 {
		return fmt.Errorf("%s: no trace found: no file in it is called metadata", p)
	}
	var errs []error
	o.declared, errs = declarations.Endpoints.Find(dir, o.declared)
	for _, err := range errs {
		o.errs = append(o.errs, renamed{err, dir, p})
	}
	o.states, errs = declarations.States.Find(dir, o.states)
	for _, err := range errs {
		o.mistakes = append(o.mistakes, renamed{err, dir, p})
	}
	o.symbols, errs = declarations.Symbols.Find(dir, o.symbols)
	for _, err := range errs {
		o.mistakes = append(o.mistakes, renamed{err, dir, p})
	}
	for _, d := range found {
		absolute, err := filepath.Abs(d)
		if err != nil || o.known[absolute] {
			continue
		}
		o.known[absolute] = true
		t, err := ctf.Open(d)
		if err == nil && part != nil && t.Info().Bytes == 0 {
			err = fmt.Errorf("%s: no stream of it is in what is whole of the archive", d)
		}
		if err != nil {
			o.errs = append(o.errs, renamed{err, dir, p})
			continue
		}
		o.traces = append(o.traces, t)
		o.shown[t] = shownPath(p, dir, d)
	}
	return nil
}

// directory is where the traces of p are: p itself, what a link leads to, or what is unpacked.
func (o *opened) directory(ctx context.Context, p string, info os.FileInfo) (string, error) {
	if !info.IsDir() {
		return o.extract(ctx, p)
	}
	if own, err := os.Lstat(p); err != nil || own.Mode()&os.ModeSymlink == 0 {
		return p, nil
	}
	dir, err := filepath.EvalSymlinks(p)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", plain(p, err)
	}
	return dir, nil
}

// extract unpacks the archive p and returns where. What is sound of a damaged one is there with the error.
func (o *opened) extract(ctx context.Context, p string) (dir string, err error) {
	o.work.Lock()
	defer o.work.Unlock()
	f, err := os.Open(p)
	if err != nil {
		return "", plain(p, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", plain(p, err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is neither a directory nor a regular file", p)
	}
	if dir, err = os.MkdirTemp("", "synchroscope-"); err != nil {
		return "", plain("the temporary directory", err)
	}
	o.temp = append(o.temp, dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", plain(dir, err)
	}
	defer root.Close()
	progress := newProgress("extracting " + filepath.Base(p))
	defer progress.end()
	return dir, archive.Salvage(ctx, root, p, archive.Whole(f, info.Size()), archive.Limits{}, func(read int64) {
		progress.show(read, info.Size())
	})
}

// close closes the traces and removes what was extracted.
func (o *opened) close() {
	for _, t := range o.traces {
		t.Close()
	}
	o.traces = nil
	o.work.Lock()
	defer o.work.Unlock()
	o.removeTemp()
	o.stop()
}

func (o *opened) removeTemp() {
	for _, dir := range o.temp {
		os.RemoveAll(dir)
	}
	o.temp = nil
}

// shownPath is the path of the trace d below dir, with p for dir.
func shownPath(p, dir, d string) string {
	below, err := filepath.Rel(dir, d)
	if err != nil || below == "." {
		return p
	}
	return filepath.Join(p, below)
}

// missing returns the paths of a filter that no event of any trace has, and those of them that may be texts without their quotes.
func (o *opened) missing(f *filter.Filter) (paths, unquoted []string) {
	if f == nil {
		return nil, nil
	}
	classes, err := o.classes()
	if err != nil {
		return nil, nil
	}
	return f.Missing(classes), f.Unquoted(classes)
}

// classes are the kinds of events of all traces that can be read; with an error those of some cannot.
func (o *opened) classes() (all []*trace.Class, unreadable error) {
	for _, h := range o.hosts {
		r, err := ctf.NewReader(h.Traces, ctf.Options{})
		if err != nil {
			unreadable = err
			continue
		}
		all = append(all, r.Classes()...)
		r.Close()
	}
	return all, unreadable
}
