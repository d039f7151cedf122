package ctf_test

import (
	"io"
	"math"
	"reflect"
	"testing"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/text/texttest"
)

// A loss is told once more with its place: behind the last event of the packet that counts it, though the next packet begins before that one ends, also
// behind the last packet; and before missing packets. A reader that is not asked for places keeps none.
func TestPlacesOfLosses(t *testing.T) {
	dir := texttest.Dir(t, texttest.Counted()+`
file s
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=2
1.500000000 e
packet begin=2.000000000 end=3.500000000 seq=1 discarded=489 cpu=2
2.200000000 e
2.300000000 e
packet begin=3.400000000 end=4.000000000 seq=2 discarded=489 cpu=2
3.400000000 e
packet begin=4.500000000 end=5.000000000 seq=5 discarded=490 cpu=2
4.600000000 e
packet begin=5.000000000 end=6.000000000 seq=6 discarded=497 cpu=2
`)
	want := []ctf.Loss{
		{CPU: 2, Begin: 2e9, End: 3.5e9, Count: 489, At: 2.3e9},
		{CPU: 2, Begin: 4e9, End: 4.5e9, Packets: 2, At: 3.4e9},
		{CPU: 2, Begin: 4e9, End: 5e9, Count: 1, At: 4.6e9},
		{CPU: 2, Begin: 5e9, End: 6e9, Count: 7, At: 4.6e9},
	}
	for _, places := range []bool{true, false} {
		x, err := ctf.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ctf.NewReader([]*ctf.Trace{x}, ctf.Options{Places: places})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var got []ctf.Loss
		for {
			e, err := r.Next()
			for _, l := range r.Placed() {
				if err == nil && e.Time <= l.At {
					t.Errorf("%+v is told before the event at %d", l, e.Time)
				}
				got = append(got, l)
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if places && !reflect.DeepEqual(got, want) || !places && got != nil {
			t.Errorf("places wanted: %v; there are %+v", places, got)
		}
	}
}

// inTwo reads traces, by a reader that is stopped behind so many events, and by another that goes on from its position. each is told of every event, and of
// nil at the end.
func inTwo(t *testing.T, traces []*ctf.Trace, o ctf.Options, stop int, each func(r *ctf.Reader, ev *trace.Event)) {
	t.Helper()
	var position []byte
	for turn := range 2 {
		r, err := ctf.NewReader(traces, o)
		if err != nil {
			t.Fatal(err)
		}
		if turn == 1 {
			if err := r.Seek(position); err != nil {
				t.Fatal(err)
			}
		}
		for n := 0; turn == 1 || n < stop; n++ {
			ev, err := r.Next()
			if err != nil && err != io.EOF {
				t.Fatal(err)
			}
			if each(r, ev); err == io.EOF {
				break
			}
		}
		position = r.Position()
		r.Close()
	}
}

// What is missing behind a stream that is cut is told at the cut, also by a reader that goes on from a position before that is known; that of a stream of which nothing can be read at the
// first event of the others.
func TestPlacesOfEnds(t *testing.T) {
	dir := texttest.Dir(t, texttest.Counted()+`
file s_0
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
1.600000000 e
cut 1
file s_1
packet begin=1.000000000 end=1.600000000 seq=0 discarded=0 cpu=1
1.100000000 e
1.550000000 e
packet begin=1.700000000 end=4.000000000 seq=1 discarded=0 cpu=1
3.500000000 e
file s_3
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=3
cut 40
`)
	x, err := ctf.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []ctf.Loss{
		{CPU: 3, Begin: 1.1e9, End: math.MaxInt64, Packets: 1, At: 1.1e9},
		{CPU: 0, Begin: 1.5e9, End: math.MaxInt64, Packets: 1, At: 1.5e9},
	}
	for stop := range 4 {
		var got []ctf.Loss
		inTwo(t, []*ctf.Trace{x}, ctf.Options{Places: true}, stop, func(r *ctf.Reader, _ *trace.Event) { got = append(got, r.Placed()...) })
		if !reflect.DeepEqual(got, want) {
			t.Errorf("going on behind event %d: %+v, want %+v", stop, got, want)
		}
	}
}

// Where a packet does not say when it was closed, what it counts may have been lost up to when the next one begins, or for ever: so it is of one that is
// cut, whose end was not written, also where that is in the middle of a stream, and of one with an end before its begin. What follows a cut is lost in
// any case. Where the count runs backwards nobody knows how many were lost, and not that none were.
func TestLossesWithoutEnd(t *testing.T) {
	for _, c := range []struct {
		what, file string
		want       []ctf.Loss
	}{
		{"cut", `
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=2
1.500000000 e
packet begin=2.000000000 false-packet-end=2000000000 seq=1 discarded=20 cpu=2
2.200000000 e
2.300000000 e
cut 1
`, []ctf.Loss{{CPU: 2, Begin: 2e9, End: math.MaxInt64, Count: 20}}},
		{"without an end", `
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=2
1.500000000 e
packet begin=2.000000000 false-packet-end=0 seq=1 discarded=20 cpu=2
2.200000000 e
packet begin=3.000000000 false-packet-end=0 seq=2 discarded=21 cpu=2
3.200000000 e
`, []ctf.Loss{{CPU: 2, Begin: 2e9, End: 3e9, Count: 20}, {CPU: 2, Begin: 2.2e9, End: math.MaxInt64, Count: 1}}},
		{"falling", `
packet begin=1.000000000 end=2.000000000 seq=0 discarded=20 cpu=2
1.500000000 e
packet begin=2.500000000 end=3.000000000 seq=1 discarded=0 cpu=2
2.700000000 e
packet begin=3.000000000 end=4.000000000 seq=2 discarded=0 cpu=2
3.700000000 e
`, []ctf.Loss{{CPU: 2, Begin: 1e9, End: 2e9, Count: 20}, {CPU: 2, Begin: 2e9, End: 3e9}}},
		{"falling and without an end", `
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=2
packet begin=2.000000000 end=3.000000000 seq=1 discarded=20 cpu=2
2.500000000 e
packet begin=3.000000000 false-packet-end=0 seq=2 discarded=0 cpu=2
3.700000000 e
`, []ctf.Loss{{CPU: 2, Begin: 2e9, End: 3e9, Count: 20}, {CPU: 2, Begin: 3e9, End: math.MaxInt64}}},
		{"the first of some that are missing", `
packet begin=1.000000000 false-packet-end=0 seq=7 discarded=5 cpu=2
1.500000000 e
packet begin=2.000000000 end=3.000000000 seq=8 discarded=5 cpu=2
`, []ctf.Loss{{CPU: 2, Begin: math.MinInt64, End: 2e9}}},
	} {
		if got := lossesOf(t, texttest.Counted()+"file s"+c.file); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}

func lossesOf(t *testing.T, archive string) (all []ctf.Loss) {
	t.Helper()
	x, err := ctf.Open(texttest.Dir(t, archive))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	r, err := ctf.NewReader([]*ctf.Trace{x}, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		_, err := r.Next()
		all = append(all, r.Losses()...)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
