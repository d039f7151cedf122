package hull

import "math"

// Steps returns for each cut the least and the most that the second clock was set by: what
// the part after it allows in the middle of the cut, less what the part before allows there.
// Both clocks are under the cap until then and from then on, so the bounds are hard for a
// clock that was set once, in the middle. Set elsewhere in the cut, it differs by how much
// its rate is another afterwards, over half of the cut.
func (c *Corridor) Steps() (steps [][2]int64) {
	for i := 1; i < len(c.parts); i++ {
		a, b := &c.parts[i-1], &c.parts[i]
		t := a.end + int64((uint64(b.begin)-uint64(a.end))/2)
		low, high, ok := c.band(a, t)
		low2, high2, also := c.band(b, t)
		if !ok || !also {
			steps = append(steps, [2]int64{math.MinInt64, math.MaxInt64})
			continue
		}
		steps = append(steps, [2]int64{apart(low2, high), apart(high2, low)})
	}
	return steps
}

// apart is a-b, at most an int64.
func apart(a, b int64) int64 {
	negative, magnitude := difference(a, b)
	switch {
	case magnitude > math.MaxInt64 && negative:
		return math.MinInt64
	case magnitude > math.MaxInt64:
		return math.MaxInt64
	case negative:
		return -int64(magnitude)
	}
	return int64(magnitude)
}
