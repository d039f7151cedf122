package browser

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/trace/ctf/text/texttest"
)

// switching is the head of a kernel trace of a host that has event 1 for switches.
func switching(host string) string {
	return `ctf 1.8 le uuid=00010203-0405-0607-0809-0a0b0c0d0e0f
env hostname="` + host + `"
env domain="kernel"
env tracer_name="lttng-modules"
clock monotonic freq=1000000000 cycles=1000000000 absolute uuid=10111213-1415-1617-1819-1a1b1c1d1e1f
packet-header {magic u32; uuid [16]u8; stream_id u32}

stream 0
packet-context {timestamp_begin u64:clock(monotonic); timestamp_end u64:clock(monotonic); content_size u64; packet_size u64; packet_seq_num u64; events_discarded u64; cpu_id u32}
event-header {id u16; timestamp u64:clock(monotonic)}
event 1 sched_switch
  fields {_prev_comm [16]i8:char; _prev_tid i32; _prev_prio i32; _prev_state i64; _next_comm [16]i8:char; _next_tid i32; _next_prio i32}
`
}

// A kernel trace in which CPU 0 runs at 0.8 GHz, then at 3.2, then at 1.6.
var frequencies = `-- slow/kernel.trace --
` + switching("slow") + `event 2 power_cpu_frequency
  fields {_state u32; _cpu_id u32}

file channel0_0 stream=0
packet begin=2.000000000 end=6.000000000 seq=0 discarded=0 cpu=0
2.000000000 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="burn" next_tid=10 next_prio=20
3.000000000 power_cpu_frequency state=800000 cpu_id=0
4.000000000 power_cpu_frequency state=3200000 cpu_id=0
5.000000000 power_cpu_frequency state=1600000 cpu_id=0
6.000000000 sched_switch prev_comm="burn" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
`

// clockedPage shows the resources of the host of frequencies.
func clockedPage(t *testing.T) *Page {
	t.Helper()
	s := newSite(t, ingest.Options{})
	set, err := s.engine.ImportPaths("slow", texttest.Dir(t, frequencies))
	if err != nil {
		t.Fatal(err)
	}
	s.ready(set)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all&resources=0,0.0"))
	return p
}

// How fast a CPU was clocked is a step line beside the largest frequency in view, and who points at it is told which it was.
func TestFrequency(t *testing.T) {
	p := clockedPage(t)
	c := p.Canvas("Resources")
	row := p.resourceRow("Frequency")
	p.Await("the largest frequency", func() (any, bool) {
		words := row.Text()
		return words, strings.Contains(words, "to 3.2")
	})
	left, top, width, _ := c.Box()
	_, y, _, height := row.Box()
	// How many lines of pixels are filled below the step, in each quarter of the four seconds.
	levels := func() (out [4]int) {
		for line := y - top + 1; line < y-top+height; line++ {
			inked := map[int]bool{}
			for _, x := range c.Inked(line, "--panel") {
				inked[int(x)] = true
			}
			for quarter := range out {
				if inked[int(width*(float64(quarter)+0.4)/4)] {
					out[quarter]++
				}
			}
		}
		return out
	}
	p.Await("the steps", func() (any, bool) {
		l := levels()
		return l, l[0] == 0 && l[1] > 0 && l[1] < l[3] && l[3] < l[2]
	})
	for quarter, words := range []string{"", "0.8 GHz", "3.2 GHz", "1.6 GHz"} {
		if words == "" {
			continue
		}
		p.Point(left+width*(float64(quarter)+0.4)/4, y+height/2)
		p.Await(fmt.Sprintf("%s in quarter %d", words, quarter), func() (any, bool) {
			says := p.Text()
			return says, strings.Contains(strings.ReplaceAll(says, "\u202f", " "), words)
		})
	}
}

// What the interrupt rows of a host lack is never cut: where its command has no room, the row says where that stands.
func TestLackUncut(t *testing.T) {
	p := clockedPage(t)
	for width, want := range map[int64]string{1280: "The tab Import has the command", 3840: "The command that does: lttng enable-event"} {
		Eval[any](p, `(() => {
			window.lacks = [];
			window.plain ??= CanvasRenderingContext2D.prototype.fillText;
			CanvasRenderingContext2D.prototype.fillText = function (words, x) {
				if (words.startsWith("Not recorded")) lacks.push((x + this.measureText(words).width > this.canvas.width ? "cut: " : "whole: ") + words);
				return plain.apply(this, arguments);
			};
		})()`)
		p.Resize(width, 720)
		p.Await(fmt.Sprintf("what is not recorded, whole, at a width of %d", width), func() (any, bool) {
			lacks := Eval[[]string](p, "lacks")
			last := ""
			if len(lacks) > 0 {
				last = lacks[len(lacks)-1]
			}
			return lacks, strings.HasPrefix(last, "whole: ") && strings.Contains(last, want)
		})
	}
}
