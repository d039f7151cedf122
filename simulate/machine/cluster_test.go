package machine_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"synchroscope/simulate/agenda"
	"synchroscope/simulate/chance"
	"synchroscope/simulate/clock"
	"synchroscope/simulate/machine"
	"synchroscope/simulate/network"
	"synchroscope/simulate/record"
)

// A cluster is machines at one switch, each traced from the beginning.
type cluster struct {
	dir      string
	agenda   agenda.Agenda
	net      *network.Network
	machines []*machine.Machine
	recs     []*record.Recorder
	told     []network.Message
	keep     bool
	sums     []record.Summary
}

func (c *cluster) Address(host string) (uint32, bool) {
	for i, m := range c.machines {
		if m.Name() == host {
			return 10<<24 | uint32(i+1), true
		}
	}
	return 0, false
}

func (c *cluster) Host(ip uint32) string { return c.machines[ip&0xff-1].Name() }

func (c *cluster) Message(m *network.Message) {
	if c.keep {
		c.told = append(c.told, *m)
	}
}

type setup struct {
	hosts, cpus int
	seed        uint64
	link        network.LinkSpec
	kernel      machine.Kernel
	record      record.Options
	untraced    bool
}

func build(tb testing.TB, s setup) *cluster {
	tb.Helper()
	c := &cluster{dir: tb.TempDir(), keep: true}
	c.net = network.New(&c.agenda, s.seed, c)
	hub := c.net.Switch("hub", 0)
	for i := range s.hosts {
		name := fmt.Sprintf("h%d", i)
		k, err := clock.New(clock.Spec{Rate: float64(10 * i), Offset: int64(i) * 1e6}, chance.New(s.seed, clock.Stream(name)))
		if err != nil {
			tb.Fatal(err)
		}
		m := machine.New(machine.Options{
			Name: name, CPUs: s.cpus, Address: 10<<24 | uint32(i+1), Seed: s.seed, Clock: k,
			Agenda: &c.agenda, Network: c.net, Names: c, Kernel: s.kernel,
		})
		c.machines = append(c.machines, m)
		c.net.Link(m.Node(), hub, s.link, s.link)
		if s.untraced {
			continue
		}
		o := s.record
		o.Dir, o.Hostname, o.CPUs = filepath.Join(c.dir, name, "kernel"), name, s.cpus
		o.Clock, o.Origin, o.Chance = k, k.Origin(), chance.New(s.seed, "tracing/"+name)
		r, err := record.Begin(0, o)
		if err != nil {
			tb.Fatal(err)
		}
		c.recs = append(c.recs, r)
		m.Trace(r)
	}
	c.net.Route()
	return c
}

// run goes on to a true time and ends the traces.
func (c *cluster) run(tb testing.TB, until int64) (events int64) {
	tb.Helper()
	c.agenda.Run(until)
	for i, r := range c.recs {
		c.machines[i].Trace(nil)
		s, err := r.Close(until)
		if err != nil {
			tb.Fatal(err)
		}
		c.sums = append(c.sums, s)
		events += s.Events
	}
	for _, m := range c.machines {
		m.Halt()
	}
	c.net.Close()
	return events
}

// gigabit is a link of a rack.
var gigabit = network.LinkSpec{Propagation: 2_000, Rate: 1e9, Jitter: 1_000}

// pingPong has the first machine ask the second n times.
func pingPong(c *cluster, n, bytes int, answers *int) {
	c.machines[1].Start(0, "echod", func(t *machine.Thread) {
		l := t.Listen(7)
		for {
			x := t.Accept(l)
			t.Spawn("echod", func(t *machine.Thread) {
				for {
					n, tag, ok := t.ReceiveMessage(x)
					if !ok {
						t.CloseConn(x)
						return
					}
					t.Compute(20_000)
					t.SendMessage(x, n, tag)
				}
			})
		}
	})
	c.machines[0].Start(10_000_000, "ping", func(t *machine.Thread) {
		x, err := t.Connect("h1", 7)
		if err != nil {
			return
		}
		for i := range n {
			t.SendMessage(x, bytes, uint32(i))
			got, tag, ok := t.ReceiveMessage(x)
			if ok && got == bytes && tag == uint32(i) {
				*answers++
			}
			t.Sleep(t.Chance().Exp(1_000_000))
		}
		t.CloseConn(x)
	})
}
