package report

import (
	"math"
	"strconv"
	"strings"
)

// A Drawing is a picture in words that every vector format has. Lengths are pixels. Texts may
// come from a trace: whoever writes them escapes them.
type Drawing struct {
	Width, Height float64
	Says          string // what is to be seen, for those who cannot
	Shapes        []Shape
}

// A Kind says what a shape is.
type Kind uint8

const (
	Path Kind = iota
	Text
)

// A Shape is a path or a line of text. Class says what it is, from a closed set that the style of the page knows.
type Shape struct {
	Kind   Kind
	Class  string
	Path   string // commands of an SVG path, absolute
	X, Y   float64
	Anchor string // of a text: "start", "middle", "end"
	Text   string // of a path, what it is called when pointed at
}

func (d *Drawing) path(class, path, title string) {
	if path != "" {
		d.Shapes = append(d.Shapes, Shape{Kind: Path, Class: class, Path: path, Text: title})
	}
}

func (d *Drawing) text(class, anchor string, x, y float64, s string) {
	if s != "" {
		d.Shapes = append(d.Shapes, Shape{Kind: Text, Class: class, Anchor: anchor, X: x, Y: y, Text: s})
	}
}

// A pen writes the commands of a path.
type pen struct{ b strings.Builder }

// number has a tenth of a pixel.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10+0, 'f', -1, 64) // +0: no "-0"
}

func (p *pen) to(command byte, values ...float64) *pen {
	p.b.WriteByte(command)
	for i, v := range values {
		if i > 0 {
			p.b.WriteByte(' ')
		}
		p.b.WriteString(number(v))
	}
	return p
}

func (p *pen) String() string { return p.b.String() }

func line(x1, y1, x2, y2 float64) string {
	return new(pen).to('M', x1, y1).to('L', x2, y2).String()
}

func circle(x, y, r float64) string {
	return new(pen).to('M', x-r, y).to('A', r, r, 0, 1, 1, x+r, y).to('A', r, r, 0, 1, 1, x-r, y).String() + "Z"
}

func rectangle(x, y, w, h float64) string {
	return new(pen).to('M', x, y).to('H', x+w).to('V', y+h).to('H', x).String() + "Z"
}

// textWidth is about what a text takes in the monospaced face at 11 px.
func textWidth(s string) float64 { return 6.7 * float64(len([]rune(s))) }
