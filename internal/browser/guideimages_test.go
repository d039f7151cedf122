package browser

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// guidePictures are those of single tasks, in light colours: the part of a page that the task is about.
var guidePictures = []string{"guide-slow", "guide-wakeups", "guide-rows", "guide-cursor", "guide-moving", "guide-palette", "guide-save", "guide-bookmarks", "guide-clocks", "guide-raw", "guide-upload", "guide-report", "guide-lost", "guide-pairs", "guide-requests"}

const opening = "?begin=1795229355186453488&end=1795229355756538741"

// takeGuide takes the pictures of the guide from the demonstration set, and from one with losses.
func takeGuide(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Prefer("light")
	drawn := func() {
		p.Says("final")
		p.Await("states", func() (any, bool) { n := p.Canvas("Control flow").Count("--blk"); return n, n > 3000 })
	}

	p.Open(s.page(set, opening+"&row=1.208"))
	drawn()
	p.Find("button", "Follow the message from web: httpd · 227")
	p.rest()
	p.part("guide-slow", 0, 134, Width, 564)

	p.Open(s.page(set, opening+"&row=2.208&wakes=1"))
	drawn()
	p.Find("button", "Follow dbwork · 205")
	p.rest()
	p.part("guide-wakeups", 0, 134, Width, 376)

	p.Open(s.page(set, opening))
	drawn()
	Eval[string](p, `document.querySelector("#timeline").style.setProperty("--tree", "400px") ?? ""`)
	p.Find("searchbox", "Filter rows by name, thread id or an expression").Type(`status == blocked && syscall =~ "flock"`)
	p.awaitThreads("(dbwork 205)", "dbwork 208", "dbwork 210")
	p.rest()
	p.part("guide-rows", 0, 134, 1140, 160)

	p.Open(s.page(set, opening))
	drawn()
	left, _, width, _ := p.Canvas("Control flow").Box()
	_, y, _, height := p.threadRow("dbwork, thread 205").Box()
	p.Point(left+width*0.1, y+height/2)
	p.Says("local")
	p.Press("c")
	_, y, _, height = p.hostRow("Communication", "web").Box()
	p.Point(left+width*0.6, y+height/2)
	p.Says("after the mark")
	p.rest()
	p.part("guide-cursor", 0, 134, 1140, 566)

	p.Point(5, 5)
	p.Press("C")
	p.rest()
	p.part("guide-moving", 0, 44, 1140, 126)

	p.palette("crunch", "crunch")
	p.rest()
	x, y, w, h := box(p, "dialog[open]")
	p.part("guide-palette", int(x)-24, int(y)-24, int(w)+48, min(300, int(h)+48))

	p.Open(s.page(set, opening))
	drawn()
	p.Find("button", "Save…").Click()
	p.rest()
	x, y, w, h = box(p, "dialog[open]")
	p.part("guide-save", int(x)-24, int(y)-24, int(w)+48, int(h)+48)

	p.Open(s.page(set, opening+"&row=2.205"))
	drawn()
	p.setBookmark("The lock is taken here, for 453 ms")
	p.Press("B")
	p.Find("dialog", "Bookmarks")
	p.rest()
	x, y, w, h = box(p, "dialog[open]")
	p.part("guide-bookmarks", int(x)-40, int(y)-24, int(w)+80, int(h)+48)

	p.Open(s.page(set, "?tab=sync"))
	p.Await("the plot of a link", func() (any, bool) {
		n := p.Canvas("The constraint points").Count("--sys")
		return n, n > 100
	})
	p.rest()
	x, y, w, _ = box(p, "#sync .ofgraph")
	_, last, _, tall := box(p, "#sync .oferrors")
	p.part("guide-clocks", int(x), int(y), int(w), int(last+tall-y))
	p.Press("r")
	p.Says("both as they were recorded")
	p.rest()
	x, y, w, h = box(p, "#sync .ofpoints")
	p.part("guide-raw", int(x), int(y), int(w), int(h))
	p.Press("r")

	p.Open(s.page(set, "?tab=messages"))
	p.Find("combobox", "What was exchanged in").Choose("the whole set")
	p.Says("In the whole set, client and web exchanged most")
	p.rest()
	_, top, width, height := box(p, "#messages .parts2 > .card")
	p.part("guide-pairs", 0, int(top), int(width), int(height))
	p.Says("50 of 686 requests")
	x, y, w, _ = box(p, "#messages .requests")
	p.part("guide-requests", int(x)+1, int(y), int(w), 398)

	losses := s.written("losses", lossy)
	p.Open(s.page(losses, "?tab=import"))
	p.Says("Events were lost by the tracer.")
	p.rest()
	p.part("guide-report", 0, 44, 1110, 820)
	p.Open(s.page(losses, ""))
	p.Find("button", "9 lost").Click()
	p.Matches(`When 2 times between`)
	p.Point(5, 5)
	p.rest()
	p.part("guide-lost", 0, 44, Width, 320)

	p.guideUpload(s)

	p.Prefer("light", "prefers-contrast", "more")
	p.Open(s.page(set, opening+"&row=2.205"))
	drawn()
	p.Says("Follow crunch · 206")
	save(t, p, "timeline-contrast")
}

// guideUpload takes the picture of an upload on its way: the server reads what is sent at a pace of its own and stands still until
// the picture is taken. It is sent as a tar that is not compressed, which makes several pieces of it: no buffer on the way holds all.
func (p *Page) guideUpload(s *site) {
	p.t.Helper()
	const middle = 9 << 20 // in the second piece of three
	path := filepath.Join(p.t.TempDir(), "shop-4hosts.tar")
	decompress(p.t, path)
	var sent atomic.Int64
	var once sync.Once
	reached, taken := make(chan struct{}), make(chan struct{})
	s.between = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut {
				r.Body = &counted{r.Body, &sent, func(n int64) {
					if n >= middle {
						once.Do(func() { close(reached) })
						<-taken
						return
					}
					time.Sleep(20 * time.Millisecond)
				}}
			}
			next.ServeHTTP(w, r)
		})
	}
	p.Open(s.url)
	p.Find("link", "shop-4hosts")
	p.Upload("Trace archives", path)
	<-reached
	p.Matches(`MiB of 18\.1 MiB · \d+ % · [\d.]+ MiB/s`)
	p.Says("being uploaded")
	p.rest()
	p.part("guide-upload", 260, 60, 920, 520)
	close(taken)
	p.Find("heading", "Control flow")
	for _, set := range s.engine.Sets() {
		s.ready(set)
	}
}

// decompress writes the archive of the demonstration without its compression.
func decompress(t *testing.T, path string) {
	t.Helper()
	from, err := os.Open(demoArchive)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	tar, err := gzip.NewReader(from)
	if err != nil {
		t.Fatal(err)
	}
	to, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, tar); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
}

// rest waits until two frames are drawn.
func (p *Page) rest() {
	p.frame()
	p.frame()
}

// part keeps a part of what is drawn, CSS pixels, as a picture of the guide.
func (p *Page) part(name string, x, y, width, height int) {
	p.t.Helper()
	if cut := p.cutWords(x, y, width, height); cut != "" {
		p.t.Errorf("%s cuts through %s", name, cut)
	}
	whole, err := png.Decode(bytes.NewReader(p.Picture()))
	if err != nil {
		p.t.Fatal(err)
	}
	from := image.Rect(x, y, x+width, y+height).Intersect(whole.Bounds())
	out := image.NewNRGBA(image.Rect(0, 0, from.Dx(), from.Dy()))
	draw.Draw(out, out.Bounds(), whole, from.Min, draw.Src)
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, out); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(images, name+".png"), b.Bytes(), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// cutWords are the texts in a part of the page that its left or its right side cuts through, of those that nothing covers.
func (p *Page) cutWords(x, y, width, height int) string {
	p.t.Helper()
	return Eval[string](p, fmt.Sprintf(`((left, top, right, bottom) => {
		const cut = new Set(), range = document.createRange();
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (texts.nextNode()) {
			range.selectNodeContents(texts.currentNode);
			for (const r of range.getClientRects()) {
				const [from, to] = [Math.max(r.left, left), Math.min(r.right, right)];
				const middle = (r.top + r.bottom) / 2;
				if (to - from < 1 || r.width - (to - from) < 1 || middle < top || middle > bottom) continue;
				if (texts.currentNode.parentElement.contains(document.elementFromPoint((from + to) / 2, middle))) cut.add(texts.currentNode.data.trim());
			}
		}
		return [...cut].join("; ");
	})(%d, %d, %d, %d)`, x, y, x+width, y+height))
}

// box is where an element lies, CSS pixels.
func box(p *Page, selector string) (x, y, width, height float64) {
	b := Eval[[4]float64](p, `(() => { const b = document.querySelector(`+"`"+selector+"`"+`).getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()`)
	return b[0], b[1], b[2], b[3]
}

// TestGuideImages checks that each picture of the guide stands, is small, and is shown by a page, and that the index
// leads to every page. With -update-images it takes them.
func TestGuideImages(t *testing.T) {
	if *updateImages {
		takeGuide(t)
	}
	pages, err := filepath.Glob("../../docs/guide/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
		if name := filepath.Base(page); name != "README.md" {
			index, err := os.ReadFile("../../docs/guide/README.md")
			if err != nil || !strings.Contains(string(index), "("+name) {
				t.Errorf("the index does not lead to %s, %v", name, err)
			}
		}
	}
	for _, name := range guidePictures {
		b, err := os.ReadFile(filepath.Join(images, name+".png"))
		if err != nil {
			t.Error(err)
			continue
		}
		if c, err := png.DecodeConfig(bytes.NewReader(b)); err != nil || c.Width > Width || len(b) > 200_000 {
			t.Errorf("%s is %d pixels wide and has %d bytes, %v", name, c.Width, len(b), err)
		}
		if edge := rightEdge(t, b); name == "guide-pairs" && edge != 0 {
			t.Errorf("%s is cut at its right: %d pixels there are of another colour than the page", name, edge)
		}
		if !strings.Contains(all.String(), "../images/"+name+".png") {
			t.Errorf("no page of the guide shows %s", name)
		}
	}
}

// rightEdge counts the pixels, in a strip beside the right edge of a picture, that have another colour than its corner.
func rightEdge(t *testing.T, picture []byte) (n int) {
	t.Helper()
	whole, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	b := whole.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Max.X - 6; x < b.Max.X; x++ {
			if whole.At(x, y) != whole.At(b.Max.X-6, b.Min.Y) {
				n++
			}
		}
	}
	return n
}
