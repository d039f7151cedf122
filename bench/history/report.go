package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// A report gathers tables, and writes plots beside them.
type report struct {
	dir  string
	text strings.Builder
}

func (r *report) table(title string, results []*result) {
	fmt.Fprintf(&r.text, "## %s\n\n", title)
	r.text.WriteString("| what | intervals | MB | bytes each | M intervals/s | depth | point | full | 50 rows × 1920 |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, x := range results {
		fmt.Fprintf(&r.text, "| %s | %d | %.1f | %.1f | %.2f | %d | %s | %s | %s |\n",
			x.name, x.intervals, float64(x.bytes)/1e6, x.perInterval(), x.rate(), x.depth, show(x.point), show(x.full), show(x.pixels))
	}
	r.text.WriteString("\n")
}

// A plot has a logarithmic x axis and a linear y axis from 0.
type plot struct {
	name, title, x, y string
	series            []series
}

type series struct {
	name string
	xs   []float64
	ys   []float64
}

func (s *series) add(x, y float64) { s.xs, s.ys = append(s.xs, x), append(s.ys, y) }

func (r *report) plots(ps ...*plot) error {
	for _, p := range ps {
		if err := os.WriteFile(filepath.Join(r.dir, p.name+".svg"), []byte(p.svg()), 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&r.text, "![%s](%s.svg)\n\n", p.title, p.name)
	}
	return nil
}

const (
	width, height = 640, 400
	left, bottom  = 60, 50
	top, right    = 40, 120
)

func (p *plot) svg() string {
	var b strings.Builder
	least, most, highest := math.Inf(1), math.Inf(-1), 0.0
	for _, s := range p.series {
		for i := range s.xs {
			least, most = min(least, s.xs[i]), max(most, s.xs[i])
			highest = max(highest, s.ys[i])
		}
	}
	x := func(v float64) float64 {
		if most == least {
			return left
		}
		return left + math.Log(v/least)/math.Log(most/least)*(width-left-right)
	}
	y := func(v float64) float64 { return height - bottom - v/max(highest, 1e-9)*(height-bottom-top) }
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="%d" y="20" font-size="14">%s</text>`+"\n", left, p.title)
	fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text><text transform="translate(14 %d) rotate(-90)">%s</text>`+"\n", left, height-10, p.x, height-bottom, p.y)
	fmt.Fprintf(&b, `<path d="M%d %dV%dH%d" fill="none" stroke="black"/>`+"\n", left, top, height-bottom, width-right)
	for i := range 5 {
		v := highest * float64(i) / 4
		fmt.Fprintf(&b, `<text x="%d" y="%.0f" text-anchor="end">%.3g</text>`+"\n", left-5, y(v)+4, v)
	}
	if len(p.series) > 0 {
		for _, v := range p.series[0].xs {
			fmt.Fprintf(&b, `<text x="%.0f" y="%d" text-anchor="middle">%.4g</text>`+"\n", x(v), height-bottom+16, v)
		}
	}
	colors := []string{"#1f6feb", "#c0392b", "#2e8b57", "#8e44ad", "#b8860b"}
	for i, s := range p.series {
		color := colors[i%len(colors)]
		var points []string
		for k := range s.xs {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(s.xs[k]), y(s.ys[k])))
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`, strings.Join(points, " "), color)
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", width-right+10, top+16*(i+1), color, s.name)
	}
	b.WriteString("</svg>\n")
	return b.String()
}
