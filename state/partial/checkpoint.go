package partial

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// In the first version nothing is said of values of the full history that were corrected.
const (
	firstCheckpoint   = 1
	checkpointVersion = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checkpoint makes both trees durable as far as they are and returns what [Resume] needs beside their files. Its size
// grows with the attributes, not with the trace. The caller stores it durably; only then may an older one be dropped.
//
// docs/format/partial.md says what is in it.
func (w *Writer) Checkpoint() ([]byte, error) {
	values, err := w.tree.Checkpoint()
	if err != nil {
		return nil, err
	}
	points, err := w.points.tree.Checkpoint()
	if err != nil {
		return nil, err
	}
	b := []byte{checkpointVersion}
	for _, tree := range [][]byte{values, points} {
		b = append(binary.AppendUvarint(b, uint64(len(tree))), tree...)
	}
	state := w.state[:min(len(w.state), w.tree.Attributes().Len())]
	for _, n := range []int64{int64(w.every), w.now - w.start, int64(w.events), w.points.count, int64(len(state))} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for i := range state {
		s := &state[i]
		said := byte(0)
		if s.changed {
			said |= changedSince
		}
		if s.since == w.now {
			said |= changedNow
		}
		b = binary.AppendUvarint(append(b, said), uint64(s.since-w.start))
		if b = history.AppendValue(b, s.value); said&changedNow > 0 {
			b = binary.AppendUvarint(b, uint64(s.began-w.start))
			b = history.AppendValue(b, s.before)
		}
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), nil
}

// What is said of an attribute in a checkpoint.
const (
	changedSince = 1 << iota // the newest checkpoint of the history
	changedNow               // at the newest time, so that it may be taken back
)

// Resume truncates the files of both trees to a checkpoint made by Checkpoint, and goes on from there: with the
// first event that was not recorded then. The history gives the answers of an undisturbed run.
func Resume(tree, points history.File, checkpoint []byte) (*Writer, error) {
	body := len(checkpoint) - crc32.Size
	if body < 1 || crc32.Checksum(checkpoint[:body], castagnoli) != binary.LittleEndian.Uint32(checkpoint[body:]) {
		return nil, errors.New("partial: the checkpoint is damaged: wrong checksum")
	}
	if v := checkpoint[0]; v < firstCheckpoint || v > checkpointVersion {
		return nil, fmt.Errorf("partial: the checkpoint has version %d; this program knows versions %d to %d", v, firstCheckpoint, checkpointVersion)
	}
	r := reading{rest: checkpoint[1:body]}
	values, positions := r.bytes(), r.bytes()
	every, now, events, count, attributes := r.number(), r.number(), r.number(), r.number(), r.number()
	if r.bad || every == 0 {
		return nil, errDamaged
	}
	w := &Writer{every: int(every), events: int(events)}
	var err error
	if w.tree, err = history.Resume(tree, values); err != nil {
		return nil, fmt.Errorf("partial: the values: %w", err)
	}
	at, err := history.Resume(points, positions)
	if err != nil {
		return nil, fmt.Errorf("partial: the positions: %w", err)
	}
	start, end := w.tree.History().Bounds()
	if from, to := at.History().Bounds(); from != start || to != end {
		return nil, fmt.Errorf("partial: the positions go from %d to %d ns, the values from %d to %d: they are not of one history", from, to, start, end)
	}
	w.points = newPositions(at, int64(count))
	w.start, w.now = start, start+int64(now)
	if attributes > uint64(w.tree.Attributes().Len()) || w.now < end {
		return nil, errDamaged
	}
	for q := range attribute.Quark(attributes) {
		said, s := r.number(), ongoing{since: start + int64(r.number()), value: r.value(), began: start}
		if said&changedNow > 0 {
			s.began, s.before = start+int64(r.number()), r.value()
		}
		if r.bad || said > changedSince|changedNow || s.since < start || s.since > w.now || s.began > s.since {
			return nil, errDamaged
		}
		if s.changed = said&changedSince > 0; s.changed {
			w.changed = append(w.changed, q)
		}
		w.state = append(w.state, s)
	}
	if r.bad || len(r.rest) > 0 {
		return nil, errDamaged
	}
	return w, nil
}

var errDamaged = errors.New("partial: the checkpoint is damaged: it does not decode")

// reading takes what Checkpoint wrote from the front of rest. Once bad it gives zeros.
type reading struct {
	rest []byte
	bad  bool
}

func (r *reading) number() uint64 {
	u, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return u
}

func (r *reading) bytes() []byte {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.bad, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reading) value() history.Value {
	v, rest, ok := history.TakeValue(r.rest)
	r.bad, r.rest = r.bad || !ok, rest
	return v
}
