package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// mesh describes many machines, each of which talks to the first and to the three behind it, and the second, from afar, to the last.
func mesh(n int) string {
	var b strings.Builder
	b.WriteString("scenario mesh \"Many machines that talk to each other\"\nduration 3s\n\n")
	name := func(i int) string { return fmt.Sprintf("machine-%02d", i%n) }
	for i := range n {
		fmt.Fprintf(&b, "host %s\n  clock offset=-2s..2s rate=%d\n", name(i), 10*(i%17)-80)
	}
	port := 4000
	talks := func(from, to, propagation string) {
		fmt.Fprintf(&b, "link %s %s propagation=%s rate=1Gbps queue=512KiB jitter=3us\n", from, to, propagation)
		port++
		fmt.Fprintf(&b, "workload pingpong from=%s to=%s period=300ms port=%d\n", from, to, port)
	}
	for i := 1; i < n; i++ {
		talks(name(0), name(i), "8us")
		for k := 1; k <= 3 && i+k < n; k++ {
			talks(name(i), name(i+k), "8us")
		}
	}
	talks(name(1), name(n-1), "20ms")
	return b.String()
}

// A graph of very many hosts has the names of all of them, none on another, and keys lead from host to host and to
// the links of each.
func TestGraphOfManyHosts(t *testing.T) {
	s := newSite(t, ingest.Options{})
	const hosts = 40
	set := s.simulated("mesh", mesh(hosts))
	p := NewPage(t)
	for _, width := range []int64{1280, Width, 3840} {
		p.Resize(width, 800)
		p.Open(s.page(set, "?tab=sync"))
		graph := p.Find("region", "Graph of hosts and links")
		p.Await("all hosts by name, none on another", func() (any, bool) {
			saw := must[[]string](graph, `function() {
				const texts = [...this.querySelectorAll("svg text")].map((e) => [e.textContent, e.getBoundingClientRect()]);
				const on = texts.flatMap(([v, a], i) => texts.slice(0, i).filter(([, b]) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom).map(([w]) => v + " on " + w));
				return [texts.filter(([v]) => v.startsWith("machine-")).length + " names", ...on];
			}`)
			return saw, len(saw) == 1 && saw[0] == fmt.Sprintf("%d names", hosts)
		})
	}

	graph := p.Find("region", "Graph of hosts and links")
	p.Matches(`\d\d links more are not in use, a check of the others: point at a host to see its own`)
	drawn := func() int { return must[int](graph, "function() { return this.querySelectorAll('path.edge').length }") }
	p.Await("a legend of what is drawn, and of nothing else", func() (any, bool) {
		saw := Eval[[]string](p, `(() => {
			const looks = (of) => new Set([...document.querySelectorAll(of)].map((e) => e.style.getPropertyValue("--bound") + " " + e.style.getPropertyValue("--better")));
			const [lines, legend] = [looks(".graph path.edge"), looks(".tiers path.edge")];
			return [...[...legend].filter((l) => !lines.has(l)).map((l) => "not drawn: " + l), ...[...lines].filter((l) => !legend.has(l)).map((l) => "not told: " + l)];
		})()`)
		return saw, len(saw) == 0
	})
	before := drawn()
	must[any](graph, "function() { this.querySelector('[tabindex=\"0\"]').focus(); return null }")
	focused := func() string { return Eval[string](p, "document.activeElement.dataset.host ?? ''") }
	if host := focused(); !strings.HasPrefix(host, "machine-") {
		t.Fatalf("the Tab key leads to %q", host)
	}
	seen := map[string]bool{focused(): true}
	for range 3 {
		p.Press("ArrowDown")
		seen[focused()] = true
	}
	if len(seen) != 4 {
		t.Errorf("four presses lead to %v", seen)
	}
	p.Press("Home")
	seen = map[string]bool{focused(): true}
	for range hosts - 1 {
		p.Press("ArrowDown")
		seen[focused()] = true
	}
	if len(seen) != hosts {
		t.Errorf("downwards from the reference, from column to column, lie %d of %d hosts", len(seen), hosts)
	}
	p.Await("the links of the host that has the focus", func() (any, bool) {
		key := p.Text()
		return key, drawn() > before && regexp.MustCompile(regexp.QuoteMeta(focused())+`: ± .*; [4-7] links, \d in use\. Press it`).MatchString(key)
	})
	chosen := focused()
	p.Press("Enter")
	p.Press("Home")
	p.Press("Enter")
	p.Matches(chosen + ` is (ahead of|behind) machine-\d\d by|machine-\d\d is (ahead of|behind) ` + chosen + ` by`)
	p.Await("all links gone again, but for that of the two, which is chosen now if they have one", func() (any, bool) {
		Eval[any](p, "document.activeElement.blur()")
		n, unused := drawn(), Eval[int](p, `document.querySelectorAll(".links tr[aria-selected=true] .aside").length && document.querySelector(".links tr[aria-selected=true]").innerText.includes("not in use") ? 1 : 0`)
		return fmt.Sprint(n, before, unused), n == before+unused
	})
}

// A link has the colour and the width of its bound, which a legend has in words; the one that is chosen keeps them.
func TestGraphByBound(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&link=cache~web"))
	graph := p.Find("region", "Graph of hosts and links")
	look := func() []string {
		return must[[]string](graph, `function() {
			const limits = (words) => /^([\d.]+)(?: (\S+))? to ([\d.]+) (\S+)$/.exec(words.replace(/[\u202f\u00a0]/g, " ").trim());
			const ns = {ns: 1, "µs": 1e3, ms: 1e6, s: 1e9};
			const legend = [...document.querySelectorAll(".tiers li")].map((li) => {
				const line = getComputedStyle(li.querySelector("path"));
				const found = limits(li.innerText);
				return {least: found[1] * ns[found[2] ?? found[4]], most: found[3] * ns[found[4]], stroke: line.stroke, width: line.strokeWidth};
			});
			const lines = [...this.querySelectorAll("path.edge")].map((e) => {
				const words = e.nextElementSibling.textContent.replace(/[\u202f\u00a0]/g, " ");
				const found = /± ([\d.]+)(?: (\S+))? to ([\d.]+) ([^\s,]+)/.exec(words);
				const [low, high] = [found[1] * ns[found[2] ?? found[4]], found[3] * ns[found[4]]];
				const style = getComputedStyle(e);
				const own = legend.find((l) => l.stroke === style.stroke);
				const right = own && low <= own.most && high >= own.least && (!words.includes("not in use") ? style.width !== "" && style.strokeWidth === own.width && style.strokeDasharray === "none" : style.strokeDasharray !== "none");
				return (right ? "as its bound: " : "not as its bound: " + style.stroke + " " + style.strokeWidth + " ") + words;
			});
			return [legend.length + " in the legend, " + this.querySelectorAll("path.halo").length + " chosen", ...lines];
		}`)
	}
	p.Await("five links, each as its bound", func() (any, bool) {
		saw := look()
		wrong := false
		for _, l := range saw[1:] {
			wrong = wrong || !strings.HasPrefix(l, "as its bound")
		}
		return saw, !wrong && len(saw) == 6 && saw[0] == "2 in the legend, 1 chosen"
	})
}

// No line runs through a host's name or what is known of its clock: both stand on a ground of their own.
func TestGraphNamesHaveGround(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("final")
	p.Await("names on plates", func() (any, bool) {
		saw := Eval[[]string](p, `[...document.querySelectorAll(".graph [data-host] text")].filter((e) => e.textContent.trim() !== "").map((e) => {
			const b = e.getBoundingClientRect();
			const on = [...e.parentNode.querySelectorAll("rect.plate")].map((r) => r.getBoundingClientRect()).some((r) => r.left <= b.left && r.right >= b.right - 5 && r.top <= b.top + 3 && r.bottom >= b.bottom - 3);
			return (on ? "on a plate: " : "bare: ") + e.textContent;
		})`)
		bare := false
		for _, w := range saw {
			bare = bare || strings.HasPrefix(w, "bare")
		}
		return saw, len(saw) == 8 && !bare
	})
	for _, size := range [][2]int64{{1280, 720}, {Width, Height}, {2560, 1440}} {
		p.Resize(size[0], size[1])
		p.Await(fmt.Sprintf("no words on others, and no line through any, at %v", size), func() (any, bool) {
			saw := outOfPlace(p.Find("region", "Graph of hosts and links"))
			return saw, len(saw) == 0
		})
	}
	p.Resize(1920, 1080)
	p.Await("no words on others where links have labels", func() (any, bool) {
		saw := outOfPlace(p.Find("region", "Graph of hosts and links"))
		labels := Eval[int](p, `document.querySelectorAll(".graph .edge-label").length`)
		return fmt.Sprint(labels, saw), labels == 5 && len(saw) == 0
	})
	// Where a link is too short for its words they stand beside it.
	p.Resize(Width, Height)
	p.Await("the bound of each link", func() (any, bool) {
		saw := outOfPlace(p.Find("region", "Graph of hosts and links"))
		labels := Eval[int](p, `document.querySelectorAll(".graph .edge-label").length`)
		return fmt.Sprint(labels, saw), labels == 5 && len(saw) == 0
	})
	p.Matches(`± of hosts best to worst, of links the median ±`)
	p.Resize(640, 360)
	p.Await("a page that does not scroll sideways", func() (any, bool) {
		saw := Eval[[2]int](p, `(() => { const e = document.getElementById("sync"); return [e.scrollWidth, e.clientWidth]; })()`)
		return saw, saw[0] == saw[1]
	})
}
