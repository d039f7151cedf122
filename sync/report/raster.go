package report

import (
	"math"

	"synchroscope/sync/match"
)

// cell is the side of the squares into which a plot puts its messages, in pixels.
const cell = 2

// A raster is one direction of a link's messages as a plot shows them: which cells have one, and in each column the one that comes
// nearest to the clock.
type raster struct {
	columns, rows int
	taken         []bool // by column, then row
	off           []bool // by column: one is off the scale
	nearest       []spot
	upward        bool // messages lie above the clock
}

type spot struct {
	x, y float64 // pixels
	v    int64   // ns
	any  bool
}

func newRaster(width, height float64, upward bool) raster {
	r := raster{columns: int(width/cell) + 1, rows: int(height/cell) + 1, upward: upward}
	r.taken, r.off, r.nearest = make([]bool, r.columns*r.rows), make([]bool, r.columns), make([]spot, r.columns)
	return r
}

// add puts a message of a residual at a place; outside tells that it is off the scale.
func (r *raster) add(x, y float64, v int64, outside bool) {
	column := min(max(int(x/cell), 0), r.columns-1)
	if n := &r.nearest[column]; !outside && (!n.any || (v < n.v) == r.upward && v != n.v) {
		*n = spot{x, y, v, true}
	}
	if outside {
		r.off[column] = true
		return
	}
	r.taken[column*r.rows+min(max(int(y/cell), 0), r.rows-1)] = true
}

// cells is the path of the cells that have a message: strokes as wide as a cell. left and top are where the raster begins.
func (r *raster) cells(left, top float64) string {
	var p pen
	for c := range r.columns {
		for row := 0; row < r.rows; row++ {
			if !r.taken[c*r.rows+row] {
				continue
			}
			from := row
			for row < r.rows && r.taken[c*r.rows+row] {
				row++
			}
			p.to('M', left+float64(c*cell)+cell/2, top+float64(from*cell)).to('v', float64((row-from)*cell))
		}
	}
	return p.String()
}

// extremes is the path of the nearest messages, each a stroke without length under a round pen.
func (r *raster) extremes(left, top float64) string {
	var p pen
	for _, s := range r.nearest {
		if s.any {
			p.to('M', left+s.x, top+s.y).to('h', 0)
		}
	}
	return p.String()
}

// beyond is the path of marks where messages are off the scale, at a height: one for a column that has any.
func (r *raster) beyond(left, y float64) string {
	var p pen
	for c, off := range r.off {
		if off {
			p.to('M', left+float64(c*cell)+cell/2, y).to('v', 3)
		}
	}
	return p.String()
}

// A paper is the plot of a link while messages are put on it.
type paper struct {
	*frame
	sides [2]raster // a to b, b to a
}

func (p *paper) add(m match.Message) {
	side, q := constraint(m)
	v := q.Y - p.map_.Reference(q.X)
	x, y := p.x(q.X)-plotLeft, p.y(float64(v))
	p.sides[side].add(x, y-plotTop, v, math.Abs(float64(v)) > p.reach)
}
