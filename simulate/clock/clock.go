package clock

import (
	"math"
	"math/bits"

	"synchroscope/simulate/chance"
	"synchroscope/trace/ctf/schema"
)

// Stream is the name of the stream of chance that the clock of a host takes.
func Stream(host string) string { return "clock/" + host }

// A Clock turns true time into local time and cycles. It remembers where it was
// asked last, so times that go up cost little, and others are right as well. It belongs to one goroutine.
type Clock struct {
	spec      Spec
	drift     *drift
	boots     []Boot
	frequency uint64
	ahead     int64 // local minus true time, as it was asked for last
}

// A Boot is a time in which a machine was up.
type Boot struct {
	Begin, End int64 // true ns; the last one does not end
	Origin     int64 // local ns of cycle 0: a multiple of a second unless the frequency is 1 GHz
}

// New is a clock; what it takes by chance, it takes from a copy of dice.
func New(spec Spec, dice *chance.Source) (*Clock, error) {
	if err := spec.Check(); err != nil {
		return nil, err
	}
	c := &Clock{spec: spec, drift: newDrift(spec, dice), frequency: spec.frequency()}
	c.boot(0, spec.Uptime)
	for _, r := range spec.Reboots {
		c.boots[len(c.boots)-1].End = r.At
		c.boot(r.At+r.Down, 0)
	}
	return c, nil
}

// boot begins a boot.
func (c *Clock) boot(at, uptime int64) {
	origin := c.fine(at) - uptime
	if c.frequency != second {
		origin = floorDiv(origin, second) * second
	}
	c.boots = append(c.boots, Boot{Begin: at, End: math.MaxInt64, Origin: origin})
}

// Spec is what the clock was made of.
func (c *Clock) Spec() Spec { return c.spec }

// Frequency is that of the cycles, in Hz.
func (c *Clock) Frequency() uint64 { return c.frequency }

// Boots are the times in which the machine was up, in order.
func (c *Clock) Boots() []Boot { return c.boots }

// Boot is the index in Boots of the one that t is in, -1 if the machine is down.
func (c *Clock) Boot(t int64) int {
	for i := range c.boots {
		if t < c.boots[i].End {
			if t < c.boots[i].Begin {
				break
			}
			return i
		}
	}
	return -1
}

// Running tells whether the machine is up at true time t.
func (c *Clock) Running(t int64) bool { return c.Boot(t) >= 0 }

// Behind is the number of the first step before a true time, end, that sets the clock back to before the origin of the boot. No
// number of cycles stands for that. It is -1 if there is none.
func (c *Clock) Behind(end int64) int {
	for i, s := range c.spec.Steps {
		if s.At >= end {
			break
		}
		if b := c.Boot(s.At); b >= 0 && c.fine(s.At) < c.boots[b].Origin {
			return i
		}
	}
	return -1
}

// Origin is the local time, in ns, of cycle 0 in the first boot.
func (c *Clock) Origin() int64 { return c.boots[0].Origin }

// fine is what the clock shows at true time t if it resolves nanoseconds.
func (c *Clock) fine(t int64) int64 {
	local := Epoch + c.spec.Offset + t + c.drift.ns(t)
	for i := range c.spec.Steps {
		if t < c.spec.Steps[i].At {
			break
		}
		local += c.spec.Steps[i].By
	}
	for i := range c.spec.Reboots {
		if r := &c.spec.Reboots[i]; t >= r.At+r.Down {
			local += r.Offset
		}
	}
	c.ahead = local - t
	return local
}

// Cycles is the value of the clock at true time t, which is not negative: how many cycles after the
// origin of the boot. Where the machine is down it is that of the boot before.
func (c *Clock) Cycles(t int64) uint64 {
	elapsed, _ := c.elapsed(t)
	return c.cycles(elapsed)
}

// Local is the local time at true time t in ns: exactly what a reader of the
// trace computes from Cycles.
func (c *Clock) Local(t int64) int64 {
	elapsed, origin := c.elapsed(t)
	if c.frequency == second {
		return origin + int64(elapsed)
	}
	return schema.TimeAt(origin, c.cycles(elapsed), c.frequency)
}

// elapsed is how many ns are past the origin at true time t, as far as the clock resolves.
// Times before the origin are 0; see Behind.
func (c *Clock) elapsed(t int64) (uint64, int64) {
	boot := 0
	for boot+1 < len(c.boots) && t >= c.boots[boot+1].Begin {
		boot++
	}
	origin := c.boots[boot].Origin
	e := max(0, c.fine(t)-origin)
	if r := c.spec.Resolution; r > 1 {
		e -= e % r
	}
	return uint64(e), origin
}

func (c *Clock) cycles(elapsed uint64) uint64 {
	if c.frequency == second {
		return elapsed
	}
	hi, lo := bits.Mul64(elapsed, c.frequency)
	cycles, _ := bits.Div64(hi, lo, second)
	return cycles
}
