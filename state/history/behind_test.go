package history

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// The times before an edge, read from the front, and behind it, read from the back, are those of the intervals, whatever
// lengths their numbers have; and no damage makes more of them than there is, or ends the program.
func TestBothEndsOfAColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		k := &block{kind: leafBlock, start: r.Int64N(1000) - 500}
		first := r.Int64N(1 << r.IntN(30))
		column := binary.AppendUvarint(nil, uint64(first))
		all := []Interval{}
		at := k.start + first
		for range 1 + r.IntN(30) {
			iv := Interval{Start: at, Value: Int(int64(r.IntN(4) << (r.IntN(4) * 9)))}
			at += 1 + r.Int64N(1<<(1+r.IntN(55)))
			iv.End = at
			column = binary.AppendUvarint(column, uint64(iv.End-iv.Start))
			column = appendValue(column, iv.Value)
			all = append(all, iv)
		}
		k.end = at + r.Int64N(1000)
		span := at - all[0].Start
		edge := k.start + r.Int64N(k.end-k.start+1)
		if r.IntN(3) == 0 {
			edge = all[r.IntN(len(all))].Start
		}
		var known lanes
		want := [2]map[Value]int64{{}, {}}
		few := true
		for _, iv := range all {
			few = few && known.of(iv.Value) < laneValues
			if n := min(iv.End, edge) - iv.Start; n > 0 {
				want[0][iv.Value] += n
			}
			if n := iv.End - max(iv.Start, edge); n > 0 {
				want[1][iv.Value] += n
			}
		}
		if !few {
			continue
		}
		read := [2]func(column []byte, times *lane) (uint8, bool){
			func(column []byte, times *lane) (uint8, bool) { return k.before(column, edge, &known, times) },
			func(column []byte, times *lane) (uint8, bool) { return k.behind(column, edge, span, &known, times) },
		}
		for side := range read {
			var times lane
			used, ok := read[side](column, &times)
			if !ok {
				t.Fatalf("side %d of %d in %v does not decode", side, edge, all)
			}
			for i, v := range known.values[:known.known] {
				if want := want[side][v]; times[i] != want || (used>>i&1 > 0) != (want > 0) {
					t.Fatalf("side %d of %d in %v: %d of %v, want %d", side, edge, all, times[i], v, want)
				}
			}
		}
		damaged := append([]byte(nil), column...)
		damaged[r.IntN(len(damaged))] ^= byte(1 + r.IntN(255))
		damaged = damaged[:len(damaged)-r.IntN(min(3, len(damaged)))]
		var times lane
		if _, ok := k.behind(damaged, edge, span, &known, &times); ok {
			sum := int64(0)
			for _, time := range times {
				sum += time
			}
			if most := max(0, k.end-edge); sum > most {
				t.Fatalf("%d ns are behind %d, where there are %d", sum, edge, most)
			}
		}
	}
}
