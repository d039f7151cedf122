package browser

import (
	"strings"
	"testing"

	"synchroscope/ingest"
)

// A thread that runs for 20 µs of a minute, in its middle.
var brief = `-- brief/kernel.trace --
` + switching("brief") + `
file channel0_0 stream=0
packet begin=2.000000000 end=62.000000000 seq=0 discarded=0 cpu=0
2.000000000 sched_switch prev_comm="brief" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
32.000000000 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="brief" next_tid=10 next_prio=20
32.000020000 sched_switch prev_comm="brief" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
62.000000000 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="brief" next_tid=10 next_prio=20
`

// What ran for a two-thousandth of a pixel leaves the least mark in it, and is not told to have a share: neither of the pixel nor of the use of the CPU.
func TestMomentLeavesAMark(t *testing.T) {
	s := newSite(t, ingest.Options{})
	p := NewPage(t)
	p.Open(s.page(s.written("brief", brief), ""))
	_, y, _, height := p.threadRow("brief, thread 10").Box()
	c := p.Canvas("Control flow")
	mark := func() []float64 { // by column of the picture how high it is, the first two numbers
		return must[[]float64](c.Element, pixels(`
			const [y, height] = args, d = read(y, y + height), [r, g, b] = color("--user"), rows = {};
			for (let i = 0; i < d.length; i += 4) if (d[i] === r && d[i + 1] === g && d[i + 2] === b) rows[(i / 4) % this.width] = (rows[(i / 4) % this.width] ?? 0) + 1;
			return Object.entries(rows).flat().map(Number);`), y-canvasTop(c), height)
	}
	var marks []float64
	p.Await("a mark in the bar of what it rests in", func() (any, bool) {
		marks = mark()
		return marks, len(marks) > 1 && marks[1] == 1
	})
	left, _, width, _ := c.Box()
	if at := marks[0] / width; at < 0.49 || at > 0.51 {
		t.Errorf("the mark is at %v of the width", at)
	}
	p.Await("its share in words", func() (any, bool) {
		if marks = mark(); len(marks) == 0 { // while it is drawn anew
			return marks, false
		}
		p.Point(left+marks[0]+0.5, y+height/2)
		words := spaces.Replace(Eval[string](p, `document.querySelector(".tooltip").innerText`))
		return words, strings.Contains(words, "this pixel: blocked 100 %, user space or system call for a moment")
	})
}
