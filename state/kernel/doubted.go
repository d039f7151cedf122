package kernel

import (
	"fmt"
	"math"
	"strings"
	"time"

	"synchroscope/state/attribute"
	"synchroscope/trace"
)

// isUnknown reports whether an attribute says that a thread is Unknown.
func (m *Model) isUnknown(q attribute.Quark) bool {
	v, ok := m.ongoing(q)
	return ok && Status(v) == Unknown
}

// Doubted says what a loss made unknown that no event has told of since, so that its last
// interval has no other end than that of the trace. It returns false if there is
// nothing. It is asked before the history is finished.
func (m *Model) Doubted() (trace.Anomaly, bool) {
	if !m.doubted {
		return trace.Anomaly{}, false
	}
	start, _ := m.w.History().Bounds()
	threads, cpus := 0, 0
	first, since := attribute.None, int64(0)
	over := m.unrecorded()
	doubted := func(q attribute.Quark) bool {
		_, from := m.w.Ongoing(q)
		if from == start || from >= over {
			return false // it has never been known, or the recording was over
		}
		if first == attribute.None || from < since {
			first, since = q, from
		}
		return true
	}
	rows := int32(m.rows.count)
	if m.noSwitches {
		rows = 0 // what threads do was not known before either
	}
	for n := range rows {
		if q := m.rows.at(n).quark; m.lifeOf(n) == alive && m.isUnknown(q) && doubted(q) {
			threads++
		}
	}
	for _, c := range m.cpus {
		if c != nil && c.status == CPUUnknown && doubted(c.quark.status) {
			cpus++
		}
	}
	var what []string
	for _, n := range []struct {
		count     int
		one, many string
	}{{threads, "thread", "threads"}, {cpus, "CPU", "CPUs"}} {
		switch {
		case n.count == 1:
			what = append(what, "1 "+n.one)
		case n.count > 1:
			what = append(what, fmt.Sprintf("%d %s", n.count, n.many))
		}
	}
	if first == attribute.None {
		return trace.Anomaly{}, false
	}
	return trace.Anomaly{
		Kind:  "unknown-to-the-end",
		Count: 1,
		Message: fmt.Sprintf("events were lost, and none after that tells what became of %s; the first is %s, unknown from %s on by its host's clock (UTC)",
			strings.Join(what, " and "), m.w.Attributes().Full(first), clockWords(since)),
	}, true
}

// unrecorded is since when nothing is told of any CPU, to the end, as the kernel is recorded no longer; never, if it is. Of what a loss made unknown at that very time alone
// nothing is told then.
func (m *Model) unrecorded() int64 {
	if m.darkAll != never {
		return never
	}
	since := int64(math.MinInt64)
	for n := range int32(m.rows.count) {
		if q := m.rows.at(n).quark; m.isUnknown(q) {
			_, from := m.w.Ongoing(q)
			since = max(since, from)
		}
	}
	for _, c := range m.cpus {
		if c != nil && c.status == CPUUnknown {
			_, from := m.w.Ongoing(c.quark.status)
			since = max(since, from)
		}
	}
	return since
}

// clockWords is the time of the day that a clock shows at a local time, in the page's form.
func clockWords(ns int64) string {
	t := time.Unix(0, ns).UTC().Format("15:04:05.000000000")
	return t[:12] + "\u202f" + t[12:15] + "\u202f" + t[15:]
}
