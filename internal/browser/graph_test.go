package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// mesh describes many machines, each of which talks to the first and to the three behind it.
func mesh(n int) string {
	var b strings.Builder
	b.WriteString("scenario mesh \"Many machines that talk to each other\"\nduration 3s\n\n")
	name := func(i int) string { return fmt.Sprintf("machine-%02d", i%n) }
	for i := range n {
		fmt.Fprintf(&b, "host %s\n  clock offset=-2s..2s rate=%d\n", name(i), 10*(i%17)-80)
	}
	port := 4000
	talks := func(from, to string) {
		fmt.Fprintf(&b, "link %s %s propagation=8us rate=1Gbps queue=512KiB jitter=3us\n", from, to)
		port++
		fmt.Fprintf(&b, "workload pingpong from=%s to=%s period=300ms port=%d\n", from, to, port)
	}
	for i := 1; i < n; i++ {
		talks(name(0), name(i))
		for k := 1; k <= 3 && i+k < n; k++ {
			talks(name(i), name(i+k))
		}
	}
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
	p.Await("all links gone again", func() (any, bool) {
		Eval[any](p, "document.activeElement.blur()")
		n := drawn()
		return n, n == before
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
			const worst = {"10 µs or better": 1e4, "100 µs or better": 1e5, "1 ms or better": 1e6, "worse than 1 ms": Infinity};
			const ns = {ns: 1, "µs": 1e3, ms: 1e6, s: 1e9};
			const legend = [...document.querySelectorAll(".tiers li")].map((li) => {
				const line = getComputedStyle(li.querySelector("path"));
				return {most: worst[li.innerText.trim()], stroke: line.stroke, width: line.strokeWidth};
			});
			const lines = [...this.querySelectorAll("path.edge")].map((e) => {
				const words = e.nextElementSibling.textContent.replace(/[\u2009\u00a0]/g, " ");
				const found = /± ([\d.]+)(?: (\S+))? to ([\d.]+) ([^\s,]+)/.exec(words);
				const [low, high] = [found[1] * ns[found[2] ?? found[4]], found[3] * ns[found[4]]];
				const style = getComputedStyle(e);
				const own = legend.find((l) => l.stroke === style.stroke);
				const right = own && low <= own.most && (!words.includes("not in use") ? style.width !== "" && style.strokeWidth === own.width && style.strokeDasharray === "none" : style.strokeDasharray !== "none") && !legend.some((l) => l.most < own.most && high <= l.most);
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
		return saw, !wrong && len(saw) == 6 && saw[0] == "1 in the legend, 1 chosen"
	})
}
