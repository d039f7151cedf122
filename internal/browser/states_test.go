package browser

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"synchroscope/ingest"
)

var statesDir = flag.String("states", "", "write a picture of every page in its rarer states into a directory")

const longName = "a-machine-whose-name-says-what-it-does-and-where-it-stands-rk12"

// Sets that are large, small or odd in one way each.
var oddSets = map[string]string{
	"30000-rows": `scenario rows "Thirty thousand threads"
duration 6s
host big cpus=16
host watcher
link big watcher propagation=8us rate=1Gbps
workload threads hosts=big count=30000 processes=40
workload pingpong from=watcher to=big period=50ms
`,
	"60-hosts": `scenario hosts "Sixty machines"
duration 4s
host node-{1..60} cpus=1
  clock offset=-30s..30s rate=-200..200
switch core
link node-{1..60} core propagation=8us rate=1Gbps
workload gossip hosts=node-* period=500ms
`,
	"long-name": `scenario name "A machine with a very long name"
duration 4s
host ` + longName + ` cpus=2
host b cpus=1
link ` + longName + ` b propagation=8us rate=1Gbps
workload daemons
workload pingpong from=b to=` + longName + ` period=50ms
`,
}

// In whatever state a page is, nothing sticks out of its window and the rules of accessibility hold.
func TestStates(t *testing.T) {
	s := newSite(t, ingest.Options{})
	rules := axeRules(t)
	p := NewPage(t)
	look := func(what string) {
		t.Helper()
		wide := Eval[string](p, `document.documentElement.scrollWidth > innerWidth ? document.documentElement.scrollWidth + " of " + innerWidth : ""`)
		if wide != "" {
			t.Errorf("%s sticks out of its window: %s pixels", what, wide)
		}
		blurred := Eval[[]string](p, `[...document.querySelectorAll("canvas")].filter((c) => c.checkVisibility() && c.clientWidth > 0).flatMap((c) => {
			const box = c.getBoundingClientRect();
			return Math.abs(box.width * devicePixelRatio - c.width) + Math.abs(box.height * devicePixelRatio - c.height) > 0.01 ? c.ariaLabel + ": " + c.width + " x " + c.height + " on " + box.width + " x " + box.height : [];
		})`)
		if len(blurred) > 0 {
			t.Errorf("%s stretches its drawings: %q", what, blurred)
		}
		if *statesDir != "" {
			for _, theme := range []string{"light", "dark"} {
				p.Prefer(theme)
				p.keep(*statesDir, what+"-"+theme)
			}
			p.Prefer("light")
		}
		checkRules(t, p, rules, what)
	}

	p.Open(s.url)
	p.Find("main", "")
	look("no-sets")

	p.Open(s.url + "/sets/0000000000000000")
	p.Says("There is no trace set with this id.")
	look("no-such-set")

	broken := filepath.Join(t.TempDir(), "broken.tar.gz")
	if err := os.WriteFile(broken, []byte("this is no archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	failed := s.add("broken", broken)
	if err := failed.Wait(t.Context()); err == nil {
		t.Fatal("what is no archive was imported")
	}
	for _, tab := range []string{"timeline", "sync", "events", "statistics", "messages", "state", "import"} {
		p.Open(s.page(failed, "?tab="+tab))
		p.frame()
		p.Find("tab", "Timeline")
		switch tab {
		default:
			p.Says("Nothing could be read; the Import tab says why.")
		case "import":
			p.Says("No host could be read.")
			if strings.Contains(p.Text(), "every packet read is as it should be") {
				t.Error("of a set of which nothing was read the page says that every packet is as it should be")
			}
			if n := len(p.All("progressbar", "Import")); n > 0 {
				t.Error("of an import that failed before anything was read the page shows how far it is")
			}
		}
		look("failed-" + tab)
		if tab == "timeline" || tab == "sync" {
			if n := Eval[int](p, `[...document.querySelectorAll("main :is(canvas, h2, input, select, table)")].filter((e) => e.checkVisibility()).length`); n > 0 {
				t.Errorf("of a set of which nothing was read the tab %s shows %d headings, drawings and controls", tab, n)
			}
			// It is said in the place of the tab with a way to the reason, and by the parts of the tab that are hidden then.
			said := Eval[[]string](p, `[...document.querySelectorAll("main p.nothing, main .empty, main .none")].map((e) => e.textContent).filter((w) => w.includes("could be read"))`)
			if len(said) < 2 || len(slices.Compact(slices.Clone(said))) != 1 {
				t.Errorf("the tab %s says %q", tab, said)
			}
			p.Find("button", "Import tab").Click()
			p.Says("No host could be read.")
		}
	}

	for _, name := range []string{"30000-rows", "60-hosts", "long-name"} {
		set := s.simulated(name, oddSets[name])
		for _, tab := range []string{"timeline", "sync", "messages", "import"} {
			p.Open(s.page(set, "?rows=all&tab="+tab))
			p.Await("the page of "+name, func() (any, bool) {
				words := p.Text()
				return words, strings.Contains(words, "final")
			})
			if tab == "timeline" {
				p.Await("states", func() (any, bool) { n := p.Canvas("Control flow").Count("--blk"); return n, n > 100 })
				p.Says("messages in view")
			}
			if tab == "messages" {
				p.Find("grid", "Messages from host to host")
				p.Says("exchanged most")
			}
			if out := map[string]string{"sync": "Violations", "import": "Duration, own clock"}[tab]; out != "" && name != "60-hosts" {
				past := Eval[float64](p, `(() => {
					const head = [...document.querySelectorAll("th")].find((e) => e.checkVisibility() && e.textContent === "`+out+`");
					return head.getBoundingClientRect().right - head.closest(".wide").getBoundingClientRect().right;
				})()`)
				if past > 0 {
					t.Errorf("the column %s of %s lies %v pixels out of sight", out, name, past)
				}
			}
			look(fmt.Sprintf("%s-%s", name, tab))
		}
		if name == "60-hosts" {
			for _, size := range [][2]int64{{1280, 720}, {Width, Height}} {
				p.Resize(size[0], size[1])
				p.Open(s.page(set, "?tab=sync"))
				p.Says("final")
				p.Await(fmt.Sprintf("all of the graph in sight at %d x %d, no words on others", size[0], size[1]), func() (any, bool) {
					saw := outOfPlace(p.Find("region", "Graph of hosts and links"))
					return saw, len(saw) == 0
				})
			}
			p.Open(s.page(set, "?tab=messages"))
			p.Says("exchanged most")
			heads := Eval[[]string](p, `[...document.querySelectorAll("table[aria-label='Messages from host to host'] thead th:not(.corner, .total)")].map((e) => e.textContent)`)
			for i, head := range heads {
				if want := fmt.Sprintf("node-%d", i+1); head != want {
					t.Errorf("column %d of the matrix is of %s, want %s", i+1, head, want)
				}
			}
			// That there are more columns and rows than there is room for shows at the edges, until they are reached.
			faint := func() string { return Eval[string](p, `getComputedStyle(document.querySelector(".matrix")).maskImage`) }
			if mask := faint(); strings.Count(mask, "gradient") != 2 {
				t.Errorf("the edges of the matrix beyond which there is more are drawn by %s", mask)
			}
			Eval[bool](p, `(document.querySelector(".matrix").scrollTo(1e6, 1e6), true)`)
			p.Await("no faint edge at the end", func() (any, bool) { mask := faint(); return mask, mask == "none" })
			if len(heads) != 60 {
				t.Errorf("the matrix has %d columns: %q", len(heads), heads)
			}
			p.Open(s.page(set, "?rows=all"))
			for i, name := range []string{"node-1", "node-2", "node-3"} {
				_, y, _, height := p.hostRow("Communication", name).Box()
				_, first, _, _ := p.hostRow("Communication", "node-1").Box()
				if at := (y - first) / height; at != float64(i) {
					t.Errorf("%s stands %v rows below the first host", name, at)
				}
			}
		}
		if name == "long-name" {
			p.Open(s.page(set, "?rows=all&filter=systemd-logind"))
			p.Await("one row for each host", func() (any, bool) { n := p.Canvas("Control flow").Count("--blk"); return n, n > 100 })
			look("one-row")
			p.Open(s.page(set, "?rows=all&filter=nothing-has-this-name"))
			p.Says("No row matches")
			look("no-row")
		}
	}
	p.Open(s.url)
	p.Find("link", "60-hosts")
	look("home")
}

// keep writes the page as it is drawn two frames later.
func (p *Page) keep(dir, name string) {
	p.t.Helper()
	p.frame()
	p.frame()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), p.Picture(), 0o644); err != nil {
		p.t.Fatal(err)
	}
}
