// Package archive extracts archives that nobody vouches for.
//
// A trace archive comes from a stranger's browser, so every byte of it is
// hostile until proven otherwise. Three rules keep it harmless:
//
//   - Nothing that is declared is believed. Formats are told by content, not
//     by name; sizes are counted while copying; the ratio of what came out to
//     what was read is watched all the time, so that a bomb is noticed after
//     64 MiB and not when the disk is full.
//   - Only regular files and directories with plain relative names come out.
//     Names are checked by us and, once more and independently, by [os.Root],
//     which no path and no link leaves.
//   - An archive that breaks a rule is refused as a whole. The breach ends the
//     extraction, and whatever was written by then is removed: nothing else,
//     as files are only ever created, never overwritten.
//
// An archive that breaks no rule but is damaged is treated the same by [Extract]; [Salvage]
// keeps those of its files that are known to be as they were packed (sound.go).
//
// What we chose not to do: links are refused even where they point inside
// (no tracer writes any); archives inside archives stay as they are; modes,
// owners and times are dropped; the beginning of a file that is cut off is not kept.
package archive

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
)

// Limits bound what one archive may become. Zero fields take the default.
type Limits struct {
	Entries    int   // files and directories; 100 000
	EntryBytes int64 // one file, extracted; 64 GiB
	TotalBytes int64 // all files, extracted; 64 GiB
	Ratio      int64 // extracted : read, tested after 64 MiB; 200

	Shared *Budget // what several archives may become together, if not nil

	// Busy tells that somebody else needs a processor now: what is decoded ahead of its turn waits meanwhile. It is called
	// by several goroutines; nil says no, always.
	Busy func() bool
}

// Defaults of Limits. The ratio is generous because the unused tail of a
// kernel trace packet is zeros and compresses as well as a bomb does.
const (
	defaultEntries = 100_000
	defaultBytes   = 64 << 30
	defaultRatio   = 200

	ratioAfter = 64 << 20 // bytes that may come out before the ratio counts
)

func (l Limits) withDefaults() Limits {
	if l.Entries == 0 {
		l.Entries = defaultEntries
	}
	if l.EntryBytes == 0 {
		l.EntryBytes = defaultBytes
	}
	if l.TotalBytes == 0 {
		l.TotalBytes = defaultBytes
	}
	if l.Ratio == 0 {
		l.Ratio = defaultRatio
	}
	return l
}

// Extract reads the archive r of size bytes (its format is told by its first
// bytes, not its name) into root. name is what errors call the archive.
// progress, which may be nil, is called with the bytes of r read so far.
//
// On error Extract removes what it wrote and returns an [*Error]; where ctx
// ended the work, [errors.Is] finds its error.
func Extract(ctx context.Context, root *os.Root, name string, r io.ReaderAt, size int64, limits Limits, progress func(read int64)) error {
	return ExtractArriving(ctx, root, name, Whole(r, size), limits, progress)
}

// An Arrival is an archive that may still be on its way.
type Arrival interface {
	// ReadAt waits until all it is asked for is there, or the archive is whole.
	io.ReaderAt
	// Size waits until the archive is whole.
	Size() (int64, error)
}

// A Follower is an Arrival that wants to know what of it is there already.
type Follower interface {
	// Extracted is called with the path of each file once it is complete. The extraction may still fail and remove it.
	Extracted(path string)
}

// ExtractArriving is [Extract] for an archive on its way. What it extracts and what
// it refuses depend on the bytes alone, not on when they come: a read takes as much at a
// time as it would from a file.
func ExtractArriving(ctx context.Context, root *os.Root, name string, r Arrival, limits Limits, progress func(read int64)) error {
	return newExtraction(ctx, root, r, limits, progress).all(name)
}

// Salvage is [ExtractArriving] for who would rather have a part of a damaged archive than nothing: what is sound of
// it stays, and the error has the number of its entries in [Error.Kept].
func Salvage(ctx context.Context, root *os.Root, name string, r Arrival, limits Limits, progress func(read int64)) error {
	x := newExtraction(ctx, root, r, limits, progress)
	x.salvage = true
	return x.all(name)
}

// Whole is an archive of size bytes that has arrived.
func Whole(r io.ReaderAt, size int64) Arrival { return whole{io.NewSectionReader(r, 0, size)} }

// whole is an archive that has arrived.
type whole struct{ *io.SectionReader }

func (w whole) Size() (int64, error) { return w.SectionReader.Size(), nil }

// A source yields the entries of an archive in the order they are stored.
type source interface {
	// next returns the next entry, or io.EOF after the last one.
	next() (entry, error)
	// close checks what is left to check after the last entry.
	close() error
	// unpacked is how many bytes came out by now, with what is around the entries; 0 where each is packed by itself.
	unpacked() int64
}

// An entry is one file or directory. Its name is as recorded, unchecked.
type entry struct {
	name  string
	dir   bool
	kind  string // what it is if neither file nor directory: "a symbolic link"
	size  int64  // declared, -1 unknown
	place int64  // byte of the archive where its contents begin, 0 where what was read tells
	open  func() (io.Reader, error)
}

// An extraction is one run of Extract or Salvage.
type extraction struct {
	ctx     context.Context
	limits  Limits
	meter   *meter
	tree    *tree
	salvage bool
	source  source
	stop    func() // ends what the source does beside being read, nil if nothing

	input    *input       // what is read from beginning to end, nil of a zip
	packed   bool         // the tar comes out of a compressed stream
	apart    bool         // each entry is packed by itself, with a checksum of its own
	verified func() int64 // how many bytes that came out were held against a checksum; nil where only the last one tells
	begun    func() int64 // byte of the archive where the compressed block begins that is being read; nil if there are none

	entries int       // read so far
	total   int64     // bytes written so far
	current *entry    // the entry being extracted, nil between entries
	done    []mark    // entries that were complete
	ended   bool      // the last entry is behind
	spoiled []spoiled // entries of a zip that are damaged

	buf [64 << 10]byte
}

func newExtraction(ctx context.Context, root *os.Root, r Arrival, limits Limits, progress func(read int64)) *extraction {
	return &extraction{
		ctx:    ctx,
		limits: limits.withDefaults(),
		meter:  &meter{ctx: ctx, r: r, ceiling: -1, progress: progress},
		tree:   newTree(root),
	}
}

// all runs the extraction and removes what is not to stay.
func (x *extraction) all(name string) error {
	err := x.run()
	f := failure{archive: name, place: x.place(err), sound: x.sound(err)}
	if n := len(x.done); n > 0 {
		f.files = x.tree.files(x.done[n-1].made)
	}
	if x.stop != nil {
		x.stop()
	}
	if err == nil {
		f.err = x.finish()
	} else if f.err = err; x.salvage {
		f.kept = f.sound
	}
	if f.err == nil {
		return nil
	}
	kept, left := x.keep(f.kept)
	if left != nil {
		f.err = errors.Join(f.err, left)
	}
	f.kept = kept
	return x.word(f)
}

// finish tells that all was read.
func (x *extraction) finish() error {
	if x.meter.progress == nil {
		return nil
	}
	size, err := x.meter.r.Size()
	if err == nil {
		x.meter.progress(size)
	}
	return err
}

func (x *extraction) run() error {
	var err error
	if x.source, err = x.open(); err != nil {
		return err
	}
	for {
		e, err := x.source.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		x.current = &e
		made := len(x.tree.made)
		if err := x.extract(e); err != nil {
			if !x.salvage || !x.apart || !x.damaged(err) {
				return err
			}
			x.spoiled = append(x.spoiled, spoiled{e, err})
			if err := x.tree.dropFile(made); err != nil {
				return err
			}
			continue
		}
		x.current = nil
		x.done = append(x.done, mark{e.name, len(x.tree.made), x.entries, x.total, x.source.unpacked()})
	}
	x.ended, x.current = true, nil
	if err := x.source.close(); err != nil {
		return err
	}
	switch {
	case x.entries == 0:
		return refusal("is an archive without any entry")
	case len(x.spoiled) > 0:
		x.current = &x.spoiled[0].entry
		return x.spoiled[0].err
	}
	return nil
}

// open tells the format by the first bytes and starts to read it.
func (x *extraction) open() (source, error) {
	head := make([]byte, headBytes)
	n, err := x.meter.r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if n == 0 {
		return nil, refusal("is empty")
	}
	open, err := recognise(head[:n])
	if err != nil {
		return nil, err
	}
	return open(x)
}

// extract writes one entry.
func (x *extraction) extract(e entry) error {
	if x.entries == x.limits.Entries {
		return excessf("is one too many: an archive may hold %d entries", x.limits.Entries)
	}
	x.entries++
	if err := x.limits.Shared.entry(); err != nil {
		return err
	}
	path, err := clean(e.name)
	if err != nil {
		return err
	}
	if e.name == "" && !e.dir {
		return refusal("has an entry without a name") // there is none to speak of, so it is said of the archive
	}
	if e.kind != "" {
		return refusalf("is %s; only files and directories are accepted", e.kind)
	}
	if e.dir {
		return x.tree.dir(path, x.limits.Entries)
	}
	if path == "" {
		return refusal("is a file without a name")
	}
	// A declared size is believed only where it condemns the entry.
	if e.size > x.limits.EntryBytes {
		return x.tooLong()
	}
	r, err := e.open()
	if err != nil {
		return err
	}
	w, err := x.tree.file(path, x.limits.Entries)
	if err != nil {
		return err
	}
	err = x.copy(w, r)
	if cerr := w.Close(); err == nil && cerr != nil {
		err = &writeError{cerr}
	}
	if f, ok := x.meter.r.(Follower); ok && err == nil {
		f.Extracted(path)
	}
	return err
}

// copy writes r to w and counts.
func (x *extraction) copy(w io.Writer, r io.Reader) error {
	var size int64
	for {
		n, err := r.Read(x.buf[:])
		if n > 0 {
			size += int64(n)
			if size > x.limits.EntryBytes {
				return x.tooLong()
			}
			if x.total+int64(n) > x.limits.TotalBytes {
				return excessf("is too much: an archive may hold %s in all", bytesText(x.limits.TotalBytes))
			}
			x.total += int64(n)
			if err := x.limits.Shared.bytes(int64(n)); err != nil {
				return err
			}
			if err := x.ratio(x.total); err != nil {
				return err
			}
			if _, err := w.Write(x.buf[:n]); err != nil {
				return &writeError{err}
			}
			runtime.Gosched() // as in xzahead.go
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (x *extraction) tooLong() error {
	return refusalf("is too long: a file may have %s", bytesText(x.limits.EntryBytes))
}

// ratio tells whether n bytes are more than what was read so far may become.
func (x *extraction) ratio(n int64) error {
	if n > ratioAfter && n/x.limits.Ratio > x.meter.seen() {
		return refusalf("is refused as a decompression bomb: more than %d bytes came out for each byte of the archive", x.limits.Ratio)
	}
	return x.ctx.Err()
}
