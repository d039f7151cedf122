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
// one CSS height to another as bytes, how many there are to a CSS pixel, and what a
// custom property of the style sheet is in bytes. They are read from a copy, because a canvas
// that is read from is drawn on otherwise.
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
		const color = (property) => {
			const words = getComputedStyle(document.documentElement).getPropertyValue(property).trim();
			return /^#(..)(..)(..)$/.exec(words).slice(1).map((h) => parseInt(h, 16));
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
