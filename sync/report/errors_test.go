package report

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/clock"
	"synchroscope/sync/network"
)

// The curve of a bound is at no place below the bound, however many entries share a pixel.
func TestBoundIsAnEnvelope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 30, 5000}).Draw(t, "entries")
		bounds := make([][2]int64, n)
		at := int64(epoch)
		seed := rapid.Int64Range(1, 1<<40).Draw(t, "seed")
		var most int64
		for i := range bounds {
			seed = seed*6364136223846793005 + 1442695040888963407
			at += 1 + (seed>>33&0xffff)*1000
			bounds[i] = [2]int64{at, seed >> 40 & 0xfffff}
			most = max(most, bounds[i][1])
		}
		m, err := clock.Identity().WithBounds(bounds)
		if err != nil {
			t.Fatal(err)
		}
		h := &network.Host{Map: m}
		scale := newHeightScale(0, float64(most), 0, 1e6)
		begin, end := bounds[0][0], bounds[n-1][0]+1
		path, _ := boundPath(h, begin, end, scale)
		if len(path) > 64_000 {
			t.Fatalf("the curve is %d bytes", len(path))
		}
		segments := steps(t, path)
		width := float64(errorWidth - errorLeft - errorRight)
		for i := 0; i+1 < n; i++ {
			middle := bounds[i][0] + (bounds[i+1][0]-bounds[i][0])/2
			x := errorLeft + width*float64(middle-begin)/float64(end-begin)
			worst := max(bounds[i][1], bounds[i+1][1])
			ok := false
			for _, s := range segments {
				ok = ok || x >= s.from-0.11 && x <= s.to+0.11 && s.y <= scale.y(float64(worst))+0.11
			}
			if !ok {
				t.Fatalf("at %.1f the curve is below %d", x, worst)
			}
		}
	})
}

// Every line has its name beside it or is counted below the last, on the paper.
func TestEveryLineIsNamed(t *testing.T) {
	m, err := clock.Identity().WithBounds([][2]int64{{epoch, 1000}, {epoch + 1e9, 1000}})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, mostNames, mostNames + 1, mostNames + 2, 40} {
		hosts := make([]*network.Host, n)
		for i := range hosts {
			hosts[i] = &network.Host{Name: "host", Map: m}
		}
		named, others := 0, 0
		d := drawBounds(hosts, "reference", epoch)
		for _, s := range d.Shapes {
			if s.Kind != Text || s.Anchor != "start" {
				continue
			}
			if s.Y < 0 || s.Y > d.Height {
				t.Errorf("of %d hosts %q is at %.0f of %.0f", n, s.Text, s.Y, d.Height)
			}
			if s.Text == "host" {
				named++
			} else if _, err := fmt.Sscanf(s.Text, "and %d", &others); err != nil {
				t.Errorf("%q is no name", s.Text)
			}
		}
		if named+others != n {
			t.Errorf("of %d hosts %d are named and %d are others", n, named, others)
		}
	}
}

type flat struct{ from, to, y float64 }

// steps are the level parts of a path.
func steps(t *rapid.T, path string) (out []flat) {
	var x, y float64
	for i := 0; i < len(path); {
		end := i + 1
		for end < len(path) && !strings.ContainsRune("MVH", rune(path[end])) {
			end++
		}
		var v [2]float64
		for k, f := range strings.Fields(path[i+1 : end]) {
			n, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			v[k] = n
		}
		switch path[i] {
		case 'M':
			x, y = v[0], v[1]
		case 'V':
			y = v[0]
		case 'H':
			out = append(out, flat{x, v[0], y})
			x = v[0]
		}
		i = end
	}
	return out
}
