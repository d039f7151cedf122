package history

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
)

// stopped makes a block of columns of all lengths, sound or damaged, and its table with stops.
func stopped(r *rand.Rand, kind uint8, damaged bool) (*block, *table) {
	k := &block{kind: kind, start: 1000, end: 1 << 50}
	t := &table{at: make([]place, 1)}
	for ; k.columns < 20; k.columns++ {
		column, all := chanceColumn(r, k, 1+r.IntN(1<<r.IntN(8)))
		k.payload = append(k.payload, column...)
		k.count += len(all)
		t.at = append(t.at, place{data: uint32(len(k.payload))})
	}
	for range 30 {
		if damaged {
			k.payload[r.IntN(len(k.payload))] = byte(r.Uint32())
		}
	}
	k.addStops(t)
	return k, t
}

// From the stops of a column the same is found as from its front, at every instant, whatever is damaged.
func TestStops(t *testing.T) {
	raced.Alone(t)
	r := rand.New(rand.NewPCG(11, 12))
	found, most := 0, 0
	for turn := range 600 {
		k, table := stopped(r, uint8(leafBlock+turn%2), turn%3 == 0)
		for i := range k.columns {
			column := k.payload[table.at[i].data:table.at[i+1].data]
			stops := table.stops[table.at[i].stop:table.at[i+1].stop]
			most = max(most, len(stops))
			for range 40 {
				at := k.start + r.Int64N(1<<r.IntN(48))
				if len(stops) > 0 {
					s := stops[r.IntN(len(stops))]
					at = []int64{at, s.start - 1, s.start, s.end - 1, s.end}[r.IntN(5)]
				}
				var got, want kept
				said, how := k.holdingIn(table, i, at, 1<<49, &got), k.holdingSlowly(column, at, 1<<49, &want)
				if said != how || how == heldFound && got != want {
					t.Fatalf("column %v at %d: from its stops %d, %+v, from its front %d, %+v", column, at, said, got, how, want)
				}
				if how == heldFound {
					found++
				}
			}
		}
	}
	if found < 100_000 || most < 10 {
		t.Errorf("%d intervals were found, in columns of up to %d stops", found, most)
	}
}

// A sound column has a stop every so many intervals, but where its first numbers are longer than any.
func TestStopsLieClose(t *testing.T) {
	raced.Alone(t)
	r := rand.New(rand.NewPCG(13, 14))
	k := &block{kind: leafBlock, start: 0, end: 1 << 50, columns: 1}
	for intervals := 1; intervals < 200; intervals++ {
		column, _ := chanceColumn(r, k, intervals)
		k.payload, k.count = append(column, make([]byte, ahead)...)[:len(column)], intervals
		table := &table{at: []place{{}, {data: uint32(len(column))}}}
		k.addStops(table)
		if want := (intervals + betweenStops - 1) / betweenStops; len(table.stops) != want {
			t.Fatalf("%d intervals have %d stops, and should have %d", intervals, len(table.stops), want)
		}
	}
	long := binary.AppendUvarint(nil, 1<<62)
	k.payload, k.end = append(append(long, 1, 1), make([]byte, ahead)...)[:len(long)+2], 1<<62+10
	table := &table{at: []place{{}, {data: uint32(len(k.payload))}}}
	var got kept
	if k.addStops(table); len(table.stops) != 0 || k.holdingIn(table, 0, 1<<62, 1<<62+10, &got) != heldFound {
		t.Errorf("a column that begins late has %d stops; found %+v", len(table.stops), got)
	}
}

// Stops are made of a table that is often asked for by who looks for much.
func TestStopsWhereOftenAsked(t *testing.T) {
	raced.Elsewhere(t, "TestFull", "TestReadersBesideTheWriter")
	f := new(growing)
	w, err := Create(f, 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for q := range 300 {
		w.Attributes().Add(attribute.Root, string(binary.AppendUvarint([]byte("a"), uint64(q))))
	}
	for now := range int64(30_000) {
		if err := w.Modify(now, attribute.Quark(now*7%300), Int(now)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(30_001); err != nil {
		t.Fatal(err)
	}
	h := w.History()
	var leaf *block
	if err := h.Blocks(t.Context(), func(b Block) bool {
		if k, err := h.file.whole(b.Number); err == nil && k.kind == leafBlock {
			leaf = k
		}
		return leaf == nil
	}); err != nil || leaf == nil {
		t.Fatal(err)
	}
	ask := func(wanted int) *table {
		got, err := leaf.tableFor(wanted, new(table))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := ask(1); got != nil {
		t.Errorf("a table for one attribute: %+v", got)
	}
	for i := range 2 * asksForStops {
		if few := ask(1); i > 0 && few == nil {
			t.Errorf("asked for one attribute, the table that is kept is not given")
		}
		if got := ask(300); (got.stops != nil) != (i >= asksForStops) {
			t.Errorf("asked for the %d. time there are %d stops", i+1, len(got.stops))
		}
	}
}
