package hull

import "slices"

// Instants are the times from begin to end between which a drawing of the band may go straight: as many even ones and
// both ends; the edges of each cut, within which both sides are allowed; and those of others. They rise.
func (c *Corridor) Instants(begin, end int64, even uint64, others []int64) []int64 {
	at := append([]int64{end}, others...)
	step := (uint64(end) - uint64(begin)) / even
	for i := range even {
		at = append(at, int64(uint64(begin)+i*step))
	}
	for i, e := range c.Edges() {
		at = append(at, e, e+int64(i%2*2-1))
	}
	at = slices.DeleteFunc(at, func(x int64) bool { return x < begin || x > end })
	slices.Sort(at)
	return slices.Compact(at)
}
