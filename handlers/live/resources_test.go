package live

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"synchroscope/handlers/wire"
	"synchroscope/internal/raced"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// CPUs, their frequency and interrupt lines get rows as the history gets them, and the name
// of a line is added when it is known.
func TestResourceRows(t *testing.T) {
	h := &fakeHost{name: "web"}
	w := growing(t, h)
	var table table
	h.version = 0
	table.refresh([]Host{h}, nil)
	tree := w.Attributes()
	modify := func(now int64, v history.Value, path ...string) {
		t.Helper()
		if err := w.Modify(now, tree.Path(path...), v); err != nil {
			t.Fatal(err)
		}
	}
	modify(1700, history.Int(int64(kernel.CPUIdle)), "CPUs", "1")
	modify(1700, history.Int(int64(kernel.Served)), "CPUs", "1", "IRQs", "24")
	modify(1700, history.Int(2_400_000_000), "CPUs", "1", "Frequency")
	modify(1700, history.Int(int64(kernel.Served)), "IRQs", "24")
	tree.Path("IRQs", "24", "Name")
	table.refresh([]Host{h}, nil)
	const rows = "" +
		"0 -1 0 -1 web\n" +
		"1 0 3 1 CPU 1\n" +
		"2 1 4 24 IRQ 24%[1]s\n" +
		"3 1 6 1 Frequency\n" +
		"4 0 4 24 IRQ 24%[1]s\n"
	if got, want := outline(&table), fmt.Sprintf(rows, ""); got != want {
		t.Fatalf("rows\n%swant\n%s", got, want)
	}
	modify(1800, w.Text([]byte("eth0")), "IRQs", "24", "Name")
	modify(1900, history.Int(int64(kernel.Raised)), "CPUs", "1", "Soft_IRQs", "3")
	modify(1900, history.Int(1), "CPUs", "1", "IRQs", "local_timer")
	modify(1900, history.Int(1), "CPUs", "none", "IRQs", "1")
	w.Publish(2000)
	table.refresh([]Host{h}, nil)
	if got, want := outline(&table), fmt.Sprintf(rows, " eth0")+
		"5 1 5 3 Soft IRQ 3 NET_RX\n"+
		"6 1 4 -1 IRQ local_timer\n"; got != want {
		t.Fatalf("rows\n%swant\n%s", got, want)
	}
}

// A trace can make up as many CPUs and lines as it likes: what is kept of them is bounded.
func TestResourceRowsAreBounded(t *testing.T) {
	raced.Alone(t)
	h := &fakeHost{name: "web"}
	tree := growing(t, h).Attributes()
	for i := range resourceLimit {
		tree.Path("IRQs", strconv.Itoa(i), "Name")
		tree.Path("CPUs", strconv.Itoa(i))
	}
	for i := range resourceLimit {
		tree.Path("IRQs", strconv.Itoa(resourceLimit+i), "Name")
	}
	var table table
	table.refresh([]Host{h}, nil)
	found := &table.hosts[0].found
	if rows := len(found.rows); rows != resourceLimit || len(found.cpus)+len(found.unnamed) > rows {
		t.Errorf("%d rows, %d CPUs, %d lines that wait for a name; the limit is %d", rows, len(found.cpus), len(found.unnamed), resourceLimit)
	}
}

// A CPU is drawn by its own statuses, its host by the use of all, and a thread is found on the CPU that ran it.
func TestResourceViews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		w := growing(t, set.hosts[0])
		cpu := w.Attributes().Path("CPUs", "0")
		current := w.Attributes().Add(cpu, "Current_thread")
		hz := w.Attributes().Add(cpu, "Frequency")
		other := w.Attributes().Path("CPUs", "1")
		for _, err := range []error{
			w.Modify(1600, cpu, history.Int(int64(kernel.CPUUser))), w.Modify(1600, current, history.Int(5)), w.Modify(1600, hz, history.Int(3_000_000_000)),
			w.Modify(1600, other, history.Int(int64(kernel.CPUIdle))),
			w.Modify(1800, cpu, history.Int(int64(kernel.CPUIdle))), w.Modify(1800, current, history.Int(0)),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		w.Publish(2000)
		c := connect(t, set, Options{}, nil)
		c.all()
		const span = `"begin":"1500","end":"2000","columns":5,"time":"raw"`
		asked := func(request, want string) {
			t.Helper()
			c.send(request)
			r := c.one(1, wire.KindStates)
			if got, _ := runs(r); strings.Join(got, " ") != want {
				t.Errorf("%s is answered %v, want %s", request, got, want)
			}
			c.ack(r)
		}
		// Rows: 0 the host, 1 thread 5, 2 CPU 0, 3 its frequency, 4 CPU 1.
		asked(`{"op":"states","view":1,"gen":1,`+span+`,"rows":[2]}`, "1:255 3:2 5:1")
		asked(`{"op":"states","view":1,"gen":2,`+span+`,"rows":[3]}`, "1:255 5:0")
		asked(`{"op":"states","view":1,"gen":3,`+span+`,"rows":[0]}`, "1:255 3:254 5:1")
		asked(`{"op":"ran","view":1,"gen":4,`+span+`,"rows":[2],"row":1}`, "1:255 3:2 5:255")
		// CPU 0 is used for 200 of the 400 ns of which it is known, CPU 1 for none of as many.
		c.send(`{"op":"measure","view":3,"gen":1,"begin":"1500","end":"2000","time":"raw","by":"use"}`)
		r := c.one(3, wire.KindListing)
		if got, want := fmt.Sprintf("%x", r.body[4:]), "01000000"+"01000000"+"00000000"+"00000000"+"00000000"+"000000000000d03f"; got != want {
			t.Errorf("the use of the host is %s, want 0.25: %s", got, want)
		}
		c.ack(r)
		for _, wrong := range []string{`"rows":[1],"row":1`, `"rows":[2],"row":2`, `"rows":[99],"row":1`, `"rows":[2],"row":0`} {
			c.send(`{"op":"ran","view":1,"gen":5,` + span + `,` + wrong + `}`)
			c.one(1, wire.KindError)
		}

		c.send(`{"op":"at","view":2,"gen":1,"row":2,"at":"1650","time":"raw"}`)
		at := unmarshal[wire.At](t, c.one(2, wire.KindAt))
		if at.Status == nil || *at.Status != "in user space" || at.Thread == nil || at.Thread.TID != 5 || at.Hz == nil || *at.Hz != 3_000_000_000 || *at.Begin != 1600 || *at.End != 1800 {
			t.Errorf("at %+v", at)
		}
		set.hosts[0].noCalls = true
		c.send(`{"op":"at","view":2,"gen":2,"row":2,"at":"1650","time":"raw"}`)
		if at := unmarshal[wire.At](t, c.one(2, wire.KindAt)); at.Status == nil || *at.Status != "in user space or a system call" {
			t.Errorf("without system calls at %+v", at)
		}
	})
}
