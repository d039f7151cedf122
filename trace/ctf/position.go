package ctf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"path/filepath"
	"slices"

	"synchroscope/trace"
)

// A position is a version byte, a fingerprint of the files, the state of the
// reader, and for each stream the place of its head with the cycles before it.
// All else about a stream follows from reading its packet header again. Streams that may have lost their ends come last; version 2 had
// none. Version 4 has what was lost by the end of the packet of a head, and places of losses; version 5, last, the times in which streams rested. Integers are varints, strings have their length in front.
const (
	positionVersion = 5
	restlessVersion = 4
	unplacedVersion = 3
	untailedVersion = 2
)

// Position encodes where the reader stands between two calls of Next, with the
// anomalies and counts so far; Seek puts a fresh reader over the same traces there. A position is a few
// hundred bytes per stream.
func (r *Reader) Position() []byte { return r.position(positionVersion) }

func (r *Reader) position(version byte) []byte {
	placed := version > unplacedVersion
	b := append([]byte{version}, r.fingerprint()...)
	b = appendBool(b, r.begun)
	b = appendBool(b, r.moved)
	b = binary.AppendVarint(b, r.time)
	b = binary.AppendVarint(b, r.bytes.Load())
	b = appendLosses(b, r.losses, placed)
	if placed {
		b = appendLosses(b, r.told, placed)
	}
	b = binary.AppendUvarint(b, uint64(len(r.anomalies.list)))
	for _, a := range r.anomalies.list {
		b = appendString(b, a.Kind)
		b = appendString(b, a.Stream)
		b = appendString(b, a.Message)
		b = binary.AppendVarint(b, a.Offset)
		b = binary.AppendVarint(b, a.Count)
	}
	if !r.begun {
		return b
	}
	standing := make(map[*lane]bool)
	for _, l := range r.heap {
		standing[l] = true
	}
	for _, l := range r.lanes {
		b = appendBool(b, standing[l])
		if standing[l] {
			b = l.place().append(b, placed)
		}
	}
	if version == untailedVersion {
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(r.tails)))
	for _, t := range r.tails {
		b = binary.AppendUvarint(b, uint64(slices.Index(r.lanes, t.lane)))
		for _, v := range []int64{t.at, t.off, int64(t.cpu)} {
			b = binary.AppendVarint(b, v)
		}
	}
	if version <= restlessVersion {
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(r.pauses)))
	for _, p := range r.pauses {
		b = binary.AppendUvarint(b, uint64(slices.Index(r.lanes, p.lane)))
		b = binary.AppendVarint(b, p.begin)
		b = binary.AppendVarint(b, p.end)
	}
	return b
}

func appendLosses(b []byte, list []Loss, placed bool) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, l := range list {
		for _, v := range []int64{int64(l.CPU), int64(l.Trace), l.Begin, l.End, l.Count, l.Packets} {
			b = binary.AppendVarint(b, v)
		}
		if placed {
			b = binary.AppendVarint(b, l.At)
		}
	}
	return b
}

func (p place) append(b []byte, placed bool) []byte {
	b = binary.AppendUvarint(b, uint64(p.file))
	b = binary.AppendVarint(b, p.done)
	b = binary.AppendVarint(b, p.off)
	b = binary.AppendUvarint(b, p.start)
	b = binary.AppendUvarint(b, p.before)
	if !placed {
		return b
	}
	b = binary.AppendVarint(b, p.lost.count)
	b = binary.AppendVarint(b, p.lost.begin)
	return binary.AppendVarint(b, p.lost.end)
}

// Seek puts a fresh reader where Position was taken.
func (r *Reader) Seek(position []byte) error {
	if r.begun || r.err != nil {
		return errors.New("only a fresh reader can be moved")
	}
	d := &decoder{b: position}
	version := d.bytes(1)
	if d.err == nil && (version[0] < untailedVersion || version[0] > positionVersion) {
		return fmt.Errorf("a position of version %d is not known", version[0])
	}
	if string(d.bytes(8)) != string(r.fingerprint()) {
		return errors.New("the position belongs to other traces")
	}
	begun, moved := d.bool(), d.bool()
	r.time = d.int()
	r.bytes.Store(d.int())
	d.placed = d.err == nil && version[0] > unplacedVersion
	r.losses, r.told = d.losses(), nil
	if d.placed {
		r.told = d.losses()
	}
	r.anomalies = anomalies{}
	for n := d.count(); n > 0; n-- {
		r.anomalies.add(trace.Anomaly{Kind: d.string(), Stream: d.string(), Message: d.string(), Offset: d.int(), Count: d.int()})
	}
	if d.err == nil && begun {
		r.begun, r.moved = true, moved
		for _, l := range r.lanes {
			if err := r.place(l, d); err != nil {
				r.err = err
				return err
			}
		}
		r.moved = moved && len(r.heap) > 0
		if d.err == nil && version[0] != untailedVersion {
			r.placeTails(d)
		}
		if d.err == nil && version[0] > restlessVersion {
			r.placePauses(d)
		}
	}
	if d.err != nil {
		r.err = d.err
	}
	return d.err
}

// place restores one stream.
func (r *Reader) place(l *lane, d *decoder) error {
	s := l.stream
	if !d.bool() {
		s.file, l.over = len(s.files), true
		return d.err
	}
	s.file = int(min(d.uint(), uint64(len(s.files))))
	done, off, start, before := d.int(), d.int(), d.uint(), d.uint()
	var lost lostIn
	if d.placed {
		lost = lostIn{d.int(), d.int(), d.int()}
	}
	if d.err != nil {
		return d.err
	}
	err := s.quietly(func() error {
		if err := s.moveTo(s.file, off); err != nil {
			return err
		}
		s.packet.lost, s.prev.lost = lost, lost
		if start < s.packet.header || start >= s.packet.content {
			return errPosition
		}
		s.next, s.cycles = start, before
		ok, err := s.decode()
		if !ok && err == nil {
			err = errors.New("the position does not lie on an event")
		}
		return err
	})
	if err != nil {
		return s.wrap(err)
	}
	s.done = done
	l.stood()
	l.rest()
	r.heap.push(l)
	return nil
}

// placePauses restores the times in which streams rested.
func (r *Reader) placePauses(d *decoder) {
	for n := d.count(); n > 0; n-- {
		i := d.uint()
		p := pause{begin: d.int(), end: d.int()}
		if i >= uint64(len(r.lanes)) || !slices.Contains(r.heap, r.lanes[i]) {
			d.err = errPosition
			return
		}
		p.lane = r.lanes[i]
		r.pauses = append(r.pauses, p)
	}
}

// placeTails restores the streams that may have lost their ends.
func (r *Reader) placeTails(d *decoder) {
	for n := d.count(); n > 0; n-- {
		i := d.uint()
		t := tail{at: d.int(), off: d.int(), cpu: int32(d.int())}
		if i >= uint64(len(r.lanes)) {
			d.err = errPosition
			return
		}
		t.lane, t.doubted = r.lanes[i], r.time > t.at
		r.tails = append(r.tails, t)
	}
}

// moveTo enters the packet at off of a file, without comparing it with the one before.
func (s *stream) moveTo(file int, off int64) error {
	s.file = file
	if s.file >= len(s.files) {
		return errors.New("the position lies behind the last file")
	}
	if err := s.openFile(); err != nil {
		return err
	}
	if off < 0 || off >= s.win.size {
		return fmt.Errorf("the position lies at byte %d of a file of %d", off, s.win.size)
	}
	err := s.enter(off)
	s.packet.lost, s.prev.lost = lostIn{}, lostIn{} // of what was before nothing is known
	if f := (*fault)(nil); errors.As(err, &f) && !f.fatal {
		err = nil // it was reported when it was met first
	}
	return err
}

// quietly runs f while nothing is reported.
func (s *stream) quietly(f func() error) error {
	sink, last := s.sink, s.last
	s.sink, s.last = quiet{}, math.MinInt64
	err := f()
	s.sink = sink
	if err != nil {
		s.last = last
	}
	return err
}

// quiet is the sink of a stream that goes where it has been before.
type quiet struct{}

func (quiet) anomaly(trace.Anomaly) {}
func (quiet) loss(Loss)             {}
func (quiet) placed(Loss)           {}
func (quiet) consumed(int64)        {}
func (quiet) looked(*stream)        {}

// fingerprint tells traces apart by the names of their files.
func (r *Reader) fingerprint() []byte {
	h := fnv.New64a()
	for _, l := range r.lanes {
		for _, f := range l.stream.files {
			fmt.Fprintf(h, "%d/%d/%q\n", f.trace, l.index, filepath.Base(f.path))
		}
	}
	return h.Sum(nil)
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// A decoder reads what was appended; after an error it yields zeros.
type decoder struct {
	b      []byte
	err    error
	placed bool // losses have their places
}

var errPosition = errors.New("the position is damaged")

func (d *decoder) bytes(n int) []byte {
	if d.err != nil || n > len(d.b) {
		d.err = errPosition
		return nil
	}
	v := d.b[:n]
	d.b = d.b[n:]
	return v
}

func (d *decoder) losses() (list []Loss) {
	for n := d.count(); n > 0; n-- {
		l := Loss{CPU: int32(d.int()), Trace: int32(d.int()), Begin: d.int(), End: d.int(), Count: d.int(), Packets: d.int()}
		if d.placed {
			l.At = d.int()
		}
		list = append(list, l)
	}
	return list
}

func (d *decoder) bool() bool {
	v := d.bytes(1)
	return len(v) == 1 && v[0] == 1
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	d.bytes(max(n, 0))
	if n <= 0 {
		d.err = errPosition
		return 0
	}
	return v
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	d.bytes(max(n, 0))
	if n <= 0 {
		d.err = errPosition
		return 0
	}
	return v
}

// count reads a number of things, each of which takes a byte at least.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.err = errPosition
		return 0
	}
	return int(n)
}

func (d *decoder) string() string { return string(d.bytes(d.count())) }
