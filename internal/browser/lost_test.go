package browser

import (
	"testing"

	"synchroscope/ingest"
)

// The tracer of overflow is slow, so the set has losses; it and the others are known to bounds that are long to say.
const overflowing = `
scenario overflowing "A tracer that loses events"
duration 8s
host overflow cpus=2
  clock offset=3s rate=51 uptime=4h
  tracing subbuffer=16KiB subbuffers=4 rate=600kB wake=20ms
host sound cpus=2
  clock rate=-3 uptime=2d
switch rack
link {overflow,sound} rack propagation=8us rate=1Gbps queue=512KiB jitter=3us
workload storm hosts=overflow call=2us between=50us burst=200ms pause=500ms
workload pingpong from={overflow,sound} to={sound,overflow} period=200ms
`

// How many events were lost can be read and pressed in windows of all sizes, beside how well clocks are known, which
// is cut short only where both lines are all there is room for.
func TestLostInSight(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("overflowing", overflowing)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	for _, size := range [][2]int64{{1440, 900}, {1280, 720}, {1000, 560}} {
		p.Resize(size[0], size[1])
		p.Matches(`\d lost`)
		p.Await("all of the losses in sight", func() (any, bool) {
			saw := Eval[[]string](p, `(() => {
				const facts = document.querySelector(".overview .facts");
				const button = [...facts.querySelectorAll("button")].find((b) => b.textContent.includes("lost"));
				const b = button.getBoundingClientRect();
				const hit = [b.left + 2, b.right - 2].every((x) => document.elementFromPoint(x, b.top + b.height / 2) === button);
				return [hit ? "whole" : "cut", ...[...facts.querySelectorAll(".t")].map((e) => e.scrollWidth > e.clientWidth ? "cut" : "whole"), facts.innerText];
			})()`)
			return saw, saw[0] == "whole" && saw[1] == "whole" && (size[1] < 620 || saw[2] == "whole")
		})
	}
	p.Resize(1440, 900)
	p.Find("button", Eval[string](p, `document.querySelector(".overview .facts button").textContent`)).Click()
	p.Matches(`events lost The tracer wrote faster .* On overflow [\d ]+, \d+ % of all When`)
}
