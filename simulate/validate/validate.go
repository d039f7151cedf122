// Package validate proves that the traces of a simulated cluster are consistent
// with themselves and with the truth: what a kernel cannot do is not in them, and
// what they say of the network happened, at these times.
//
// It reads the traces as everybody does, through trace/ctf, and works out the clocks again
// from their parameters. It holds 16 bytes in memory for each end of a message, 20 more for each that came otherwise than it was
// sent, the messages that truth.json lists, and nothing else that grows with the duration.
package validate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"synchroscope/simulate/chance"
	"synchroscope/simulate/clock"
	"synchroscope/simulate/truth"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// Dir validates what simulate has written into a directory. The error is what could not be read; what
// is wrong stands in the report.
func Dir(ctx context.Context, dir string) (*Report, error) {
	tr, err := truth.Read(dir)
	if err != nil {
		return nil, err
	}
	c := &cluster{dir: dir, truth: tr, report: newReport()}
	defer c.close()
	if err := c.open(ctx); err != nil {
		return nil, err
	}
	if err := c.walk(ctx); err != nil {
		return nil, err
	}
	if err := c.compare(ctx); err != nil {
		return nil, err
	}
	return c.report, nil
}

// A cluster is a directory that is being validated.
type cluster struct {
	dir       string
	truth     *truth.Truth
	report    *Report
	clocks    []*clock.Clock
	tapes     []*tape
	endpoints *endpoints
}

// A tape is a trace of a host that is being read.
type tape struct {
	host    int
	said    *truth.Trace
	path    string
	trace   *ctf.Trace
	reader  *ctf.Reader
	machine *machine
	event   *trace.Event
	about   int64 // nearly the true time of the event: exact but for what the clock has drifted
	shift   int64 // from local time to about
	least   int64 // what the clock showed when tracing began,
	most    int64 // and ended
}

// open makes the clocks and opens the traces, which it reads once to know what is lost.
func (c *cluster) open(ctx context.Context) error {
	c.report.Hosts = len(c.truth.Hosts)
	c.endpoints = newEndpoints(c)
	for i := range c.truth.Hosts {
		h := &c.truth.Hosts[i]
		clk, err := clock.New(h.Clock, chance.New(c.truth.Seed, clock.Stream(h.Name)))
		if err != nil {
			return err
		}
		c.clocks = append(c.clocks, clk)
		c.samples(h, clk)
		for k := range h.Traces {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.openTrace(i, &h.Traces[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// samples checks the table of a clock and the boots against its function.
func (c *cluster) samples(h *truth.Host, clk *clock.Clock) {
	check := c.report.check(Clocks)
	for _, s := range h.Samples {
		check.Done++
		if s.Down != !clk.Running(s.True) || !s.Down && s.Local != clk.Local(s.True) {
			check.fail(Problem{Text: fmt.Sprintf("%s: the sample at true time %d says %d, the clock %d", h.Name, s.True, s.Local, clk.Local(s.True))})
		}
	}
	for k, b := range clk.Boots() {
		check.Done++
		if k >= len(h.Boots) || h.Boots[k].Begin != b.Begin || int64(h.Boots[k].Origin) != b.Origin {
			check.fail(Problem{Text: fmt.Sprintf("%s: boot %d is not that of the clock", h.Name, k)})
		}
	}
}

func (c *cluster) openTrace(host int, said *truth.Trace) error {
	t, err := ctf.Open(filepath.Join(c.dir, filepath.FromSlash(said.Path)))
	if err != nil {
		return err
	}
	p := &tape{host: host, said: said, path: said.Path, trace: t}
	c.tapes = append(c.tapes, p)
	c.report.Traces++
	clk := c.clocks[host]
	p.least, p.most = clk.Local(said.Begin), clk.Local(said.End)
	p.shift = said.Begin - p.least
	losses, err := c.counts(p)
	if err != nil {
		return err
	}
	if p.reader, err = ctf.NewReader([]*ctf.Trace{t}, ctf.Options{}); err != nil {
		return err
	}
	p.machine = newMachine(p.path, c.report, newGaps(losses))
	p.machine.unordered = unordered(c.truth.Hosts[host].Clock)
	p.machine.network = func(ev *trace.Event, received bool, k *packet) { c.endpoints.recorded(p, ev, received, k) }
	return nil
}

// maxTick is how coarse a clock can be, ns, that still tells what one CPU did from what another did because
// of that.
const maxTick = 50

// unordered tells whether a clock leaves open in which order two CPUs recorded something.
func unordered(s clock.Spec) bool {
	return setBack(s) || s.Resolution > maxTick || s.Frequency > 0 && s.Frequency < 1e9/maxTick
}

func setBack(s clock.Spec) bool {
	return slices.ContainsFunc(s.Steps, func(s clock.Step) bool { return s.By < 0 })
}

// counts reads a trace once and compares what it holds with what it should.
func (c *cluster) counts(p *tape) ([]ctf.Loss, error) {
	r, err := ctf.NewReader([]*ctf.Trace{p.trace}, ctf.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	n, err := r.Count()
	if err != nil {
		return nil, err
	}
	losses := r.Losses()
	var lost, packets int64
	for _, l := range losses {
		lost += l.Count
		packets += l.Packets
	}
	c.report.Events += n[0]
	c.report.Lost += lost
	streams, err := readStreams(p.trace.Dir(), p.said, c.truth.Hosts[p.host].CPUs, c.clocks[p.host])
	if err != nil {
		return nil, err
	}
	c.amounts(p, n[0], lost, streams)
	c.anomalies(p, r.Anomalies(), packets)
	if p.said.Cut || p.said.LostPackets > packets {
		edges, err := c.edges(p, streams)
		return append(losses, edges...), err
	}
	return losses, nil
}

// edges are what is missing before the first event of each CPU and behind the last, where the trace
// cannot tell: its first or last packets may be among those that are lost. What is discarded while a packet is full is
// missing between its events, where one that is smaller still fits: where it does not say how many those are, or has no end, it is
// all edge.
func (c *cluster) edges(p *tape, streams []stream) ([]ctf.Loss, error) {
	r, err := ctf.NewReader([]*ctf.Trace{p.trace}, ctf.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var edges []ctf.Loss
	for cpu := range c.truth.Hosts[p.host].CPUs {
		edges = append(edges, ctf.Loss{CPU: int32(cpu), Begin: p.least, End: p.most}, ctf.Loss{CPU: int32(cpu), Begin: p.least, End: p.most})
	}
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if i := 2 * int(ev.CPU); i >= 0 && i < len(edges) {
			edges[i].End = min(edges[i].End, ev.Time)
			edges[i+1].Begin = ev.Time
		}
	}
	for i, s := range streams {
		if s.first > 0 {
			edges[2*i].End = max(edges[2*i].End, s.firstEnd)
		}
		if p.said.Cut && s.discarding {
			edges[2*i+1].Begin = min(edges[2*i+1].Begin, s.lastBegin)
		}
	}
	return edges, nil
}

// anomalies are explained by lost packets, by the cut or by a clock that was set back.
func (c *cluster) anomalies(p *tape, met []trace.Anomaly, packets int64) {
	check := c.report.check(Anomalies)
	check.Done++
	back := setBack(c.truth.Hosts[p.host].Clock)
	for _, a := range met {
		switch {
		case a.Kind == "lost-packets" && packets > 0:
		case a.Kind == "lost-events" && p.said.Lost > 0: // how many, the counts are held against
		case a.Kind == "truncated" && p.said.Cut:
		case (a.Kind == "time-back" || a.Kind == "packet-overlap") && back:
		default:
			check.fail(Problem{Trace: p.path, Text: fmt.Sprintf("%s in %s: %s", a.Kind, a.Stream, a.Message)})
		}
	}
}

// walk takes the events of all traces, nearly in the order of true time.
func (c *cluster) walk(ctx context.Context) error {
	var order heap
	for _, p := range c.tapes {
		more, err := p.next()
		if err != nil {
			return err
		}
		if more {
			order.push(p)
		}
	}
	for n := 0; len(order) > 0; n++ {
		if n&0xffff == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		p := order[0]
		c.event(p)
		more, err := p.next()
		if err != nil {
			return err
		}
		order.replace(p, more)
	}
	return nil
}

// next reads the next event of a trace.
func (p *tape) next() (bool, error) {
	ev, err := p.reader.Next()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p.event, p.about = ev, ev.Time+p.shift
	return true, nil
}

func (c *cluster) event(p *tape) {
	ev := p.event
	check := c.report.check(Clocks)
	check.Done++
	if ev.Recorded < p.least || ev.Recorded > p.most {
		if len(c.truth.Hosts[p.host].Clock.Steps) == 0 {
			check.fail(Problem{Trace: p.path, Time: ev.Recorded, Text: fmt.Sprintf("an event of kind %s is outside of the time of tracing, from %d to %d", ev.Class.Name, p.least, p.most)})
		}
	}
	c.endpoints.extract(p, ev)
	p.machine.take(ev)
}

func (c *cluster) close() {
	for _, p := range c.tapes {
		if p.reader != nil {
			p.reader.Close()
		}
		p.trace.Close()
	}
}
