package browser

import "fmt"

// A Canvas is a drawing on the page.
type Canvas struct{ Element }

// Canvas is the drawing whose name begins with the words given; it waits for it.
func (p *Page) Canvas(words string) Canvas {
	p.t.Helper()
	var found []Element
	p.Await(fmt.Sprintf("one drawing %q", words), func() (any, bool) {
		found = found[:0]
		for _, e := range p.All("image", "") {
			if yes, err := call[bool](e, "function(w) { return this.tagName === 'CANVAS' && this.getAttribute('aria-label').startsWith(w) }", words); err == nil && yes {
				found = append(found, e)
			}
		}
		return fmt.Sprintf("%d of them", len(found)), len(found) == 1
	})
	return Canvas{found[0]}
}

// pixels runs a function body with what it needs to look at a drawing: its pixels from
// one CSS height to another as bytes, how many there are to a CSS pixel, what a
// custom property of the style sheet is in bytes, one that is seen through over another, and
// how much of a colour the pixel at a byte has on its ground, from 0 to 1: 0 as well where something else is in it. They are
// read from a copy, because a canvas that is read from is drawn on otherwise.
func pixels(body string) string {
	return `function(...args) {
		const ratio = this.height / this.clientHeight;
		const read = (top, bottom) => {
			const [y0, y1] = [Math.max(0, Math.floor(top * ratio)), Math.min(this.height, Math.ceil(bottom * ratio))];
			if (y1 <= y0) return [];
			const g = new OffscreenCanvas(this.width, y1 - y0).getContext("2d", {willReadFrequently: true});
			g.drawImage(this, 0, -y0);
			return g.getImageData(0, 0, this.width, y1 - y0).data;
		};
		const property = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
		const color = (name) => /^#(..)(..)(..)$/.exec(property(name)).slice(1).map((h) => parseInt(h, 16));
		const through = (name, ground) => {
			const c = /^#(..)(..)(..)(..)$/.exec(property(name)).slice(1).map((h) => parseInt(h, 16));
			return ground.map((g, k) => g + ((c[k] - g) * c[3]) / 255);
		};
		const share = (d, i, c, ground) => {
			const way = c.map((v, k) => v - ground[k]);
			const a = way.reduce((n, w, k) => n + w * (d[i + k] - ground[k]), 0) / way.reduce((n, w) => n + w * w, 0);
			return way.every((w, k) => Math.abs(ground[k] + a * w - d[i + k]) <= 4) ? Math.min(1, Math.max(0, a)) : 0;
		};
		` + body + `
	}`
}

// Count is the number of pixels of a colour in the drawing. The colour is a custom
// property of the style sheet, "--sys".
func (c Canvas) Count(property string) int {
	c.p.t.Helper()
	return must[int](c.Element, pixels(`
		const [[r, g, b], d] = [color(args[0]), read(0, this.clientHeight)];
		let n = 0;
		for (let i = 0; i < d.length; i += 4) if (d[i] === r && d[i + 1] === g && d[i + 2] === b) n++;
		return n;`), property)
}

// Tinted is the number of pixels that have at least so much of a colour, from 0 to 1, on the background and nothing else: fine
// lines, and what is seen through. Colour and background are properties as for Count.
func (c Canvas) Tinted(property, background string, least float64) int {
	c.p.t.Helper()
	return must[int](c.Element, pixels(`
		const [tint, ground, d] = [color(args[0]), color(args[1]), read(0, this.clientHeight)];
		let n = 0;
		for (let i = 0; i < d.length; i += 4) if (share(d, i, tint, ground) >= args[2]) n++;
		return n;`), property, background, least)
}

// Heights is, for each of the colours, how high what is drawn in it is, device pixels: the length that most of its unbroken runs in a
// column of pixels have, 0 where fewer than so many have it.
func (c Canvas) Heights(least int, properties ...string) map[string]int {
	c.p.t.Helper()
	return must[map[string]int](c.Element, pixels(`
		const [least, names] = args, d = new Uint32Array(read(0, this.clientHeight).buffer), out = {};
		for (const name of names) {
			const [r, g, b] = color(name), word = (0xff000000 | (b << 16) | (g << 8) | r) >>> 0, n = {};
			for (let x = 0; x < this.width; x++)
				for (let y = 0, run = 0; y <= this.height; y++)
					if (y < this.height && d[y * this.width + x] === word) run++;
					else if (run > 0) n[run] = (n[run] ?? 0) + 1, run = 0;
			const [most] = Object.entries(n).sort((a, b) => b[1] - a[1]);
			out[name] = most && most[1] >= least ? Number(most[0]) : 0;
		}
		return out;`), least, properties)
}

// Inked are the places of a line across the drawing that have another colour than its
// background, a custom property as for Count, from left to right, CSS pixels.
func (c Canvas) Inked(y float64, background string) []float64 {
	c.p.t.Helper()
	return must[[]float64](c.Element, pixels(`
		const [[r, g, b], d] = [color(args[1]), read(args[0], args[0] + 1)];
		const out = [];
		for (let i = 0; i < 4 * this.width; i += 4) if (d[i] !== r || d[i + 1] !== g || d[i + 2] !== b) out.push(i / 4 / ratio);
		return out;`), y, background)
}

// Digest stands for all pixels of the drawing: other pixels, another digest.
func (c Canvas) Digest() string {
	c.p.t.Helper()
	return must[string](c.Element, pixels(`
		let h = 0x811c9dc5;
		for (const byte of read(0, this.clientHeight)) h = Math.imul(h ^ byte, 0x01000193);
		return this.width + "x" + this.height + ":" + (h >>> 0).toString(16);`))
}

// A Line is what a canvas was told to draw from one place to another, CSS pixels, in a colour "#rrggbb".
type Line struct {
	X0, Y0, X1, Y1, Width float64
	Color                 string
}

// A Word is what a canvas was told to write, from a place on, CSS pixels.
type Word struct {
	X, Y  float64
	Words string
	Color string
}

// Listen notes, from now on, the lines and the words of each picture that is drawn on the canvas: what it gives returns those of the
// last one. A picture begins as the whole canvas is filled. A slender bar that stands upright is a line as well, about
// which the tip of a head says where it ends.
func (c Canvas) Listen() func() ([]Line, []Word) {
	c.p.t.Helper()
	must[any](c.Element, `function() {
		const g = this.getContext("2d"), plain = {};
		for (const name of ["fillRect", "moveTo", "lineTo", "stroke", "fillText"]) plain[name] = g[name].bind(g);
		let line = null, bar = null;
		const told = this.told = {lines: [], words: []};
		g.fillRect = (x, y, w, h) => {
			if (x === 0 && y === 0 && w >= this.clientWidth && h >= this.clientHeight) told.lines.length = told.words.length = 0;
			else if (w <= 12 && h > 16 && h < this.clientHeight) told.lines.push(bar = {X0: x + w / 2, Y0: y, X1: x + w / 2, Y1: y + h, Width: w, Color: g.fillStyle});
			plain.fillRect(x, y, w, h);
		};
		g.moveTo = (x, y) => {
			if (bar && Math.abs(x - bar.X0) < 1 && (y === bar.Y0 || y === bar.Y1)) Object.assign(bar, {X0: 2 * bar.X0 - x, Y0: bar.Y0 + bar.Y1 - y, X1: x, Y1: y});
			bar = null;
			line = {X0: x, Y0: y};
			plain.moveTo(x, y);
		};
		g.lineTo = (x, y) => { line = {...line, X1: x, Y1: y}; plain.lineTo(x, y); };
		g.stroke = (...path) => {
			if (line) told.lines.push({...line, Width: g.lineWidth, Color: g.strokeStyle});
			line = null;
			plain.stroke(...path);
		};
		g.fillText = (words, x, y) => { told.words.push({X: x, Y: y, Words: words, Color: g.fillStyle}); plain.fillText(words, x, y); };
		return null;
	}`)
	return func() ([]Line, []Word) {
		c.p.t.Helper()
		told := must[struct {
			Lines []Line
			Words []Word
		}](c.Element, "function() { return this.told }")
		return told.Lines, told.Words
	}
}

// Color is what a custom property of the style sheet is, "#rrggbb".
func (p *Page) Color(property string) string {
	p.t.Helper()
	return Eval[string](p, fmt.Sprintf("getComputedStyle(document.documentElement).getPropertyValue(%q).trim()", property))
}
