package live

import (
	"encoding/binary"
	"testing"

	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// A thread that sleeps more often than arrows are wanted is left out and counted; rows that are none of a thread
// are passed over.
func TestWakeupsAreBounded(t *testing.T) {
	f := newFake("a")
	w := growing(t, f.hosts[0])
	thread := w.Attributes().Lookup("Threads", "5")
	for i, status := range []kernel.Status{kernel.User, kernel.Blocked, kernel.User, kernel.Blocked, kernel.User} {
		if err := w.Modify(int64(1700+100*i), thread, history.Int(int64(status))); err != nil {
			t.Fatal(err)
		}
	}
	w.Publish(2200)
	s := newSession(NewHub(Options{}), nil, f, new(table), nil)
	s.refreshRows(f.Status())
	for limit, want := range map[int]uint32{2: 1, 3: 0} {
		encode, err := answerWakeups(t.Context(), s, wire.Request{Op: wire.OpWakeups, Begin: 1000, End: 2200, Raw: true, Rows: []uint32{0, 1, 1, 77}, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		frame, err := encode(1)
		if err != nil {
			t.Fatal(err)
		}
		if got := binary.LittleEndian.Uint32(frame[wire.HeaderSize+16:]); got != want {
			t.Errorf("of at most %d wake-ups %d rows are left out, want %d", limit, got, want)
		}
	}
	for _, row := range []uint32{0, 77} {
		encode, err := answerWakeups(t.Context(), s, wire.Request{Op: wire.OpWakeups, Begin: 1000, End: 2200, Raw: true, Row: row, OfRow: true, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if frame, err := encode(1); err != nil || binary.LittleEndian.Uint32(frame[wire.HeaderSize+4:]) != 0 {
			t.Errorf("of row %d, which is of no thread, there is %v, %v", row, frame, err)
		}
	}
}

// An arrow leads from a thread that may have woken another, as from one that has; from an interrupt none does.
func TestWakeupsThatMayBe(t *testing.T) {
	for how, want := range map[string]uint32{"thread": 1, kernel.Either: 1, "interrupt": 0} {
		f := newFake("a")
		w := growing(t, f.hosts[0])
		tree := w.Attributes()
		thread := tree.Lookup("Threads", "5")
		set := func(q attribute.Quark, v history.Value) {
			if err := w.Modify(1700, q, v); err != nil {
				t.Fatal(err)
			}
		}
		set(thread, history.Int(int64(kernel.WaitCPU)))
		set(tree.Add(thread, "Wakeup"), w.Text([]byte(how)))
		if want > 0 {
			set(tree.Add(thread, "Waker"), history.Int(77))
		}
		w.Publish(2200)
		s := newSession(NewHub(Options{}), nil, f, new(table), nil)
		s.refreshRows(f.Status())
		encode, err := answerWakeups(t.Context(), s, wire.Request{Op: wire.OpWakeups, Begin: 1000, End: 2200, Raw: true, Rows: []uint32{1}, Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		frame, err := encode(1)
		if err != nil {
			t.Fatal(err)
		}
		if got := binary.LittleEndian.Uint32(frame[wire.HeaderSize+4:]); got != want {
			t.Errorf("of a wake-up by %q there are %d arrows, want %d", how, got, want)
		}
	}
}
