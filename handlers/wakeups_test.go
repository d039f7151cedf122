package handlers

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"synchroscope/handlers/wire"
)

// Who woke the thread that waited for the slow child: the child, when it ended; each wake-up once, in order of time, and none of
// threads that were not asked for. With room for one wake-up, busy threads are left out and counted.
func testWakeups(t *testing.T, b *browser, rows map[[2]int32]uint32, db int32, toReference func(local int64) int64) {
	work, crunch, writer := rows[[2]int32{db, 205}], rows[[2]int32{db, 206}], rows[[2]int32{db, 173}]
	begin, end := toReference(slowBegin), toReference(slowEnd)+int64(1e6)
	ask := func(generation, limit int) (leftOut uint32, out [][3]float64) {
		f := b.ask(wire.KindWakeups, generation, `"op":"wakeups","time":"reference","begin":"%d","end":"%d","limit":%d,"rows":[%d,%d,%d]`, begin, end, limit, work, writer, work)
		n := int(u32(f, 12))
		for i := range n {
			at := math.Float64frombits(binary.LittleEndian.Uint64(f[32+8*i:]))
			out = append(out, [3]float64{at, float64(u32(f, 32+8*n+4*i)), float64(u32(f, 32+12*n+4*i))})
		}
		return u32(f, 24), out
	}
	leftOut, all := ask(60, 1000)
	found, before := 0, -1.0
	for _, w := range all {
		if w[0] < before || w[0] >= float64(end-begin) || w[2] != float64(work) && w[2] != float64(writer) {
			t.Errorf("a wake-up of row %v at %v, after %v", w[2], w[0], before)
		}
		before = w[0]
		if w[1] == float64(crunch) && w[2] == float64(work) && math.Abs(w[0]-float64(toReference(slowEnd)-begin)) < 5e6 {
			found++
		}
	}
	if found != 1 || leftOut != 0 {
		t.Errorf("crunch woke dbwork %d times at its end, %d rows left out: %v", found, leftOut, all)
	}
	if leftOut, few := ask(61, 1); leftOut == 0 || len(few) > 1 {
		t.Errorf("with room for one wake-up there are %d, and %d rows are left out", len(few), leftOut)
	}
	// Those of one thread are told whatever rows are asked for: crunch wakes dbwork, which wakes others.
	of := func(generation int, row uint32) (out [][3]float64) {
		f := b.ask(wire.KindWakeups, generation, `"op":"wakeups","time":"reference","begin":"%d","end":"%d","limit":1000,"rows":[],"row":%d`, begin, end, row)
		n := int(u32(f, 12))
		for i := range n {
			at := math.Float64frombits(binary.LittleEndian.Uint64(f[32+8*i:]))
			out = append(out, [3]float64{at, float64(u32(f, 32+8*n+4*i)), float64(u32(f, 32+12*n+4*i))})
		}
		if left := u32(f, 24); left != 0 {
			t.Errorf("%d rows are left out of those of row %d", left, row)
		}
		return out
	}
	byCrunch, ofWork := of(63, crunch), of(64, work)
	for _, w := range byCrunch {
		if w[1] != float64(crunch) && w[2] != float64(crunch) {
			t.Errorf("of row %d there is %v", crunch, w)
		}
	}
	with := func(list [][3]float64, column int, row uint32) (out [][3]float64) {
		for _, w := range list {
			if w[column] == float64(row) {
				out = append(out, w)
			}
		}
		return out
	}
	if got, want := with(byCrunch, 2, work), with(with(all, 2, work), 1, crunch); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("crunch woke dbwork at %v, and of the rows asked for at %v", got, want)
	}
	if got, want := with(ofWork, 2, work), with(all, 2, work); !slices.Equal(got, want) {
		t.Errorf("dbwork was woken at %v, and of the rows asked for at %v", got, want)
	}
	if len(with(ofWork, 1, work)) == 0 {
		t.Errorf("dbwork woke none: %v", ofWork)
	}
	if kind := wire.Kind(b.ask(wire.KindError, 62, `"op":"wakeups","time":"reference","begin":"1","end":"2","rows":[],"limit":0`)[0]); kind != wire.KindError {
		t.Error(fmt.Sprint("a limit of 0 is answered by kind ", kind))
	}
}
