package browser

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// Graphs of hosts that hang from each other over several hops, or that no message relates to each other.
var shapes = map[string]string{
	"one-hop":     "hub-a hub-b hub-c hub-d",
	"three-ways":  "hub-a hub-b hub-c",
	"seven-ways":  "hub-a hub-b hub-c hub-d hub-e hub-f hub-g",
	"two-hops":    "gate-shop gate-store shop-cart shop-pay store-disk",
	"two-sides":   "hub-left hub-right",
	"long-names":  "gateway_of_the_shop_rk12-storage_of_the_shop_rk12 gateway_of_the_shop_rk12-payments_of_the_shop_rk7",
	"chain":       "one-two two-three",
	"five-ways":   "hub-a hub-b hub-c hub-d hub-e",
	"six-ways":    "hub-a hub-b hub-c hub-d hub-e hub-f",
	"four-hops":   "one-two two-three three-four four-five five-six five-seven",
	"two-islands": "hub-a hub-b hub-c east-west",
	"islands":     "gate-shop shop-cart east-west north-south alone-",
	"loners":      "a- b- c- d- e-",
	"many":        "gate-shop gate-store gate-mail shop-cart shop-pay store-disk disk-tape mail-list east-west west-south alone-",
}

// described is a scenario in which every pair exchanges messages; "name-" is a host that does not.
func described(pairs string) string {
	var hosts, links strings.Builder
	seen := map[string]bool{"": true}
	for i, pair := range strings.Fields(pairs) {
		a, b, _ := strings.Cut(pair, "-")
		for _, name := range []string{a, b} {
			if !seen[name] {
				seen[name] = true
				fmt.Fprintf(&hosts, "host %s cpus=1\n  clock offset=-2s..2s rate=%d\n", name, 10*(len(seen)%17)-80)
			}
		}
		if b != "" {
			fmt.Fprintf(&links, "link %s %s propagation=8us rate=1Gbps\nworkload pingpong from=%s to=%s period=100ms port=%d\n", a, b, a, b, 4000+i)
		}
	}
	return "scenario shape \"Hosts and their links\"\nduration 2s\n\n" + hosts.String() + links.String()
}

// sizes are those of the page that a graph has to fit, CSS pixels.
var sizes = [][2]int64{{Width, Height}, {1280, 720}, {1920, 1080}}

// pull makes the window of a page that is open so large, and waits until what is drawn had a frame to follow.
func (p *Page) pull(size [2]int64) {
	p.t.Helper()
	p.Resize(size[0], size[1])
	p.Await("the window in its new size", func() (any, bool) {
		w := Eval[int64](p, "innerWidth")
		return w, w == size[0]
	})
	p.frame()
}

// outOfPlace is what of a graph of hosts is out of sight or lies on something else, or is words that a line runs through: of one link its
// own words may stand on it, and faint lines may lie behind the names of hosts in rows, which have a rim.
func outOfPlace(graph Element) []string {
	return must[[]string](graph, `function() {
		const out = [], box = this.getBoundingClientRect();
		if (this.scrollHeight > this.clientHeight || this.scrollWidth > this.clientWidth) out.push(this.scrollWidth + " x " + this.scrollHeight + " in " + this.clientWidth + " x " + this.clientHeight);
		const texts = [...this.querySelectorAll("svg text")].filter((e) => e.textContent.trim() !== "").map((e) => [e.textContent, e.getBoundingClientRect()]);
		if (texts.length === 0) out.push("nothing is drawn");
		texts.forEach(([v, a], i) => {
			if (a.left < box.left - 1 || a.right > box.right + 1 || a.top < box.top - 1 || a.bottom > box.bottom + 1) out.push(v + " sticks out");
			for (const [w, b] of texts.slice(0, i)) if (a.left < b.right - 1 && b.left < a.right - 1 && a.top + 2 < b.bottom && b.top + 2 < a.bottom) out.push(v + " on " + w);
		});
		for (const c of this.querySelectorAll("circle.node")) {
			const a = c.getBoundingClientRect();
			for (const [w, b] of texts) if (a.left + 2 < b.right && b.left < a.right - 2 && a.top + 3 < b.bottom && b.top + 3 < a.bottom) out.push(w + " on a host");
		}
		const frame = this.querySelector("svg").getScreenCTM();
		const ways = [...this.querySelectorAll("path.edge:not(.faint)")].map((e) => Array.from({length: 201}, (_, i) => e.getPointAtLength(e.getTotalLength() * i / 200).matrixTransform(frame)));
		for (const e of this.querySelectorAll("svg text")) {
			const b = e.getBoundingClientRect();
			const crossed = ways.filter((way) => way.some((p) => b.left < p.x && p.x < b.right && b.top + 2 < p.y && p.y < b.bottom - 2)).length;
			if (e.textContent.trim() !== "" && crossed > (e.classList.contains("edge-label") ? 1 : 0)) out.push("a line through " + e.textContent);
		}
		return out;
	}`)
}

// The graph of hosts fits in its box, whatever its shape, and no name or number in it lies on another.
func TestGraphFits(t *testing.T) {
	s := newSite(t, ingest.Options{})
	p := NewPage(t)
	for turn, name := range slices.Sorted(maps.Keys(shapes)) {
		set := s.simulated(name, described(shapes[name]))
		for i := range sizes {
			// Each size is that of some at first, and comes to others later.
			size := sizes[(turn+i)%len(sizes)]
			p.pull(size)
			if i == 0 {
				p.Open(s.page(set, "?tab=sync"))
			}
			p.Says("final")
			what := fmt.Sprintf("%s at %d x %d", name, size[0], size[1])
			p.Await(what+": all of the graph in sight, no words on others", func() (any, bool) {
				saw := outOfPlace(p.Find("region", "Graph of hosts and links"))
				if name == "three-ways" {
					// As the demonstration, small enough to stand around its reference.
					if n := Eval[int](p, `document.querySelectorAll(".graph .node-name[text-anchor=middle]").length`); n < 2 {
						saw = append(saw, "hosts in rows")
					}
				}
				return saw, len(saw) == 0
			})
			if *statesDir != "" {
				p.keep(*statesDir, strings.ReplaceAll("graph-"+what, " ", "-"))
			}
		}
	}
}

// Where few hosts stand in rows nothing runs through their names, links out of use neither, and links in use have their figures.
func TestGraphInRows(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("final")
	for _, reference := range []string{"client", "cache"} {
		p.Find("button", "Use "+reference+" as the reference").Click()
		p.Says("reference " + reference + ", pinned")
		for _, size := range sizes {
			p.pull(size)
			p.Await(fmt.Sprintf("%s at %d x %d: no words on others or crossed, with figures", reference, size[0], size[1]), func() (any, bool) {
				saw := outOfPlace(p.Find("region", "Graph of hosts and links"))
				saw = append(saw, Eval[[]string](p, `(() => {
					const graph = document.querySelector(".graph"), frame = graph.querySelector("svg").getScreenCTM();
					const faint = [...graph.querySelectorAll("path.edge.faint")];
					const ways = faint.map((e) => Array.from({length: 201}, (_, i) => e.getPointAtLength(e.getTotalLength() * i / 200).matrixTransform(frame)));
					const through = [...graph.querySelectorAll("svg text")].filter((e) => {
						const b = e.getBoundingClientRect();
						return ways.some((way) => way.some((p) => b.left < p.x && p.x < b.right && b.top + 2 < p.y && p.y < b.bottom - 2));
					}).map((e) => "a faint line through " + e.textContent);
					const figures = graph.querySelectorAll(".edge-label").length;
					return [...through, ...(faint.length === 2 ? [] : [faint.length + " faint lines"]), ...(figures === 3 ? [] : [figures + " figures"])];
				})()`)...)
				return saw, len(saw) == 0
			})
		}
	}
}

// Hosts that talk to many others stand in rows with nothing behind their names but what hangs from them: links out of use are drawn of
// the host that is pointed at.
func TestGraphOfTalkativeHosts(t *testing.T) {
	s := newSite(t, ingest.Options{})
	p := NewPage(t)
	for turn, hosts := range []int{6, 12, 20, 60} {
		set := s.simulated(fmt.Sprintf("mesh-%d", hosts), mesh(hosts))
		for i := range sizes {
			size := sizes[(turn+i)%len(sizes)]
			p.pull(size)
			if i == 0 {
				p.Open(s.page(set, "?tab=sync"))
			}
			p.Says("final")
			p.Matches(`\d+ links more are not in use, a check of the others: point at a host to see its own`)
			p.Await(fmt.Sprintf("%d hosts at %d x %d, no words on others or crossed", hosts, size[0], size[1]), func() (any, bool) {
				saw := outOfPlace(p.Find("region", "Graph of hosts and links"))
				faint := Eval[int](p, `document.querySelectorAll(".graph .faint").length`)
				return fmt.Sprint(saw, faint), len(saw) == 0 && faint == 0
			})
			// Of what the graph has no room for it is said where it stands.
			p.Await(fmt.Sprintf("%d hosts at %d x %d, what is shown of them", hosts, size[0], size[1]), func() (any, bool) {
				notes := Eval[int](p, `[...document.querySelectorAll(".graph .node-note")].filter((e) => e.textContent.includes("±")).length`)
				words := spaces.Replace(p.Text())
				return fmt.Sprint(notes, words), strings.Contains(words, "± of hosts best to worst") == (notes > 0) && (notes > 0 || strings.Contains(words, "± of hosts"))
			})
		}
	}
}

// Whichever method is in force, a link is drawn solid if it is in use and broken if it is not, as the words below the graph have it,
// and one in use without a bound is hollow, as in the legend.
func TestGraphLines(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	p.Find("button", "Synchronize in another way…").Click()
	for _, c := range []struct{ method, inForce, words string }{
		{"hull", "the default, method hull", `Solid: in use, the way to the reference. Broken: not in use, a check of the others.`},
		{"round trips", "method round trips", boundless},
		{"regression", "method regression", boundless},
		{"windows of 3 s, each alone", "method windows of 3 s, each alone", boundless},
		{"the best window of 3 s", "method the best window of 3 s", boundless},
		{"windows of 3 s, one after another", "method windows of 3 s, one after another", boundless},
	} {
		if c.method != "hull" {
			p.Find("combobox", "Method").Choose(c.method)
			p.Find("button", "Synchronize").Click()
		}
		p.Says("In force: " + c.inForce)
		p.Says(c.words)
		hollow := c.words == boundless
		p.Await("lines as the words say with "+c.method, func() (any, bool) {
			saw := Eval[[]int](p, `(() => {
				const lines = [...document.querySelectorAll(".graph .edge")], dash = (e) => getComputedStyle(e).strokeDasharray;
				const solid = lines.filter((e) => dash(e) === "none");
				return [solid.length, lines.length - solid.length, solid.filter((e) => !e.classList.contains("tree")).length,
					document.querySelectorAll(".graph .core").length, document.querySelectorAll(".tiers .core").length,
					[...document.querySelectorAll(".tiers .edge")].filter((e) => dash(e) !== "none").length];
			})()`)
			want := []int{3, 2, 0, 0, 0, 0}
			if hollow {
				want[3], want[4] = 3, 1
			}
			return saw, slices.Equal(saw, want)
		})
	}
}

const boundless = `Solid: in use, the way to the reference. Broken: not in use. Hollow: this method bounds nothing.`
