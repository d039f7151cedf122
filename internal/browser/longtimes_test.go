package browser

import (
	"strings"
	"testing"

	"synchroscope/ingest"
)

// slow is two applications that send each other messages which are on their way for days, over years.
const slow = `
-- a.trace --
ctf 1.8 le
env hostname="a"
env domain="ust"
clock a freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(a); timestamp_end u64:clock(a); cpu_id u32}
event-header {id u8; timestamp u64:clock(a)}
event 0 app:send
  fields {key u32}
event 1 app:receive
  fields {key u32}
file s
packet cpu=0
1.000000000 app:send key=1
2400002.000000000 app:receive key=2
400000000.000000000 app:send key=3
404000002.000000000 app:receive key=4
-- b.trace --
ctf 1.8 le
env hostname="b"
env domain="ust"
clock b freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(b); timestamp_end u64:clock(b); cpu_id u32}
event-header {id u8; timestamp u64:clock(b)}
event 0 app:send
  fields {key u32}
event 1 app:receive
  fields {key u32}
file s
packet cpu=0
1200001.000000000 app:receive key=1
1200002.000000000 app:send key=2
402000000.000000000 app:receive key=3
402000002.000000000 app:send key=4
-- synchroscope-endpoints --
message request
send app:send key=key
receive app:receive key=key
`

// The plots of Synchronization and Messages have whole figures beside them, however long they are.
func TestLongTimes(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.written("slow", slow)
	for _, c := range []struct{ tab, says, figure string }{
		{"sync", "Error over time", "+2 000 000 s"},
		{"messages&pair=a~b", "over time", "2 000 000 s"},
	} {
		p := NewPage(t)
		p.Open(s.page(set, "?tab="+c.tab))
		p.Says(c.says)
		Eval[any](p, `(() => {
			window.figures = []; window.cut = [];
			const draw = CanvasRenderingContext2D.prototype.fillText;
			CanvasRenderingContext2D.prototype.fillText = function (words, x, y, most) {
				const wide = Math.min(most ?? Infinity, this.measureText(words).width);
				const left = x - (this.textAlign === "right" ? wide : this.textAlign === "center" ? wide / 2 : 0);
				if (/ s$/.test(words.replaceAll("\u202f", " "))) figures.push(words.replaceAll("\u202f", " "));
				const room = this.canvas.width / devicePixelRatio;
				if (left < -0.5 || left + wide > room + 0.5) cut.push(words + " from " + left + " to " + (left + wide) + " of " + room);
				return draw.apply(this, arguments);
			};
		})()`)
		p.Resize(Width-40, Height-40)
		p.Await("the figures of "+c.tab, func() (any, bool) {
			figures := Eval[[]string](p, "figures")
			return figures, strings.Contains(strings.Join(figures, "|"), c.figure)
		})
		if cut := Eval[[]string](p, "cut"); len(cut) > 0 {
			t.Errorf("on %s these are cut: %s", c.tab, strings.Join(cut, "; "))
		}
	}
}

// In a set of many days a host's time has its day, and is not cut.
func TestManyDays(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.written("slow", slow)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events"))
	p.Matches(`1982-09-04 15:06:40\.000 000 000 a 0 app:send key=3`)
	p.Await("cells that are not cut", func() (any, bool) {
		cut := Eval[[]string](p, `[...document.querySelectorAll("#events [role=gridcell]")].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)`)
		return cut, len(cut) == 0
	})
	p.Find("tab", "State").Click()
	p.Matches(`19[78]\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \d{3} \d{3}`)
}
