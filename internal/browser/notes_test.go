package browser

import (
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// Three machines, one of which reboots: its second trace has a name that is longer than the others', and bounds that take as much room.
const rebooting = `
scenario rebooting "A machine that reboots"
duration 20s
host node-1
  clock offset=4s rate=30 uptime=3d
host node-2
  clock offset=-9s rate=-113 uptime=40d
  reboot at=45% down=2s offset=-350ms rate=320
host node-3
  clock rate=-8 uptime=3h
switch rack
link node-{1..3} rack propagation=8us rate=1Gbps queue=512KiB jitter=3us tail=0.3% tail_least=60us tail_alpha=1.6 tail_most=5ms
workload pingpong from=node-{1,2,3} to=node-{2,3,1} protocol=udp period=50ms
workload pingpong from=node-{1,3} to=node-{3,1} period=100ms
`

// How well the clock of a host is known stands beside its name from end to end, or the larger end alone where the range has no
// room, and is never cut; with more room for the names of rows the range is there.
func TestBoundsBesideNames(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("rebooting", rebooting)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, ""))
	bound := regexp.MustCompile(`^± [\d.]+ .s( to [\d.]+ .s)?$`)
	notes := func() (all []string, cut, ranges int) {
		all = Eval[[]string](p, `[...document.querySelectorAll(".pane .row.host:not([hidden]) .note.marked")].map((e) => {
			const row = e.closest(".row");
			return (e.scrollWidth > e.clientWidth ? "cut" : "whole") + "|" + row.querySelector(".name").textContent + "|" + e.firstChild.textContent + "|" + row.title; // beside what is heard alone
		})`)
		for i, one := range all {
			all[i] = spaces.Replace(one)
			part := strings.Split(all[i], "|")
			larger := part[2][strings.LastIndex(part[2], " to ")+1:]
			if part[0] == "cut" || !bound.MatchString(part[2]) || !strings.Contains(part[3], strings.TrimPrefix(strings.TrimPrefix(larger, "to "), "± ")+",") {
				cut++
			}
			if strings.Contains(part[2], " to ") {
				ranges++
			}
		}
		return all, cut, ranges
	}
	for _, c := range []struct {
		tree   string
		ranges func(of, n int) bool
	}{
		{"", func(of, n int) bool { return n > 0 && n < of }},
		{"?sizes=tree170", func(_, n int) bool { return n == 0 }},
		{"?sizes=tree340", func(of, n int) bool { return n == of }},
	} {
		p.Open(s.page(set, c.tree))
		p.Await("bounds that are whole "+c.tree, func() (any, bool) {
			all, cut, ranges := notes()
			return all, len(all) >= 3 && cut == 0 && c.ranges(len(all), ranges)
		})
	}
}
