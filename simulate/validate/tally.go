package validate

import (
	"fmt"
	"slices"

	"synchroscope/simulate/truth"
)

// A tally goes through the messages of the truth and ticks off what the traces have of them.
type tally struct {
	c        *cluster
	messages int64
	hosts    []ticked
	pairs    []bool
	others   []altered // by host
	network  carriage
	// Heads of messages that were received in parts, or more than once: a pair may have the time of any of
	// them, of which the truth has the last.
	parted []pair
	sent   []int64 // messages whose sending was recorded, by host
	// Ends that the truth says were recorded and that no trace has; the first of each host.
	missing      []int64
	firstMissing []string
}

// ticked are the endpoints of a host that were found in the truth.
type ticked struct{ sent, received []bool }

func newTally(c *cluster) *tally {
	n := len(c.truth.Hosts)
	t := &tally{c: c, pairs: make([]bool, len(c.endpoints.pairs)), sent: make([]int64, n), missing: make([]int64, n), firstMissing: make([]string, n)}
	for _, h := range c.endpoints.hosts {
		t.hosts = append(t.hosts, ticked{make([]bool, len(h.sent)), make([]bool, len(h.received))})
	}
	return t
}

func (t *tally) message(m *truth.Message) {
	t.messages++
	check := t.c.report.check(Endpoints)
	if !t.possible(m) {
		t.fail("message %d has a host or a time that cannot be", t.messages-1)
		return
	}
	t.agrees(m)
	from := int(m.From)
	k := headers(m)
	var out, in *end
	if m.RecordedSent {
		check.Done++
		t.sent[from]++
		hash := k.hash(from, false, t.c.clocks[from].Local(m.Sent))
		if out = tick(t.c.endpoints.hosts[from].sent, t.hosts[from].sent, hash); out == nil {
			t.miss(from, m, "sent", m.Sent)
		}
	}
	if m.To < 0 {
		return
	}
	to := int(m.To)
	if m.RecordedReceived && m.Whole() {
		check.Done++
		hash := k.hash(to, true, t.c.clocks[to].Local(m.Received))
		if in = tick(t.c.endpoints.hosts[to].received, t.hosts[to].received, hash); in == nil {
			t.miss(to, m, "received", m.Received)
		}
	}
	if out != nil && in != nil && out.rest != in.rest {
		hosts := t.c.truth.Hosts
		t.fail("message %d (from port %d of %s to %d of %s, sequence number %d) was received with another acknowledgement, other flags or another window than it was sent with",
			t.messages-1, m.SourcePort, hosts[from].Name, m.DestinationPort, hosts[to].Name, m.Seq)
	}
	if m.Received >= 0 && m.RecordedSent && m.RecordedReceived {
		sent, received := t.c.clocks[from].Local(m.Sent), t.c.clocks[to].Local(m.Received)
		p := pair{from: m.From, to: m.To, sent: sent, received: received}
		i, _ := slices.BinarySearchFunc(t.c.endpoints.pairs, p, pair.compare)
		for ; i < len(t.pairs) && t.c.endpoints.pairs[i].compare(p) == 0; i++ {
			t.pairs[i] = true
		}
	}
	if !m.Whole() && m.RecordedSent && m.TimesReceived > 0 {
		t.parted = append(t.parted, pair{from: m.From, to: m.To, sent: t.c.clocks[from].Local(m.Sent)})
	}
}

func (t *tally) miss(host int, m *truth.Message, what string, at int64) {
	t.missing[host]++
	if t.missing[host] == 1 {
		t.firstMissing[host] = fmt.Sprintf("no trace has that %s %s message %d (protocol %d, from port %d to %d) at true time %d, local %d",
			t.c.truth.Hosts[host].Name, what, t.messages-1, m.Protocol, m.SourcePort, m.DestinationPort, at, t.c.clocks[host].Local(at))
	}
}

// tick marks one of the ends with that number that is not marked; it is nil if there is none.
func tick(sorted []end, marks []bool, hash uint64) *end {
	i, found := slices.BinarySearchFunc(sorted, end{hash: hash}, end.compare)
	for ; found && i < len(sorted) && sorted[i].hash == hash; i++ {
		if !marks[i] {
			marks[i] = true
			return &sorted[i]
		}
	}
	return nil
}

// fail takes down a problem with the ends of messages.
func (t *tally) fail(text string, args ...any) {
	t.c.report.check(Endpoints).fail(Problem{Text: fmt.Sprintf(text, args...)})
}

// finish tells what was not ticked off.
func (t *tally) finish() {
	counts := t.c.report.check(Counts)
	counts.Done++
	if t.messages != t.c.truth.MessageCount {
		counts.fail(Problem{Text: fmt.Sprintf("there are %d messages, truth.json says %d", t.messages, t.c.truth.MessageCount)})
	}
	t.carried()
	for i := range t.c.truth.Hosts {
		t.packets(counts, i)
	}
	for i, h := range t.c.truth.Hosts {
		lossy := int64(0) // events that may be missing
		for _, tr := range h.Traces {
			lossy += tr.Lost + tr.Untold + tr.Missing
			if tr.Cut {
				lossy += 1 << 40
			}
		}
		if t.missing[i] > lossy {
			t.fail("%s: %d ends of messages are missing, but only %d events are lost; the first: %s", h.Name, t.missing[i], lossy, t.firstMissing[i])
		}
		if n := unmarked(t.hosts[i].sent); n > 0 {
			t.fail("%s: %d events of sending are of no message", h.Name, n)
		}
		t.unexplained(i)
	}
	t.matching()
}

// packets compares how many packets a host has sent and received, as the traces, their counts and the
// messages have it.
func (t *tally) packets(counts *Check, host int) {
	h := &t.c.truth.Hosts[host]
	said, ends := h.Counts(), t.c.endpoints.hosts[host]
	for _, n := range []struct {
		what        string
		there, said int64
	}{
		{"packets that were sent in the traces", int64(len(ends.sent)), said.Sent},
		{"packets that were received in the traces", int64(len(ends.received)), said.Received},
		{"messages whose sending was recorded", t.sent[host], said.Sent},
	} {
		counts.Done++
		if n.there != n.said {
			counts.fail(Problem{Text: fmt.Sprintf("%s: there are %d %s, the truth says %d", h.Name, n.there, n.what, n.said)})
		}
	}
}

// matching tells which pairs are of no message, and which are and were received before they were sent.
func (t *tally) matching() {
	e := t.c.endpoints
	causality, matching := t.c.report.check(Causality), t.c.report.check(Matching)
	matching.Done = int64(len(t.pairs))
	slices.SortFunc(t.parted, pair.compare)
	for i, p := range e.pairs {
		_, parted := slices.BinarySearchFunc(t.parted, pair{from: p.from, to: p.to, sent: p.sent}, pair.compare)
		known := t.pairs[i] || parted
		if known && !p.impossible {
			continue
		}
		hosts := t.c.truth.Hosts
		text := fmt.Sprintf("a message from %s at %d to %s at %d", hosts[p.from].Name, p.sent, hosts[p.to].Name, p.received)
		switch {
		case t.pairs[i]:
			causality.fail(Problem{Text: text + " was received before it was sent"})
		case p.impossible:
			matching.fail(Problem{Text: text + " was received before it was sent, and is none"})
		default:
			matching.fail(Problem{Text: text + " is none"})
		}
	}
}

func unmarked(marks []bool) int64 {
	n := int64(0)
	for _, m := range marks {
		if !m {
			n++
		}
	}
	return n
}
