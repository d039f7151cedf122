package history

import (
	"math/rand/v2"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
)

// joinedTree is a tree in which intervals of few values cross from leaf to leaf, with joined sums.
func joinedTree(t testing.TB) *growing {
	t.Helper()
	file := &growing{}
	w, err := Create(file, 0, Options{NodeSize: 1024, PageSize: 1024, MaxChildren: 10})
	if err != nil {
		t.Fatal(err)
	}
	const rows = 3
	for q := range rows {
		w.Attributes().Add(attribute.Root, string(rune('a'+q)))
	}
	r := rand.New(rand.NewPCG(8, 9))
	now := int64(0)
	for range 12_000 {
		now += r.Int64N(50)
		if err := w.Modify(now, attribute.Quark(r.IntN(rows)), Int(r.Int64N(3))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(now + 1); err != nil {
		t.Fatal(err)
	}
	if err := Check(file); err != nil {
		t.Fatal(err)
	}
	return file
}

// What joined sums say of intervals that cross from child to child is compared with the extents.
func TestCheckComparesCrossings(t *testing.T) {
	raced.Alone(t)
	file := joinedTree(t)
	h, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if Joined(t, h) == 0 {
		t.Fatal("a tree without joined sums")
	}
	tried := 0
	err = h.file.eachSummary(h.current.Load().top, func(k *block) {
		for c := k.cursor(); c.next(); {
			if k.payload[c.at] <= laneValues {
				continue
			}
			d := decoder{b: k.payload[c.at:c.pos:c.pos]}
			s, ok := sumColumn(&d, d.uvarint(), &group{count: 10})
			if !ok {
				t.Fatal("sums do not decode")
			}
			for row := 1; row <= s.rows; row += 3 {
				for bit := range byte(5) { // of the place and the length
					whole := append([]byte(nil), file.frozen...)
					b := whole[k.offset:][:1024]
					b[k.body+c.pos-len(s.b)+row*s.line-s.gap] ^= 1 << bit
					resum(b)
					if tried++; Check(frozen(whole)) == nil {
						t.Errorf("bit %d of row %d of attribute %d in block %d goes unnoticed", bit, row, c.quark, k.number)
					}
				}
			}
			if tried > 400 {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if tried == 0 {
		t.Error("nothing was tried")
	}
}

// Joined sums of any bytes are painted without a panic.
func FuzzJoined(f *testing.F) {
	h, err := Open(joinedTree(f))
	if err != nil {
		f.Fatal(err)
	}
	n := &node{level: 1, start: 0, end: 3000}
	for i := range int64(10) {
		n.children = append(n.children, child{block: uint32(i), start: i * 300, end: (i + 1) * 300})
	}
	n.groups = []group{{count: 10}}
	err = h.file.eachSummary(h.current.Load().top, func(k *block) {
		for c := k.cursor(); c.next() && k.number%5 == 0; {
			f.Add(k.payload[c.at:c.pos], int64(100), int64(450))
		}
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte, first, wide int64) {
		d := decoder{b: b}
		many := d.uvarint()
		if many <= laneValues {
			return
		}
		s, ok := sumColumn(&d, many, &n.groups[0])
		if !ok || first < 0 || first > 3000 || wide < 1 || wide > 3000 {
			return
		}
		edges := []int64{first}
		for len(edges) < 9 {
			edges = append(edges, edges[len(edges)-1]+wide)
		}
		for _, counting := range []bool{false, true} {
			if counting {
				edges = edges[:2]
			}
			p := painter{grid: grid{edges: edges, lo: first, hi: min(3000, edges[len(edges)-1])}}
			seen := p.sights(nil, n, 0, len(n.children))
			var c canvas
			r := &c.reset(1, len(edges)-1)[0]
			r.counting = counting
			x := p.joint(n, 0, seen, stretched(seen, 0))
			s.join(r, &x, func(child int, span int64) {
				if child < 0 || child >= len(n.children) {
					t.Fatalf("the intervals of child %d are %d ns long", child, span)
				}
			})
		}
	})
}
