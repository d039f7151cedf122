package live

import (
	"encoding/binary"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"synchroscope/handlers/wire"
	"synchroscope/state/kernel"
)

type passingSet struct {
	*fakeSet
	over atomic.Bool
}

func (s *passingSet) Over() bool { return s.over.Load() }

// A session of what has been replaced ends, and its page is told to connect to what took its place.
func TestReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := &passingSet{fakeSet: newFake("a")}
		c := connect(t, set, Options{}, nil)
		c.all()
		set.change(func() { set.over.Store(true) })
		time.Sleep(time.Second)
		if code := c.closed(); code != closeAgain {
			t.Errorf("it was closed with %d", code)
		}
	})
}

// Of a first look that nobody looks at any more only its rows are kept, for what takes its place.
func TestFirstLookIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := &passingSet{fakeSet: newFake("a")}
		set.status.Preview = true
		set.hosts[0].threads, set.hosts[0].version = []kernel.Thread{{TID: 7, PID: 7, Name: "nginx"}}, 1
		c := connect(t, set, Options{}, nil)
		c.all()
		before := c.hub.tables["s"]
		set.change(func() { set.over.Store(true) })
		time.Sleep(time.Second)
		c.closed()
		synctest.Wait()
		kept := c.hub.tables["s"]
		if kept.set != nil || len(kept.hosts) > 0 {
			t.Errorf("there is left %+v", kept)
		}
		after := newTable(newFake("a"), kept)
		after.refresh(set.Hosts(), nil)
		if was, is := before.of(0, 7), after.of(0, 7); was != is {
			t.Errorf("the row of a thread was %d and is %d", was, is)
		}
	})
}

// Rows of the same threads have the same ids in what takes the place of a set, whatever else there is and in whatever order.
func TestRowsKeepTheirIDs(t *testing.T) {
	few, all := newFake("db", "web"), newFake("cache", "db", "web")
	few.hosts[1].threads, few.hosts[1].version = []kernel.Thread{{TID: 7, PID: 7, Name: "nginx"}, {TID: 8, PID: 7, Name: "worker"}}, 1
	all.hosts[1].threads, all.hosts[1].version = []kernel.Thread{{TID: 7, PID: 7, Name: "mysqld"}}, 1
	all.hosts[2].threads, all.hosts[2].version = []kernel.Thread{{TID: 5, PID: 5, Name: "init"}, {TID: 8, PID: 7, Name: "worker"}, {TID: 7, PID: 7, Name: "nginx"}}, 1
	before := newTable(few, nil)
	before.refresh(few.Hosts(), nil)
	after := newTable(all, before)
	if _, ok := after.row(before.of(1, 7)); ok {
		t.Error("there is a row that nothing was said of")
	}
	after.refresh(all.Hosts(), nil)
	for _, x := range []struct{ was, is, tid int32 }{{0, 1, 0}, {1, 2, 0}, {1, 2, 7}, {1, 2, 8}} {
		if was, is := before.of(x.was, x.tid), after.of(x.is, x.tid); was != is {
			t.Errorf("the row of %d, %d was %d and is %d", x.was, x.tid, was, is)
		}
	}
	seen := make(map[uint32]bool)
	for _, id := range []uint32{after.of(0, 0), after.of(1, 0), after.of(1, 7), after.of(2, 0), after.of(2, 5), after.of(2, 7), after.of(2, 8)} {
		if r, ok := after.row(id); !ok || seen[id] {
			t.Errorf("row %d is of %+v, or of two things", id, r)
		}
		seen[id] = true
	}
	if r, _ := after.row(after.of(2, 8)); r.host != 2 || r.parent != after.of(2, 7) {
		t.Errorf("the worker is of host %d below %d", r.host, r.parent)
	}
}

// Whatever is read of a first look, more may come at any time of it.
func TestFirstLookIsNeverComplete(t *testing.T) {
	set := newFake("a")
	set.status.Hosts[0].State = "done"
	s := &session{set: set}
	for _, preview := range []bool{true, false} {
		set.change(func() { set.status.Preview = preview })
		if s.complete(wire.Request{Raw: true}, lens{raw: true}, []row{{host: 0}}) == preview {
			t.Errorf("preview %v: the answer is the other", preview)
		}
	}
}

// What a first look showed of a host stays listed until it is found again, and is not painted over by answers that know nothing of it.
func TestRowsOfAFirstLookStay(t *testing.T) {
	few, all := newFake("web"), newFake("db", "web")
	few.hosts[0].threads, few.hosts[0].version = []kernel.Thread{{TID: 7, PID: 7, Name: "nginx"}, {TID: 8, PID: 7, Name: "worker"}}, 1
	before := newTable(few, nil)
	before.refresh(few.Hosts(), nil)
	cpu := before.add(row{parent: before.of(0, 0), kind: wire.RowCPU, thread: kernel.Thread{TID: 1}, named: "CPU 1"})
	after := newTable(all, newTable(nil, before)) // the second as Hub.leave makes it
	host, nginx, worker := before.of(0, 0), before.of(0, 7), before.of(0, 8)
	s := &session{set: all, rows: after}
	request := wire.Request{Raw: true, Begin: 0, End: 100, Columns: 10, Rows: []uint32{host, nginx, worker, cpu}}
	answered := func() []uint32 {
		t.Helper()
		frame := answerFrame(t, answerStates, s, request)
		ids := make([]uint32, binary.LittleEndian.Uint32(frame[12:]))
		for i := range ids {
			ids[i] = binary.LittleEndian.Uint32(frame[56+4*i:])
		}
		return ids
	}
	open := func() []uint32 {
		t.Helper()
		frame := answerFrame(t, answerMeasure, s, wire.Request{Raw: true, Begin: 0, End: 100, By: wire.ByBusy})
		ids := make([]uint32, binary.LittleEndian.Uint32(frame[12:]))
		if left := binary.LittleEndian.Uint32(frame[20:]); int(left) != len(ids) {
			t.Errorf("of %d rows nothing is known, and %d are listed", left, len(ids))
		}
		for i := range ids {
			ids[i] = binary.LittleEndian.Uint32(frame[28+4*i:])
		}
		return ids
	}
	if got := answered(); len(got) > 0 {
		t.Errorf("rows %d are answered before any host is known", got)
	}
	if got := open(); !slices.Equal(got, []uint32{host, nginx, worker, cpu}) {
		t.Errorf("before any host is known, rows %d may be busy", got)
	}
	after.refresh(all.Hosts(), nil)
	for id, want := range map[uint32]row{host: {kind: wire.RowHost, parent: wire.NoRow}, nginx: {kind: wire.RowProcess, parent: host}, worker: {kind: wire.RowThread, parent: nginx}, cpu: {kind: wire.RowCPU, parent: host}} {
		if r, ok := after.row(id); !ok || r.host != 1 || r.kind != want.kind || r.parent != want.parent {
			t.Errorf("row %d is there: %v, kind %d of host %d below %d", id, ok, r.kind, r.host, r.parent)
		}
	}
	if got := answered(); len(got) > 0 {
		t.Errorf("rows %d are answered though nothing is known of them", got)
	}
	if got := open(); !slices.Equal(got, []uint32{nginx, worker}) {
		t.Errorf("before any thread is found, rows %d may be busy", got)
	}
	all.hosts[1].threads, all.hosts[1].version = []kernel.Thread{{TID: 8, PID: 8, Name: "worker"}}, 1
	after.refresh(all.Hosts(), nil)
	if got := open(); !slices.Equal(got, []uint32{nginx}) {
		t.Errorf("rows %d may be busy when one thread is found", got)
	}
	all.hosts[1].threads, all.hosts[1].version = []kernel.Thread{{TID: 8, PID: 7, Name: "worker"}}, 2
	after.refresh(all.Hosts(), nil)
	if got := answered(); !slices.Equal(got, []uint32{nginx, worker}) {
		t.Errorf("rows %d are answered when one thread is found", got)
	}
	for i := range all.status.Hosts {
		all.status.Hosts[i].State = "done"
	}
	if got := answered(); !slices.Equal(got, request.Rows) {
		t.Errorf("rows %d are answered when all is read", got)
	}
	if got := open(); len(got) > 0 {
		t.Errorf("rows %d may be busy when all is read", got)
	}
	request.Rows = []uint32{99}
	if _, err := answerStates(t.Context(), s, request); err == nil {
		t.Error("a row that never was is answered")
	}
}
