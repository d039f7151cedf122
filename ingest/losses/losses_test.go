package losses

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func some() *rapid.Generator[Loss] {
	return rapid.Custom(func(t *rapid.T) Loss {
		begin := rapid.OneOf(rapid.Int64Range(0, 3000), rapid.SampledFrom([]int64{math.MinInt64, -1, 1 << 50, math.MaxInt64 - 1})).Draw(t, "begin")
		x := Loss{CPU: rapid.Int32Range(-1, 2).Draw(t, "cpu"), Begin: begin, End: begin}
		x.End = begin + min(rapid.Int64Range(0, 300).Draw(t, "long"), math.MaxInt64-1-max(begin, 0))
		x.At = x.Begin + rapid.Int64Range(0, x.End-x.Begin).Draw(t, "place")
		if rapid.Bool().Draw(t, "packets") {
			x.Packets = rapid.SampledFrom([]int64{1, 7, math.MaxInt64}).Draw(t, "of")
		} else {
			x.Events = rapid.SampledFrom([]int64{1, 489, math.MaxInt64}).Draw(t, "lost")
		}
		if rapid.IntRange(0, 9).Draw(t, "endless") == 0 {
			x.End = Endless
		}
		return x
	})
}

// The log answers as a list does: with several blocks, while it is written, after a crash and after it was opened again, through clock maps
// and without.
func TestAgainstAList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "losses")
	rapid.Check(t, func(t *rapid.T) {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		l, err := Create(f)
		if err != nil {
			t.Fatal(err)
		}
		var all []Loss
		add := func(x Loss) {
			if err := l.Add(x); err != nil {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(1, 3).Draw(t, "syncs") {
			list := rapid.SliceOfN(some(), 0, 30).Draw(t, "list")
			for range rapid.SampledFrom([]int{1, 1, 60}).Draw(t, "times") { // 60: more than a block
				for _, x := range list {
					add(x)
				}
				all = append(all, list...)
			}
			compare(t, l, all)
			length, err := l.Sync()
			if err != nil {
				t.Fatal(err)
			}
			for range rapid.SampledFrom([]int{0, 1, 2 * blockRecords}).Draw(t, "gone") {
				add(Loss{Begin: 5, End: 6, Events: 1})
			}
			if rapid.Bool().Draw(t, "resumed") {
				l, err = Resume(f, length)
			} else {
				var opened *Log
				if opened, err = Open(f, length); err == nil {
					compare(t, opened, all)
					l, err = Resume(f, length)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			compare(t, l, all)
		}
	})
}

// columnsAgree insists that a column has what is told of its stretch, and that what is spread over all of them is neither more nor less than there is in them.
func columnsAgree(t *rapid.T, l *Log, q Query, all []Loss) {
	columns, err := l.Columns(context.Background(), q.Edges, q.Time, q.Final)
	if err != nil || len(columns) != max(0, len(q.Edges)-1) {
		t.Fatalf("%d columns of %d edges, %v", len(columns), len(q.Edges), err)
	}
	var sum, least, most float64
	for i, c := range columns {
		parts, err := l.Ask(context.Background(), Query{Begin: q.Edges[i], End: q.Edges[i+1], Time: q.Time, Final: q.Final})
		if err != nil {
			t.Fatal(err)
		}
		if p := parts[0]; q.Edges[i+1] < math.MaxInt64 && (c.Events != p.Events || c.Packets != p.Packets || c.Reaching != p.Beyond.Times) {
			t.Fatalf("from %d to %d the column has %+v, and what is told is %+v", q.Edges[i], q.Edges[i+1], c, p)
		}
		sum += c.Spread
	}
	for _, x := range all {
		if begin, end := q.time(x.Begin), q.time(x.End); len(columns) > 0 && begin < q.Edges[len(columns)] && end >= q.Edges[0] {
			n := float64(max(1, min(x.Events, Most)))
			if most += n; begin >= q.Edges[0] && end < q.Edges[len(columns)] {
				least += n
			}
		}
	}
	if sum < min(least, Most)*(1-1e-9) || sum > most*(1+1e-9) {
		t.Fatalf("%g events are spread over columns in which %g to %g are lost", sum, least, most)
	}
}

// finite gives the losses without end the last time there is.
func finite(all []Loss, final int64) []Loss {
	all = slices.Clone(all)
	for _, x := range all {
		if final = max(final, x.Begin); x.End != Endless {
			final = max(final, x.End)
		}
	}
	for i := range all {
		if all[i].End == Endless {
			all[i].End = final
		}
	}
	return all
}

func compare(t *rapid.T, l *Log, all []Loss) {
	at := rapid.OneOf(rapid.Int64Range(-10, 3400), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64}))
	q := Query{Begin: at.Draw(t, "from"), End: at.Draw(t, "to"), Edges: rapid.SliceOfN(at, 0, 5).Draw(t, "edges")}
	slices.Sort(q.Edges)
	q.Placed = rapid.Bool().Draw(t, "placed")
	if rapid.Bool().Draw(t, "mapped") {
		q.Time = func(local int64) int64 { return local/3*2 - 40 }
	}
	q.Final = rapid.Int64Range(-10, 3400).Draw(t, "final")
	all = finite(all, q.Final)
	columnsAgree(t, l, q, all)
	want := make([]Part, len(q.Edges)+1)
	for _, x := range all {
		begin, end := q.time(x.Begin), q.time(x.End)
		if q.Placed {
			begin, end = q.time(x.At), q.time(x.At)
		}
		if begin >= q.End && q.End != math.MaxInt64 || end < q.Begin {
			continue
		}
		part := 0
		for part < len(q.Edges) && q.Edges[part] <= begin {
			part++
		}
		want[part].add(SumOf(x), begin < q.Begin || end >= q.End && q.End != math.MaxInt64)
	}
	got, err := l.Ask(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var list []Loss
	for _, x := range all {
		if out, _, _ := q.lies(q.span(x)); !out {
			list = append(list, x)
		}
	}
	told, err := l.List(context.Background(), q, len(list)+1)
	if err != nil {
		t.Fatal(err)
	}
	few, err := l.List(context.Background(), q, 2)
	if err != nil || len(few) != min(2, len(list)) {
		t.Fatalf("%v of at most 2, %v", few, err)
	}
	for _, x := range list {
		if i := slices.Index(told, x); i >= 0 {
			told = slices.Delete(told, i, i+1)
		} else {
			t.Fatalf("%+v is not listed", x)
		}
	}
	if len(told) > 0 {
		t.Fatalf("%v are listed, too", told)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("of %d losses in [%d, %d) by %v there are\n%+v, not\n%+v", len(all), q.Begin, q.End, q.Edges, got, want)
	}
}

// What a sum comes to does not depend on the order, and no claim of a trace makes it overflow.
func TestSums(t *testing.T) {
	a := SumOf(Loss{CPU: 2, Begin: 5, End: 9, At: 8, Events: math.MaxInt64})
	b := SumOf(Loss{CPU: 2, Begin: 1, End: 20, At: 12, Events: 3})
	c := SumOf(Loss{CPU: Untold, Begin: 7, End: 7, At: 6, Packets: 2})
	if got, want := a.With(b), (Sum{Times: 2, Events: Most, Begin: 1, Last: 5, End: 20, First: 8, Final: 12, CPU: 2}); got != want || b.With(a) != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := a.With(b).With(c).With(Sum{}), (Sum{Times: 3, Events: Most, Packets: 2, Begin: 1, Last: 7, End: 20, First: 6, Final: 12, CPU: Several}); got != want || (Sum{}).With(c).With(b).With(a) != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A block whose losses all lie in one part is not read: what an answer costs is a matter of its parts, not of the losses.
func TestWholeBlocksAreNotRead(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "losses"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := Create(f)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(100 * blockRecords) {
		if err := l.Add(Loss{Begin: 10 * i, End: 10*i + 10, Events: 1}); err != nil {
			t.Fatal(err)
		}
	}
	f.Close() // whoever reads fails
	got, err := l.Ask(context.Background(), Query{Begin: math.MinInt64, End: math.MaxInt64, Edges: []int64{10 * 50 * blockRecords}})
	if err != nil || got[0].Times != 50*blockRecords || got[1].Times != 50*blockRecords || got[1].Begin != 10*50*blockRecords {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := l.Ask(context.Background(), Query{Begin: 5, End: 10 * 3 * blockRecords}); err == nil {
		t.Error("a block at an edge needs not be read")
	}
}

// Bytes that are no losses are refused, or read as some that are written the same or shorter.
func FuzzDecode(f *testing.F) {
	f.Add(Loss{CPU: 3, Begin: -5, End: 1 << 40, Events: 9}.append(Loss{CPU: Untold, Begin: 1, End: 1, Packets: 1}.append(nil, 0), 1), 2)
	f.Fuzz(func(t *testing.T, b []byte, count int) {
		all, err := decode(nil, b, min(count, 1000))
		if err != nil {
			return
		}
		var wrote []byte
		before := int64(0)
		for _, x := range all {
			if x.End < x.Begin {
				t.Fatalf("%+v ends before it begins", x)
			}
			wrote = x.append(wrote, before)
			before = x.Begin
		}
		again, err := decode(nil, wrote, len(all))
		if err != nil || len(wrote) > len(b) || !slices.Equal(again, all) {
			t.Fatalf("%v came back as %v, %v", all, again, err)
		}
	})
}
