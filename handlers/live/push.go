package live

import (
	"bytes"
	"strconv"
	"time"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/sync/network"
)

// The least time between two pushes of a kind.
const (
	setSpacing    = 100 * time.Millisecond
	clocksSpacing = 250 * time.Millisecond
	reportSpacing = time.Second
)

// A Focus is the part of a set that a page opens on whose address says nothing but perhaps a tab:
// its window, and the row that is selected. Its times are local to Host, so that it can be given before the clocks are known.
type Focus struct {
	Host       string
	Begin, End int64  // local ns
	TID        int32  // the thread in question, 0 none
	Why        string // what there is to see, as a sentence
}

// The body of kind 1: the status by the clocks that were put into the outbox last, so that a page never hears of
// the reference of others, and the focus in their time once the clock of its host is tied to the others.
type setBody struct {
	ingest.Status
	Clocks int64      `json:"clocks"` // their version, 0 before there are any
	Focus  *focusBody `json:"focus,omitempty"`
}

type focusBody struct {
	Begin wire.Time `json:"begin"`
	End   wire.Time `json:"end"`
	Host  string    `json:"host"`
	TID   int32     `json:"row_tid,omitempty"`
	Why   string    `json:"why,omitempty"`
}

// A reportStamp changes when the report of an import, the body of kind 2, may.
type reportStamp struct {
	anomalies   int64
	hosts, lack int
}

func stampOf(status ingest.Status) reportStamp {
	stamp := reportStamp{anomalies: status.Anomalies, hosts: len(status.Hosts)}
	for _, h := range status.Hosts {
		stamp.lack += len(h.Missing)
	}
	return stamp
}

// push sends what no view asked for: the set, its rows, its clocks, its
// anomalies, each when it changed.
func (s *session) push() {
	var p pusher
	for {
		changed := s.set.Changed()
		if set, ok := s.set.(Passing); ok && set.Over() {
			s.end(closeAgain, "there is more to see")
			return
		}
		wait := p.push(s, time.Now())
		withheld := time.NewTimer(wait)
		select {
		case <-s.ctx.Done():
			return
		case <-changed:
		case <-withheld.C:
		}
		withheld.Stop()
		if !pause(s.ctx, setSpacing) {
			return
		}
	}
}

// A pusher remembers what was said last.
type pusher struct {
	set      []byte
	rows     uint32   // version of the rows that are sent or to be sent; of the write pump
	unsent   []uint32 // the rows that are to be sent yet; of the write pump
	clocks   *network.Solution
	clocksAt time.Time
	report   reportStamp
	reportAt time.Time
}

// push puts what is new into the outbox. What comes too soon is withheld: push
// returns when to look again, at the latest in an hour.
func (p *pusher) push(s *session, now time.Time) time.Duration {
	wait := time.Hour
	if solution := s.set.Solution(); solution != nil && solution != p.clocks {
		if due := p.clocksAt.Add(clocksSpacing).Sub(now); due > 0 {
			wait = min(wait, due)
		} else {
			p.clocks, p.clocksAt = solution, now
			s.out.put(slot{part: partClocks}, parcel{frame: s.encode(wire.KindClocks, solution.Report())})
		}
	}
	status := s.set.Status().By(p.clocks)
	if body := s.encode(wire.KindSet, s.setBody(status, p.clocks)); !bytes.Equal(body, p.set) {
		p.set = body
		s.out.put(slot{part: partSet}, parcel{frame: body})
	}
	s.refreshRows(status)
	p.putRows(s)

	if stamp := stampOf(status); stamp != p.report {
		if due := p.reportAt.Add(reportSpacing).Sub(now); due > 0 {
			wait = min(wait, due)
		} else {
			p.report, p.reportAt = stamp, now
			s.out.put(slot{part: partReport}, parcel{frame: s.encode(wire.KindReport, s.set.Report())})
		}
	}
	return wait
}

// rowsAtOnce is how many rows a message has at most: with the longest names they fit into one.
const rowsAtOnce = 1 << 16

// newRows is called by the write pump, so that rows are never encoded before
// they can leave: unlike all else, what was sent of them cannot be replaced. What does not fit
// into one message comes after what else is to be said meanwhile.
func (p *pusher) newRows(s *session) []byte {
	if len(p.unsent) == 0 {
		p.unsent, p.rows = s.rows.since(p.rows)
	}
	if len(p.unsent) == 0 {
		return nil
	}
	n := min(len(p.unsent), rowsAtOnce)
	frame, err := s.rows.encode(p.unsent[:n], p.rows)
	if p.unsent = p.unsent[n:]; len(p.unsent) == 0 {
		p.unsent = nil
	}
	if len(p.unsent) > 0 || s.rows.versionNow() != p.rows {
		p.putRows(s)
	}
	if err != nil {
		s.hub.log.Error("rows cannot be sent", "set", s.set.ID(), "err", err)
		return nil
	}
	return frame
}

func (p *pusher) putRows(s *session) {
	s.out.put(slot{part: partRows}, parcel{fill: func() []byte { return p.newRows(s) }})
}

// encode writes a push. What cannot be written is logged and left out.
func (s *session) encode(k wire.Kind, body any) []byte {
	frame, err := wire.EncodeJSON(k, wire.Header{}, body)
	if err != nil {
		s.hub.log.Error("a push cannot be sent", "set", s.set.ID(), "kind", k, "err", err)
		return wire.EncodeError(wire.Header{}, errInternal.Error())
	}
	return frame
}

// refreshRows takes the threads that the hosts have found into the table.
func (s *session) refreshRows(status ingest.Status) {
	begins := make([]int64, len(status.Hosts))
	for i, h := range status.Hosts {
		begins[i], _ = strconv.ParseInt(h.LocalBegin, 10, 64)
	}
	s.rows.refresh(s.set.Hosts(), begins)
}

// setBody is the body of kind 1 for a status by some clocks, nil for none.
func (s *session) setBody(status ingest.Status, clocks *network.Solution) setBody {
	body := setBody{Status: status}
	if clocks != nil {
		body.Clocks = clocks.Version
		body.Focus = s.focusBody(status, lens{solution: clocks})
	}
	return body
}

// focusBody is nil while there is no reference time for the focus.
func (s *session) focusBody(status ingest.Status, l lens) *focusBody {
	if s.focus == nil {
		return nil
	}
	for _, h := range status.Hosts {
		if h.Name == s.focus.Host && !h.Unsynchronized && l.clock(int32(h.Index)) != nil {
			return &focusBody{
				Begin: wire.Time(l.shown(int32(h.Index), s.focus.Begin)),
				End:   wire.Time(l.shown(int32(h.Index), s.focus.End)),
				Host:  h.Name,
				TID:   s.focus.TID,
				Why:   s.focus.Why,
			}
		}
	}
	return nil
}
