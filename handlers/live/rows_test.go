package live

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/kernel"
)

// outline writes a table for comparison: id parent kind tid name.
func outline(t *table) string {
	var b strings.Builder
	for id, r := range t.rows {
		w := t.wire(uint32(id), &r)
		fmt.Fprintf(&b, "%d %d %d %d %s\n", w.ID, int32(w.Parent), w.Kind, w.TID, w.Name)
	}
	return b.String()
}

func TestRows(t *testing.T) {
	h := &fakeHost{name: "web", version: 1, threads: []kernel.Thread{
		{TID: 0, PID: 0, Name: "swapper/0"},
		{TID: 101, PID: 100, Name: "worker"},
		{TID: 50, PID: -1, Name: "stray"},
	}}
	var table table
	table.refresh([]Host{h}, nil)
	if got, want := outline(&table), ""+
		"0 -1 0 -1 web\n"+
		"1 0 1 100 100\n"+ // known by its thread only
		"2 1 2 101 worker\n"+
		"3 0 1 50 stray\n"; got != want {
		t.Fatalf("rows\n%swant\n%s", got, want)
	}
	seen := table.version

	h.version, h.threads = 2, []kernel.Thread{
		{TID: 100, PID: 100, Name: "httpd", Quark: 9},
		{TID: 50, PID: 100, Name: "stray"},
	}
	table.refresh([]Host{h}, nil)
	if got, want := outline(&table), ""+
		"0 -1 0 -1 web\n"+
		"1 0 1 100 httpd\n"+
		"2 1 2 101 worker\n"+
		"3 1 2 50 stray\n"; got != want {
		t.Fatalf("rows\n%swant\n%s", got, want)
	}
	if table.rows[1].quark != 9 {
		t.Errorf("quark %d, want 9", table.rows[1].quark)
	}
	changed, now := table.since(seen)
	if now != table.version || len(changed) != 2 {
		t.Errorf("version %d and the rows %d, want %d and the two that changed", now, changed, table.version)
	}
	if changed, _ = table.since(now); changed != nil {
		t.Errorf("the rows %d though none changed", changed)
	}
	if got := []uint32{table.of(0, 101), table.of(0, -1), table.of(0, 7), table.of(3, 101)}; fmt.Sprint(got) != fmt.Sprint([]uint32{2, 0, 0, wire.NoRow}) {
		t.Errorf("rows of threads: %v", got)
	}
}

// Rows that do not fit into one message are sent in several, each once and behind the row that it hangs under, and what changes meanwhile after them.
func TestManyRows(t *testing.T) {
	const threads = 2*rowsAtOnce + 1000
	name := strings.Repeat("x", nameLimit)
	h := &fakeHost{name: "web", version: 1}
	for tid := int32(threads); tid > 0; tid-- {
		h.threads = append(h.threads, kernel.Thread{TID: tid, PID: 1 + (tid-1)/3*3, Name: name})
	}
	s := &session{rows: &table{}, out: newOutbox()}
	s.rows.refresh([]Host{h}, nil)
	var p pusher
	p.putRows(s)
	s.out.put(slot{part: partReport}, parcel{frame: []byte("report")})
	parents := map[uint32]uint32{wire.NoRow: 0}
	var sent []string
	again := uint32(0)
	for frame := s.out.take(); frame != nil; frame = s.out.take() {
		if string(frame) == "report" {
			sent = append(sent, "report")
			h.version, h.threads = 2, []kernel.Thread{{TID: 2, PID: 1, Name: "renamed"}}
			s.rows.refresh([]Host{h}, nil)
			again = s.rows.of(0, 2)
			continue
		}
		n := int(binary.LittleEndian.Uint32(frame[8:]))
		sent = append(sent, fmt.Sprint(n))
		if len(frame) > wire.MaxFrame {
			t.Fatalf("a message of %d bytes", len(frame))
		}
		for i := range n {
			id, parent := binary.LittleEndian.Uint32(frame[16+4*i:]), binary.LittleEndian.Uint32(frame[16+4*n+4*i:])
			if _, ok := parents[parent]; !ok {
				t.Fatalf("row %d comes before %d, under which it hangs", id, parent)
			}
			if _, ok := parents[id]; ok && id != again {
				t.Fatalf("row %d is sent again", id)
			}
			parents[id] = parent
		}
	}
	if got, want := strings.Join(sent, " "), fmt.Sprintf("%d report %d 1001 1", rowsAtOnce, rowsAtOnce); got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	if len(parents) != threads+2 {
		t.Errorf("%d rows, want the host and %d threads", len(parents)-1, threads)
	}
	if p.newRows(s) != nil {
		t.Error("rows sent though none changed")
	}
}

// Times of a row are counted from the host's begin; when that becomes known, its rows are sent again.
func TestRowTimes(t *testing.T) {
	h := &fakeHost{name: "a", version: 1, threads: []kernel.Thread{{TID: 1, PID: 1, First: 1500, Last: 1700}, {TID: 2, PID: 2, First: 1200}}}
	var table table
	table.refresh([]Host{h}, []int64{1000})
	ended, alive := table.wire(1, &table.rows[1]), table.wire(2, &table.rows[2])
	if ended.First != 500 || ended.Last != 700 || alive.First != 200 || alive.Last != -1 {
		t.Errorf("first and last %v %v, %v %v", ended.First, ended.Last, alive.First, alive.Last)
	}
	seen := table.version
	table.refresh([]Host{h}, []int64{1100})
	if again, _ := table.since(seen); len(again) != 3 {
		t.Errorf("the rows %d sent again, want 3", again)
	}
}

// Whatever a trace claims about who is whose process: hosts are the roots,
// processes hang under hosts, threads under processes, and an id stays its thread's.
func TestRowsAreATree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table table
		h := &fakeHost{name: "a"}
		tids := make(map[uint32]int32)
		for range rapid.IntRange(1, 5).Draw(t, "refreshes") {
			h.version++
			h.threads = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) kernel.Thread {
				return kernel.Thread{TID: rapid.Int32Range(-1, 6).Draw(t, "tid"), PID: rapid.Int32Range(-1, 6).Draw(t, "pid")}
			}), 0, 8).Draw(t, "threads")
			table.refresh([]Host{h}, []int64{0})
			for id, r := range table.rows {
				w := table.wire(uint32(id), &r)
				if before, ok := tids[w.ID]; ok && before != w.TID {
					t.Fatalf("row %d was thread %d and is %d", id, before, w.TID)
				}
				tids[w.ID] = w.TID
				switch w.Kind {
				case wire.RowHost:
					if w.Parent != wire.NoRow {
						t.Fatalf("a host below row %d", w.Parent)
					}
				case wire.RowProcess:
					if table.rows[w.Parent].kind != wire.RowHost {
						t.Fatalf("process %d below a row of kind %d", w.TID, table.rows[w.Parent].kind)
					}
				case wire.RowThread:
					if table.rows[w.Parent].kind != wire.RowProcess {
						t.Fatalf("thread %d below a row of kind %d", w.TID, table.rows[w.Parent].kind)
					}
				}
			}
		}
		for _, thread := range h.threads {
			if id := table.of(0, thread.TID); thread.TID > 0 && table.rows[id].thread.TID != thread.TID {
				t.Fatalf("thread %d has row %d of thread %d", thread.TID, id, table.rows[id].thread.TID)
			}
		}
	})
}

func TestTidy(t *testing.T) {
	if got := tidy("a\xffb"); got != "a\uFFFDb" {
		t.Errorf("%q", got)
	}
	if got := tidy("wget\u202e\n·\t1"); got != "wget\uFFFD · 1" {
		t.Errorf("%q", got)
	}
	if got := tidy(strings.Repeat("é", nameLimit)); len(got) > nameLimit+3 {
		t.Errorf("%d bytes", len(got))
	}
	if (row{}).quark == attribute.None {
		t.Error("the zero row has no quark: rows without a thread must say so themselves")
	}
}
