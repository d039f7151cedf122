package live

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/handlers/wire"
)

// hostOf puts ten rows on each host; the host's row is the first.
func hostOf(row uint32) uint32 { return row - row%10 }

func arrows() *rapid.Generator[placed] {
	return rapid.Custom(func(t *rapid.T) placed {
		sent := rapid.IntRange(0, 10000).Draw(t, "sent")
		received := sent + rapid.IntRange(-50, 500).Draw(t, "delay")
		a := wire.Arrow{
			From: uint32(rapid.IntRange(0, 29).Draw(t, "from")), To: uint32(rapid.IntRange(0, 29).Draw(t, "to")),
			Count: 1, Bytes: float32(rapid.IntRange(0, 1500).Draw(t, "bytes")),
			ErrorFrom: float32(rapid.IntRange(-1, 30).Draw(t, "error")), ErrorTo: 5,
		}
		if received < sent {
			a.Flags, a.Backward = wire.Violation, 1
		}
		return placed{a, int64(sent), int64(received)}
	})
}

// Connections stay apart while there is room: with one cell for each, no bundle mixes ports.
func TestBundlerTellsConnectionsApart(t *testing.T) {
	b := bundler{limit: 40, end: 1000, columns: 1000, hostRow: hostOf, flows: true}
	for i := range 1000 {
		b.add(wire.Arrow{From: 3, To: 11, Count: 1, FromPort: uint16(1 + i%7), ToPort: 80, Protocol: 6}, int64(i), int64(i))
	}
	counts := make(map[uint16]uint32)
	for _, a := range b.drawn(0) {
		counts[a.FromPort] += a.Count
		if a.ToPort != 80 || a.Protocol != 6 || a.Flags&wire.Bundle == 0 {
			t.Errorf("%+v", a)
		}
	}
	if len(counts) != 7 || counts[0] != 0 || counts[1] != 143 {
		t.Errorf("messages by port: %v", counts)
	}
	b = bundler{limit: 3, end: 100, columns: 1, hostRow: hostOf, flows: true}
	for i := range 100 {
		b.add(wire.Arrow{From: 3, To: 11, Count: 1, FromPort: uint16(1 + i%7), ToPort: 80, Protocol: 6}, 0, 0)
	}
	if out := b.drawn(0); len(out) != 1 || out[0].Count != 100 || out[0].FromPort != 0 || out[0].ToPort != 0 || out[0].Protocol != 6 {
		t.Errorf("without room for seven connections: %+v", out)
	}
}

// Bundling loses no message, no byte and no violation; the means weigh what they stand for.
func TestBundler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(arrows(), 0, 300).Draw(t, "arrows")
		limit := rapid.IntRange(1, 320).Draw(t, "limit")
		b := bundler{limit: limit, begin: 500, end: 9000, columns: 101, hostRow: hostOf}
		var want, got [4]float64 // messages, bytes, sent, received
		violations, backward := false, [2]uint32{}
		for _, a := range in {
			b.add(a.Arrow, a.sent, a.received)
			want[0]++
			want[1] += float64(a.Bytes)
			want[2] += float64(a.sent)
			want[3] += float64(a.received)
			backward[0] += a.Backward
			violations = violations || a.Flags&wire.Violation != 0
		}
		out := b.drawn(0)
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

// A bundle says when the first and the last of its messages were sent and received, which lie together in it: as many as it counts are there.
func TestBundlesHaveEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(arrows(), 2, 200).Draw(t, "arrows")
		base := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "base")
		b := bundler{limit: rapid.IntRange(1, 60).Draw(t, "limit"), begin: -3, end: 11_000, columns: 500, hostRow: hostOf}
		for _, a := range in {
			b.add(a.Arrow, a.sent, a.received)
		}
		row := func(row uint32) uint32 {
			if b.hosts {
				return hostOf(row)
			}
			return row
		}
		for _, a := range b.drawn(base) {
			if a.Count == 1 {
				if a.Ends != (wire.Ends{}) {
					t.Fatalf("one message has the ends of many: %+v", a)
				}
				continue
			}
			inside, ends := uint32(0), wire.Ends{SentFirst: math.MaxInt64, SentLast: math.MinInt64, ReceivedFirst: math.MaxInt64, ReceivedLast: math.MinInt64}
			for _, m := range in {
				sent, received := m.sent-base, m.received-base
				if row(m.From) != a.From || row(m.To) != a.To || sent < a.Ends.SentFirst || sent > a.Ends.SentLast || received < a.Ends.ReceivedFirst || received > a.Ends.ReceivedLast {
					continue
				}
				inside++
				ends = wire.Ends{
					SentFirst: min(ends.SentFirst, sent), SentLast: max(ends.SentLast, sent),
					ReceivedFirst: min(ends.ReceivedFirst, received), ReceivedLast: max(ends.ReceivedLast, received),
				}
			}
			if inside != a.Count || ends != a.Ends {
				t.Fatalf("%d messages, %+v, lie in %+v", inside, ends, a)
			}
		}
	})
}

func TestUnknownErrorsStayUnknown(t *testing.T) {
	b := bundler{limit: 1, end: 8, columns: 8, hostRow: hostOf}
	b.add(wire.Arrow{Count: 1, ErrorFrom: 5, ErrorTo: 3}, 0, 0)
	b.add(wire.Arrow{Count: 1, ErrorFrom: -1, ErrorTo: 4}, 0, 0)
	if a := b.drawn(0)[0]; a.ErrorFrom != -1 || a.ErrorTo != 4 || a.Count != 2 {
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
	})
}

// Whatever the order in which messages come, and whatever bundles they came in, what is drawn is the same to the last bit.
func TestBundlesDoNotDependOnTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(arrows(), 0, 200).Draw(t, "arrows")
		all := bundler{limit: rapid.IntRange(1, 60).Draw(t, "limit"), begin: -3, end: 10_000, columns: 500, hostRow: hostOf}
		again := all
		for _, a := range in {
			all.add(a.Arrow, a.sent, a.received)
		}
		for _, a := range rapid.Permutation(in).Draw(t, "order") {
			again.add(a.Arrow, a.sent, a.received)
		}
		base := rapid.Int64Range(-1<<62, 1<<62).Draw(t, "base")
		want, got := all.drawn(base), again.drawn(base)
		if !slices.Equal(want, got) {
			t.Fatalf("%+v in one order, %+v in another", want, got)
		}
	})
}

// The mean of times is exact as far as a float64 is, wherever they lie.
func TestMoments(t *testing.T) {
	times := rapid.Int64Range(-wire.MaxTime, wire.MaxTime)
	rapid.Check(t, func(t *rapid.T) {
		base := times.Draw(t, "base")
		list := rapid.SliceOfN(times, 1, 50).Draw(t, "times")
		var sum moment
		exact := new(big.Int)
		for _, at := range list {
			sum = sum.plus(momentOf(at))
			exact.Add(exact, new(big.Int).Sub(big.NewInt(at), big.NewInt(base)))
		}
		want, _ := new(big.Float).SetInt(exact).Float64()
		want /= float64(len(list))
		if got := sum.after(base, uint32(len(list))); math.Abs(got-want) > 1e-15*math.Abs(want) {
			t.Fatalf("the mean of %v is %v after %d, want %v", list, got, base, want)
		}
	})
}
