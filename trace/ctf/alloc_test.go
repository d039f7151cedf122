package ctf

import (
	"testing"

	"synchroscope/trace"
)

// Reading an event and its fields allocates nothing.
func TestNoAllocations(t *testing.T) {
	traces := openAll(t, unpack(t, "many-threads.tar.gz"))
	r := newReader(t, traces)
	type fields struct{ tid, comm *trace.Field }
	table := make([]fields, len(r.Classes()))
	for i, c := range r.Classes() {
		if c.Index != i {
			t.Fatalf("class %d has index %d", i, c.Index)
		}
		table[i] = fields{c.Field("tid"), c.Field("comm")}
	}
	for range 100_000 { // until all buffers have their size
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	text := make([]byte, 0, 1<<16)
	sum := 0
	allocs := testing.AllocsPerRun(50, func() {
		for range 2000 {
			e, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			f := table[e.Class.Index]
			sum += int(e.Int(f.tid)) + len(e.Bytes(f.comm))
			text = e.AppendText(text[:0])
		}
	})
	if allocs > 0 {
		t.Errorf("%v allocations in 2000 events", allocs)
	}
	if sum == 0 {
		t.Error("no event had a tid or a name")
	}
}
