package hull

import "math"

// A Doubt is a time by the first clock in which the clocks may be those of either of two parts that follow each other, without end where nothing ends that. By the later part the
// second clock is another than by the one before, by Least to Most ns. Known is false where it may be something else in between, or nobody knows by how
// much it is another: more steps are told of by others, parts are made up of messages of before and after, or messages are of neither.
type Doubt struct {
	From, To, Least, Most int64
	Known                 bool
}

// Doubts returns one for each cut, in the order of Edges. Other than bands they may be asked for by several goroutines at the same time.
func (c *Corridor) Doubts() []Doubt {
	jumps, edges := c.Clone().Jumps(), c.Edges()
	list := make([]Doubt, len(jumps))
	for i, by := range jumps {
		list[i] = Doubt{edges[2*i], edges[2*i+1], by[0], by[1], !c.open}
	}
	for i := range c.seams {
		p := &c.seams[i]
		for k := p.a; k < p.b; k++ {
			d := &list[k]
			switch {
			case p.b-p.a > 1 || p.least != 0 || p.most != 0:
				d.Known = false
			case !p.seen && p.forced != nil:
				told := p.forced.cuts[0].step()
				d.Least, d.Most = told.Least, told.Most
				d.Known = d.Known && len(p.forced.cuts) == 1
			}
		}
	}
	for i := range list {
		d := &list[i]
		d.Known = d.Known && d.Least > math.MinInt64 && d.Most < math.MaxInt64
	}
	return list
}
