package browser

import (
	"bytes"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"synchroscope/ingest"
)

var updateImages = flag.Bool("update-images", false, "take the pictures of docs/images anew")

const images = "../../docs/images"

// pictures are those that the documentation shows, each in light and dark.
var pictures = []string{"timeline", "sync", "events", "statistics", "messages", "import", "home", "state", "resources"}

// TestImages checks that the pictures stand and have the size of a page. With
// -update-images it takes them, from the demonstration set.
func TestImages(t *testing.T) {
	if *updateImages {
		for _, theme := range []string{"light", "dark"} {
			takePictures(t, theme)
		}
	}
	for _, name := range pictures {
		for _, theme := range []string{"light", "dark"} {
			path := filepath.Join(images, name+"-"+theme+".png")
			b, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
				continue
			}
			c, err := png.DecodeConfig(bytes.NewReader(b))
			if err != nil || c.Width != Width || c.Height != Height {
				t.Errorf("%s is %d x %d, %v; want %d x %d", path, c.Width, c.Height, err, Width, Height)
			}
		}
	}
}

func takePictures(t *testing.T, theme string) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Prefer(theme)

	p.Open(s.page(set, ""))
	p.Await("the view at rest", func() (any, bool) {
		words := p.Text()
		return words, strings.Contains(words, "blocked in wait4") && strings.Contains(words, "final") && p.Canvas("Control flow").Count("--user") > 1000
	})
	save(t, p, "timeline-"+theme)

	p.Open(s.page(set, "?resources=2,2.1&begin=1795229355236453488&end=1795229355256538741"))
	left, _, width, _ := p.Canvas("Resources").Box()
	_, y, _, height := p.resourceRow("CPU 0 of db").Box()
	p.Await("what the CPU runs", func() (any, bool) {
		n := p.Canvas("Resources").Count("--user")
		return n, n > 1000
	})
	p.Click(left+width*0.6, y+height/2)
	p.Says("Follow crunch · 206")
	save(t, p, "resources-"+theme)

	p.Open(s.page(set, "?tab=sync"))
	p.Await("the plot of a link", func() (any, bool) {
		n := p.Canvas("The constraint points").Count("--sys")
		return n, n > 100
	})
	save(t, p, "sync-"+theme)

	p.Open(s.page(set, ""))
	p.Says("Woken by")
	p.Press("e")
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 20 })
	p.Find("grid", "Events")
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	for range 6 {
		p.Press("ArrowDown")
	}
	p.Find("region", "The chosen event")
	save(t, p, "events-"+theme)

	p.Find("tab", "Statistics").Click()
	p.Find("table", "Threads")
	save(t, p, "statistics-"+theme)

	p.Find("tab", "State").Click()
	p.attribute("Threads/205/Name")
	save(t, p, "state-"+theme)

	p.Open(s.page(set, "?tab=messages&pair=web~db"))
	p.Find("combobox", "What was exchanged in").Choose("the whole set")
	p.Await("dots of all messages", func() (any, bool) {
		n := len(p.Canvas("Latencies over time").Inked(100, "--panel"))
		return n, n > 30
	})
	save(t, p, "messages-"+theme)

	// Imports on their way, so many that they last.
	again := func(n int) (last *ingest.Set) {
		for i := range n {
			last = s.add(fmt.Sprintf("shop-4hosts, once more %d", i+1), demoArchive)
		}
		return last
	}
	again(4)
	p.Open(s.url)
	p.Says("reading")
	save(t, p, "home-"+theme)

	running := again(6)
	p.Open(s.page(running, "?tab=import"))
	main := p.Find("main", "")
	p.Await("a good part of an import", func() (any, bool) {
		words := main.Text()
		m := regexp.MustCompile(`(\d+) %`).FindStringSubmatch(words)
		if m == nil {
			return words, false
		}
		n, _ := strconv.Atoi(m[1])
		return words, 50 <= n && n < 90
	})
	save(t, p, "import-"+theme)
	for _, set := range s.engine.Sets() {
		s.ready(set)
	}
}

// save keeps the picture of what is drawn two frames later.
func save(t *testing.T, p *Page, name string) {
	t.Helper()
	p.frame()
	p.frame()
	if err := os.MkdirAll(images, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(images, name+".png"), p.Picture(), 0o644); err != nil {
		t.Fatal(err)
	}
}
