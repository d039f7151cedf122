package ctf_test

import (
	"io"
	"reflect"
	"testing"

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
