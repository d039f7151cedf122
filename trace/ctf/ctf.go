// Package ctf reads the Common Trace Format as it is met in the world.
//
// A directory with a file called metadata is a trace; the other files in it are
// streams. [Open] reads the metadata into the model of package schema and lays
// out every kind of event (see package trace). A [Reader] then keeps one cursor per stream, each
// over a bounded window of its file, and merges them by time.
//
// What a file says is believed only as far as it fits: sizes are compared with
// what is left of the file, and nothing is allocated because a field asks for
// it. What cannot be read is reported as an anomaly, and reading goes on with
// the next packet or the next file; docs/format/ctf-notes.md lists what is met and done.
package ctf

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"synchroscope/trace"
)

const metadataName = "metadata"

// declarationPrefix is how the names of files begin in which users declare what events mean: they may lie beside the streams.
const declarationPrefix = "synchroscope-"

// Discover returns the directories below root that hold a trace (a file called
// metadata), in lexical order. It follows no links.
func Discover(root string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == metadataName && d.Type().IsRegular() {
			dirs = append(dirs, filepath.Dir(path))
		}
		return nil
	})
	slices.Sort(dirs)
	return dirs, err
}

// TraceOf is the folder of a trace whose metadata a path is.
func TraceOf(path string) (dir string, ok bool) {
	return filepath.Dir(path), filepath.Base(path) == metadataName
}

// A Trace is one opened trace directory: its metadata and its stream files. Any
// number of readers, in any goroutines, may share it.
type Trace struct {
	dir     string
	info    Info
	plan    *plan
	streams []*chain
	indexer indexer
	moved   int64 // see Moved

	begins, ends     sync.Once // what follows is known, see begun and ended
	begunAt, endedAt uint64    // cycles
	hasBegun         bool
	sized, digested  sync.Once // what follows is known, see copies
	sizesOf          map[string]int64
	digestOf         map[string][sha256.Size]byte
}

// Info is what the metadata and the directory tell.
type Info struct {
	Format   string // "ctf1.8" or "ctf2"
	Kind     string // "kernel", "ust" or "other"
	Hostname string // env hostname, "" if not recorded
	ClockID  string // uuid of the clock, "" if none
	Streams  int    // stream files
	Bytes    int64  // size of the stream files
	Env      map[string]string
	Classes  []string // names of all event classes
}

// Open reads the metadata of the trace in dir. An error names file, line, column and cause.
func Open(dir string) (*Trace, error) {
	says, err := declares(dir)
	if err != nil {
		return nil, err
	}
	t := &Trace{dir: dir, plan: says.plan, info: says.info}
	files, err := streamFiles(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		t.info.Bytes += f.size
	}
	t.info.Streams = len(files)
	t.streams = t.plan.chain(dir, files)
	return t, nil
}

// Dir is the directory of the trace.
func (t *Trace) Dir() string { return t.dir }

// Info tells what was found. The caller must not change it.
func (t *Trace) Info() Info { return t.info }

// Classes are those of all events that its metadata tells of, whether or not it has any. Their indexes say nothing.
func (t *Trace) Classes() (all []*trace.Class) {
	for _, c := range t.plan.streams {
		all = append(all, c.classes...)
	}
	return all
}

// Close releases the trace. Readers over it must be closed before.
func (t *Trace) Close() error { return nil }

// name is what a file of the trace is called in messages: with the last element of
// its directory, which is how traces of one set differ.
func (t *Trace) name(file string) string {
	return filepath.ToSlash(filepath.Join(filepath.Base(t.dir), file))
}

type streamFile struct {
	name  string
	size  int64
	begin int64    // of the first packet, where streams are chained
	first identity // of the same
	cpu   int32    // of the same, -1 where it does not say
	met   bool     // it can be read, and what is said of it is known
}

// streamFiles lists what may be a stream: regular files that are neither the
// metadata, nor hidden, nor an index (LTTng keeps those in a directory of their own), nor
// a file that declares what events mean.
func streamFiles(dir string) ([]streamFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []streamFile
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || name == metadataName || name[0] == '.' || strings.HasSuffix(name, ".idx") || strings.HasPrefix(name, declarationPrefix) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		files = append(files, streamFile{name: name, size: info.Size()})
	}
	return files, nil
}
