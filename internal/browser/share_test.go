package browser

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"synchroscope/ingest"
	"synchroscope/sync/network"
)

// kept collects what the page gives to be saved or copied, instead of a folder of downloads and a clipboard.
const kept = `(() => {
	window.kept = [];
	window.blobs = {};
	const make = URL.createObjectURL;
	URL.createObjectURL = (blob) => { const url = make(blob); window.blobs[url] = blob; return url; };
	HTMLAnchorElement.prototype.click = function () { window.kept.push([this.download, this.href]); };
	Clipboard.prototype.writeText = async (s) => { window.kept.push(["", s]); };
	return true;
})()`

// take runs a command of the palette and returns the name and the address of what it gives.
func (p *Page) take(typed, command string) (name, address string) {
	p.t.Helper()
	Eval[bool](p, "(window.kept.length = 0, true)")
	p.palette(typed, command)
	p.strike("Enter", 0)
	var got []string
	p.Await(command+" to give something", func() (any, bool) {
		all := Eval[[][]string](p, "window.kept")
		if len(all) == 1 {
			got = all[0]
		}
		return all, len(all) == 1
	})
	return got[0], got[1]
}

// What is on screen is taken away as a picture of pixels and of lines, with its names, and the window as tables and as a link.
func TestShare(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.watch()
	p.threadRow("dbwork, thread 205")
	c := p.Canvas("Control flow")
	p.Await("states", func() (any, bool) { n := c.Count("--user"); return n, n > 1000 })
	p.sharp() // or it is drawn finer while its pixels are counted
	Eval[bool](p, kept)

	clocks := clocksOf(t, set)
	first, last := p.settled()
	file := fmt.Sprintf("shop-4hosts-timeline-%d-%d", first, last)
	name, address := p.take("picture png", "Save the timeline as a picture (PNG)")
	if name != file+".png" {
		t.Errorf("the picture is called %s", name)
	}
	users := c.Count("--user")
	pictured := Eval[[]int](p, fmt.Sprintf(`(async () => {
		const image = await createImageBitmap(window.blobs[%q]);
		const g = new OffscreenCanvas(image.width, image.height).getContext("2d");
		g.drawImage(image, 0, 0);
		const words = getComputedStyle(document.documentElement).getPropertyValue("--user").trim();
		const [r, b, l] = /^#(..)(..)(..)$/.exec(words).slice(1).map((h) => parseInt(h, 16));
		const d = g.getImageData(0, 0, image.width, image.height).data;
		let n = 0;
		for (let i = 0; i < d.length; i += 4) if (d[i] === r && d[i + 1] === b && d[i + 2] === l) n++;
		return [image.width, n];
	})()`, address))
	if width := Eval[int](p, `document.querySelector(".plot").clientWidth`); pictured[0] < width || pictured[1] < users {
		t.Errorf("a picture %d wide with %d pixels of user space; the page is %d wide and draws %d of them", pictured[0], pictured[1], width, users)
	}

	name, address = p.take("drawing svg", "Save the timeline as a drawing (SVG)")
	if name != file+".svg" {
		t.Errorf("the drawing is called %s", name)
	}
	drawing := Eval[map[string]any](p, fmt.Sprintf(`(async () => {
		const doc = new DOMParser().parseFromString(await window.blobs[%q].text(), "image/svg+xml");
		const user = getComputedStyle(document.documentElement).getPropertyValue("--user").trim();
		let area = 0;
		for (const r of doc.querySelectorAll("rect[fill='" + user + "']")) area += r.getAttribute("width") * r.getAttribute("height");
		return {
			broken: doc.querySelector("parsererror")?.textContent ?? "", area,
			images: doc.querySelectorAll("image").length, lines: doc.querySelectorAll("path").length,
			words: [...doc.querySelectorAll("text")].map((x) => x.textContent).join("|"),
		};
	})()`, address))
	words := drawing["words"].(string)
	for _, want := range []string{"crunch", "dbwork", "Control flow", "Communication", "by the clock of web", "waiting for a CPU", "|CPUs:|unknown|idle|", "|soft interrupt|"} {
		if !strings.Contains(words, want) {
			t.Errorf("the drawing has no %q: %.400s", want, words)
		}
	}
	// Beside a host stands its bound, whole and without what is heard alone.
	if !regexp.MustCompile(`\|±\pZ\d+\pZµs\|`).MatchString(words) || strings.Contains(words, "µ…") {
		t.Errorf("the bounds of hosts in the drawing: %s", words)
	}
	if drawing["broken"] != "" || drawing["images"] != 0.0 || drawing["area"].(float64) < float64(users) || drawing["lines"].(float64) < 100 {
		t.Errorf("the drawing: %v images, %v lines, %v of user space beside %d pixels, %v", drawing["images"], drawing["lines"], drawing["area"], users, drawing["broken"])
	}
	if now := c.Count("--user"); now != users {
		t.Errorf("after that the page draws %d pixels of user space, not %d", now, users)
	}

	// Rows that are pinned are on it too.
	p.Press("p")
	top := p.Canvas("Pinned rows")
	p.Await("the pinned row", func() (any, bool) { n := top.Count("--blk"); return n, n > 1000 })
	_, address = p.take("drawing svg", "Save the timeline as a drawing (SVG)")
	if panes := Eval[int](p, fmt.Sprintf(`(async () => {
		const doc = new DOMParser().parseFromString(await window.blobs[%q].text(), "image/svg+xml");
		const blk = getComputedStyle(document.documentElement).getPropertyValue("--blk").trim();
		return [...doc.querySelectorAll("g[clip-path]")].filter((g) => g.querySelector("rect[fill='" + blk + "']")).length;
	})()`, address)); panes < 2 {
		t.Errorf("%d panes of the drawing show blocked threads, not those of all rows and of the pinned one", panes)
	}

	// So are a selection, the mark and the step of a bound; what the heads say of messages, and a name that is cut before the time is.
	if err := set.Rename(strings.Repeat("a long name of a set, ", 9)); err != nil {
		t.Fatal(err)
	}
	p.Says("a long name of a set")
	from := clocks.at("db", demoFocus.Begin)
	if _, err := set.AddBookmark(ingest.Bookmark{Host: 2, TID: -1, Time: from - 9_000_000_000, Text: "here"}); err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, fmt.Sprintf("?time=raw&begin=%d&end=%d&selection=%d~%d&mark=2~%d", from-10_000_000_000, from, from-8_000_000_000, from-6_000_000_000, from-4_000_000_000)))
	p.Matches(`⚠ [\d ]+ received before sent`)
	p.Matches(`bundles( of up to [\d.]+ \S+)?: `)
	p.wantFlags("a flag", ".axis", func(x []float64) bool { return len(x) == 1 })
	Eval[bool](p, kept)
	_, address = p.take("drawing svg", "Save the timeline as a drawing (SVG)")
	over := Eval[map[string]any](p, fmt.Sprintf(`(async () => {
		const doc = new DOMParser().parseFromString(await window.blobs[%q].text(), "image/svg+xml");
		const root = document.body.appendChild(document.importNode(doc.documentElement, true));
		const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
		const brush = root.querySelector("rect[fill='" + css("--brush").slice(0, 7) + "'][fill-opacity]").getBBox();
		const [head] = root.querySelectorAll("text");
		const out = {
			words: [...root.querySelectorAll("text")].map((x) => x.textContent).join("|"), brush: [brush.x, brush.width],
			plot: document.querySelector(".overlay").getBoundingClientRect().width, tree: document.querySelector(".overlay").offsetLeft,
			mark: root.querySelectorAll("path[stroke-dasharray][stroke='" + css("--accent") + "']").length,
			flags: root.querySelectorAll("path[fill='" + getComputedStyle(document.querySelector(".axis .bookmark path")).fill + "']").length,
			trimmed: [...root.querySelectorAll("text")].filter((x) => x.textContent !== x.textContent.trim() && x.getNumberOfChars() < x.textContent.length).length,
			head: [head.textContent, head.getBBox().x + head.getBBox().width, Number(root.getAttribute("width"))],
		};
		root.remove();
		return out;
	})()`, address))
	words = over["words"].(string)
	for _, pattern := range []string{`\|⚠ [\d ]+ received before sent\|`, `\|bundles( of up to [\d.]+ \S+)?: \|`, `\|2\.000\d* s\|`, `\|mark · db$`} {
		if !regexp.MustCompile(pattern).MatchString(spaces.Replace(words)) {
			t.Errorf("the drawing has no %s: %s", pattern, words)
		}
	}
	brush, plot, tree := over["brush"].([]any), over["plot"].(float64), over["tree"].(float64)
	if x, w := brush[0].(float64)-tree, brush[1].(float64); math.Abs(x-0.2*plot) > 2 || math.Abs(w-0.2*plot) > 2 || over["mark"] != 1.0 || over["flags"] != 1.0 {
		t.Errorf("the selection is drawn from %v on, %v wide, of %v; the mark %v times, the flag %v", x, w, plot, over["mark"], over["flags"])
	}
	if over["trimmed"] != 0.0 {
		t.Errorf("%v words in the drawing are drawn without the spaces at their ends", over["trimmed"])
	}
	if head := over["head"].([]any); !strings.Contains(head[0].(string), "every host by its own clock") || head[1].(float64) > head[2].(float64) {
		t.Errorf("the head is %q, up to %v of %v", head[0], head[1], head[2])
	}

	begin, end, _ := view(t, p)
	for what, command := range map[string]string{"states": "Save what every thread did in the window (CSV)", "messages": "Save the messages of the window (CSV)"} {
		_, address := p.take(command, command)
		u, err := url.Parse(address)
		if err != nil || !strings.HasSuffix(u.Path, "/"+what+".csv") || u.Query().Get("begin") != fmt.Sprint(begin) || u.Query().Get("end") != fmt.Sprint(end) || u.Query().Get("local") != "1" {
			t.Errorf("the %s are at %s", what, address)
		}
	}

	_, link := p.take("copy link", "Copy a link to this view")
	p.Says("The link to this view is copied.")
	if title := Eval[string](p, `document.querySelector("#status [role=status]").title`); title != "The link to this view is copied." {
		t.Errorf("who points at what was said sees %q", title)
	}
	if link != p.Address() {
		t.Errorf("the link is %s, the address %s", link, p.Address())
	}
}

// However narrow a picture is, its legend stands on it from end to end.
func TestLegendOfANarrowPicture(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	Eval[bool](p, kept)
	heights := make(map[int64]float64)
	for _, width := range []int64{1440, 700, 420} {
		p.Resize(width, 700)
		p.frame()
		_, address := p.take("drawing svg", "Save the timeline as a drawing (SVG)")
		saw := Eval[map[string]any](p, fmt.Sprintf(`(async () => {
			const plot = document.querySelector(".plot").getBoundingClientRect().height;
			const box = document.createElement("div");
			box.innerHTML = (await window.blobs[%q].text()).replace(/^<\?.*\?>/, "");
			document.body.append(box);
			const root = box.querySelector("svg");
			const [w, h] = [root.width.baseVal.value, root.height.baseVal.value];
			const legend = ["unknown", "blocked", "user space", "system call", "waiting for a CPU"].map((words) => [...root.querySelectorAll(":scope > text")].filter((x) => x.textContent === words).at(-1));
			const cut = legend.filter((x) => !x || x.getBBox().x + x.getBBox().width > w || x.getBBox().y + x.getBBox().height > h).length;
			box.remove();
			return { cut, width: w, below: h - plot };
		})()`, address))
		if saw["cut"] != 0.0 {
			t.Errorf("in a window %d wide of the legend some is cut, or not there: %v", width, saw)
		}
		heights[width] = saw["below"].(float64)
		_, address = p.take("picture png", "Save the timeline as a picture (PNG)")
		pictured := Eval[float64](p, fmt.Sprintf(`(async () => (await createImageBitmap(window.blobs[%q])).height - document.querySelector(".plot").getBoundingClientRect().height)()`, address))
		if d := pictured - saw["below"].(float64); d < -1 || d > 1 {
			t.Errorf("in a window %d wide the picture is higher than the drawing by %v", width, d)
		}
	}
	if heights[700] <= heights[1440] || heights[420] <= heights[700] {
		t.Errorf("what is above and below the rows is as high in narrow pictures as in wide ones: %v", heights)
	}
}

// A set that is taken away whole and dropped on the first page of another server is there as it was, with its bookmark, and no trace was read.
func TestWholeSet(t *testing.T) {
	s, set := demoSite(t)
	const note = "the lock is taken here"
	if _, err := set.AddBookmark(ingest.Bookmark{Host: 2, TID: 205, Time: 1795229345_400000000, Text: note}); err != nil {
		t.Fatal(err)
	}
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	Eval[bool](p, kept)
	_, address := p.take("whole archive", "Save the whole set as one archive")
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if got := response.Header.Get("Content-Disposition"); got != "attachment; filename=shop-4hosts.synchroscope.tar.zst" {
		t.Errorf("kept as %s", got)
	}
	path := filepath.Join(t.TempDir(), "shop-4hosts.synchroscope.tar.zst")
	f, err := os.Create(path)
	if err == nil {
		_, err = io.Copy(f, response.Body)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}

	other := newSite(t, ingest.Options{})
	p.Open(other.url)
	p.Find("heading", "New trace set")
	p.Upload("Trace archives", path)
	p.Await("rows of all four machines", func() (any, bool) {
		got := Eval[[]string](p, `[...document.querySelectorAll(".row.host .name")].map((n) => n.textContent)`)
		return got, len(got) >= 4
	})
	p.Says("3 220 threads")
	p.Press("B")
	p.Find("dialog", "Bookmarks")
	p.Says(note)
	p.Says("on " + set.Hosts()[2].Name())
	sets := other.engine.Sets()
	if len(sets) != 1 {
		t.Fatalf("there are %d sets", len(sets))
	}
	if name := sets[0].Status().Name; name != set.Status().Name {
		t.Errorf("there it is called %q, here %q", name, set.Status().Name)
	}
	for _, stage := range sets[0].Stages() {
		if stage.Name == "read" {
			t.Error("its traces were read")
		}
	}
}

// Rows that were brought in sight with a selected one stay where they are when another is selected, also for whoever opens the address.
func TestLinkAfterOtherRow(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all&row=2.205"))
	first := func() string {
		return Eval[string](p, `(() => {
			const pane = [...document.querySelectorAll(".pane")].find((e) => e.querySelector("h2").textContent === "Control flow");
			const [tree, below] = [pane.querySelector(".scroller").getBoundingClientRect(), pane.querySelector("[role=treegrid]")];
			const rows = [...below.querySelectorAll("[role=row]")].filter((e) => e.checkVisibility()).map((e) => [e.title, Math.round(e.getBoundingClientRect().top - tree.top)]);
			return JSON.stringify(rows.sort((a, b) => a[1] - b[1]).slice(0, 6));
		})()`)
	}
	p.threadRow("crunch, thread 206").Click()
	p.Says("crunch · 206")
	p.Await("the rows in the address", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "top=") && strings.Contains(p.Address(), "row=2.206")
	})
	want := first()
	p.Open(p.Address())
	p.Says("crunch · 206")
	p.Await("the same rows in sight: "+want, func() (any, bool) { got := first(); return got, got == want })
}

// A link shows the same when somebody chose another reference since it was copied, by which all its times are others.
func TestLinkUnderAnotherReference(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.205&selection=1795229355300000000~1795229355400000000"))
	p.Says("blocked in wait4")
	p.Await("whose times they are in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "?by=web&begin=") })
	link := p.Address()
	before := clocksOf(t, set)
	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "cache"}); err != nil {
		t.Fatal(err)
	}
	other := NewPage(t)
	other.Open(link)
	other.Says("blocked in wait4")
	const since, until = 1795229345_243_699_343, 1795229345_696_946_739 // by the clock of db
	lasted := func(c clocks) string { return inMillis(c.at("db", until) - c.at("db", since)) }
	if web, cache := lasted(before), lasted(clocksOf(t, set)); web <= cache {
		t.Errorf("the wait lasted %s by the clock of web, and %s by that of cache, which runs slower", web, cache)
	}
	other.Says(lasted(clocksOf(t, set)))
	other.Await("the address by the other clock", func() (any, bool) { return other.Address(), strings.Contains(other.Address(), "?by=cache&begin=") })
	begin, end, _ := view(t, other)
	if by := begin - 1795229355186453488; by < 3592_996_000_000 || by > 3593_000_000_000 || end-begin != 570085253 {
		t.Errorf("the window is from %d to %d, later by %d", begin, end, by)
	}
	// An address without that, as one typed by hand, is taken as it is.
	other.Open(strings.Replace(other.Address(), "by=cache&", "", 1))
	other.Says("blocked in wait4")
}

// A link that is opened while its set is imported leads, when that is done, to where it leads then: clocks that were not known well yet, and
// others that were the reference meanwhile, leave nothing behind.
func TestLinkWhileImporting(t *testing.T) {
	s, hold := slowedSite(t, 8)
	set := s.add("shop", demoArchive)
	const link = "?by=cache&begin=1795232948184453488&end=1795232948754538741"
	p := NewPage(t)
	p.Open(s.page(set, link))
	p.Says("events/s")
	hold.letGo()
	s.ready(set)
	p.Says("final")
	other := NewPage(t)
	other.Open(s.page(set, link))
	other.Says("final")
	other.Await("the address by the reference", func() (any, bool) { return other.Address(), strings.Contains(other.Address(), "?by=web&begin=") })
	begin, end, _ := view(t, other)
	p.Await("the same window", func() (any, bool) {
		from, to, ok := view(t, p)
		return fmt.Sprintf("%d ns later, to %d ns later", from-begin, to-end), ok && from == begin && to == end
	})
}

// Nothing is said to be on its way that a server which is away, or has the set no more, does not send.
func TestNothingOnItsWay(t *testing.T) {
	s, set := demoSite(t)
	var away atomic.Bool
	s.between = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if away.Load() && strings.HasPrefix(r.URL.Path, "/api/") {
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	}
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.watch()
	p.threadRow("dbwork, thread 205")
	Eval[bool](p, kept)
	away.Store(true)
	for _, command := range []string{"Save the messages of the window (CSV)", "Save the whole set as one archive"} {
		p.palette(command, command)
		p.strike("Enter", 0)
		p.Says("The server cannot be reached.")
		p.Await("no promise", func() (any, bool) {
			words := p.Find("contentinfo", "").Text()
			return words, !strings.Contains(words, "on their way") && !strings.Contains(words, "on its way")
		})
	}
	away.Store(false)
	if _, address := p.take("messages csv", "Save the messages of the window (CSV)"); !strings.Contains(address, "/messages.csv?") {
		t.Errorf("what is kept is %s", address)
	}
	p.Says("The messages of the window are on their way.")
}
