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
	packets int
}

// An indexEntry is the first packet of a group.
type indexEntry struct {
	file   int
	off    int64
	latest int64 // no event up to the last packet of the group is later, see add
	// believed is what a tracer's index says of the packet; nil if the packet itself has been read.
	believed *indexed
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

// add notes the next packet of the stream, which begins at a time, math.MaxInt64 if it does not say when.
//
// Where a packet says it ends is not always so: it may be 0, which says nothing, or what was true
// when the tracer was killed. So its events may be as late as the next packet begins, and those of
// the last one as late as they like.
func (x *timeIndex) add(e indexEntry, begin int64) {
	at := x.packets
	x.packets++
	if n := len(x.entries); n > 0 {
		x.entries[n-1].latest = max(x.entries[n-1].latest, begin)
		e.latest = max(e.latest, x.entries[n-1].latest)
		if at%x.group != 0 {
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

// close is called behind the last packet.
func (x *timeIndex) close() {
	if n := len(x.entries); n > 0 {
		x.entries[n-1].latest = math.MaxInt64
	}
}

// timeIndex finds where the packets of a stream lie, the first time it is asked for: by the
// tracer's index files where they are sound, else by reading all packet headers. With
// doubt it does the latter in any case.
func (s *stream) timeIndex(t *Trace, doubt bool) (*timeIndex, error) {
	t.indexer.mu.Lock()
	defer t.indexer.mu.Unlock()
	var paths []string
	for _, f := range s.files {
		paths = append(paths, f.path)
	}
	key := strings.Join(paths, "\n")
	if x := t.indexer.streams[key]; x != nil && !doubt {
		return x, nil
	}
	x := &timeIndex{group: 1}
	buf := make([]byte, minWindow+trace.Spare)
	var large lender
	for i := range s.files {
		scan := &stream{files: s.files[i : i+1], sink: quiet{}}
		scan.win.own, scan.win.buf, scan.win.lender = buf, buf, &large
		if err := scan.scan(i, x, doubt); err != nil {
			return nil, scan.wrap(err)
		}
		scan.win.giveBack()
		buf = scan.win.own
	}
	x.close()
	if t.indexer.streams == nil {
		t.indexer.streams = make(map[string]*timeIndex)
	}
	t.indexer.streams[key] = x
	return x, nil
}

// scan notes the packets of the stream's only file, number i.
func (s *stream) scan(i int, x *timeIndex, doubt bool) error {
	if err := s.openFile(); err != nil {
		return err
	}
	defer s.shut()
	if !doubt {
		if entries, c := s.soundIndex(); entries != nil {
			for _, e := range entries {
				latest := int64(math.MaxInt64)
				if e.last > 0 {
					latest = c.endClock.time(e.last)
				}
				x.add(indexEntry{file: i, off: e.off, latest: latest, believed: &e}, c.beginClock.time(e.first))
			}
			return nil
		}
		s.forget()
	}
	for {
		err := s.nextPacket()
		if errors.Is(err, errEnd) {
			return nil
		}
		if err != nil {
			return err
		}
		e := indexEntry{file: i, off: s.packet.off, latest: math.MaxInt64}
		if s.packet.bounded && s.packet.last > 0 {
			e.latest = s.packet.end
		}
		begin := int64(math.MaxInt64)
		if s.packet.hasFirst {
			begin = s.packet.begin
		}
		x.add(e, begin)
	}
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
		l.stood()
		l.rest()
		r.heap.push(l)
	}
	if len(r.heap) == 0 {
		r.err = io.EOF
	}
	return nil
}

// seekTime moves the head to the first event at or after t.
func (s *stream) seekTime(tr *Trace, t int64) error {
	for doubt := false; ; doubt = true {
		x, err := s.timeIndex(tr, doubt)
		if err != nil {
			return err
		}
		e, ok := x.find(t)
		if !ok {
			s.file = len(s.files)
			return errEnd
		}
		err = s.moveTo(e.file, e.off)
		if e.believed == nil && err != nil {
			return err
		}
		if e.believed == nil || err == nil && e.believed.describes(&s.packet) {
			break
		}
		s.shut()
	}
	for {
		if err := s.advance(); err != nil || s.event.Recorded >= t {
			return err
		}
	}
}
