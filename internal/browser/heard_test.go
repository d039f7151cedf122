package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// heard is all that the page has the screen read out now.
func (p *Page) heard() string {
	p.t.Helper()
	return spaces.Replace(Eval[string](p, `[...document.querySelectorAll("[role=status], [role=alert], [aria-live]")].filter((e) => !e.closest("[hidden], [aria-hidden=true]")).map((e) => e.textContent).join("|")`))
}

// Who goes through the rows by keys, without seeing the drawing, hears what each does; the tree says how many rows there are, how
// deep each lies and whether it is open, and the import tells how far it is, every tenth, but not more often than one can listen.
func TestHeard(t *testing.T) {
	s, hold := slowedSite(t, 8) // until somebody listens
	p := NewPage(t)
	set := s.add("heard", demoArchive)
	p.Open(s.page(set, ""))
	Eval[bool](p, `(() => {
		window.said = [];
		new MutationObserver(() => {
			for (const e of document.querySelectorAll("[role=status]")) if (/^Import: |import is finished/.test(e.textContent) && window.said.at(-1)?.words !== e.textContent) window.said.push({words: e.textContent, at: performance.now()});
		}).observe(document.getElementById("status"), {subtree: true, childList: true, characterData: true});
		return true;
	})()`)
	hold.letGo()
	s.ready(set)
	p.Await("the end of the import to be heard", func() (any, bool) {
		got := Eval[[]string](p, "window.said.map((s) => s.words)")
		return got, len(got) > 0 && got[len(got)-1] == "The import is finished."
	})
	if hasty := Eval[[]string](p, "window.said.slice(0, -1).filter((s, i) => i > 0 && s.at - window.said[i - 1].at < 3500).map((s) => s.words)"); len(hasty) > 0 {
		t.Errorf("while one listened to another was said %q", hasty)
	}

	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.205"))
	p.threadRow("dbwork, thread 205")
	p.Await("what the thread did", func() (any, bool) {
		got := p.heard()
		return got, strings.Contains(got, "dbwork 205 on db: blocked in wait4, for 453.")
	})
	// How rows are arranged by keys is heard, too.
	for _, c := range [][2]string{
		{"o", "Rows that run in view, by name, the smallest on top."}, {"O", "Rows that run in view, by name, the largest on top."},
		{"p", "dbwork · 205 stays on top."}, {"p", "dbwork · 205 scrolls with the others."}, {"l", "In Communication hosts open to their connections."}, {"l", "In Communication hosts open to their threads."},
	} {
		p.Press(c[0])
		p.Await(c[1], func() (any, bool) { got := p.heard(); return got, strings.Contains(got, c[1]) })
	}
	p.Press("O")
	p.Press("o")
	p.Press("o")
	p.Press("o")
	p.Press("o")
	// A drawing takes the focus, says its keys, and heeds them.
	chart := p.Find("application", "Control flow: chart")
	if keys := chart.State("description"); !strings.HasPrefix(keys, "W and S zoom") {
		t.Errorf("the chart says %q", keys)
	}
	chart.Focus()
	p.Press("+")
	p.Await("a narrower window", func() (any, bool) {
		begin, end, ok := view(t, p)
		return end - begin, ok && end-begin < 500e6
	})
	p.Press("Backspace")
	tree := p.Find("treegrid", "Control flow: rows")
	tree.Focus()
	p.Press("ArrowDown")
	p.Await("what the next one did", func() (any, bool) {
		got := p.heard()
		return got, strings.Contains(got, "crunch 206 on db: running in user space")
	})
	active := Eval[[]string](p, `(() => {
		const tree = document.querySelector('[role=treegrid][aria-label^="Control flow"]');
		const row = document.getElementById(tree.getAttribute("aria-activedescendant"));
		return [tree.getAttribute("aria-rowcount"), row.getAttribute("role"), row.getAttribute("aria-level"), row.getAttribute("aria-selected"), row.querySelector(".name").textContent];
	})()`)
	if active[0] == "0" || strings.Join(active[1:], " ") != "row 2 true crunch" {
		t.Errorf("the tree has %q", active)
	}
	p.Await("how it spends the window", func() (any, bool) {
		got := Eval[string](p, `document.querySelector('[role=treegrid][aria-label^="Control flow"] [aria-selected=true]').getAttribute("aria-description") ?? ""`)
		return got, regexp.MustCompile(`^user space [5-9]\d.%, .*\d.%$`).MatchString(got)
	})
	p.Press("Escape")
	p.Await("no word of a state that is selected no more", func() (any, bool) {
		got := p.heard()
		return got, !strings.Contains(got, "crunch 206 on db")
	})
}

// Who listens is not talked over: what passes under the pointer, states that are gone through fast and a window on its way are
// not said, what stays is.
func TestHeardWhatStays(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.205"))
	crunch := p.threadRow("crunch, thread 206")
	p.Await("what the thread did", func() (any, bool) {
		got := p.heard()
		return got, strings.Contains(got, "dbwork 205 on db: blocked in wait4")
	})
	Eval[bool](p, `(() => {
		window.said = [];
		for (const e of document.querySelectorAll("[role=status], output")) new MutationObserver(() => e.textContent && !e.hidden && said.push(e.textContent)).observe(e, {childList: true, characterData: true, subtree: true});
		return true;
	})()`)
	said := func(what, words string, most int) {
		t.Helper()
		p.Await(what+" to be heard", func() (any, bool) {
			got := spaces.Replace(strings.Join(Eval[[]string](p, "said"), "|"))
			return got, strings.Contains(got, words)
		})
		if got := Eval[[]string](p, "said.splice(0)"); len(got) > most {
			t.Errorf("of %s was said %q, of which only the last stayed", what, got)
		}
	}
	left, _, width, _ := p.Canvas("Control flow").Box()
	_, y, _, height := crunch.Box()
	// In the page's own time, so that nothing stays for as long as it takes to be said.
	Eval[bool](p, fmt.Sprintf(`(() => {
		const over = document.elementFromPoint(%f, %f);
		for (let i = 0; i < 60; i++) over.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: %f + 8 * i, clientY: %f + 22 * (i %% 4)}));
		return true;
	})()`, left+width*0.2, y+height/2, left+width*0.2, y+height/2))
	p.Point(left+width/2, y+height/2)
	said("what the pointer passed by", "crunch · 206: running in user space", 2)
	p.Point(5, 5)
	p.plus(9)
	said("where the window is", "Window from 6.", 2)
	p.Press("Home")
	said("the whole set", "Window: the whole set", 1)
	p.Press("/")
	p.Find("searchbox", "Filter rows by name, thread id or an expression").Type("crunch")
	// Which of them run in the whole set may be known after which there are.
	said("how many rows the filter leaves", "15 fit", 3)
	p.Press("Escape")
	p.Press("Escape")
	said("that all are there again", "threads, ", 2)

	// On another page nothing of it stays to be read.
	p.Find("tab", "State").Click()
	p.Await("no word of the timeline", func() (any, bool) {
		got := p.heard()
		return got, !strings.Contains(got, "Window") && !strings.Contains(got, "dbwork 205")
	})
	said("what State shows", "Threads/205 is ", 2)
	p.Find("tab", "Timeline").Click()
	said("where one is back", "Window: the whole set", 2) // and what is selected

	// What is gone through on other pages is not said either, but for what stays.
	often := func(what, selector, key, words string) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			n := Eval[int](p, fmt.Sprintf("document.querySelectorAll(%q).length", selector))
			return n, n > 0
		})
		Eval[int](p, "said.splice(0).length")
		Eval[bool](p, fmt.Sprintf(`(async () => {
			const e = document.querySelector(%q);
			for (let i = 0; i < 30; i++) {
				e.focus();
				e.dispatchEvent(new KeyboardEvent("keydown", {key: %q, bubbles: true, cancelable: true}));
				await new Promise((done) => setTimeout(done, 20));
			}
			return true;
		})()`, selector, key))
		if words != "" {
			said(what, words, 1)
			return
		}
		if got := Eval[[]string](p, "said.splice(0)"); len(got) > 0 {
			t.Errorf("%s: was said %q", what, got)
		}
	}
	p.Find("tab", "Synchronization").Click()
	often("instants of the errors", "#sync .oferrors [role=slider]", "ArrowRight", "s: cache ± ")
	p.Await("messages of the link", func() (any, bool) {
		n := p.Canvas("The constraint points").Count("--sys")
		return n, n > 100
	})
	often("messages of the link", "#sync .ofpoints .canvas", ".", "Enter or a click shows it")
	often("parts of the link", "#sync .ofpoints .canvas", "+", " s on.")
	p.Find("tab", "Events").Click()
	often("the events", "#events [role=grid] [aria-rowindex='9']", "ArrowDown", "")
	p.Find("tab", "Timeline").Click()

	for _, name := range []string{"Height of Communication", "Height of Resources", "Width of the row names", "Width of the inspector"} {
		line := p.Find("separator", name)
		now, most := line.State("valuenow"), line.State("valuemax")
		if line.State("valuetext") != now+" pixels" || len(most) < 3 || line.State("valuemin") == "" {
			t.Errorf("%s is at %s of %s, %q", name, now, most, line.State("valuetext"))
		}
	}
}

// A message that is chosen by keys is said, and where those that follow are bundled it is not said that there is none.
func TestHeardMessages(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355356538741&row=3.229"))
	p.threadRow("wget, thread 229")
	p.Says("78 messages in view")
	p.Press("m")
	p.Await("the message", func() (any, bool) {
		got := p.heard()
		return got, regexp.MustCompile(`Chosen: message cache → web, httpd · 226 → wget · 229, sent 5\.987 \d{3} \d{3} s, received 5\.987 \d{3} \d{3} s, latency 239 ± 141 µs, size 52 B\.`).MatchString(got)
	})
	p.Press("Home")
	p.Says("10 684 messages in view")
	p.rest()
	p.Press("M")
	p.Await("that those before are bundled", func() (any, bool) {
		got := p.heard()
		return got, strings.Contains(got, "The earlier messages in view are bundled: zoom in to choose one.") && strings.Contains(got, "sent 5.987 ")
	})
	p.Press("Escape")
	p.Await("no message any more", func() (any, bool) { got := p.heard(); return got, !strings.Contains(got, "Chosen") })
}

// What is heard of the chosen message is what is shown of it, also once clocks are others and how two of them lie to each other is known anew.
func TestHeardMessageByOtherClocks(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "") + "?by=web&begin=1795229369988116349&end=1795229370023116349&message=1~1795229362990428647~3~1795229370002543389")
	said, shows := regexp.MustCompile(`Chosen: message client → web, .*, latency ([^,]*), size`), regexp.MustCompile(`Latency\s+(\S+ ± \S+ \S+)`)
	alike := func(reference string) {
		t.Helper()
		p.AwaitRest("the latency that is shown, by "+reference, func() (string, bool) {
			shown := shows.FindStringSubmatch(spaces.Replace(p.Find("complementary", "What is selected").Text()))
			heard := said.FindStringSubmatch(p.heard())
			by := Eval[string](p, `new URLSearchParams(location.search).get("by")`)
			return fmt.Sprint(by, shown, heard), by == reference && shown != nil && heard != nil && shown[1] == heard[1]
		})
	}
	alike("web")
	if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: JSON.stringify({reference: "db"})}).then((r) => r.status)`, set.ID())); code != 200 {
		t.Fatalf("status %d", code)
	}
	alike("db")
}

// What is chosen in the timeline is not read out on another tab, whatever the clocks become there; back on it what is heard is what is shown.
func TestHeardOfATimelineThatIsHidden(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355356538741&row=3.229"))
	p.threadRow("wget, thread 229")
	p.Says("78 messages in view")
	p.Press("m")
	latency, chosen := regexp.MustCompile(`Latency\s+(\S+ ± \S+ \S+)`), regexp.MustCompile(`(wget 229 on web: )[^|]*\|.*Chosen: message [^|]*, latency ([^,]*), size`)
	alike := func(when string) {
		t.Helper()
		p.AwaitRest("the state and the latency that are shown to be heard "+when, func() (string, bool) {
			words := strings.Join(strings.Fields(spaces.Replace(p.Find("complementary", "What is selected").Text())), " ")
			shown, heard := latency.FindStringSubmatch(words), chosen.FindStringSubmatch(p.heard())
			return fmt.Sprint(shown, heard), shown != nil && heard != nil && shown[1] == heard[2]
		})
	}
	alike("where they were chosen")
	Eval[bool](p, `(() => {
		window.said = [];
		for (const e of document.querySelectorAll("#status [role=status]")) new MutationObserver(() => said.push(e.textContent)).observe(e, {childList: true, characterData: true, subtree: true});
		return true;
	})()`)
	for _, other := range []string{"Synchronization", "State"} {
		p.Find("tab", other).Click()
		p.Await("no word of the timeline", func() (any, bool) {
			got := p.heard()
			return got, !strings.Contains(got, "Chosen") && !strings.Contains(got, "wget 229 on web: ")
		})
		Eval[int](p, "said.splice(0).length")
		for _, clocks := range []string{`{"reference": "db"}`, "r", "r", `{}`, `{"reference": "db"}`} {
			if clocks == "r" {
				p.Press("r")
			} else if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: %q}).then((r) => r.status)`, set.ID(), clocks)); code != 200 {
				t.Fatalf("status %d", code)
			}
			// As long as it takes until what stays is said.
			Eval[bool](p, "new Promise((done) => setTimeout(() => done(true), 1000))")
		}
		for _, words := range Eval[[]string](p, "said") {
			if regexp.MustCompile(`Chosen: |wget 229 on web: |Window`).MatchString(words) {
				t.Errorf("on %s was said %q", other, words)
			}
		}
		p.Press("1")
		alike("back from " + other)
	}
}

// hears waits until something is read out.
func (p *Page) hears(words string) {
	p.t.Helper()
	p.Await("read out: "+words, func() (any, bool) {
		got := p.heard()
		return got, regexp.MustCompile(words).MatchString(got)
	})
}

// Who goes along an attribute by keys hears when that is and what it is then, also on the way back; and that the tab is open.
func TestHeardState(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355000000000&end=1795229355570000000&row=2.205&did=1795229355100000000"))
	p.threadRow("dbwork, thread 205")
	p.Press("v")
	p.hears(`At 6\.081 883 651 s: Threads/205 is `)
	if at := Eval[string](p, `document.activeElement.id`); at != "state" {
		t.Errorf("the focus is on %q", at)
	}
	p.Press(".")
	p.hears(`At 6\.495 341 210 s: Threads/205 is `)
	p.Press("Backspace")
	p.hears(`At 6\.081 883 651 s: Threads/205 is `)
}

// Which of two events came first is read out as it is shown.
func TestHeardOrderOfEvents(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events"))
	p.Find("grid", "Events")
	p.Await("rows", func() (any, bool) {
		n := Eval[int](p, `document.querySelectorAll("[role=grid][aria-label=Events] [role=row]").length`)
		return n, n > 5
	})
	Eval[any](p, `document.querySelector("[role=grid][aria-label=Events]").focus()`)
	p.Press("ArrowDown")
	p.Press("c")
	p.hears("Marked: choose another event to compare with it")
	for range 2 {
		p.Press("ArrowDown")
		var shown string
		p.AwaitRest("which came first", func() (string, bool) {
			shown = Eval[string](p, `document.querySelector("#events p.order")?.textContent ?? ""`)
			return shown, strings.HasPrefix(shown, "From the mark on ")
		})
		p.hears(regexp.QuoteMeta(spaces.Replace(shown)))
	}
}

// Who works the plot of a link by keys hears which part of it is shown, and how high.
func TestHeardPartOfThePlot(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&link=client~web"))
	p.Await("messages of the link", func() (any, bool) {
		n := p.Canvas("The constraint points").Count("--sys")
		return n, n > 100
	})
	Eval[bool](p, `(document.querySelector("#sync .ofpoints .canvas").focus(), true)`)
	part := regexp.MustCompile(`(?:^|\|)([\d.]+) s from ([\d. ]+) s on(?:, ([\d.]+) times as high as by itself)?\.(?:$|\|)`)
	hears := func(key, span, high string) (from string) {
		t.Helper()
		p.Press(key)
		p.Await("what "+key+" shows", func() (any, bool) {
			got := p.heard()
			m := part.FindStringSubmatch(got)
			if m == nil || m[1] != span || m[3] != high {
				return got, false
			}
			from = m[2]
			return got, true
		})
		return from
	}
	hears("+", "24.2", "")
	first := hears("+", "16.1", "")
	hears("ArrowUp", "16.1", "1.5")
	p.Press("ArrowRight")
	p.Await("what comes later", func() (any, bool) {
		got := p.heard()
		m := part.FindStringSubmatch(got)
		return got, m != nil && m[1] == "16.1" && m[2] > first && m[3] == "1.5"
	})
	hears("-", "24.2", "1.5")
	p.Press("0")
	p.Await("that all is shown", func() (any, bool) { got := p.heard(); return got, strings.Contains("|"+got+"|", "|All messages.|") })
}
