package main

import (
	"slices"

	"synchroscope/sync/match"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// A lane is a trace of a speaker, and its next event; nil is none.
type lane struct {
	*pass
	event  *trace.Event
	wanted []bool // by index of a class: its events can be ends of messages
	kernel bool
	begun  int64 // its first packet, local ns
}

func (l *lane) advance() {
	ev, err := l.next()
	if err != nil {
		l.err = l.close(err)
	}
	l.event = ev
}

// run says everything, and reads only while it has one of the slots.
func (s *speaker) run(slots chan struct{}) {
	w := words{ends: make([]match.Endpoint, 0, atOnce)}
	slots <- struct{}{}
	for _, l := range s.lanes {
		l.advance()
	}
	for {
		s.fill(&w)
		<-slots
		s.said <- w
		if w.last {
			return
		}
		w.ends, s.spare = s.spare, w.ends
		slots <- struct{}{}
	}
}

// fill reads on, up to the next words.
func (s *speaker) fill(w *words) {
	w.ends = w.ends[:0]
	for n := 0; n < progressStep && len(w.ends) < atOnce; n++ {
		l := s.first()
		if l == nil {
			w.last = true
			return
		}
		w.until = l.event.Time
		if l.wanted[l.event.Class.Index] {
			s.hear(l, w)
		}
		l.advance()
	}
	read := int64(0)
	for _, l := range s.lanes {
		read += l.reader.Bytes()
	}
	w.part = float64(read) / float64(max(s.bytes, 1))
}

// hear takes an event that can be the end of a message.
func (s *speaker) hear(l *lane, w *words) {
	e, ok := s.extractor.Extract(l.event)
	if !ok {
		return
	}
	if !s.doubled(l) {
		w.ends = append(w.ends, e)
	}
	if e.Direction == match.Send {
		l.report.Messages.Sent++
	} else {
		l.report.Messages.Received++
	}
}

// doubled reports whether the next event of a lane is in another recording of the kernel as well, which goes on: it is matched as that one has it,
// as in [ctf.Reader.Doubled].
func (s *speaker) doubled(l *lane) bool {
	if s.unsaid {
		return false
	}
	for _, o := range s.lanes {
		if o == l || !l.kernel {
			return false
		}
		if o.kernel && o.event != nil && o.begun <= l.event.Time && o.has(l.event.Class.Name) {
			return true
		}
	}
	return false
}

// has reports whether a recording can have events of a name.
func (l *lane) has(name string) bool {
	return slices.ContainsFunc(l.parts, func(t *ctf.Trace) bool { return slices.Contains(t.Info().Classes, name) })
}

// first is the lane whose event is next, nil if all are at their end; of several the one named first.
func (s *speaker) first() *lane {
	var least *lane
	for _, l := range s.lanes {
		if l.event != nil && (least == nil || l.event.Time < least.event.Time) {
			least = l
		}
	}
	return least
}
