package live

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/handlers/wire"
)

// hostOf puts ten rows on each host; the host's row is the first.
func hostOf(row uint32) uint32 { return row - row%10 }

func arrows() *rapid.Generator[placed] {
	return rapid.Custom(func(t *rapid.T) placed {
		sent := rapid.IntRange(0, 10000).Draw(t, "sent")
		a := wire.Arrow{
			Sent: float64(sent), Received: float64(sent + rapid.IntRange(-50, 500).Draw(t, "delay")),
			From: uint32(rapid.IntRange(0, 29).Draw(t, "from")), To: uint32(rapid.IntRange(0, 29).Draw(t, "to")),
			Count: 1, Bytes: float32(rapid.IntRange(0, 1500).Draw(t, "bytes")),
			ErrorFrom: float32(rapid.IntRange(-1, 30).Draw(t, "error")), ErrorTo: 5,
		}
		if a.Received < a.Sent {
			a.Flags, a.Backward = wire.Violation, 1
		}
		return placed{a, int32(sent / 100)}
	})
}

// Connections stay apart while there is room: with one cell for each, no bundle mixes ports.
func TestBundlerTellsConnectionsApart(t *testing.T) {
	b := bundler{limit: 40, columns: 1000, hostRow: hostOf, flows: true}
	for i := range 1000 {
		b.add(wire.Arrow{Sent: float64(i), Received: float64(i), From: 3, To: 11, Count: 1, FromPort: uint16(1 + i%7), ToPort: 80, Protocol: 6}, int32(i/250))
	}
	counts := make(map[uint16]uint32)
	for _, a := range b.drawn() {
		counts[a.FromPort] += a.Count
		if a.ToPort != 80 || a.Protocol != 6 || a.Flags&wire.Bundle == 0 {
			t.Errorf("%+v", a)
		}
	}
	if len(counts) != 7 || counts[0] != 0 || counts[1] != 143 {
		t.Errorf("messages by port: %v", counts)
	}
	b = bundler{limit: 3, columns: 1, hostRow: hostOf, flows: true}
	for i := range 100 {
		b.add(wire.Arrow{From: 3, To: 11, Count: 1, FromPort: uint16(1 + i%7), ToPort: 80, Protocol: 6}, 0)
	}
	if out := b.drawn(); len(out) != 1 || out[0].Count != 100 || out[0].FromPort != 0 || out[0].ToPort != 0 || out[0].Protocol != 6 {
		t.Errorf("without room for seven connections: %+v", out)
	}
}

// Bundling loses no message, no byte and no violation; the means weigh what they stand for.
func TestBundler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(arrows(), 0, 300).Draw(t, "arrows")
		limit := rapid.IntRange(1, 320).Draw(t, "limit")
		b := bundler{limit: limit, columns: 101, hostRow: hostOf}
		var want, got [4]float64 // messages, bytes, sent, received
		violations, backward := false, [2]uint32{}
		for _, a := range in {
			b.add(a.Arrow, a.column)
			want[0]++
			want[1] += float64(a.Bytes)
			want[2] += a.Sent
			want[3] += a.Received
			backward[0] += a.Backward
			violations = violations || a.Flags&wire.Violation != 0
		}
		out := b.drawn()
		for _, a := range out {
			n := float64(a.Count)
			got[0] += n
			backward[1] += a.Backward
			got[1] += float64(a.Bytes)
			got[2] += a.Sent * n
			got[3] += a.Received * n
			if (a.Flags&wire.Bundle != 0) != (a.Count > 1) {
				t.Fatalf("count %d and flags %d", a.Count, a.Flags)
			}
		}
		if backward[0] != backward[1] {
			t.Fatalf("%d messages are received before they are sent, %d in bundles", backward[0], backward[1])
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-6*math.Abs(want[i]) {
				t.Fatalf("sums %v, want %v", got, want)
			}
		}
		if most := max(limit, 9); len(out) > most { // three hosts make nine pairs: one bundle each is the least
			t.Fatalf("%d arrows drawn, limit %d", len(out), limit)
		}
		if len(in) <= limit && len(out) != len(in) {
			t.Fatalf("%d of %d arrows drawn though the limit is %d", len(out), len(in), limit)
		}
		kept := false
		for _, a := range out {
			kept = kept || a.Flags&wire.Violation != 0
		}
		if kept != violations {
			t.Fatal("violations were lost")
		}
	})
}

func TestUnknownErrorsStayUnknown(t *testing.T) {
	b := bundler{limit: 1, columns: 8, hostRow: hostOf}
	b.add(wire.Arrow{Count: 1, ErrorFrom: 5, ErrorTo: 3}, 0)
	b.add(wire.Arrow{Count: 1, ErrorFrom: -1, ErrorTo: 4}, 0)
	if a := b.drawn()[0]; a.ErrorFrom != -1 || a.ErrorTo != 4 || a.Count != 2 {
		t.Errorf("bundle %+v", a)
	}
}

// Columns are the ones whose edges hold the time.
func TestEdges(t *testing.T) {
	times := rapid.Int64Range(-wire.MaxTime, wire.MaxTime)
	rapid.Check(t, func(t *rapid.T) {
		begin, end := times.Draw(t, "begin"), times.Draw(t, "end")
		if begin >= end {
			t.Skip("empty range")
		}
		columns := rapid.IntRange(1, wire.MaxColumns).Draw(t, "columns")
		e := edges(begin, end, columns)
		if len(e) != columns+1 || e[0] != begin || e[columns] != end {
			t.Fatalf("%d edges from %d to %d", len(e), e[0], e[len(e)-1])
		}
		for i := range columns {
			if e[i] > e[i+1] {
				t.Fatalf("edge %d is %d, the next %d", i, e[i], e[i+1])
			}
		}
		at := rapid.Int64Range(begin, end-1).Draw(t, "at")
		r := wire.Request{Begin: begin, End: end, Columns: columns}
		// Edges are rounded down, so a time within one ns below an edge may be on either side.
		if c := columnOf(at, r); at < e[c] || at > e[c+1] {
			t.Fatalf("%d is in column %d, [%d, %d)", at, c, e[c], e[c+1])
		}
	})
	r := wire.Request{Begin: 10, End: 20, Columns: 5}
	if before, after := columnOf(9, r), columnOf(20, r); before != -1 || after != 5 {
		t.Errorf("columns %d and %d outside of the range, want -1 and 5", before, after)
	}
}
