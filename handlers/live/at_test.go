package live

import (
	"testing"
	"testing/synctest"

	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// A thread that sleeps is on no CPU: the answer names the one it ran on before as
// that, and its priority all the same. What the trace does not tell is null.
func TestAtOfOneThatSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		w := growing(t, set.hosts[0])
		for name, v := range map[string]int64{"CPU": 3, "Priority": 25} {
			if err := w.Modify(1700, w.Attributes().Path("Threads", "5", name), history.Int(v)); err != nil {
				t.Fatal(err)
			}
		}
		w.Publish(2000)
		c := connect(t, set, Options{}, nil)
		c.all()
		ask := func(at string) wire.At {
			c.send(`{"op":"at","view":1,"gen":1,"row":1,"at":"` + at + `","time":"raw"}`)
			return unmarshal[wire.At](t, c.one(1, wire.KindAt))
		}
		if at := ask("1600"); at.CPU != nil || at.LastCPU != nil || at.Priority != nil {
			t.Errorf("before anything is told of CPU and priority: %+v", at)
		}
		at := ask("1800")
		if at.CPU != nil || at.LastCPU == nil || *at.LastCPU != 3 || at.Priority == nil || *at.Priority != 25 {
			t.Errorf("CPU %v, last %v, priority %v; want none, 3, 25", at.CPU, at.LastCPU, at.Priority)
		}
	})
}

// A state that goes on where what is read of its host ends has not ended then: the answer has no end of it, and up to when it is known. When all
// is read it ends with the recording.
func TestAtOfWhatGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		w := growing(t, set.hosts[0])
		set.hosts[0].reading = true
		w.Publish(2000)
		c := connect(t, set, Options{}, nil)
		c.all()
		ask := func(at string) wire.At {
			c.send(`{"op":"at","view":1,"gen":1,"row":1,"at":"` + at + `","time":"raw"}`)
			return unmarshal[wire.At](t, c.one(1, wire.KindAt))
		}
		at := ask("1800")
		if at.Begin == nil || at.End != nil || at.LocalEnd != nil || at.Duration != nil || at.Until == nil || *at.Until != 2000 || at.LocalUntil == nil || *at.LocalUntil != 2000 {
			t.Errorf("while more is read: %+v", at)
		}
		set.hosts[0].reading = false
		at = ask("1800")
		if at.End == nil || *at.End != 2000 || at.LocalEnd == nil || *at.LocalEnd != 2000 || at.Duration == nil || at.Until != nil || at.LocalUntil != nil {
			t.Errorf("when all is read: %+v", at)
		}
	})
}

// Of a thread without a kernel trace it is known that it ran when it recorded an event, and nothing of the time behind that.
func TestAtOfEventsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		w := growing(t, set.hosts[0])
		thread, event := w.Attributes().Path("Threads", "5"), w.Attributes().Path("Threads", "5", "Event")
		modify := func(at int64, quark attribute.Quark, v history.Value) {
			if err := w.Modify(at, quark, v); err != nil {
				t.Fatal(err)
			}
		}
		modify(1700, event, w.Text([]byte("app:send")))
		modify(1700, thread, history.Int(int64(kernel.User)))
		modify(1701, thread, history.Int(int64(kernel.Unknown)))
		w.Publish(2000)
		c := connect(t, set, Options{}, nil)
		c.all()
		for at, want := range map[string]string{"1700": "running in user space, at its event app:send", "1800": "unknown, after app:send"} {
			c.send(`{"op":"at","view":1,"gen":1,"row":1,"at":"` + at + `","time":"raw"}`)
			if got := unmarshal[wire.At](t, c.one(1, wire.KindAt)); got.Status == nil || *got.Status != want {
				t.Errorf("at %s: %v, want %s", at, got.Status, want)
			}
		}
	})
}
