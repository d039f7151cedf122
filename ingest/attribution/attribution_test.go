package attribution

import (
	"bufio"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"synchroscope/sync/match"
)

// kernel is what the test file says the kernel does.
type kernel struct {
	running map[int32]int32
	irq     map[int32]bool
	woken   int32
}

func (k *kernel) Running(cpu int32) (int32, bool) {
	if tid, ok := k.running[cpu]; ok {
		return tid, k.irq[cpu]
	}
	return -1, k.irq[cpu]
}

func (k *kernel) Delivered() int32 { return k.woken }

// Each case of testdata is a little recording; the answer is the endpoints with their
// threads. Every case is run again with a checkpoint and a new queue after each line: the
// answer must not change.
func TestAttribution(t *testing.T) {
	datadriven.RunTest(t, "testdata/attribution", func(t *testing.T, d *datadriven.TestData) string {
		whole := replay(t, d.Input, false)
		if cut := replay(t, d.Input, true); cut != whole {
			t.Errorf("%s: cut up after every event:\n%swhole:\n%s", d.Pos, cut, whole)
		}
		return whole
	})
}

func replay(t *testing.T, input string, cut bool) string {
	k := &kernel{running: map[int32]int32{}, irq: map[int32]bool{}, woken: -1}
	var out strings.Builder
	yield := func(e *match.Endpoint) error {
		way := "sent"
		if e.Direction == match.Receive {
			way = "received"
		}
		fmt.Fprintf(&out, "%d %s by %d\n", e.Time, way, e.Thread)
		return nil
	}
	q := New(k, yield)
	lines := bufio.NewScanner(strings.NewReader(input))
	for now := int64(1); lines.Scan(); now++ {
		var cpu, n int32
		var word string
		if _, err := fmt.Sscanf(lines.Text(), "%d %s %d", &cpu, &word, &n); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		k.woken = -1
		e := match.Endpoint{Time: now, CPU: cpu, Thread: -1}
		// Port n here talks to port 80 there.
		out, in := uint64(n)<<48|80<<32, uint64(80)<<48|uint64(n)<<32
		var err error
		switch word {
		case "runs":
			k.running[cpu] = n
			err = q.Event(cpu)
		case "irq":
			k.irq[cpu] = n == 1
			err = q.Event(cpu)
		case "wakes":
			k.woken = n
			err = q.Event(cpu)
		case "event":
			for range n {
				err = q.Event(cpu)
			}
		case "send":
			e.Key.B = out
			err = q.Add(e)
		case "receive":
			e.Direction, e.Key.B = match.Receive, in
			err = q.Add(e)
		default:
			t.Fatalf("unknown word %q", word)
		}
		if err != nil {
			t.Fatal(err)
		}
		if cut {
			state := q.AppendState(nil)
			q = New(k, yield)
			if err := q.Restore(state, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A CPU that never settles cannot make the queue grow, and order is kept.
func TestQueueIsBounded(t *testing.T) {
	k := &kernel{irq: map[int32]bool{0: true}, woken: -1}
	var last int64
	q := New(k, func(e *match.Endpoint) error {
		if e.Time != last+1 {
			t.Fatalf("endpoint %d after %d", e.Time, last)
		}
		last = e.Time
		return nil
	})
	if err := q.Add(match.Endpoint{Time: 1, Direction: match.Receive}); err != nil {
		t.Fatal(err)
	}
	for n := int64(2); n < 5000; n++ {
		if err := q.Add(match.Endpoint{Time: n, CPU: 1, Key: match.Key{B: uint64(n) << 32}}); err != nil {
			t.Fatal(err)
		}
		if len(q.queue) > maxQueue {
			t.Fatalf("%d endpoints wait", len(q.queue))
		}
	}
}

// Flows that are used stay known, however many others come.
func TestFlowsAreBounded(t *testing.T) {
	f := newFlows()
	used := flow{protocol: 17}
	f.put(used, 7)
	for i := range 10 * maxFlows {
		f.put(flow{sourcePort: uint16(i), destinationPort: uint16(i >> 16), protocol: 6}, 1)
		if i%maxFlows == 0 && f.get(used) != 7 {
			t.Fatalf("the flow is forgotten after %d others", i)
		}
	}
	if n := len(f.young) + len(f.old); n > 2*maxFlows {
		t.Errorf("%d flows", n)
	}
}

func FuzzRestore(f *testing.F) {
	q := New(&kernel{irq: map[int32]bool{0: true}}, func(*match.Endpoint) error { return nil })
	q.Add(match.Endpoint{CPU: 0, Direction: match.Receive})
	q.flows.put(flow{protocol: 6}, 12)
	f.Add(q.AppendState(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		q := New(&kernel{woken: -1}, func(*match.Endpoint) error { return nil })
		if q.Restore(b, 0) == nil {
			q.Event(0)
			if err := q.Close(); err != nil || len(q.queue) != 0 {
				t.Fatalf("%d endpoints are left, %v", len(q.queue), err)
			}
		}
	})
}
