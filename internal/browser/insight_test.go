package browser

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// seenOf says how much of what a selector finds can be seen on the page of messages, pixels from top to bottom, and how high all of it is.
func (p *Page) seenOf(selector string) (seen, height float64) {
	p.t.Helper()
	b := Eval[[]float64](p, `(() => {
		const [e, bar, page] = [`+"`"+selector+"`"+`, "#messages .over", "#messages"].map((s) => document.querySelector(s)?.getBoundingClientRect() ?? new DOMRect());
		return [Math.max(0, Math.min(e.bottom, page.bottom) - Math.max(e.top, bar.bottom)), e.height];
	})()`)
	return b[0], b[1]
}

// Among many hosts too, what a cell of the matrix leads to is seen at once: beside the matrix, which stays as it was, where there is room, else the
// page goes there. The keys stay on the cell.
func TestPairInSight(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("mesh", mesh(20))
	p := NewPage(t)
	for _, size := range [][2]int64{{Width, Height}, {1360, 850}, {1100, 720}} {
		p.Resize(size[0], size[1])
		p.Open(s.page(set, "?tab=messages&window=all"))
		p.Says("In the whole set, machine-01 and machine-02 exchanged most")
		_, was := p.seenOf(".matrix")
		Eval[bool](p, `document.querySelector("[role=gridcell][tabindex='0']").focus() ?? true`)
		p.Press("ArrowDown")
		p.Press("ArrowLeft") // machine-01 to machine-00
		p.Press("Enter")
		p.Matches(`machine-01 ↔ machine-00 \d+ messages`)
		p.Await("the figures and drawings in sight", func() (any, bool) {
			figures, high := p.seenOf(".pair .wide")
			spread, tall := p.seenOf(".pair .spread")
			return []float64{figures, high, spread, tall}, high > 0 && figures == high && spread == tall
		})
		if _, is := p.seenOf(".matrix"); is != was {
			t.Errorf("at %v the matrix was %v pixels high and is %v", size, was, is)
		}
		if cell := Eval[string](p, `document.activeElement.textContent`); !strings.HasPrefix(cell, "machine-01 to machine-00") {
			t.Errorf("at %v the keys are on %q", size, cell)
		}
		seen, _ := p.seenOf(".matrix")
		if beside := size[0] > 1100; beside != (seen == was) {
			t.Errorf("at %v %v of the %v pixels of the matrix are seen beside the pair", size, seen, was)
		}
		p.Press("ArrowDown")
		p.Await("the cell with the keys in sight", func() (any, bool) {
			seen, high := p.seenOf(".matrix td:focus")
			return seen, high > 0 && seen > high/2
		})
	}
}

// Where messages come before they are sent the matrix marks that, beside the number, and its key says what the mark means.
func TestMarkOfEarlyMessages(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("mesh", mesh(20))
	p := NewPage(t)
	p.Open(s.page(set, "?tab=messages&window=all&time=raw"))
	for _, measure := range []string{"messages", "data", "median latency"} {
		p.Find("combobox", "Shown by").Choose(measure)
		p.Says("by powers of ten. ! some were received before they were sent.")
		touching := Eval[[]string](p, `[...document.querySelectorAll(".matrix td.wrong")].flatMap((e) => {
			const [mark, number] = [e.querySelector("i"), e.querySelector("span[aria-hidden]")].map((x) => { const r = document.createRange(); r.selectNodeContents(x); return r.getBoundingClientRect(); });
			return mark.width > 0 && mark.right + 1 <= number.left && number.right <= e.getBoundingClientRect().right ? [] : [e.textContent];
		})`)
		if wrong := Eval[int](p, `document.querySelectorAll(".matrix td.wrong").length`); wrong < 20 || len(touching) > 0 {
			t.Errorf("by %s the mark touches the number in %d of %d cells: %.3q", measure, len(touching), wrong, touching)
		}
	}
	p.Open(s.page(set, "?tab=messages&window=all"))
	p.Says("In the whole set, machine-01 and machine-02 exchanged most")
	if words := p.Text(); strings.Contains(words, "some were received") {
		t.Error("the key tells of a mark that is nowhere")
	}
}

// Above the latencies of a pair are bars for how many messages there were when, both ways together. The stretch with the most is named, and gone to.
func TestMessagesOverTime(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=messages&window=all&pair=web~db"))
	p.Says("web ↔ db 1 976 messages")
	most := regexp.MustCompile(`^most: (\d+) messages in ([\d.]+) (s|ms) from [\d.]+ s$`)
	var said []string
	p.Await("the stretch with the most messages", func() (any, bool) {
		words := Eval[string](p, `document.querySelector(".pair h3 button").textContent`)
		said = most.FindStringSubmatch(spaces.Replace(words))
		return words, said != nil
	})
	often := p.Canvas("Messages over time, both ways together")
	if n := often.Count("--ink3"); n < 300 {
		t.Errorf("%d pixels are of bars", n)
	}
	left, top, width, height := often.Box()
	p.Point(left+width/2, top+height-3)
	p.Matches(`\d+ messages? in [\d.]+ (s|ms) from [\d.]+ s; a press shows them in the timeline\.`)
	if rules, err := os.ReadFile(axe); err == nil {
		checkRules(t, p, rules, "messages over time")
	}
	Eval[bool](p, `document.querySelector(".pair h3 button").click() ?? true`)
	p.Matches(fmt.Sprintf(`Communication %s messages in view none received before sent .*only web ↔ db`, said[1]))

	// A bar leads there as well.
	p.Find("tab", "Messages").Click()
	p.Find("combobox", "What was exchanged in").Choose("the whole set")
	p.Says("web ↔ db 1 976 messages")
	p.AwaitRest("the plot where it stays", func() (string, bool) {
		left, top, width, height = often.Box()
		return fmt.Sprint(left, top, width, height), width > 0
	})
	p.Point(left+width/2+20, top+height-3)
	p.Point(left+width/2, top+height-3)
	p.Matches(`; a press shows them in the timeline\.`)
	p.Click(left+width/2, top+height-3)
	p.Matches(`Communication \d+ messages? in view none received before sent .*only web ↔ db`)
}
