package browser

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// checkWhiskers looks for the whiskers of the one message that is drawn over the whole width: from each end whose clock is not exact a
// line along the row, as far to both sides as what is said of the message has it, with a bar across at each end.
func checkWhiskers(t *testing.T, p *Page, set *ingest.Set, told, from, to string) {
	t.Helper()
	begin, end, _ := view(t, p)
	origin, err := strconv.ParseInt(set.Status().Begin, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	times := regexp.MustCompile(`Sent ([\d.]+(?: \d{3})*) s Received ([\d.]+(?: \d{3})*) s`).FindStringSubmatch(told)
	known := regexp.MustCompile(`(\w+)'s clock is known to ± (\d+) µs here`).FindAllStringSubmatch(told, -1)
	if times == nil || len(known) == 0 {
		t.Fatalf("the message is told as %s", told)
	}
	for _, k := range known {
		words := times[1]
		if k[1] == to {
			words = times[2]
		} else if k[1] != from {
			t.Fatalf("a message from %s to %s is told as %s", from, to, told)
		}
		seconds, err := strconv.ParseFloat(strings.ReplaceAll(words, " ", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		bound, err := strconv.ParseFloat(k[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		at := float64(origin-begin) + seconds*1e9
		_, y, _, height := p.hostRow("Communication", k[1]).Box()
		p.Await(fmt.Sprintf("a whisker of ± %s µs on the row of %s", k[2], k[1]), func() (any, bool) {
			talk := p.Canvas("Communication")
			// The bars that are in sight, how much of the accent's colour each has where it is faintest, how much is beside it, and how
			// much of the row between them is inked.
			saw := must[struct {
				Bars [][2]float64
				Line float64
			}](talk.Element, pixels(`
				const [y, from, at, to] = args, [accent, ground] = [color("--accent"), color("--panel")];
				const w = this.width, d = read(y - 4, y + 4), line = color("--line");
				const faintest = (x) => {
					if (x < 0 || x >= w) return 0;
					let least = 1;
					for (const row of [0, 1, 2, 5, 6, 7]) least = Math.min(least, share(d, 4 * (row * w + x), accent, ground));
					return least;
				};
				const [x0, middle, x1] = [from, at, to].map((v) => v * w);
				const near = (x, far) => Math.max(...far.map((by) => faintest(Math.floor(x) + by)));
				const bars = [x0, x1].filter((x) => x > 8 && x < w - 8).map((x) => [near(x, [-2, -1, 0, 1, 2]), near(x, [-7, -6, -5, 5, 6, 7])]);
				let [inked, all] = [0, 0];
				for (let x = Math.max(0, Math.ceil(x0)); x < Math.min(w, x1); x++, all++)
					if ([3, 4].some((row) => [ground, line].every((c) => c.some((v, k) => Math.abs(v - d[4 * (row * w + x) + k]) > 24)))) inked++;
				return {Bars: bars, Line: inked / all};`), y+height/2-canvasTop(talk), (at-bound*1e3)/float64(end-begin), at/float64(end-begin), (at+bound*1e3)/float64(end-begin))
			right := len(saw.Bars) > 0 && saw.Line > 0.95
			for _, b := range saw.Bars {
				right = right && b[0] > 0.3 && b[1] < 0.1
			}
			return saw, right
		})
	}
}

// checkBundles looks at the bundles of the whole set in synchronized time: each is as broad as it has messages, as many as are in view
// in all, and has the colour that the legend gives its latency, which is how far it goes to the right.
func checkBundles(t *testing.T, p *Page, set *ingest.Set, drawn func() ([]Line, []Word), messages int) {
	t.Helper()
	var begin, end int64
	if _, err := fmt.Sscan(set.Status().Begin+" "+set.Status().End, &begin, &end); err != nil {
		t.Fatal(err)
	}
	p.Await("bundles as broad as they have messages, in the colour of their latency", func() (any, bool) {
		width := Eval[float64](p, `document.querySelector("canvas[aria-label^=Communication]").clientWidth`)
		low, high, colors := latencyKey(t, p)
		accent, panel := p.Color("--accent"), p.Color("--panel")
		lines, labels := drawn()
		var wrong []string
		number := 0.0
		broad, hues := make(map[string]bool), make(map[string]bool)
		for _, l := range lines {
			// The chosen message is drawn over all others, and a bundle that has it in its colour.
			if l.Color == panel || l.Color == accent && l.Width < 2.3 {
				continue
			}
			if l.Width < 2.3 {
				number++
				continue
			}
			number += math.Pow(2, (l.Width-1.5)/0.85)
			broad[fmt.Sprintf("%.2f", l.Width)] = true
			if hues[l.Color] = true; l.Color == accent {
				continue
			}
			latency := (l.X1 - l.X0) * float64(end-begin) / width
			step := math.Log(latency/low) / math.Log(high/low) * float64(len(colors))
			const about = 0.02
			right := false
			for i, c := range colors {
				right = right || c == l.Color && (step > float64(i)-about || i == 0) && (step < float64(i+1)+about || i == len(colors)-1)
			}
			if !right {
				wrong = append(wrong, fmt.Sprintf("%.0f ns in %s", latency, l.Color))
			}
		}
		counted := 0
		for _, w := range labels {
			n, err := strconv.ParseFloat(strings.TrimPrefix(w.Words, "×"), 64)
			if err != nil || !broad[fmt.Sprintf("%.2f", math.Min(11, 1.5+0.85*math.Log2(n)))] {
				wrong = append(wrong, "no bundle is as broad as "+w.Words)
			}
			counted++
		}
		saw := fmt.Sprintf("%d lines of %.1f messages, %d widths, %d colours, %d labels, wrong: %q", len(lines), number, len(broad), len(hues), counted, wrong)
		return saw, len(wrong) == 0 && math.Abs(number-float64(messages)) < 1 && len(broad) > 10 && len(hues) >= 4 && counted > 10
	})
}

// latencyKey is the legend of bundles: the least and the largest latency, ns, and the colours between them, "#rrggbb".
func latencyKey(t *testing.T, p *Page) (low, high float64, colors []string) {
	t.Helper()
	words := spaces.Replace(Eval[string](p, `document.querySelector(".latencykey").innerText`))
	ends := regexp.MustCompile(`bundles:\s*(\d+) (\S+)\s+(\d+) (\S+)`).FindStringSubmatch(words)
	if ends == nil {
		t.Fatalf("the legend of bundles is %q", words)
	}
	unit := map[string]float64{"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
	for i, of := range []*float64{&low, &high} {
		n, err := strconv.ParseFloat(ends[1+2*i], 64)
		if err != nil || unit[ends[2+2*i]] == 0 {
			t.Fatalf("the legend of bundles is %q", words)
		}
		*of = n * unit[ends[2+2*i]]
	}
	for _, c := range Eval[[][3]int](p, `[...document.querySelectorAll(".latencykey .steps i")].map((e) => getComputedStyle(e).backgroundColor.match(/\d+/g).map(Number))`) {
		colors = append(colors, fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]))
	}
	return low, high, colors
}

// checkBackward looks at the arrows of raw time: those that go to the left, and their counts, are in the colour of warnings, and no
// others are.
func checkBackward(p *Page, drawn func() ([]Line, []Word)) {
	p.t.Helper()
	warn, accent, panel := p.Color("--warn"), p.Color("--accent"), p.Color("--panel")
	p.Await("arrows to the left in the colour of warnings, and no others", func() (any, bool) {
		lines, words := drawn()
		var wrong []string
		back, forth := 0, 0
		for _, l := range lines {
			if l.Color == accent || l.Color == panel {
				continue
			}
			if l.X1 < l.X0 {
				back++
			} else {
				forth++
			}
			if (l.X1 < l.X0) != (l.Color == warn) {
				wrong = append(wrong, fmt.Sprint(l))
			}
		}
		for _, w := range words {
			if strings.HasPrefix(w.Words, "!") != (w.Color == warn) {
				wrong = append(wrong, fmt.Sprint(w))
			}
		}
		return fmt.Sprintf("%d to the left, %d to the right, wrong: %q", back, forth, wrong), len(wrong) == 0 && back > 5 && forth > 3
	})
}

// shares are, of each stretch of time, the parts that a thread was in each state, by the state's number, as Statistics has them.
func (p *Page) shares(host string, tid int, of [][2]int64) [][8]float64 {
	p.t.Helper()
	var list []string
	for _, s := range of {
		list = append(list, fmt.Sprintf(`["%d", "%d"]`, s[0], s[1]))
	}
	return Eval[[][8]float64](p, fmt.Sprintf(`Promise.all([%s].map(async ([from, to]) => {
		const d = await (await fetch(location.pathname.replace("/sets/", "/api/sets/") + "/statistics?begin=" + from + "&end=" + to)).json();
		const all = new Array(8).fill(0);
		for (const s of d.hosts.find((h) => h.host === %q).threads.find((t) => t.tid === %d)?.status ?? []) all[s.code] = s.ns / Number(BigInt(to) - BigInt(from));
		return all;
	}))`, strings.Join(list, ","), host, tid))
}

// drawnShares are, by pixel of a row, the parts that a thread was in each state as they can be drawn: a picture is made of columns of a
// power of two of ns, no wider than a pixel, and each is spread evenly over the pixels that it lies on.
func (p *Page) drawnShares(host string, tid int, begin, end int64, width float64, places []int) map[int][8]float64 {
	p.t.Helper()
	pixel := float64(end-begin) / width
	step := int64(math.Exp2(math.Floor(math.Log2(pixel))))
	var columns [][2]int64
	index := make(map[int64]int)
	each := func(x int, f func(column int64, part float64)) {
		from, to := float64(x)*pixel, float64(x+1)*pixel
		for at := begin + int64(from) - (begin+int64(from))%step; float64(at-begin) < to; at += step {
			f(at, (math.Min(to, float64(at+step-begin))-math.Max(from, float64(at-begin)))/pixel)
		}
	}
	for _, x := range places {
		each(x, func(at int64, _ float64) {
			if _, known := index[at]; !known {
				index[at] = len(columns)
				columns = append(columns, [2]int64{at, at + step})
			}
		})
	}
	shares := p.shares(host, tid, columns)
	out := make(map[int][8]float64)
	for _, x := range places {
		var sum [8]float64
		each(x, func(at int64, part float64) {
			for s, v := range shares[index[at]] {
				sum[s] += v * part
			}
		})
		out[x] = sum
	}
	return out
}

// checkBusyMixes looks at pixels in which the program that holds the lock changed its state again and again.
func checkBusyMixes(t *testing.T, p *Page, c Canvas) {
	t.Helper()
	_, y, _, height := p.threadRow("crunch, thread 206").Box()
	_, _, width, _ := c.Box()
	var begin, end int64
	p.Await("the window in the address", func() (any, bool) {
		b, e, ok := view(t, p)
		begin, end = b, e
		return p.Address(), ok
	})
	var places []int
	for x := int(width / 8); x < int(width*7/8); x += int(width / 16) {
		places = append(places, x)
	}
	shares := p.drawnShares("db", 206, begin, end, width, places)
	mixed := 0
	for _, s := range shares {
		large := 0
		for _, v := range s {
			if v > 0.15 {
				large++
			}
		}
		if large > 1 {
			mixed++
		}
	}
	if mixed < 3 {
		t.Fatalf("of %d pixels %d are of several states", len(places), mixed)
	}
	checkMixes(p, c, y, height, shares)
}

// checkMixes looks at pixels of a row, of which it is told how a thread's states share them: each state that runs has as much of the
// height of a bar as it has of the time and of its own height, they lie on each other, and behind them is what the thread rested in.
func checkMixes(p *Page, c Canvas, y, height float64, shares map[int][8]float64) {
	p.t.Helper()
	const full, rest, blocked = 15, 6, 1
	const near = 1.5 // for both ends of what is drawn are rounded, and it has one row at least
	stack := []struct {
		state int
		high  float64
	}{{2, 1}, {3, 1}, {4, 0.75}, {5, 0.5}, {7, 0.5}}
	p.Await("pixels as the states share them", func() (any, bool) {
		// Of each pixel the states from the bottom up, -1 for the ground.
		drawn := must[map[int][]int](c.Element, pixels(`
			const [y, height, places] = args, d = read(y, y + height), out = {};
			const colors = {1: "--blk", 2: "--user", 3: "--sys", 4: "--irq", 5: "--cpuw", 7: "--fork"};
			const states = Object.entries(colors).map(([state, name]) => [Number(state), color(name)]);
			for (const x of places) {
				out[x] = [];
				for (let row = d.length / 4 / this.width - 1; row >= 0; row--) {
					const at = 4 * (row * this.width + x);
					out[x].push(states.find(([, c]) => c.every((v, k) => v === d[at + k]))?.[0] ?? -1);
				}
			}
			return out;`), y-canvasTop(c), height, slices.Collect(maps.Keys(shares)))
		var wrong []string
		for x, share := range shares {
			var rows [8]int
			inked, ordered, last := 0, true, 0
			for _, s := range drawn[x] {
				if s < 0 {
					continue
				}
				inked++
				if rows[s]++; s != blocked {
					ordered = ordered && s >= last
					last = s
				}
			}
			want, right := 0.0, ordered
			for _, s := range stack {
				high := share[s.state] * s.high * full
				want += high
				right = right && math.Abs(float64(rows[s.state])-high) <= near
			}
			least := 4.0
			if share[blocked] > 0 {
				least = 2
			}
			running := inked - rows[blocked]
			right = right && math.Abs(float64(running)-math.Max(least, want)) <= near
			if share[blocked] > 0.01 {
				right = right && math.Abs(float64(inked)-math.Max(rest, want)) <= near
			}
			if !right {
				wrong = append(wrong, fmt.Sprint(x, ": ", drawn[x], " of ", share))
			}
		}
		return fmt.Sprintf("%d of %d are not: %s", len(wrong), len(shares), strings.Join(wrong, "; ")), len(wrong) == 0
	})
}
