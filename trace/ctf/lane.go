package ctf

import "synchroscope/trace"

// A lane is a stream as the merge sees it: the event at its head, and the way to the
// next one. At first the reader moves the stream itself; a stream that proves long is
// then decoded ahead in a goroutine of its own.
type lane struct {
	stream *stream
	event  *trace.Event // the head
	time   int64        // its recorded time
	trace  int32        // index into the reader's traces
	index  int32        // index into the trace's streams
	over   bool         // it is at its end

	patience int // events until the stream is long
	long     int // the same at the beginning
	share    share
	ahead    *ahead // nil while the reader moves the stream itself
}

// A place is where in a stream an event begins, and what must be known to read it again.
type place struct {
	file   int    // into the stream's files
	done   int64  // bytes of it that have been consumed
	off    int64  // of the packet in the file
	start  uint64 // of the event in the packet, bits
	before uint64 // cycles before it
	lost   lostIn // by the end of the packet
}

func newLane(s *stream, patience int, share share) *lane {
	return &lane{stream: s, event: &s.event, trace: s.trace, index: s.index, patience: patience, long: patience, share: share}
}

// advance moves the head to the next event; it returns errEnd behind the last one.
func (l *lane) advance() error {
	if l.ahead == nil && l.patience > 0 {
		l.patience--
		s := l.stream
		err := s.advance()
		l.time = s.event.Recorded
		if err != nil {
			err = s.wrap(err)
		}
		return err
	}
	if l.ahead == nil {
		l.ahead = startAhead(l.stream, l.share)
		l.event = &l.ahead.event
	}
	err := l.ahead.advance()
	if err == errLarge {
		l.ahead.leave()
		l.ahead, l.event, l.patience = nil, &l.stream.event, max(l.long, 1)
		return l.advance()
	}
	l.time = l.ahead.event.Recorded
	return err
}

// rest lets the head wait for its turn, for which it needs no window of its own if it is large.
func (l *lane) rest() {
	if l.ahead == nil {
		l.stream.rest()
	}
}

// wake makes the head ready to be returned.
func (l *lane) wake() error {
	if l.ahead == nil && l.stream.resting {
		return l.stream.wake()
	}
	return nil
}

// stood notes the time of the head, once the stream has been moved.
func (l *lane) stood() { l.time = l.event.Recorded }

// place is where the head is.
func (l *lane) place() place {
	if l.ahead != nil {
		return l.ahead.place
	}
	s := l.stream
	return place{s.file, s.done, s.packet.off, s.start, s.before, s.packet.lost}
}

// close closes what the lane has open.
func (l *lane) close() error {
	if l.ahead != nil {
		l.ahead.stop()
	}
	if l.stream.open == nil {
		return nil
	}
	err := l.stream.open.Close()
	l.stream.open = nil
	return err
}
