package simulate

import (
	"fmt"
	"path"
	"path/filepath"

	"synchroscope/simulate/chance"
	"synchroscope/simulate/record"
	"synchroscope/simulate/truth"
)

// A tracing is the recording of one boot of a machine.
type tracing struct {
	cluster  *cluster
	host     int
	boot     int
	path     string // below the directory
	from, to int64  // true ns
	recorder *record.Recorder
	done     bool
	sum      record.Summary
}

// What happens by itself, as args of happening.
const (
	traceBegins = iota
	traceEnds
	machineHalts
	machineBoots
	addressChanges
)

// A happening is something that a scenario says of a host.
type happening struct {
	cluster *cluster
	host    int
	tracing *tracing
	address uint32
}

// plan puts on the agenda what the scenario says will happen to a host.
func (c *cluster) plan(host int) {
	h, m := &c.scenario.Hosts[host], c.machines[host]
	end := c.scenario.Duration
	boots := c.clocks[host].Boots()
	for i, b := range boots {
		if i > 0 && b.Begin < end {
			c.agenda.At(b.Begin, &happening{cluster: c, host: host}, machineBoots)
		}
		from, to := max(b.Begin, h.Tracing.Start), min(b.End, end)
		if h.Tracing.Stop > 0 {
			to = min(to, h.Tracing.Stop)
		}
		if !h.Untraced && from < to {
			t := &tracing{cluster: c, host: host, boot: i, path: path.Join(m.Name(), "kernel"), from: from, to: to}
			if len(boots) > 1 {
				t.path = fmt.Sprintf("%s-%d", t.path, i+1)
			}
			c.tracings = append(c.tracings, t)
			c.agenda.At(from, &happening{cluster: c, host: host, tracing: t}, traceBegins)
			if to < end {
				c.agenda.At(to, &happening{cluster: c, host: host, tracing: t}, traceEnds)
			}
		}
		if b.End < end {
			c.agenda.At(b.End, &happening{cluster: c, host: host}, machineHalts)
		}
	}
	for _, a := range h.Address {
		ip := uint32(a.IP[0])<<24 | uint32(a.IP[1])<<16 | uint32(a.IP[2])<<8 | uint32(a.IP[3])
		c.agenda.At(a.At, &happening{cluster: c, host: host, address: ip}, addressChanges)
	}
}

// Do is something happening.
func (p *happening) Do(now int64, what uint64) {
	c, m := p.cluster, p.cluster.machines[p.host]
	switch what {
	case traceBegins:
		if err := p.tracing.begin(now); err != nil && c.err == nil {
			c.err = err
		}
	case traceEnds:
		p.tracing.end(now)
	case machineHalts:
		m.Halt()
	case machineBoots:
		m.Boot()
	case addressChanges:
		c.names.set(m.Name(), p.address)
		m.SetAddress(p.address)
	}
}

func (t *tracing) begin(now int64) error {
	c := t.cluster
	h, k := &c.scenario.Hosts[t.host], c.clocks[t.host]
	r, err := record.Begin(now, record.Options{
		Dir: filepath.Join(c.opt.Out, filepath.FromSlash(t.path)), Format: c.opt.Format, Hostname: h.Name, CPUs: h.CPUs,
		Clock: k, Frequency: k.Frequency(), Origin: k.Boots()[t.boot].Origin,
		Chance:    chance.New(c.opt.Seed, fmt.Sprintf("tracing/%s/%d", h.Name, t.boot)),
		SubBuffer: h.Tracing.SubBuffer, SubBuffers: h.Tracing.SubBuffers, Rate: h.Tracing.Rate, Wake: h.Tracing.Wake,
		Loss: h.Tracing.Loss, Cut: h.Tracing.Cut, Omit: h.Tracing.Omit, End: t.to,
	})
	if err != nil {
		return err
	}
	t.recorder = r
	c.machines[t.host].Trace(r)
	return nil
}

// end stops a tracing that has begun and goes on.
func (t *tracing) end(now int64) {
	if t.recorder == nil || t.done {
		return
	}
	t.done = true
	t.cluster.machines[t.host].Trace(nil)
	sum, err := t.recorder.Close(now)
	if err != nil && t.cluster.err == nil {
		t.cluster.err = err
	}
	t.sum = sum
}

// truth is what is known of the trace.
func (t *tracing) truth() truth.Trace {
	return truth.Trace{
		Path: t.path, Boot: t.boot, Begin: t.from, End: t.to,
		Events: t.sum.Events, Lost: t.sum.Discarded, Untold: t.sum.Untold, Packets: t.sum.Packets, LostPackets: t.sum.Lost, Missing: t.sum.Missing,
		Sent: t.sum.Sent, Received: t.sum.Received,
		Cut: t.cluster.scenario.Hosts[t.host].Tracing.Cut,
	}
}
