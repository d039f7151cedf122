package gaps

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

const base = 1_700_000_000_000_000_000

type stretch struct{ begin, end int64 }

func marshalled(t interface{ Fatal(...any) }, l *List) []byte {
	b, err := l.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What is missing is told to the ns while the stretches are few, their ends are among them, and a checkpoint between does not show.
func TestFewAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.OneOf(rapid.Int64Range(base, base+60), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, base - 1, base + 1<<40}))
		var l List
		var all []stretch
		for range rapid.IntRange(0, 6).Draw(t, "stretches") {
			s := stretch{at.Draw(t, "begin"), at.Draw(t, "end")}
			l.Add(s.begin, s.end)
			all = append(all, stretch{s.begin, max(s.begin, s.end)})
			var again List
			if err := again.UnmarshalBinary(marshalled(t, &l)); err != nil {
				t.Fatal(err)
			}
			l.list, l.shift = again.list, again.shift
		}
		for range 20 {
			begin, end := at.Draw(t, "from"), at.Draw(t, "to")
			want := begin < end && slices.ContainsFunc(all, func(s stretch) bool { return s.begin < end && begin <= s.end })
			if got := l.Any(begin, end); got != want {
				t.Fatalf("missing in [%d, %d) is %v, in %v: %+v", begin, end, got, all, l.list)
			}
		}
	})
}

// Any number of stretches takes bounded memory; each is told, and nothing that is farther from all than a unit is wide.
func TestManyAreBounded(t *testing.T) {
	var l List
	const step = 1000
	for i := range int64(20 * most) {
		at := base + i*step + i*i%7
		l.Add(at, at+i%13)
	}
	l.Add(base+1<<50, math.MaxInt64)
	if len(l.list) > most || l.shift > 16 {
		t.Fatalf("%d stretches, a unit of 2^%d ns", len(l.list), l.shift)
	}
	for i := range int64(20 * most) {
		if at := base + i*step + i*i%7; !l.Any(at, at+1) || !l.Any(at+i%13, at+i%13+1) {
			t.Fatalf("stretch %d is not told", i)
		}
	}
	unit := int64(1) << l.shift
	if l.Any(base+1<<49, base+1<<50-unit) || l.Any(math.MinInt64, base-unit) || !l.Any(math.MaxInt64-1, math.MaxInt64) {
		t.Error("something is missing where nothing is")
	}
}

// A checkpoint that had no list does not make one that seems whole.
func TestUnknownStaysUnknown(t *testing.T) {
	var l List
	if !l.Known() || len(marshalled(t, &l)) == 0 {
		t.Error("an empty list is not known")
	}
	if err := l.UnmarshalBinary(nil); err != nil || l.Known() {
		t.Errorf("from nothing comes a list that is known, %v", err)
	}
	l.Add(1, 2)
	if l.Known() || len(marshalled(t, &l)) != 0 || !l.Any(1, 2) {
		t.Error("it became known")
	}
	if err := l.UnmarshalBinary([]byte{0, 0}); err != nil || !l.Known() || l.Any(1, 2) {
		t.Errorf("it is not replaced, %v", err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	var l List
	f.Add(marshalled(f, &l))
	l.Add(math.MinInt64, -5)
	l.Add(5, 1<<30)
	l.Add(1<<40, math.MaxInt64)
	f.Add(marshalled(f, &l))
	f.Fuzz(func(t *testing.T, b []byte) {
		var l, again List
		if l.UnmarshalBinary(b) != nil {
			return
		}
		wrote := marshalled(t, &l)
		if err := again.UnmarshalBinary(wrote); err != nil || !bytes.Equal(marshalled(t, &again), wrote) {
			t.Fatalf("%x does not come back: %v", wrote, err)
		}
		l.Any(math.MinInt64, math.MaxInt64)
		for i := range int64(3) {
			l.Add(i<<62, i<<62+i)
		}
	})
}
