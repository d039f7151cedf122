package live

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"synchroscope/handlers/wire"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// doings is a host with three threads from 1000 to 2000. Thread 5 runs in read and is blocked in futex, thread 6 is
// blocked in read and runs in futex, thread 7 is born at 1600 and runs at once on CPU 1.
func doings(t *testing.T) *fakeSet {
	t.Helper()
	w := written(t)
	set := newFake("web-1")
	h := set.hosts[0]
	do := func(at int64, tid int, s kernel.Status, call string) {
		thread := w.Attributes().Path("Threads", fmt.Sprint(tid))
		named := history.Null()
		if call != "" {
			named = w.Text([]byte(call))
		}
		for _, err := range []error{w.Modify(at, thread, history.Int(int64(s))), w.Modify(at, w.Attributes().Path("Threads", fmt.Sprint(tid), "System_call"), named)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	do(1000, 5, kernel.Syscall, "read")
	do(1000, 6, kernel.Blocked, "read")
	do(1500, 5, kernel.Blocked, "futex")
	do(1500, 6, kernel.Syscall, "futex")
	do(1600, 7, kernel.User, "")
	if err := w.Modify(1600, w.Attributes().Path("Threads", "7", "CPU"), history.Int(1)); err != nil {
		t.Fatal(err)
	}
	do(1700, 5, kernel.User, "")
	do(1900, 7, kernel.Kernel, "")
	w.Publish(2000)
	h.history, h.version = w.History(), 1
	for tid := range int32(3) {
		h.threads = append(h.threads, kernel.Thread{
			TID: 5 + tid, PID: 5, PPID: 1, Name: fmt.Sprintf("t%d", 5+tid), Quark: int32(w.Attributes().Path("Threads", fmt.Sprint(5+tid))),
		})
	}
	return set
}

// listed are the thread ids of a listing: the rows of thread 5, 6 and 7 are 1, 2 and 3.
func listed(r received) (tids []uint32, values []float64, unsure uint32) {
	b := append(make([]byte, wire.HeaderSize), r.body...)
	n, v := int(binary.LittleEndian.Uint32(b[12:])), int(binary.LittleEndian.Uint32(b[16:]))
	at := 28 + 4*n
	for i := range n {
		tids = append(tids, 4+binary.LittleEndian.Uint32(b[28+4*i:]))
	}
	for i := range v {
		values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(b[(at+7)/8*8+8*i:])))
	}
	return tids, values, binary.LittleEndian.Uint32(b[20:])
}

func TestFilterOfRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, doings(t), Options{}, nil)
		c.all()
		ask := func(where string, begin, end int) received {
			c.send(fmt.Sprintf(`{"op":"filter","view":1,"gen":1,"begin":"%d","end":"%d","time":"raw","where":%q}`, begin, end, where))
			got := c.of(1)
			if len(got) != 1 {
				t.Fatalf("%s: %d answers", where, len(got))
			}
			return got[0]
		}
		for _, q := range []struct {
			where      string
			begin, end int
			want       string
		}{
			{`status == blocked && syscall == futex`, 1000, 2000, "[5]"},
			{`status == blocked && syscall == read`, 1000, 2000, "[6]"},
			{`syscall == futex`, 1000, 2000, "[5 6]"},
			{`syscall == futex`, 1000, 1500, "[]"},
			{`status == blocked`, 1500, 1600, "[5]"},
			{`status == user`, 1000, 1700, "[7]"},
			{`status == user`, 1000, 1701, "[5 7]"},
			{`!(syscall =~ "*")`, 1000, 2000, "[5 7]"},
			{`!(syscall =~ "*")`, 1000, 1600, "[]"},
			{`!(status == blocked)`, 1000, 1400, "[5]"},
			{`cpu == 1`, 1000, 2000, "[7]"},
			{`cpu == 0`, 1000, 2000, "[]"},
			{`process == t5 && name != t5`, 1000, 2000, "[6 7]"},
			{`host == "web-1" && ppid == 1 && tid < 7`, 1000, 2000, "[5 6]"},
			{`name == t6 || status == user`, 1000, 1200, "[6]"},
			{`status == kernel`, 1000, 2000, "[7]"},
			{`status == kernel || status == running && cpu == 3`, 1000, 1900, "[]"},
			{`status == running`, 1900, 2000, "[5 6 7]"},
			{`status == blocked`, 5000, 6000, "[]"},
		} {
			r := ask(q.where, q.begin, q.end)
			tids, _, unsure := listed(r)
			if r.kind != wire.KindListing || fmt.Sprint(tids) != q.want || unsure != 0 {
				t.Errorf("%s from %d to %d: kind %d, %v, %d unsure; want %s", q.where, q.begin, q.end, r.kind, tids, unsure, q.want)
			}
			c.ack(r)
		}
		r := ask(`status == asleep`, 1000, 2000)
		const sentence = `column 11: \"asleep\" is no status; they are unknown, blocked, user, syscall, kernel, interrupted, running (one of the four before), waiting (for a CPU), stopped and forked.`
		if r.kind != wire.KindError || string(r.body) != `{"message":"`+sentence+`"}` {
			t.Errorf("kind %d, %s", r.kind, r.body)
		}
	})
}

// What would take more than the moments that an answer may look at is listed, and said to be unsure.
func TestFilterBeyondItsBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newFake("a")
		w := growing(t, set.hosts[0])
		thread, call := w.Attributes().Path("Threads", "5"), w.Attributes().Path("Threads", "5", "System_call")
		futex := w.Text([]byte("futex"))
		at := int64(1600)
		for range rowMoments {
			for _, v := range []struct {
				status kernel.Status
				call   history.Value
			}{{kernel.Blocked, history.Null()}, {kernel.Syscall, futex}} {
				if err := w.Modify(at, thread, history.Int(int64(v.status))); err != nil {
					t.Fatal(err)
				}
				if err := w.Modify(at, call, v.call); err != nil {
					t.Fatal(err)
				}
				at++
			}
		}
		w.Publish(at)
		c := connect(t, set, Options{}, nil)
		c.all()
		for end, want := range map[int64]string{1000 + rowMoments: "[] 0", at: "[5] 1"} {
			c.send(fmt.Sprintf(`{"op":"filter","view":1,"gen":1,"begin":"1000","end":"%d","time":"raw","where":"status == blocked && syscall == futex"}`, end))
			r := c.one(1, wire.KindListing)
			c.ack(r)
			if tids, _, unsure := listed(r); fmt.Sprint(tids, unsure) != want {
				t.Errorf("up to %d: %v, %d unsure; want %s", end, tids, unsure, want)
			}
		}
	})
}

func TestMeasureOfRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, doings(t), Options{}, nil)
		c.all()
		for _, q := range []struct {
			by         string
			begin, end int
			want       string
		}{
			{"cpu", 1000, 2000, "[5 6 7] [800 500 400]"},
			{"cpu", 1550, 1650, "[6 7] [100 50]"},
			{"changes", 1000, 2000, "[5 6 7] [2 1 2]"},
			{"changes", 1000, 1400, "[] []"},
			{"busy", 1000, 1400, "[5] []"},
			{"busy", 1500, 1600, "[6] []"},
			{"busy", 1500, 1601, "[6 7] []"},
			{"busy", 0, 1 << 40, "[5 6 7] []"},
			{"busy", 0, 1000, "[] []"},
		} {
			c.send(fmt.Sprintf(`{"op":"measure","view":1,"gen":1,"begin":"%d","end":"%d","time":"raw","by":%q}`, q.begin, q.end, q.by))
			r := c.one(1, wire.KindListing)
			c.ack(r)
			if tids, values, _ := listed(r); fmt.Sprint(tids, values) != q.want {
				t.Errorf("%s from %d to %d: %v %v, want %s", q.by, q.begin, q.end, tids, values, q.want)
			}
		}
	})
}

// What is listed says by which clocks, for by those of another reference the times that were asked for are others; and it is listed anew by newer ones.
func TestListingsOfClocks(t *testing.T) {
	for _, question := range []string{`"op":"measure","by":"busy"`, `"op":"filter","where":"status == running"`} {
		synctest.Test(t, func(t *testing.T) {
			set := doings(t)
			c := connect(t, set, Options{}, nil)
			c.all()
			check := func(want string) {
				t.Helper()
				r := c.one(1, wire.KindListing)
				c.ack(r)
				tids, _, _ := listed(r)
				if got := fmt.Sprint(binary.LittleEndian.Uint32(r.body[16:]), tids); got != want {
					t.Errorf("%s: %s, want %s", question, got, want)
				}
			}
			ask := func(whose string) {
				c.send(`{` + question + `,"view":1,"gen":1,"begin":"1000","end":"1100","time":"` + whose + `"}`)
			}
			ask("reference")
			check("0 [5]")
			set.solve(3, 500) // 500 ns ahead: what it recorded at 1500 was at 1000
			time.Sleep(time.Second)
			check("3 [6]")
			ask("raw")
			check("0 [5]")
		})
	}
}
