package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"synchroscope/state/attribute"
)

const (
	checkpointVersion = 3
	storedVersion     = 2 // nothing is held: what ended at the newest time is stored
)

// Checkpoint makes all blocks written so far durable (fdatasync, where File's
// Sync is that) and returns what [Resume] needs beside the file: the open
// branch, the ongoing values and the newest names. Its size does not grow with the trace; see
// docs/format/history.md. The caller stores it durably; only then may an older one be dropped.
func (w *Writer) Checkpoint() ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	if err := w.writeNames(w.namesChunk()); err != nil {
		w.err = err
		return nil, err
	}
	if err := w.file.f.Sync(); err != nil {
		w.err = fmt.Errorf("history: sync: %w", err)
		return nil, w.err
	}
	b := make([]byte, 0, w.checkpointSize())
	b = append(b, checkpointVersion)
	b = append(b, w.header.encode()...)
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
		b = w.present.appendOngoing(b, q)
	}
	b = binary.AppendUvarint(b, uint64(len(w.open)))
	for _, n := range w.open {
		b = n.appendTo(b, w.header.start)
	}
	b = w.ended.appendTo(b, w.header.start)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), nil
}

// checkpointSize is about how long a checkpoint is now. Among many attributes it is long: to grow it as it is written would take twice
// the memory and more.
func (w *Writer) checkpointSize() int {
	size := 16<<10 + len(w.names.rest)
	var b []byte
	for q := range attribute.Quark(w.names.attributes) {
		b = w.present.appendOngoing(b[:0], q)
		size += len(b)
	}
	for _, n := range w.open {
		b = n.appendTo(b[:0], w.header.start)
		size += len(b)
	}
	return size + w.ended.size()
}

// appendTo writes an open node. Totals and summaries that are not in blocks
// are left out.
func (n *open) appendTo(b []byte, start int64) []byte {
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
		b = appendValue(b, iv.Value)
		end = iv.End
	}
	return b
}

// Resume truncates f to a checkpoint made by Checkpoint and goes on from there. The
// finished file gives the answers of an undisturbed run.
func Resume(f File, checkpoint []byte) (*Writer, error) { return ResumeCached(f, checkpoint, nil) }

// ResumeCached is Resume with a cache that may be shared with other trees.
func ResumeCached(f File, checkpoint []byte, cache *Cache) (*Writer, error) {
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

func restore(f File, head header, checkpoint []byte, cache *Cache) (*Writer, error) {
	body := len(checkpoint) - 4
	if body < 1+recordSize || crc32.Checksum(checkpoint[:body], castagnoli) != binary.LittleEndian.Uint32(checkpoint[body:]) {
		return nil, errors.New("history: the checkpoint is damaged: wrong checksum")
	}
	d := &decoder{b: checkpoint[:body], i: 1}
	if v := checkpoint[0]; v < storedVersion || v > checkpointVersion {
		return nil, fmt.Errorf("history: the checkpoint has version %d; this program knows versions %d to %d", v, storedVersion, checkpointVersion)
	}
	if string(d.bytes(recordSize)) != string(head.encode()) {
		return nil, errors.New("history: the checkpoint belongs to another file: their headers differ")
	}
	n := newNames(space(f))
	w := newWriter(f, head, n, cache)
	w.pages = uint32(d.below(noBlock + 1))
	w.intervals = d.uvarint()
	w.now = d.after(head.start, math.MaxInt64)
	w.newestEnd = d.after(head.start, w.now)
	w.published = d.after(head.start, w.now)
	n.block = uint32(d.below(noBlock + 1))
	n.rest = append(n.rest, d.bytes(d.uvarint())...)
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
	levels := d.below(maxLevel)
	for level := range int(levels) {
		o, ok := restoreOpen(d, level, head.start, w)
		if !ok {
			return nil, errDamagedCheckpoint
		}
		w.open = append(w.open, o)
	}
	if checkpoint[0] > storedVersion && !w.restoreEnded(d) {
		return nil, errDamagedCheckpoint
	}
	if d.bad || d.more() || levels == 0 {
		return nil, errDamagedCheckpoint
	}
	return w, nil
}

var errDamagedCheckpoint = errors.New("history: the checkpoint is damaged: it does not decode")

func (w *Writer) restoreNames(attributes int) error {
	n := w.names
	stream, err := w.file.streamAt(n.block, namesBlock, mostNames)
	if err != nil {
		return err
	}
	n.length = uint64(len(stream))
	if len(stream)+len(n.rest) > mostNames {
		return errTooManyNames
	}
	if cause := n.restore(append(stream[:len(stream):len(stream)], n.rest...)); cause != "" {
		return fmt.Errorf("history: the names of the checkpoint: %s", cause)
	}
	if n.attributes != attributes {
		return fmt.Errorf("history: the names stream has %d attributes, the checkpoint says %d", n.attributes, attributes)
	}
	return nil
}

func restoreOpen(d *decoder, level int, start int64, w *Writer) (*open, bool) {
	o := w.newOpen(level, d.after(start, w.newestEnd))
	index := decoder{b: d.bytes(d.uvarint())}
	shown := node{level: level, start: o.start, end: w.newestEnd}
	if d.bad || shown.decodeIndex(&index, w.pages, &w.header) != "" {
		return nil, false
	}
	o.children, o.extents, o.groups, o.wide = shown.children, shown.extents, shown.groups, shown.wide
	count := d.uvarint()
	if count > uint64(len(d.b)) {
		return nil, false
	}
	end := o.start
	for range count {
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
