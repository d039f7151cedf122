package live

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"synchroscope/handlers/wire"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// written is the writer of a history that begins at 1000.
func written(t *testing.T) *history.Writer {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "a.history"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	w, err := history.Create(f, 1000, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// growing gives a host a history with one thread, 5, and the writer to go on with.
func growing(t *testing.T, h *fakeHost) *history.Writer {
	t.Helper()
	w := written(t)
	thread := w.Attributes().Path("Threads", "5")
	h.history, h.threads, h.version = w.History(), []kernel.Thread{{TID: 5, PID: 5, Quark: int32(thread)}}, 1
	set := func(t int64, s kernel.Status) {
		if err := w.Modify(t, thread, history.Int(int64(s))); err != nil {
			panic(err)
		}
	}
	set(1000, kernel.User)
	set(1500, kernel.Blocked)
	w.Publish(1600)
	return w
}

// runs reads the runs of a states message of one row as "end:state".
func runs(r received) (out []string, complete bool) {
	b := append(make([]byte, wire.HeaderSize), r.body...)
	n := int(binary.LittleEndian.Uint32(b[40:]))
	ends := 56 + 4 + 8
	states := ends + (2*n+3)/4*4*2
	for i := range n {
		out = append(out, fmt.Sprintf("%d:%d", binary.LittleEndian.Uint16(b[ends+2*i:]), b[states+i]))
	}
	return out, binary.LittleEndian.Uint32(b[36:]) == 1
}

// A view of states follows the watermark into its range, sleeps while the
// import goes on beyond it, and moves with its clock.
func TestStatesFollowTheImport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		w := growing(t, set.hosts[0])
		c := connect(t, set, Options{}, nil)
		c.all()
		check := func(r received, complete bool, want ...string) {
			t.Helper()
			if got, done := runs(r); fmt.Sprint(got) != fmt.Sprint(want) || done != complete {
				t.Fatalf("runs %v, complete %v; want %v, %v", got, done, want, complete)
			}
			c.ack(r)
		}
		c.send(`{"op":"states","view":1,"gen":1,"begin":"1000","end":"2000","columns":10,"time":"reference","rows":[1]}`)
		check(c.one(1, wire.KindStates), false, "5:2", "6:1", "10:255")

		set.change(func() { w.Publish(1700) })
		time.Sleep(time.Second)
		check(c.one(1, wire.KindStates), false, "5:2", "7:1", "10:255")

		set.change(func() { w.Publish(2500) })
		time.Sleep(time.Second)
		check(c.one(1, wire.KindStates), false, "5:2", "10:1")

		set.change(func() { w.Publish(3000) })
		time.Sleep(time.Second)
		c.none(1)

		set.solve(1, 100) // 100 ns ahead: what it recorded at 1500 was at 1400
		time.Sleep(time.Second)
		check(c.one(1, wire.KindStates), false, "4:2", "10:1")

		set.change(func() {
			final := *set.solution
			final.Version, final.Final = 2, true
			set.solution = &final
		})
		time.Sleep(time.Second)
		check(c.one(1, wire.KindStates), true, "4:2", "10:1")

		c.send(`{"op":"at","view":2,"gen":1,"row":1,"at":"1450","time":"reference"}`)
		at := unmarshal[wire.At](t, c.one(2, wire.KindAt))
		if at.Status == nil || *at.Status != "blocked" || *at.Begin != 1400 || *at.LocalBegin != 1500 || *at.Error != 60 {
			t.Errorf("at %+v", at)
		}
		for _, outside := range []string{"899", "5000"} {
			c.send(fmt.Sprintf(`{"op":"at","view":2,"gen":2,"row":1,"at":%q,"time":"reference"}`, outside))
			if at := unmarshal[wire.At](t, c.one(2, wire.KindAt)); at.Status != nil || at.Begin != nil {
				t.Errorf("something is known at %s: %+v", outside, at)
			}
		}
	})
}
