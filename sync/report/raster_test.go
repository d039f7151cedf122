package report

import (
	"testing"

	"pgregory.net/rapid"
)

// What a raster draws of any number of messages is what all of them would: the nearest of each column where it is, and a cell for each
// that has one.
func TestRasterIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		upward := rapid.Bool().Draw(t, "upward")
		r := newRaster(40, 30, upward)
		type dot struct {
			x, y float64
			v    int64
			off  bool
		}
		dots := rapid.SliceOf(rapid.Custom(func(t *rapid.T) dot {
			return dot{rapid.Float64Range(0, 40).Draw(t, "x"), rapid.Float64Range(0, 30).Draw(t, "y"), rapid.Int64Range(-50, 50).Draw(t, "v"), rapid.IntRange(0, 9).Draw(t, "off") == 0}
		})).Draw(t, "dots")
		for _, d := range dots {
			r.add(d.x, d.y, d.v, d.off)
		}
		taken := make(map[int]bool)
		best := make(map[int]int64)
		off := make(map[int]bool)
		for _, d := range dots {
			c := int(d.x / cell)
			if d.off {
				off[c] = true
				continue
			}
			taken[c*r.rows+int(d.y/cell)] = true
			if v, any := best[c]; !any || upward && d.v < v || !upward && d.v > v {
				best[c] = d.v
			}
		}
		for i, is := range r.taken {
			if is != taken[i] {
				t.Fatalf("cell %d is %v, want %v", i, is, taken[i])
			}
		}
		for c, s := range r.nearest {
			v, any := best[c]
			if s.any != any || s.v != v {
				t.Fatalf("the nearest in column %d is %v, want %d, %v", c, s, v, any)
			}
			if off[c] != r.off[c] {
				t.Fatalf("column %d is off the scale: %v", c, r.off[c])
			}
		}
	})
}

// However many messages there are, a plot has a size.
func TestRasterIsBounded(t *testing.T) {
	width, height := float64(plotWidth-plotLeft-plotRight), float64(plotHeight-plotTop-plotBottom)
	r := newRaster(width, height, true)
	for c := range r.columns {
		for row := 0; row < r.rows; row += 2 { // the worst: every other cell
			r.add(float64(c*cell), float64(row*cell), int64(row), false)
		}
	}
	if n := len(r.cells(plotLeft, plotTop)) + len(r.extremes(plotLeft, plotTop)); n > 450_000 {
		t.Errorf("a side of a plot is %d bytes", n)
	}
}
