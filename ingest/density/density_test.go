package density

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

const base = 1_700_000_000_000_000_000

func times() *rapid.Generator[int64] {
	return rapid.Custom(func(t *rapid.T) int64 {
		span := rapid.SampledFrom([]int64{1 << 20, 1 << 34, 1 << 55}).Draw(t, "span")
		return base + rapid.Int64Range(-span, span).Draw(t, "t")
	})
}

func state(t interface{ Fatal(...any) }, c *Counter) []byte {
	b, err := c.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every event is in exactly one column, whatever the columns are, and on edges of bins
// the counts are those of a list.
func TestSumsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Counter
		all := rapid.SliceOfN(times(), 1, 300).Draw(t, "times")
		c.Add(all)
		if len(c.bins) > maxBins {
			t.Fatalf("%d bins", len(c.bins))
		}
		inner := rapid.SliceOfN(times(), 0, 20).Draw(t, "edges")
		edges := append([]int64{base - 1<<56, base + 1<<56}, inner...)
		slices.Sort(edges)
		events, _ := c.Columns(edges)
		var sum int
		for _, n := range events {
			sum += int(n)
		}
		if sum != len(all) {
			t.Fatalf("columns hold %d events of %d", sum, len(all))
		}
		for i := range edges {
			edges[i] = edges[i] >> c.shift << c.shift
		}
		events, _ = c.Columns(edges)
		for i, n := range events {
			var want uint32
			for _, at := range all {
				if at >= edges[i] && at < edges[i+1] {
					want++
				}
			}
			if n != want {
				t.Fatalf("column [%d, %d): %d events, not %d", edges[i], edges[i+1], n, want)
			}
		}
	})
}

// Neither the order of events nor a checkpoint between them shows in the result.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(times(), 1, 100).Draw(t, "times")
		var a, b, resumed Counter
		a.Add(all)
		cut := rapid.IntRange(0, len(all)).Draw(t, "cut")
		mixed := rapid.Permutation(all).Draw(t, "mixed")
		b.Add(mixed[:cut])
		if err := resumed.UnmarshalBinary(state(t, &b)); err != nil {
			t.Fatal(err)
		}
		resumed.Add(mixed[cut:])
		x, y := &a, &resumed // the first bin may be empty where an order reached farther; compare by columns
		edges := []int64{base - 1<<56}
		for e := int64(base)>>x.shift<<x.shift - 40<<x.shift; len(edges) < 80; e += 1 << x.shift {
			edges = append(edges, e)
		}
		edges = append(edges, base+1<<56)
		slices.Sort(edges)
		p, _ := x.Columns(edges)
		q, _ := y.Columns(edges)
		if x.shift != y.shift || !slices.Equal(p, q) {
			t.Fatalf("in order %v (2^%d ns), mixed and resumed %v (2^%d ns)", p, x.shift, q, y.shift)
		}
	})
}

// Losses are spread over their time and none gets lost in turn.
func TestLostAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Counter
		var want int64
		for range rapid.IntRange(1, 5).Draw(t, "losses") {
			begin, end := times().Draw(t, "begin"), times().Draw(t, "end")
			n := rapid.Int64Range(1, 1e6).Draw(t, "n")
			c.AddLost(begin, end, n)
			want += n
		}
		_, lost := c.Columns([]int64{base - 1<<56, base - 1<<40, base, base + 1<<40, base + 1<<56})
		var sum int64
		for _, n := range lost {
			sum += int64(n)
		}
		if sum != want {
			t.Fatalf("%d lost events of %d", sum, want)
		}
	})
}

func FuzzUnmarshal(f *testing.F) {
	var c Counter
	c.Add([]int64{1, 1 << 40})
	c.AddLost(5, 1<<30, 12)
	f.Add(state(f, &c))
	f.Fuzz(func(t *testing.T, b []byte) {
		var c, d Counter
		if c.UnmarshalBinary(b) != nil {
			return
		}
		again := state(t, &c)
		if err := d.UnmarshalBinary(again); err != nil || !bytes.Equal(state(t, &d), again) {
			t.Fatalf("%x does not come back: %v", again, err)
		}
		c.Columns([]int64{-1 << 62, 0, 1 << 62})
	})
}

// Whether events were lost in a stretch is told of every stretch that lies in a loss, and of none that lies farther from all than a bin is wide.
func TestLostInAStretch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Counter
		const span = 1 << 34
		at := rapid.Int64Range(base-span, base+span)
		type loss struct{ begin, end int64 }
		var losses []loss
		for range rapid.IntRange(0, 4).Draw(t, "losses") {
			l := loss{begin: at.Draw(t, "begin")}
			l.end = l.begin + rapid.Int64Range(1, 1<<28).Draw(t, "length")
			losses = append(losses, l)
			c.AddLost(l.begin, l.end, 1<<20)
			c.Add([]int64{at.Draw(t, "event")})
		}
		for range 20 {
			begin := at.Draw(t, "from")
			if len(losses) > 0 && rapid.Bool().Draw(t, "near") {
				begin = losses[0].begin + rapid.Int64Range(-1<<24, 1<<29).Draw(t, "off")
			}
			end := begin + rapid.Int64Range(0, 1<<26).Draw(t, "width")
			in := slices.ContainsFunc(losses, func(l loss) bool { return end > begin && l.begin < end && begin < l.end })
			near := slices.ContainsFunc(losses, func(l loss) bool {
				bin := int64(1) << c.shift
				return l.begin < end+bin && begin-bin < l.end
			})
			if got := c.Lost(begin, end); in && !got || got && !near {
				t.Fatalf("lost in [%d, %d) is %v, events were lost in %v", begin, end, got, losses)
			}
		}
	})
}
