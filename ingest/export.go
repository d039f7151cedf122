package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"synchroscope/catalog"
	"synchroscope/trace/archive"
)

// Export writes the archive of a set that is ready: results, bookmarks and traces. What it wrote by an error is of
// no use. The set can be looked at and synchronized meanwhile; the archive has the synchronization of its begin.
func (s *Set) Export(ctx context.Context, w io.Writer) error {
	s.mu.Lock()
	ready := s.result != nil && s.enter()
	s.mu.Unlock()
	if !ready {
		if f := s.Failed(); f != nil {
			return f
		}
		return faultf(Conflict, "the set is being imported; it can be taken away as a whole when it is ready")
	}
	defer s.busy.Done()
	if _, err := s.Solved(); err != nil { // made again, if need be, and then stored below
		return err
	}
	if _, unstored, err := s.constraintsStored(); errors.Join(unstored, err) != nil {
		return errors.Join(unstored, err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })()
	p, err := archive.NewPacker(w)
	if err != nil {
		return err
	}
	x := &export{ctx: ctx, set: s, p: p}
	return errors.Join(x.all(), p.Close())
}

// An export is the writing of one archive.
type export struct {
	ctx  context.Context
	set  *Set
	p    *archive.Packer
	sums bytes.Buffer // of what was written
}

func (x *export) all() error {
	m, err := x.manifest()
	if err != nil {
		return err
	}
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	var solution []byte
	s := x.set
	s.synchronizing.Lock()
	of, err := s.Solved()
	if err == nil {
		err = writeSolution(s.path("solution"), of)
	}
	if err == nil {
		solution, err = os.ReadFile(s.path("solution"))
	}
	s.synchronizing.Unlock()
	if err != nil {
		return err
	}
	if err := x.bytes(manifestFile, b); err != nil {
		return err
	}
	if err := x.bytes("solution", solution); err != nil {
		return err
	}
	for _, name := range []string{"constraints", "messages"} {
		if err := x.file(name, s.path(name)); err != nil {
			return err
		}
	}
	texts, err := s.texts()
	if err != nil {
		return err
	}
	for _, name := range []string{declarationsFile, statesFile} {
		if text := texts.files()[name]; len(text) > 0 {
			if err := x.bytes(name, text); err != nil {
				return err
			}
		}
	}
	switch symbols, err := s.readSymbols(); {
	case texts.Symbols == nil:
	case err != nil || *sumOfText(symbols) != *texts.Symbols:
		s.log.Warn("what functions are called is damaged or gone: it is not in what is exported", "error", err)
	default:
		if err := x.bytes(symbolsFile, symbols); err != nil {
			return err
		}
	}
	for i, h := range s.Hosts() {
		if err := x.host(i, h); err != nil {
			return err
		}
	}
	return x.p.Add(checksumsFile, int64(x.sums.Len()), &x.sums)
}

// manifest describes the set as it is now.
func (x *export) manifest() (*manifest, error) {
	s := x.set
	s.mu.Lock()
	m := &manifest{Format: manifestFormat, Version: manifestVersion, Name: s.row.Name, Created: s.created, Unreadable: s.anomalies}
	s.mu.Unlock()
	m.Milestones = s.Milestones()
	for i, h := range s.Hosts() {
		side, err := s.e.catalog.Checkpoint(s.id, h.index)
		if err != nil {
			return nil, err
		}
		row := manifestHost{Host: catalog.Host{Name: h.row.Name, ID: h.row.ID}, Length: side.Length, CRC: side.CRC, Failed: side.Flags&catalog.Broken != 0}
		for k, t := range h.row.Traces {
			t.Path = tracePlace(i, k)
			row.Traces = append(row.Traces, t)
		}
		m.Hosts = append(m.Hosts, row)
	}
	var err error
	m.Bookmarks, err = s.e.catalog.Bookmarks(s.id)
	for i := range m.Bookmarks {
		m.Bookmarks[i].Key = "" // of pages of this server
	}
	return m, err
}

// tracePlace is the folder of a trace in the archive.
func tracePlace(host, trace int) string { return fmt.Sprintf("traces/%d-%d", host, trace) }

// host adds what was made of a host, and its traces.
func (x *export) host(i int, h *Host) error {
	side, err := x.set.e.catalog.Checkpoint(x.set.id, h.index)
	if err != nil {
		return err
	}
	dir := path.Join("hosts", strconv.Itoa(i))
	if err := x.file(path.Join(dir, checkpointName(1)), h.path(checkpointName(side.Generation))); err != nil {
		return err
	}
	for _, name := range []string{historyFile, endpointsFile, lossesFile} {
		// A host without events has no history, one that failed early no endpoints, and one that an earlier version of the program read no losses.
		if err := x.file(path.Join(dir, name), h.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for k, t := range h.row.Traces {
		from := t.Path
		if !filepath.IsAbs(from) {
			from = x.set.path(from)
		}
		if err := x.folder(tracePlace(i, k), from); err != nil {
			return err
		}
	}
	return nil
}

// folder adds the regular files of a trace. A folder in it that is a trace of its own is left out.
func (x *export) folder(name, dir string) error {
	return filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		in, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		if e.IsDir() && in != "." {
			if _, err := os.Lstat(filepath.Join(p, "metadata")); err == nil {
				return fs.SkipDir
			}
		}
		if !e.Type().IsRegular() {
			return nil
		}
		return x.file(path.Join(name, filepath.ToSlash(in)), p)
	})
}

func (x *export) file(name, from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return x.add(name, info.Size(), f)
}

func (x *export) bytes(name string, b []byte) error {
	return x.add(name, int64(len(b)), bytes.NewReader(b))
}

func (x *export) add(name string, size int64, r io.Reader) error {
	if strings.ContainsRune(name, '\n') {
		return fmt.Errorf("a name of a file has more than one line: %q", name)
	}
	sum := &summed{ctx: x.ctx, r: io.LimitReader(r, size), sum: crc32.New(castagnoli)}
	if err := x.p.Add(name, size, sum); err != nil {
		return err
	}
	x.sums.WriteString(sumLine(sum.sum.Sum32(), size, name))
	return nil
}

// A summed reader sums up what is read, until its context ends.
type summed struct {
	ctx context.Context
	r   io.Reader
	sum hash.Hash32
}

func (s *summed) Read(b []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	n, err := s.r.Read(b)
	s.sum.Write(b[:n])
	return n, err
}

// endless is nil for the end of a file.
func endless(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
