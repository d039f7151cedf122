package hull

import "math/bits"

// A Cap is by how much the rate of one clock against another may change:
// 2^(Cap-55) per ns, that is 2.8e-8 per second for Cap 0 and twice as much for
// each more. The rate of a crystal follows its temperature, by some parts in
// 10^7 per degree; 1.4e-8 per second for each of two crystals is a degree or
// so within ten seconds.
//
// Caps are powers of two so that what they allow is a square and a shift.
type Cap int

const (
	// Crystals is the cap where nothing is known against it.
	Crystals Cap = 0
	// Steepest is the highest cap that is tried to explain the messages of a
	// link: 2.3e-4 per second, for rates that are set by 200 ppm at once under
	// delays of 20 µs. What bends more is a step and is cut, or slewed.
	Steepest Cap = 13
	// margin is by how much a cap is raised beyond the least that explains the
	// messages: doubled twice. A clock whose rate is set, by a step of d, has
	// no cap at all, but it is within d²/8κ of a curve under the cap κ. That
	// the messages allow a curve says that the corridor is about that wide;
	// under four times the cap the clock itself is within the band wherever the
	// corridor has at least a quarter of that on either side of it. See roomy.
	margin Cap = 2
	// loosest is the highest cap that results.
	loosest = quickest + 2*margin
)

// PerSecond is the cap as a number: the change of rate in a second.
func (c Cap) PerSecond() float64 { return 1e9 / float64(uint64(1)<<(55-c)) }

// reach is more than the largest lift; a message that is further away says nothing.
const reach = 1 << 61

// lift is how far a clock under the cap can leave its tangent at t until x,
// κ(x-t)²/2, rounded up to ns. ok is false, and ns no lift, where that is reach or more.
func (c Cap) lift(x, t int64) (ns int64, ok bool) {
	d := uint64(x) - uint64(t)
	if x < t {
		d = -d
	}
	hi, lo := bits.Mul64(d, d)
	shift := uint(56 - c)
	lo, up := bits.Add64(lo, 1<<shift-1, 0)
	hi += up
	return int64(hi<<(64-shift) | lo>>shift), hi>>(shift-3) == 0
}

// Sag is how far a clock under the cap can leave the chord of an interval of
// the length: κ·length²/8, rounded up to ns, at most 2^61.
func (c Cap) Sag(length uint64) int64 {
	if length > 1<<62 {
		return reach
	}
	ns, ok := c.lift(int64(length/2+length&1), 0)
	if !ok {
		return reach
	}
	return ns
}
