package history

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
)

// chanceColumn makes a column of a leaf or an extent, whose numbers and values are of all sizes, and says what is in it.
func chanceColumn(r *rand.Rand, k *block, intervals int) (column []byte, all []Interval) {
	number := func() int64 { return 1 + r.Int64N(1<<r.IntN(40)) }
	values := []Value{Null(), Int(3), Int(-70), Int(1 << 40), Int(math.MinInt64), Float(1.5), Bool(true), {KindString, 5}, {KindString, 299}, {KindString, 1 << 20}}
	for at := k.start + number(); len(all) < intervals; {
		iv := Interval{Start: at, End: at + number(), Value: values[r.IntN(len(values))]}
		switch {
		case len(all) == 0 && k.kind == leafBlock:
			column = binary.AppendUvarint(column, uint64(iv.Start-k.start))
		case len(all) == 0:
			iv.Start -= number()
			column = binary.AppendUvarint(column, uint64(iv.End-k.start))
		case k.kind != leafBlock:
			gap := number() - 1
			iv.Start, iv.End = iv.Start+gap, iv.End+gap
			column = binary.AppendUvarint(column, uint64(gap))
		}
		column = appendValue(binary.AppendUvarint(column, uint64(iv.End-iv.Start)), iv.Value)
		all, at = append(all, iv), iv.End
	}
	return column, all
}

// The quick way finds in a column what stands there, wherever the instant and the end of memory, and where the column is
// damaged it says the same as the other.
func TestHolding(t *testing.T) {
	raced.Alone(t)
	r := rand.New(rand.NewPCG(7, 8))
	for turn := range 20_000 {
		k := &block{kind: uint8(leafBlock + turn%2), start: 1000, end: 1 << 50}
		column, all := chanceColumn(r, k, 1+r.IntN(4))
		b := append(append([]byte(nil), column...), make([]byte, r.IntN(40))...)
		for i := len(column); i < len(b); i++ {
			b[i] = byte(r.Uint32())
		}
		b = b[: len(column) : len(b)-r.IntN(len(b)-len(column)+1)]
		limit := all[len(all)-1].End - r.Int64N(2)
		for range 6 {
			at := all[r.IntN(len(all))].Start + r.Int64N(3) - 1
			want, how := kept{}, heldNone
			for _, iv := range all {
				if iv.End > at {
					how = heldLater
					if iv.Start <= at {
						want, how = kept{iv.Start, min(iv.End, limit), iv.Value.bits, iv.Value.kind}, heldFound
					}
					break
				}
			}
			var got kept
			if said := k.holding(b, at, limit, &got); said != how || how == heldFound && got != want {
				t.Fatalf("%v of %v at %d: said %d, %+v, and is %d, %+v", b, all, at, said, got, how, want)
			}
		}
		for range r.IntN(4) {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		b = b[:r.IntN(len(b)+1)]
		at := all[0].Start + r.Int64N(1<<r.IntN(40))
		var got, want kept
		said, how := k.holding(b, at, limit, &got), k.holdingSlowly(b, at, limit, &want)
		if said != how || how == heldFound && got != want {
			t.Fatalf("%v at %d: said %d, %+v, and the slow way %d, %+v", b, at, said, got, how, want)
		}
	}
}

// The table of a block has the columns that the heads have, of any length and however far apart their quarks, and the cache
// keeps it where it keeps the file.
func TestTable(t *testing.T) {
	raced.Elsewhere(t, "TestFull", "TestReadersBesideTheWriter")
	for _, bytes := range []int{DefaultCacheBytes, 1 << 10} {
		f := new(growing)
		w, err := Create(f, 0, Options{Cache: NewCache(bytes)})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(9, 10))
		const attributes = 40_000
		for q := range attributes {
			w.Attributes().Add(attribute.Root, string(binary.AppendUvarint([]byte("a"), uint64(q))))
		}
		now := int64(0)
		for i := range 300_000 {
			now += r.Int64N(300)
			q := r.IntN(attributes)
			switch {
			case i%5 == 0:
				q = 17 // a column longer than any two-byte head tells of
			case i%2 == 0:
				q -= q % 200 // quarks far apart
			case q > attributes/2 && q < attributes*3/4:
				continue
			}
			if err := w.Modify(now, attribute.Quark(q), Int(int64(i)<<(i%3*20))); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Finish(now + 1); err != nil {
			t.Fatal(err)
		}
		h := w.History()
		if err := h.Full(context.Background(), now/2, func(Interval) bool { return true }); err != nil {
			t.Fatal(err)
		}
		long, seen, held := 0, 0, 0
		err = h.Blocks(context.Background(), func(b Block) bool {
			k, err := h.file.whole(b.Number)
			if err != nil {
				t.Fatal(err)
			}
			if k.kind != leafBlock && k.kind != extentBlock {
				return true
			}
			if _, ok := h.file.cache.get(cacheKey{h.file, b.Number, cachedTable}).(*table); ok {
				held++
			}
			for _, step := range []int{0, 2, 3, 40, 700} {
				foundInOneWalk(t, k, step)
			}
			var made table
			if err := k.tabulate(&made); err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, x := range made.words {
				for left := x.columns; left != 0; left &= left - 1 {
					n++
				}
			}
			if n != k.columns || len(made.at) != n+1 {
				t.Fatalf("block %d of %d columns: its table has %d", k.number, k.columns, n)
			}
			c, column, word := k.cursor(), 0, 0
			for ; c.next(); column++ {
				for made.words[word].word < uint32(c.quark>>6) {
					word++
				}
				x := made.words[word]
				if x.columns>>(c.quark&63)&1 == 0 || made.at[column].data != uint32(c.at) || made.at[column+1].data != uint32(c.pos) || int(x.first) > column {
					t.Fatalf("block %d: column %d, of attribute %d, is at %d to %d", k.number, column, c.quark, c.at, c.pos)
				}
				if seen++; c.length >= 1<<14 {
					long++
				}
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if long == 0 || seen < 1000 {
			t.Errorf("of %d columns %d are long", seen, long)
		}
		if small := h.file.small(); small != (held > 0) {
			t.Errorf("%d tables are kept, of a file that the cache has room for: %v", held, small)
		}
	}
}
