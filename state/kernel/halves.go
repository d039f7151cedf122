package kernel

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"synchroscope/state/history"
	"synchroscope/state/varint"
	"synchroscope/trace"
)

// Halves of calls. Of a call the tracer can have recorded the beginning alone, or the end: it was told to, which the metadata says, or a filter lets only one
// of both through, as of a call with a certain file, whose end does not say which file it is of. That shows by what threads do next.

// halves find out of which calls only one half was recorded.
type halves struct {
	all   odds                    // how often threads begin a call within another, or end one that they had not begun
	stays map[history.Value]*odds // by call: how often threads that were in it begin another
	some  bool                    // of one of stays it shows
}

// hiddenShare is what of the stays in a call must have no end, one in so many: a filter leaves out the ends of all, and a session that was stopped meanwhile those
// of few.
const hiddenShare = 2

// mayHide reports whether a thread that is in no call that is known of may be in one whose beginning was told.
func (m *Model) mayHide() bool { return m.openCalls || m.halves.all.holds || m.halves.some }

// lasts reports whether nobody knows for how long what a thread does lasts that the newest event puts into a call, or into none if that is null.
func (m *Model) lasts(call history.Value) bool {
	if call.IsNull() {
		return m.halves.all.holds
	}
	return m.halves.all.holds || m.endless || m.halves.some && m.stay(call).holds
}

// putInto has t be in a call, or in none if that is null, as far as that is known.
func (m *Model) putInto(t *thread, call history.Value) {
	if m.lasts(call) {
		m.noCall(t)
		t.known = false
		return
	}
	m.setCall(t, call)
}

// meet takes note whether t, of which it was known in which call it is, now begins one in none, or ends the one that it is in. Where it does neither too often
// in which call a thread is is known of none, or not known of those that are in one whose ends are missing.
func (m *Model) meet(t *thread, leaves bool) {
	if !t.known || m.headless {
		return
	}
	call := t.call
	if m.halves.all.take(leaves == call.IsNull(), breakShare) {
		m.doubtCalls(history.Null())
		return
	}
	if call.IsString() && !m.halves.all.holds && m.stay(call).take(!leaves, hiddenShare) {
		m.halves.some = true
		m.doubtCalls(call)
	}
}

// stay is how often threads come back from a call, as far as is told.
func (m *Model) stay(call history.Value) *odds {
	o := m.halves.stays[call]
	if o == nil {
		o = new(odds)
		if m.halves.stays == nil {
			m.halves.stays = make(map[history.Value]*odds)
		}
		m.halves.stays[call] = o
	}
	return o
}

// doubtCalls makes unknown in which calls threads are, all of them, or those alone that are in this one.
func (m *Model) doubtCalls(in history.Value) {
	if m.noSwitches { // then those in calls need not be at hand
		m.doubtThreads()
		return
	}
	m.threads.each(func(t *thread) {
		if t.known && !t.kernel && (in.IsNull() || t.call == in) {
			m.noCall(t)
			t.known = false
		}
	})
	for _, c := range m.cpus {
		if c != nil {
			c.told = CPUUnknown
			m.settle(c)
		}
	}
}

// Halved says that of system calls the beginnings or the ends alone were recorded, though the metadata has both. It returns false if that has not shown. It is
// asked before the history is finished.
func (m *Model) Halved() (trace.Anomaly, bool) {
	a := trace.Anomaly{Kind: "some-calls", Count: 1}
	switch {
	case m.halves.all.holds:
		a.Message = "threads begin system calls within others, or end some that they had not begun, so a filter leaves out beginnings or ends"
	case m.halves.some:
		var calls []string
		for call, o := range m.halves.stays {
			if o.holds {
				calls = append(calls, m.w.History().String(call))
			}
		}
		slices.Sort(calls)
		listed := strings.Join(calls[:min(len(calls), mostListed)], ", ")
		if more := len(calls) - mostListed; more > 0 {
			listed += fmt.Sprintf(" and %d more", more)
		}
		a.Message = "threads begin other system calls within " + listed + ", so a filter leaves out the ends of these"
	default:
		return a, false
	}
	return a, true
}

// mostListed calls are told by their names.
const mostListed = 5

func (m *Model) appendHalves(b []byte) []byte {
	b = varint.AppendBool(b, m.halves.all.holds)
	b = m.halves.all.append(b)
	b = binary.AppendUvarint(b, uint64(len(m.halves.stays)))
	for _, call := range slices.SortedFunc(maps.Keys(m.halves.stays), func(a, b history.Value) int {
		m, _ := a.Text()
		n, _ := b.Text()
		return cmp.Compare(m, n)
	}) {
		o := m.halves.stays[call]
		b = varint.AppendString(b, m.w.History().String(call))
		b = varint.AppendBool(b, o.holds)
		b = o.append(b)
	}
	return b
}

func (m *Model) restoreHalves(d *varint.Decoder, format uint64) {
	if format < 10 {
		return
	}
	m.halves.all.holds = d.Uint() != 0
	m.halves.all.restore(d)
	for range d.Count() {
		o := m.stay(m.w.Text([]byte(d.Text())))
		o.holds = d.Uint() != 0
		o.restore(d)
		m.halves.some = m.halves.some || o.holds
	}
}
