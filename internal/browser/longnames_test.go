package browser

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// Names that begin alike are told apart wherever there is no room for all of them: they give way in the middle, and their last letters stay.
func TestNamesThatBeginAlike(t *testing.T) {
	const begin = "ip-10-0-3-217-production-worker-eu-central-1b-autoscaling-"
	s := newSite(t, ingest.Options{})
	set := s.simulated("alike", strings.NewReplacer("host left", "host "+begin+"left", "host right", "host "+begin+"right", "link left right", "link "+begin+"left "+begin+"right", "from=left to=right", "from="+begin+"left to="+begin+"right").Replace(fmt.Sprintf(pair, "")))
	p := NewPage(t)
	p.Resize(1280, 720)
	// What of some elements is to be seen: the box of their last letters, inside of all that cuts.
	seen := func(css string) string {
		return Eval[string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => {
			const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
			let last = null;
			while (texts.nextNode()) if (texts.currentNode.data.trim()) last = texts.currentNode;
			const range = document.createRange();
			const end = last.data.trimEnd().length;
			range.setStart(last, Math.max(0, end - 4));
			range.setEnd(last, end);
			const box = range.getBoundingClientRect();
			for (let up = last.parentElement; up; up = up.parentElement) {
				const b = up.getBoundingClientRect();
				if (getComputedStyle(up).overflowX !== "visible" && (box.right > b.right + 1 || box.left < b.left - 1)) return "cut by " + up.className + ": " + e.textContent;
			}
			return last.data.trimEnd().slice(-4);
		}).join("|")`, css))
	}
	for _, c := range []struct{ tab, css, want string }{
		{"", ".row.host .name", "left|ight"},
		{"messages", ".matrix tbody th", "left|ight"},
		{"messages", ".matrix thead th:not(.corner, .total)", "left|ight"},
		{"sync", ".graph .node-name", "ight"},
		{"sync", ".graph .node-name", "left"},
		{"sync", ".graph .node-note", " µs"},
		{"events", ".grid-body [role='row'] [role='gridcell']:nth-child(4)", "left"},
		{"events", ".grid-body [role='row'] [role='gridcell']:nth-child(4)", "ight"},
	} {
		p.Open(s.page(set, "?tab="+c.tab))
		p.Await(c.tab+": the ends of names in "+c.css, func() (any, bool) {
			saw := spaces.Replace(seen(c.css))
			return saw, strings.Contains(saw, c.want) && !strings.Contains(saw, "cut by")
		})
	}
	p.Open(s.page(set, "?tab=sync"))
	drawn := p.Canvas("The constraint points").Listen()
	p.Resize(1300, 720)
	p.Await("what the points mean is on the plot", func() (any, bool) {
		_, words := drawn()
		saw := fmt.Sprint(words)
		for _, w := range words {
			if strings.HasSuffix(w.Words, "right cannot be later than these") && strings.Contains(w.Words, "…") {
				return saw, true
			}
		}
		return saw, false
	})
}

// longNamed is of two hosts whose names are alike but for their last digit.
const longNamed = "a-machine-with-a-very-long-name-in-the-rack-of-islands-rk"

func longNamedSite(t *testing.T) (*site, *ingest.Set) {
	t.Helper()
	const begin = longNamed
	s := newSite(t, ingest.Options{})
	return s, s.simulated("long", strings.NewReplacer("host left", "host "+begin+"12", "host right", "host "+begin+"13", "link left right", "link "+begin+"12 "+begin+"13", "from=left to=right", "from="+begin+"12 to="+begin+"13").Replace(fmt.Sprintf(pair, "")))
}

// A long name in a row of the timeline is cut in one place, where its pieces touch, and only as far as what stands beside it needs the room.
func TestLongNamesFillTheirRoom(t *testing.T) {
	s, set := longNamedSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, ""))
	p.Await("two hosts", func() (any, bool) {
		n := Eval[int](p, `document.querySelectorAll(".row.host .name").length`)
		return n, n >= 2
	})
	for i := range 2 {
		p.Await(fmt.Sprintf("name %d without a gap and with all the room", i), func() (any, bool) {
			box := Eval[[]float64](p, fmt.Sprintf(`(() => {
				const row = [...document.querySelectorAll(".row.host")].filter((r) => r.checkVisibility() && r.querySelector(".name").textContent.length > 40)[%d];
				const [cell, note] = [row.querySelector(".name").getBoundingClientRect(), document.createRange()];
				note.selectNodeContents(row.querySelector(".note"));
				return [cell.left, cell.top, note.getBoundingClientRect().left, cell.bottom];
			})()`, i))
			picture, err := png.Decode(bytes.NewReader(p.Picture()))
			if err != nil {
				t.Fatal(err)
			}
			// The widest stretch without ink between the first and the last letter, and what is left behind it, up to the note and its mark.
			gap, last, blank := 0, 0, 0
			ground := color.GrayModel.Convert(picture.At(int(box[0])-2, int(box[1])+1)).(color.Gray).Y
			for x := int(box[0]); x < int(box[2])-18; x++ {
				ink := false
				for y := int(box[1]); y < int(box[3]); y++ {
					d := int(ground) - int(color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y)
					ink = ink || d > 60 || d < -60
				}
				if ink {
					if last > 0 {
						gap = max(gap, blank)
					}
					last, blank = x, 0
				} else {
					blank++
				}
			}
			rest := int(box[2]) - last
			return fmt.Sprintf("a gap of %d px, %d px to the note", gap, rest), last > 0 && gap <= 4 && rest <= 34
		})
	}
}

// A recording may give its host any name. One with line breaks is a line like others, and runs into no row below it.
func TestNamesWithLineBreaks(t *testing.T) {
	s := newSite(t, ingest.Options{})
	odd := strings.NewReplacer(`hostname="a"`, `hostname="the first line\nthe second one\tof three\r\nand the last"`, `hostname="b"`, `hostname="short\none"`)
	set := s.written("odd", odd.Replace(slow))
	for _, c := range []struct{ tab, name string }{{"", ".row.host .name"}, {"messages", ".matrix tbody th"}} {
		p := NewPage(t)
		p.Open(s.page(set, "?tab="+c.tab))
		p.Await("names in one line: "+c.name, func() (any, bool) {
			saw := Eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()).map((e) => {
				const text = document.createRange();
				text.selectNodeContents(e);
				const high = text.getBoundingClientRect().height;
				return (high < 24 ? "one line: " : "not of one line: ") + e.textContent;
			})`, c.name))
			lines := strings.Join(saw, "; ")
			return lines, strings.Contains(lines, "one line: the first line the second") && strings.Contains(lines, "one line: short") && !strings.Contains(lines, "not of one line")
		})
	}
}

// The choice of a host among the events tells long names apart, in its list and in its box.
func TestChoiceOfLongNames(t *testing.T) {
	s, set := longNamedSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 10 })
	options := func(want string) {
		t.Helper()
		p.Await("hosts to choose from "+want, func() (any, bool) {
			got := Eval[string](p, `[...document.querySelector("#events select").options].map((o) => o.text + (o.selected ? "*" : "")).join(" ")`)
			return got, got == want
		})
	}
	options("all* a-machine-with-a…islands-rk12 a-machine-with-a…islands-rk13")
	p.Find("combobox", "Host").Choose("a-machine-with-a…islands-rk13")
	options("all a-machine-with-a…islands-rk12 a-ma…rk13*")
	p.Await("the events of the second", func() (any, bool) {
		rows := p.listed()
		return rows, len(rows) > 10 && rows[0][3] == longNamed+"13"
	})
}

// sharedDomain is of six hosts whose names differ neither at their begins nor at their ends, two by two in groups.
func sharedDomain(t *testing.T) (*site, *ingest.Set) {
	t.Helper()
	name := func(i int) string {
		return fmt.Sprintf("web-server-of-the-shop-%d.frankfurt.eu-central.example.com", i)
	}
	var text strings.Builder
	text.WriteString("scenario shop \"Six machines of one domain\"\nduration 10s\n\n")
	for i := 1; i <= 6; i++ {
		fmt.Fprintf(&text, "host %s\n  clock offset=-2s..2s rate=%d\n", name(i), 20*i-70)
	}
	for i := 1; i <= 6; i += 2 {
		fmt.Fprintf(&text, "link %s %s propagation=8us rate=1Gbps queue=512KiB jitter=3us\nworkload pingpong from=%s to=%s period=50ms\n", name(i), name(i+1), name(i), name(i+1))
	}
	s := newSite(t, ingest.Options{})
	return s, s.simulated("domain", text.String())
}

// Hosts of one domain are told from each other wherever there is no room for their names: what they have in common is what is left out.
func TestNamesOfOneDomain(t *testing.T) {
	s, set := sharedDomain(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	// The digits that tell them, of those that are to be seen, in their order.
	told := func(css string) string {
		return Eval[string](p, fmt.Sprintf(`(() => {
		const right = (e) => e.getBoundingClientRect().right;
		const inSight = (e) => {
			for (let up = e.parentElement; up; up = up.parentElement) if (getComputedStyle(up).overflowX !== "visible" && right(e) > right(up)) return false;
			return true;
		};
		return [...document.querySelectorAll(%q)].filter((e) => e.textContent.startsWith("web-") && inSight(e)).map((e) => {
			const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
			while (texts.nextNode()) {
				const text = texts.currentNode;
				const at = text.data.search(/\d(\.|…|$)/);
				if (at < 0) continue;
				const range = document.createRange();
				range.setStart(text, at);
				range.setEnd(text, at + 1);
				const box = range.getBoundingClientRect();
				for (let up = text.parentElement; up; up = up.parentElement) {
					const b = up.getBoundingClientRect();
					if (getComputedStyle(up).overflowX !== "visible" && (box.right > b.right + 1 || box.left < b.left - 1)) return "-";
				}
				return text.data[at];
			}
			return "-";
		}).sort().join("");
		})()`, css))
	}
	for _, c := range []struct{ tab, css, want string }{
		{"", "[aria-label='Control flow'] .row.host .name", "123"}, // of the others there is no row in sight
		{"messages", ".matrix tbody th", "123456"},
		{"messages", ".matrix thead th:not(.corner, .total)", "1234"}, // the others are scrolled out of sight
		{"sync", ".graph .node-name", "123456"},
	} {
		p.Open(s.page(set, "?window=all&tab="+c.tab))
		p.Await(c.tab+": what tells the hosts in "+c.css, func() (any, bool) {
			got := told(c.css)
			return got, strings.HasPrefix(got, c.want) && !strings.Contains(got, "-")
		})
	}
	p.Open(s.page(set, "?window=all&tab=events"))
	p.Await("what tells the hosts of events", func() (any, bool) {
		got := told(".grid-body [role='row'] [role='gridcell']:nth-child(4)")
		return got, len(got) > 10 && !strings.Contains(got, "-")
	})
}

// In a graph of hosts in rows no words lie on others, however much there is to say of a host.
func TestWordsOfIslandsInRows(t *testing.T) {
	s, set := sharedDomain(t)
	p := NewPage(t)
	for _, size := range [][2]int64{{1280, 720}, {1920, 1080}} {
		p.Resize(size[0], size[1])
		p.Open(s.page(set, "?tab=sync"))
		p.Await("six hosts with words apart", func() (any, bool) {
			got := Eval[[]string](p, `(() => {
				const words = [...document.querySelectorAll(".graph text")].filter((t) => t.textContent.trim());
				const boxes = words.map((t) => t.getBoundingClientRect());
				const on = [];
				boxes.forEach((a, i) => boxes.slice(0, i).forEach((b, k) => {
					if (a.left < b.right - 6 && b.left < a.right - 6 && a.top < b.bottom - 4 && b.top < a.bottom - 4) on.push(words[i].textContent + " on " + words[k].textContent);
				}));
				return [String(document.querySelectorAll(".graph .node-name").length), ...on];
			})()`)
			return got, len(got) == 1 && got[0] == "6"
		})
		if said := must[string](p.Find("region", "Graph of hosts and links"), "function() { return this.textContent }"); !strings.Contains(said, "not related") && !strings.Contains(said, ", not ") {
			t.Errorf("of hosts that nothing relates to the reference nothing is said: %s", said)
		}
	}
	p.Resize(1280, 720)
	p.Open(s.page(set, "?window=all"))
	p.Says("Nothing relates the clocks of 3 groups of hosts")
}

// Names of hosts as machines have them leave room for all columns of the slowest requests in a small window: they take two lines there.
func TestRequestsOfLongNamesFit(t *testing.T) {
	s := newSite(t, ingest.Options{})
	const a, b = "frontend-eu-west-1", "payments-db-02"
	set := s.simulated("named", strings.NewReplacer("host left", "host "+a, "host right", "host "+b, "link left right", "link "+a+" "+b, "from=left to=right", "from="+a+" to="+b).Replace(fmt.Sprintf(pair, "")))
	p := NewPage(t)
	p.Resize(1240, 720)
	p.Open(s.page(set, "?tab=messages"))
	p.Says("requests over TCP")
	p.Await("all columns within their room", func() (any, bool) {
		wide := Eval[[]float64](p, `(() => {
			const part = document.querySelector("#messages .requests"), cell = part.querySelector("tbody tr td:last-child");
			return cell ? [part.getBoundingClientRect().right, cell.getBoundingClientRect().right, part.getBoundingClientRect().left] : [0, 0, 0];
		})()`)
		return wide, wide[1] > wide[2]+500 && wide[1] <= wide[0]
	})
}
