package kernel_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"synchroscope/internal/raced"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/trace"
	"synchroscope/trace/tracetest"
)

// A mill is a machine on which a shell starts one program after another: few live at a time, and many have.
type mill struct {
	file    *os.File
	w       *history.Writer
	m       *kernel.Model
	classes map[string]*trace.Class
	ev      trace.Event
	b       []byte
	now     int64

	unfreed bool // the recording has no sched_process_free
	unended bool // nor does it tell of ends
	living  bool // they sleep for good
	nested  bool // all is in a container
	pid     int  // of threads; each is a process of its own if 0
}

const shellTID = 2000

// kinds are events of each sort that a mill has.
const kinds = `
0 cpu=0 sched_switch prev_comm="a" prev_tid=1 prev_prio=20 prev_state=0 next_comm="b" next_tid=2 next_prio=20
0 cpu=0 sched_process_fork parent_comm="a" parent_tid=1 parent_pid=1 child_comm="b" child_tid=2 child_pid=2
0 cpu=0 sched_process_fork parent_comm="a" parent_tid=1 parent_pid=1 child_comm="b" child_tid=2 child_pid=2 vtids=[2,1] child_ns_inum=7
0 cpu=0 sched_wakeup_new comm="b" tid=2 prio=20 target_cpu=0
0 cpu=0 sched_waking comm="b" tid=2 prio=20 target_cpu=0
0 cpu=0 sched_process_exec filename="/bin/cc" tid=2 old_tid=2
0 cpu=0 sched_process_exit comm="b" tid=2 prio=20
0 cpu=0 sched_process_free comm="b" tid=2 prio=20
0 cpu=0 syscall_entry_read fd=3
0 cpu=0 syscall_exit_read ret=3
`

// newMill starts the shell of one that differs from others as a mill says.
func newMill(tb testing.TB, c mill) *mill {
	tb.Helper()
	f, err := os.Create(filepath.Join(tb.TempDir(), "tree"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	c.file, c.classes, c.now = f, make(map[string]*trace.Class), 1_700_000_000_000_000_000
	if c.w, err = history.Create(f, c.now, history.Options{}); err != nil {
		tb.Fatal(err)
	}
	c.m = kernel.New(c.w)
	for _, ev := range tracetest.Parse(tb, kinds) {
		name := ev.Class.Name
		if ev.Class.Payload("vtids") != nil {
			name = "fork in a container"
		}
		c.classes[name] = ev.Class
	}
	c.take(tb, "sched_switch", "swapper/0", 0, 20, 0, "shell", shellTID, 20)
	return &c
}

// take lets the model handle an event on CPU 0: its fields are texts and numbers, in order.
func (c *mill) take(tb testing.TB, name string, fields ...any) {
	c.b = c.b[:0]
	for _, f := range fields {
		switch f := f.(type) {
		case string:
			c.b = append(append(c.b, f...), 0)
		case int:
			c.b = binary.LittleEndian.AppendUint64(c.b, uint64(f))
		}
	}
	bits := uint64(len(c.b)) * 8
	c.b = append(c.b, make([]byte, trace.Spare)...)
	if _, err := c.ev.DecodeBody(c.classes[name], c.b, 0, bits); err != nil {
		tb.Fatal(err)
	}
	c.now += 2_000
	c.ev.Time, c.ev.Recorded = c.now, c.now
	if err := c.m.Handle(&c.ev); err != nil {
		tb.Fatal(err)
	}
}

// lose tells that events of CPU 0 were lost since the last one; then the shell is there again.
func (c *mill) lose(tb testing.TB) {
	begin := c.now + 1
	c.now += 2_000
	if err := c.m.Lost(0, begin, c.now); err != nil {
		tb.Fatal(err)
	}
	c.take(tb, "sched_switch", "swapper/0", 0, 20, 0, "shell", shellTID, 20)
}

const eventsOfLife = 10

// live has the shell start a program under an id, which makes a call and ends.
func (c *mill) live(tb testing.TB, tid int) {
	pid := c.pid
	if pid == 0 {
		pid = tid
	}
	if c.nested {
		c.take(tb, "fork in a container", "shell", shellTID, shellTID, "shell", tid, pid, tid, tid-1000, 77)
	} else {
		c.take(tb, "sched_process_fork", "shell", shellTID, shellTID, "shell", tid, pid)
	}
	c.take(tb, "sched_wakeup_new", "shell", tid, 20, 0)
	c.take(tb, "sched_switch", "shell", shellTID, 20, 1, "shell", tid, 20)
	c.take(tb, "sched_process_exec", "/usr/bin/cc", tid, tid)
	c.take(tb, "syscall_entry_read", 3)
	c.take(tb, "syscall_exit_read", 100)
	if c.unended {
		c.lose(tb)
		return
	}
	if c.living {
		c.take(tb, "sched_switch", "cc", tid, 20, 1, "shell", shellTID, 20)
		return
	}
	c.take(tb, "sched_process_exit", "cc", tid, 20)
	c.take(tb, "sched_waking", "shell", shellTID, 20, 0)
	c.take(tb, "sched_switch", "cc", tid, 20, 32, "shell", shellTID, 20)
	if !c.unfreed {
		c.take(tb, "sched_process_free", "cc", tid, 20)
	}
}

// heap is what is live on it, in bytes. What is lent goes with the second collection.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// liveWithin has as many threads live, and holds what is on the heap then, beyond what was before, to a bound in bytes. It returns that.
func (c *mill) liveWithin(t *testing.T, ids int, before, bound int64) int64 {
	t.Helper()
	for i := range ids {
		if c.live(t, 3000+i); i%2000 == 0 {
			c.w.Publish(c.now)
		}
	}
	live := heap() - before
	if live > bound {
		t.Errorf("%.1f MiB are live", float64(live)/(1<<20))
	}
	return live
}

// Threads that have ended take no memory but what is in a scratch file. Of the bound 4 MiB are what comes off the heap before there is such a
// file, and the others what the history holds of its newest intervals.
func TestDepartedTakeNoMemory(t *testing.T) {
	raced.Alone(t)
	const ids, bound = 200_000, 27 << 20
	before := heap()
	c := newMill(t, mill{})
	live := c.liveWithin(t, ids, before, bound)
	t.Logf("%.1f MiB", float64(live)/(1<<20))
	savedInParts(t, c)
	runtime.KeepAlive(c)
}

// Nor do threads that live, each in a process of its own, but for what the history holds of its newest intervals.
func TestLivingTakeNoMemory(t *testing.T) {
	raced.Alone(t)
	const ids, bound = 100_000, 21 << 20
	before := heap()
	c := newMill(t, mill{living: true})
	live := c.liveWithin(t, ids, before, bound)
	if threads, _ := c.m.AtHand(); threads < ids {
		t.Errorf("%d threads are at hand of %d that live", threads, ids)
	}
	t.Logf("%.1f MiB", float64(live)/(1<<20))
	runtime.KeepAlive(c)
}

// savedInParts writes what a mill is resumed from to files, and reads it back. To write them takes hardly any memory, garbage included, whatever they
// come to; to go on from them what is live afterwards: of the bound 4 MiB are what comes off the heap before there is a scratch file.
func savedInParts(t *testing.T, c *mill) {
	t.Helper()
	const mostWritten, mostRead = 2 << 20, 20 << 20
	var m runtime.MemStats
	allocated := func() uint64 {
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	saved, err := c.w.Save()
	if err != nil {
		t.Fatal(err)
	}
	var files []*io.SectionReader
	for i, s := range []io.WriterTo{saved, c.m.State()} {
		f, err := os.Create(filepath.Join(t.TempDir(), "checkpoint"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		before := allocated()
		n, err := s.WriteTo(f)
		if err != nil {
			t.Fatal(err)
		}
		took := allocated() - before
		if n < mostWritten || took > mostWritten {
			t.Errorf("part %d: %d bytes are allocated to write %d", i, took, n)
		}
		t.Logf("part %d: %d bytes are allocated to write %d", i, took, n)
		files = append(files, io.NewSectionReader(f, 0, n))
	}

	before, over, most := heap(), make(chan struct{}), make(chan int64)
	go func() {
		var seen int64
		for {
			seen = max(seen, heap()-before)
			select {
			case <-over:
				most <- seen
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	w, err := history.ResumeCached(c.file, files[0], history.NewCache(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	model := kernel.New(w)
	if err := model.Restore(files[1]); err != nil {
		t.Fatal(err)
	}
	close(over)
	live := <-most
	if live > mostRead {
		t.Errorf("%.1f MiB are live while it goes on", float64(live)/(1<<20))
	}
	t.Logf("%.1f MiB while it goes on", float64(live)/(1<<20))
	runtime.KeepAlive(model)
}

// Few threads stay at hand, and counters of few processes, whether or not it was seen that somebody waited for those that have ended, or that they
// ended at all.
func TestDepartedAreLetGo(t *testing.T) {
	raced.Alone(t)
	const ids, bound = 12_000, 5_000
	for name, m := range map[string]mill{
		"rising":         {},
		"unfreed":        {unfreed: true},
		"in a container": {unfreed: true, nested: true},
		"ends are lost":  {unended: true},
		"of one process": {pid: 2500},
	} {
		c := newMill(t, m)
		for i := range ids {
			c.live(t, 3000+i)
		}
		if threads, processes := c.m.AtHand(); threads > bound || processes > bound {
			t.Errorf("%s: %d threads are at hand, and %d processes", name, threads, processes)
		}
	}
}

// A checkpoint has few bytes of a thread that has ended, and a model restored from it makes none of them, but has all rows.
func TestCheckpointOfDeparted(t *testing.T) {
	raced.Alone(t)
	const ids = 20_000
	for _, c := range []struct {
		unfreed bool
		most    int
	}{{false, 16}, {true, 20}} {
		f := newMill(t, mill{unfreed: c.unfreed})
		for i := range ids {
			f.live(t, 3000+i)
		}
		state := f.m.AppendState(nil)
		if len(state) > c.most*ids {
			t.Errorf("unfreed %v: %d bytes of each id", c.unfreed, len(state)/ids)
		}
		checkpoint, err := f.w.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		w, err := history.Resume(f.file, checkpoint)
		if err != nil {
			t.Fatal(err)
		}
		m := kernel.New(w)
		if err := m.Restore(bytes.NewReader(state)); err != nil {
			t.Fatal(err)
		}
		if threads, processes := m.AtHand(); threads > 10 || processes > 10 {
			t.Errorf("unfreed %v: %d threads and %d processes are restored", c.unfreed, threads, processes)
		}
		want, version := f.m.Threads(0)
		if got, v := m.Threads(0); v != version || !slices.Equal(got, want) {
			t.Errorf("unfreed %v: the rows are others", c.unfreed)
		}
		if got, v, err := kernel.Rows(bytes.NewReader(state)); err != nil || v != version || !slices.Equal(got, want) {
			t.Errorf("unfreed %v: the rows read back are others: %v", c.unfreed, err)
		}
	}
}

// BenchmarkLives is the model with the history behind it where threads begin and end all the time, per event.
func BenchmarkLives(b *testing.B) {
	for _, bench := range []struct {
		name string
		ids  int
	}{{"rising", 1 << 21}, {"again soon", 4_000}, {"again", 30_000}} {
		b.Run(bench.name, func(b *testing.B) {
			c := newMill(b, mill{})
			b.ReportAllocs()
			b.ResetTimer()
			for i := range (b.N + eventsOfLife - 1) / eventsOfLife {
				c.live(b, 3000+i%bench.ids)
				if i%2000 == 0 {
					c.w.Publish(c.now)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}
