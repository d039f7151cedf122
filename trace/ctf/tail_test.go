package ctf_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/text/texttest"
)

// Where a stream ends with a packet that is cut, or that is full, something may be missing behind it from the last event, or from its end, on: that is told with the event
// behind which others go on, for the millisecond in which nobody knows yet whether they do. It counts nothing. What then turns out to be missing is told besides.
// It makes no difference whether the reader is stopped in between; and an application's streams may end with it.
func TestEndsAreDoubtedAtOnce(t *testing.T) {
	const cut = `
file s_0
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
1.600000000 e
cut 1
`
	const full = `
file s_0
packet begin=1.000000000 end=1.400000000 seq=0 discarded=0 cpu=0
1.100000000 e
1.300000000 e
packet begin=1.400000000 end=1.500000000 seq=1 discarded=0 cpu=0
1.450000000 e
1.460000000 e
`
	const together = `
file s_1
packet begin=1.000000000 end=1.500500000 seq=0 discarded=0 cpu=1
1.100000000 e
1.500100000 e
`
	const later = `
file s_1
packet begin=1.000000000 end=1.500500000 seq=0 discarded=0 cpu=1
1.100000000 e
1.500100000 e
packet begin=1.500600000 end=1.700000000 seq=1 discarded=0 cpu=1
1.600000000 e
`
	doubt := ctf.Loss{CPU: 0, Begin: 1.5e9, End: 1.501e9}
	loss := ctf.Loss{CPU: 0, Begin: 1.5e9, End: math.MaxInt64, Packets: 1, At: 1.5e9}
	plain := loss
	plain.At = 0
	named := strings.NewReplacer("stream 0", "packet-header {stream_id u32; stream_instance_id u64}\nstream 0", "cpu=0", "cpu=0 instance=1", "cpu=1", "cpu=1 instance=2")
	const app = `domain="ust"`
	for _, c := range []struct {
		what, text string
		want       []ctf.Loss
		behind     int64 // the event with which the first is told
	}{
		{"cut", texttest.Counted() + cut + together, []ctf.Loss{doubt}, 1.5001e9},
		{"cut, and others go on", texttest.Counted() + cut + later, []ctf.Loss{doubt, plain}, 1.5001e9},
		{"full", named.Replace(texttest.Counted() + full + together), []ctf.Loss{doubt}, 1.5001e9},
		{"of an application", texttest.Counted(app) + cut + together, nil, 0},
		{"of an application, and others go on", texttest.Counted(app) + cut + later, []ctf.Loss{plain}, 1.6e9},
	} {
		x, err := ctf.Open(texttest.Dir(t, c.text))
		if err != nil {
			t.Fatal(err)
		}
		for stop := range 5 {
			var got []ctf.Loss
			first := int64(0)
			inTwo(t, []*ctf.Trace{x}, ctf.Options{}, stop, func(r *ctf.Reader, ev *trace.Event) {
				got = append(got, r.Losses()...)
				if ev != nil && first == 0 && len(got) > 0 {
					first = ev.Time
				}
			})
			if !reflect.DeepEqual(got, c.want) || first != c.behind {
				t.Errorf("%s, going on behind event %d: %+v from %d on, want %+v from %d on", c.what, stop, got, first, c.want, c.behind)
			}
		}
	}
}
