package main

import (
	"slices"

	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/trace/ctf"
)

// endsReport is how many ends of messages a trace has.
type endsReport struct {
	Sent     int64 `json:"sent"`
	Received int64 `json:"received"`
}

// A talk is the traces that can have ends of messages, and the matching of these. The traces of a
// host are one list of events, as they are for a synchronization.
//
// Each host is read by a goroutine of its own, which is ahead of the matching by what it has at hand.
type talk struct {
	speakers []*speaker // by host; nil where nothing can be
	slots    chan struct{}
}

// A speaker is a host. Of its two lists of ends one is filled while the other is matched.
type speaker struct {
	lanes     []*lane
	extractor *match.Extractor
	bytes     int64
	unsaid    bool // a recording of the kernel does not say when it begins
	spare     []match.Endpoint
	said      chan words
}

// words are what a speaker comes to say at once: ends of messages, up to which local
// time, and which part of its traces that is.
type words struct {
	ends  []match.Endpoint
	part  float64
	until int64
	last  bool
}

// atOnce is how many ends words have at most.
const atOnce = 512

// newTalk opens the passes that can have ends of messages, which their reports tell then. The error
// is about what was declared.
func newTalk(o *opened, passes []*pass, slots chan struct{}) (*talk, error) {
	declared, err := match.ParseDeclarations("endpoints", o.declared)
	t := &talk{speakers: make([]*speaker, len(o.hosts)), slots: slots}
	for _, p := range passes {
		s := t.speakers[p.host]
		if s == nil {
			s = &speaker{extractor: match.NewExtractor(int32(p.host)), said: make(chan words), spare: make([]match.Endpoint, 0, atOnce)}
			if err == nil {
				s.extractor.Declare(declared, o.hosts[p.host].Name)
			}
		}
		if p.open() != nil {
			continue // it is told when the trace is read
		}
		l := &lane{pass: p, kernel: p.parts[0].Info().Kind == "kernel"}
		if l.kernel {
			begun, said := ctf.BeginOf(p.parts)
			l.begun, s.unsaid = begun, s.unsaid || !said
		}
		for _, c := range p.reader.Classes() {
			l.wanted = append(l.wanted, s.extractor.Wants(c))
		}
		if !slices.Contains(l.wanted, true) {
			p.reader.Close()
			continue
		}
		p.report.Messages = &endsReport{}
		for _, part := range p.parts {
			s.bytes += part.Info().Bytes
		}
		s.lanes = append(s.lanes, l)
		t.speakers[p.host] = s
	}
	return t, err
}

// run reads the traces and matches what they have, as a synchronization does. It is nil if there
// are none.
func (t *talk) run() *network.MatchingReport {
	pace := match.NewPace(len(t.speakers))
	matcher := match.NewMatcher(0, nil)
	matcher.Hosts(len(t.speakers))
	anybody := false
	for i, s := range t.speakers {
		if s == nil {
			pace.Done(int32(i))
			continue
		}
		anybody = true
		go s.run(t.slots)
	}
	if !anybody {
		return nil
	}
	for next := pace.Next(); next >= 0; next = pace.Next() {
		w := <-t.speakers[next].said
		for _, e := range w.ends {
			matcher.Add(e, pace.Message)
		}
		if w.last {
			pace.Done(next)
		} else {
			pace.At(next, w.part, w.until)
		}
	}
	matcher.Settle(nil)
	report := network.MatchingReport(matcher.Counts())
	return &report
}
