package ctf

import (
	"errors"
	"io"
	"math"
	"sort"
	"strings"
	"sync"

	"synchroscope/trace"
)

// A timeIndex says where in a stream to begin for a time. Its entries stand for
// groups of packets; when there are too many, neighbours become one group, so an
// index has a fixed size however long the stream.
type timeIndex struct {
	entries []indexEntry
	group   int // packets per entry
}

// An indexEntry is the first packet of a group.
type indexEntry struct {
	file   int
	off    int64
	latest int64 // end of any packet up to the last one of the group
}

const maxIndex = 1 << 12

// An indexer builds the indices of a trace, each once.
type indexer struct {
	mu      sync.Mutex
	streams map[string]*timeIndex // by the paths of the files
}

// find returns the first group that may hold an event at or after t.
func (x *timeIndex) find(t int64) (indexEntry, bool) {
	i := sort.Search(len(x.entries), func(i int) bool { return x.entries[i].latest >= t })
	if i == len(x.entries) {
		return indexEntry{}, false
	}
	return x.entries[i], true
}

// add notes the next packet of the stream.
func (x *timeIndex) add(packets int, e indexEntry) {
	if n := len(x.entries); n > 0 {
		e.latest = max(e.latest, x.entries[n-1].latest)
		if packets%x.group != 0 {
			x.entries[n-1].latest = e.latest
			return
		}
	}
	if len(x.entries) == maxIndex {
		for i := range maxIndex / 2 {
			x.entries[i] = x.entries[2*i]
			x.entries[i].latest = x.entries[2*i+1].latest
		}
		x.entries, x.group = x.entries[:maxIndex/2], 2*x.group
	}
	x.entries = append(x.entries, e)
}

// timeIndex scans the packet headers of a stream, the first time it is asked for.
func (s *stream) timeIndex(t *Trace) (*timeIndex, error) {
	t.indexer.mu.Lock()
	defer t.indexer.mu.Unlock()
	var paths []string
	for _, f := range s.files {
		paths = append(paths, f.path)
	}
	key := strings.Join(paths, "\n")
	if x := t.indexer.streams[key]; x != nil {
		return x, nil
	}
	x := &timeIndex{group: 1}
	scan := &stream{part: s.part, files: s.files, sink: quiet{}}
	scan.win.buf = make([]byte, minWindow+trace.Spare)
	for n := 0; ; n++ {
		err := scan.nextPacket()
		if errors.Is(err, errEnd) {
			break
		}
		if err != nil {
			return nil, scan.wrap(err)
		}
		e := indexEntry{scan.file, scan.packet.off, scan.packet.end}
		if !scan.packet.hasLast || !scan.packet.hasFirst {
			e.latest = math.MaxInt64
		}
		x.add(n, e)
	}
	if t.indexer.streams == nil {
		t.indexer.streams = make(map[string]*timeIndex)
	}
	t.indexer.streams[key] = x
	return x, nil
}

// SeekTime moves a fresh reader to the first event at or after t (local ns), by packet headers.
// What is met on the way is not reported.
func (r *Reader) SeekTime(t int64) error {
	if r.begun || r.err != nil {
		return errors.New("only a fresh reader can be moved")
	}
	r.begun = true
	for _, l := range r.lanes {
		s := l.stream
		err := s.quietly(func() error { return s.seekTime(r.traces[s.trace], t) })
		if errors.Is(err, errEnd) {
			continue
		}
		if err != nil {
			r.err = s.wrap(err)
			return r.err
		}
		l.stood(nil)
		r.heap.push(l)
	}
	if len(r.heap) == 0 {
		r.err = io.EOF
	}
	return nil
}

// seekTime moves the head to the first event at or after t.
func (s *stream) seekTime(tr *Trace, t int64) error {
	x, err := s.timeIndex(tr)
	if err != nil {
		return err
	}
	e, ok := x.find(t)
	if !ok {
		s.file = len(s.files)
		return errEnd
	}
	if err := s.moveTo(e.file, e.off); err != nil {
		return err
	}
	for {
		if err := s.advance(); err != nil || s.event.Recorded >= t {
			return err
		}
	}
}
