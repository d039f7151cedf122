package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"synchroscope/state/attribute"
	"synchroscope/state/varint"
)

const (
	checkpointVersion = 4
	endedVersion      = 3 // no leaf has parts
	storedVersion     = 2 // nothing is held: what ended at the newest time is stored
)

// Save makes all blocks written so far durable (fdatasync, where File's Sync is that) and returns what [ResumeCached] needs beside the file:
// the open branch, the ongoing values and the newest names. It grows with the attributes that ever were, by about 8 bytes of each, and not with
// the trace else; see docs/format/history.md. It is written part by part, as often as it is asked for until the writer is told of anything else, and
// always the same. The caller stores it durably; only then may an older one be dropped.
func (w *Writer) Save() (io.WriterTo, error) {
	if w.err != nil {
		return nil, w.err
	}
	err := w.writeNames(w.namesChunk())
	w.giveBack()
	if err != nil {
		w.err = err
		return nil, err
	}
	if err := w.file.f.Sync(); err != nil {
		w.err = fmt.Errorf("history: sync: %w", err)
		return nil, w.err
	}
	return saved{w}, nil
}

// Checkpoint is Save, in memory.
func (w *Writer) Checkpoint() ([]byte, error) {
	s, err := w.Save()
	if err != nil {
		return nil, err
	}
	size, err := s.WriteTo(io.Discard)
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	_, err = s.WriteTo(b)
	return b.Bytes(), err
}

// saved is a writer of which all is durable but what it writes here.
type saved struct{ w *Writer }

// WriteTo writes a checkpoint.
func (s saved) WriteTo(to io.Writer) (int64, error) {
	w, sum := s.w, crc32.New(castagnoli)
	out := varint.NewOut(io.MultiWriter(to, sum))
	b := append([]byte{checkpointVersion}, w.header.encode()...)
	b = binary.AppendUvarint(b, uint64(w.pages))
	b = binary.AppendUvarint(b, w.intervals)
	b = binary.AppendUvarint(b, uint64(w.now-w.header.start))
	b = binary.AppendUvarint(b, uint64(w.newestEnd-w.header.start))
	b = binary.AppendUvarint(b, uint64(max(w.published, w.header.start)-w.header.start))
	b = binary.AppendUvarint(b, uint64(w.names.block))
	b = binary.AppendUvarint(b, uint64(len(w.names.rest)))
	b = append(b, w.names.rest...)
	b = binary.AppendUvarint(b, uint64(w.names.attributes))
	for q := range attribute.Quark(w.names.attributes) {
		b = out.Pass(w.present.appendOngoing(b, q))
	}
	b = binary.AppendUvarint(b, uint64(len(w.open)))
	for _, n := range w.open {
		b = n.appendTo(b, w.header.start, out)
	}
	b = w.ended.appendTo(b, w.header.start, out)
	b = w.open[0].appendParts(b, out)
	written, err := out.End(b)
	if err != nil {
		return written, err
	}
	n, err := to.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return written + int64(n), err
}

// appendTo writes an open node. Totals and summaries that are not in blocks
// are left out.
func (n *open) appendTo(b []byte, start int64, out *varint.Out) []byte {
	b = binary.AppendUvarint(b, uint64(n.start-start))
	index := n.appendIndex(nil)
	b = binary.AppendUvarint(b, uint64(len(index)))
	b = append(b, index...)
	b = binary.AppendUvarint(b, uint64(len(n.records)))
	end := n.start
	for i := range n.records {
		iv := &n.records[i]
		b = binary.AppendUvarint(b, uint64(iv.Quark))
		b = binary.AppendUvarint(b, uint64(iv.End-end))
		b = binary.AppendUvarint(b, uint64(iv.End-iv.Start))
		b = out.Pass(appendValue(b, iv.Value))
		end = iv.End
	}
	return b
}

// appendParts writes the parts of a leaf.
func (n *open) appendParts(b []byte, out *varint.Out) []byte {
	b = binary.AppendUvarint(b, uint64(len(n.parts)))
	for i := range n.parts {
		k := n.parts[i].held
		for _, x := range []uint64{uint64(k.end - n.start), uint64(k.columns), uint64(k.count), uint64(k.used)} {
			b = binary.AppendUvarint(b, x)
		}
		for some := range slices.Chunk(k.payload, feedSize) {
			b = out.Pass(append(b, some...))
		}
	}
	return b
}

// Resume truncates f to a checkpoint made by Checkpoint and goes on from there. The
// finished file gives the answers of an undisturbed run.
func Resume(f File, checkpoint []byte) (*Writer, error) {
	return ResumeCached(f, bytes.NewReader(checkpoint), nil)
}

// A Source is a checkpoint that was written somewhere.
type Source interface {
	io.ReaderAt
	Size() int64
}

// ResumeCached is Resume of a checkpoint of which a small part is in memory at once, with a cache that may be shared with other trees.
func ResumeCached(f File, checkpoint Source, cache *Cache) (*Writer, error) {
	head, err := readHeader(f)
	if err != nil {
		return nil, err
	}
	w, err := restore(f, *head, checkpoint, cache)
	if err != nil {
		return nil, err
	}
	if err := w.file.reaches(w.pages); err != nil {
		return nil, err
	}
	if err := f.Truncate(w.file.offset(w.pages)); err != nil {
		return nil, fmt.Errorf("history: truncate to page %d: %w", w.pages, err)
	}
	if _, err := f.WriteAt(make([]byte, recordSize), finishOffset); err != nil {
		return nil, fmt.Errorf("history: clear the finish record: %w", err)
	}
	// Before anything is written over what that record led to.
	if err := f.Sync(); err != nil {
		return nil, fmt.Errorf("history: sync: %w", err)
	}
	w.file.pages.Store(w.pages)
	w.publish(w.published)
	return w, nil
}

func restore(f File, head header, checkpoint Source, cache *Cache) (*Writer, error) {
	body := checkpoint.Size() - crc32.Size
	if err := verify(checkpoint, body); err != nil {
		return nil, err
	}
	d := newFeed(checkpoint, body)
	var version byte
	if first := d.take(1); len(first) > 0 {
		version = first[0]
	}
	if version < storedVersion || version > checkpointVersion {
		return nil, fmt.Errorf("history: the checkpoint has version %d; this program knows versions %d to %d", version, storedVersion, checkpointVersion)
	}
	if string(d.take(recordSize)) != string(head.encode()) {
		return nil, errors.New("history: the checkpoint belongs to another file: their headers differ")
	}
	n := newNames(space(f))
	w := newWriter(f, head, n, cache)
	d.ahead(7 * binary.MaxVarintLen64)
	w.pages = uint32(d.below(noBlock + 1))
	w.intervals = d.uvarint()
	w.now = d.after(head.start, math.MaxInt64)
	w.newestEnd = d.after(head.start, w.now)
	w.published = d.after(head.start, w.now)
	n.block = uint32(d.below(noBlock + 1))
	n.rest = append(n.rest, d.take(d.uvarint())...)
	d.ahead(binary.MaxVarintLen64)
	attributes := d.below(math.MaxInt32)
	if d.bad {
		return nil, errDamagedCheckpoint
	}
	if err := w.restoreNames(int(attributes)); err != nil {
		return nil, err
	}
	if cause := restorePresent(d, &w.present, n.attributes, w.now); cause != "" {
		return nil, fmt.Errorf("history: the checkpoint is damaged: %s", cause)
	}
	d.ahead(binary.MaxVarintLen64)
	levels := d.below(maxLevel)
	for level := range int(levels) {
		o, ok := restoreOpen(d, level, head.start, w)
		if !ok {
			return nil, errDamagedCheckpoint
		}
		w.open = append(w.open, o)
	}
	if version > storedVersion && !w.restoreEnded(d) {
		return nil, errDamagedCheckpoint
	}
	if d.bad || levels == 0 || version > endedVersion && !w.restoreParts(d, w.open[0]) || d.remaining() > 0 {
		return nil, errDamagedCheckpoint
	}
	return w, nil
}

// verify tells whether a checkpoint has the checksum that stands behind so many bytes.
func verify(checkpoint Source, body int64) error {
	wrong := errors.New("history: the checkpoint is damaged: wrong checksum")
	if body < 1+recordSize {
		return wrong
	}
	sum, want := crc32.New(castagnoli), make([]byte, crc32.Size)
	if _, err := io.Copy(sum, io.NewSectionReader(checkpoint, 0, body)); err != nil {
		return fmt.Errorf("history: the checkpoint cannot be read: %w", err)
	}
	if n, err := checkpoint.ReadAt(want, body); n < len(want) {
		return fmt.Errorf("history: the checkpoint cannot be read: %w", err)
	}
	if sum.Sum32() != binary.LittleEndian.Uint32(want) {
		return wrong
	}
	return nil
}

var errDamagedCheckpoint = errors.New("history: the checkpoint is damaged: it does not decode")

func (w *Writer) restoreNames(attributes int) error {
	n := w.names
	stream, err := w.file.chainAt(n.block, namesBlock, mostNames, n.rest)
	if err != nil {
		return err
	}
	n.length = uint64(stream.size) - uint64(len(n.rest))
	if stream.size > int64(mostNames) {
		return errTooManyNames
	}
	d := stream.feed()
	cause := n.restore(d)
	if d.err != nil {
		return d.err
	}
	if cause != "" {
		return fmt.Errorf("history: the names of the checkpoint: %s", cause)
	}
	if n.attributes != attributes {
		return fmt.Errorf("history: the names stream has %d attributes, the checkpoint says %d", n.attributes, attributes)
	}
	return nil
}

func restoreOpen(d *feed, level int, start int64, w *Writer) (*open, bool) {
	d.ahead(2 * binary.MaxVarintLen64)
	o := w.newOpen(level, d.after(start, w.newestEnd))
	index := decoder{b: bytes.Clone(d.take(d.uvarint()))}
	shown := node{level: level, start: o.start, end: w.newestEnd}
	if d.bad || shown.decodeIndex(&index, w.pages, &w.header) != "" {
		return nil, false
	}
	o.children, o.extents, o.groups, o.wide = shown.children, shown.extents, shown.groups, shown.wide
	d.ahead(binary.MaxVarintLen64)
	count := d.uvarint()
	if count > uint64(d.remaining()) {
		return nil, false
	}
	end := o.start
	for range count {
		d.ahead(mostItem)
		q := attribute.Quark(d.below(uint64(w.names.attributes)))
		end = d.after(end, w.newestEnd)
		length := d.below(uint64(end) - uint64(o.start) + 1)
		iv := Interval{Quark: q, Start: end - int64(length), End: end, Value: d.value()}
		if d.bad || length == 0 || !o.add(iv) {
			return nil, false
		}
	}
	// What the node has written, or has below it, is not in its totals any more.
	o.totals.void = len(o.children) > 0 || len(o.extents) > 0
	return o, true
}

// restoreParts takes the parts of a leaf off d. What the node above has of them is not in its totals any more.
func (w *Writer) restoreParts(d *feed, n *open) bool {
	d.ahead(binary.MaxVarintLen64)
	count, end, used := d.below(uint64(w.header.room())+1), n.start, 0
	if count > 0 && n.most == n.part {
		return false
	}
	for range count {
		d.ahead(4 * binary.MaxVarintLen64)
		k := &block{file: w.file, number: noBlock, kind: leafBlock, prev: noBlock, start: n.start, end: d.after(n.start, w.newestEnd)}
		k.columns, k.count, k.used = int(d.below(uint64(w.room)+1)), int(d.below(uint64(w.room)+1)), int(d.below(uint64(w.room)+1))
		if d.bad || k.end < end {
			return false
		}
		end = k.end
		if int64(k.used) > d.remaining() {
			return false
		}
		for k.payload = make([]byte, 0, k.used); len(k.payload) < k.used && !d.bad; {
			k.payload = append(k.payload, d.take(uint64(min(k.used-len(k.payload), feedSize)))...)
		}
		if d.bad || k.direct(k.payload) != nil {
			return false
		}
		x := extent{block: noBlock, start: n.start, end: k.end, least: math.MaxInt32, held: k}
		found := 0
		err := k.each(func(iv Interval) bool {
			x.least, x.greatest = min(x.least, iv.Quark), max(x.greatest, iv.Quark)
			found++
			return true
		})
		if err != nil || found != k.count || int(x.greatest) >= w.names.attributes || used+k.used > n.most {
			return false
		}
		used += k.used
		n.hold(x)
	}
	if len(n.parts) > 0 {
		n.room = n.most
		if len(w.open) > 1 {
			w.open[1].totals.void = true
		}
	}
	return true
}
