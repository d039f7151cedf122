package machine_test

import (
	"runtime"
	"testing"

	"synchroscope/simulate/machine"
)

// Four machines of four CPUs that ask each other without end, over connections and with files,
// locks and new processes in between; one event is one recorded event, from the
// simulation to the file.
func BenchmarkEvents(b *testing.B) {
	for _, kind := range []struct {
		name string
		load func(c *cluster)
	}{{"talk", talk}, {"calls", calls}} {
		b.Run(kind.name, func(b *testing.B) {
			runtime.GOMAXPROCS(1)
			b.ReportAllocs()
			events, seconds := int64(0), 0.0
			for b.Loop() {
				c := build(b, setup{hosts: 4, cpus: 4, seed: 1, link: gigabit})
				c.keep = false
				kind.load(c)
				events += c.run(b, 1_000_000_000)
			}
			seconds = b.Elapsed().Seconds()
			b.ReportMetric(float64(events)/seconds/1e6, "Mevents/s")
			b.ReportMetric(float64(events)/float64(b.N), "events/op")
		})
	}
}

// talk is a server on each machine and clients of the others.
func talk(c *cluster) {
	for i, m := range c.machines {
		m.Start(0, "server", func(t *machine.Thread) {
			l := t.Listen(80)
			for {
				x := t.Accept(l)
				t.Spawn("worker", func(t *machine.Thread) {
					for {
						n, tag, ok := t.ReceiveMessage(x)
						if !ok {
							t.CloseConn(x)
							return
						}
						t.Compute(t.Chance().LogNormal(10_000, 0.5))
						t.SendMessage(x, n*4, tag)
					}
				})
			}
		})
		for j := range 4 {
			to := c.machines[(i+1+j%3)%len(c.machines)].Name()
			m.Start(20_000_000, "client", func(t *machine.Thread) {
				x, err := t.Connect(to, 80)
				if err != nil {
					return
				}
				for k := uint32(0); ; k++ {
					t.SendMessage(x, 100+t.Chance().IntN(4000), k)
					t.ReceiveMessage(x)
					t.Syscall("write", 1_000)
					t.Sleep(t.Chance().Exp(100_000))
				}
			})
		}
	}
}

// calls is system calls without end.
func calls(c *cluster) {
	for _, m := range c.machines {
		for range 4 {
			m.Start(0, "storm", func(t *machine.Thread) {
				for {
					t.Syscall("read", 500)
					t.Syscall("write", 700)
					t.Compute(600)
				}
			})
		}
	}
}
