package network

import (
	"math"
	"math/bits"

	"synchroscope/sync/hull"
)

// Where messages are few, a curve goes through a step: that of ten seconds may bend by milliseconds. All links of the host together
// have messages enough to tell. They are put into one series, with the times of all peers as one of them would have shown
// them: a message that was received at the latest, and one that was sent at the earliest, that the link between the two allows, constrains
// the clock still. What no curve fits then was set, and each link that had to bend there is explained by that step.

// manyWindows with messages of a host are enough to tell crystals that were set from a curve that bends all the time.
const manyWindows = 64

// confirmSteps explains links by steps of which their own messages do not tell whether they are steps, where other messages of their
// hosts do: else a curve through each would have all clocks be able to bend like that.
func (n *Network) confirmSteps() {
	unsure := make([]int, len(n.hosts)) // links of a host
	for _, l := range n.order {
		if l.unsure() {
			unsure[l.a]++
			unsure[l.b]++
		}
	}
	suspect := make([]bool, len(n.hosts))
	found := false
	for _, l := range n.order {
		if l.unsure() {
			suspect[l.a] = suspect[l.a] || unsure[l.a] >= unsure[l.b]
			suspect[l.b] = suspect[l.b] || unsure[l.b] >= unsure[l.a]
			found = true
		}
	}
	if !found {
		return
	}
	widths := make([]uint64, len(n.order)) // of links that are calm
	parallel(len(n.order), func(i int) {
		if widths[i] = math.MaxUint64; n.order[i].calm() {
			widths[i] = n.order[i].width()
		}
	})
	together := make([][]hull.Set, len(n.hosts))
	parallel(len(n.hosts), func(i int) {
		if suspect[i] {
			together[i] = n.together(int32(i), widths)
		}
	})
	steps := n.steps()
	for i, sets := range together {
		for _, s := range sets {
			steps[int32(i)] = append(steps[int32(i)], stepped{s, nil})
		}
	}
	for _, l := range n.order {
		if l.unsure() && l.confirmed(steps, n.hosts) {
			l.fit = *l.fit.Set
		}
	}
}

// unsure tells whether the link may be explained by steps.
func (l *link) unsure() bool { return l.fit.Set != nil && !l.excluded }

// calm tells whether the clocks of the link are crystals by it, none of which seems to have been set.
func (l *link) calm() bool {
	return l.fit.OK && !l.excluded && l.fit.Set == nil && len(l.fit.Cuts) == 0
}

// width is that of what the link allows in the middle of its messages.
func (l *link) width() uint64 {
	sent := l.estimate().series.Points(hull.Upper)
	if len(sent) == 0 {
		return math.MaxUint64
	}
	if lo, hi, ok := l.views(l.fit, hull.Crystals)[0].Band(sent[len(sent)/2].X); ok {
		return uint64(hi) - uint64(lo)
	}
	return math.MaxUint64
}

// A relay takes times of a host to those of the next host on the way to a base.
type relay struct {
	next  int32
	by    *hull.Corridor // nil at the base
	known bool
	width uint64 // of what a time may have been at the base
}

// relays are the ways to a base by which times are known best, by host. A host is left out.
func (n *Network) relays(base, without int32, widths []uint64) []relay {
	ways := make([]relay, len(n.hosts))
	ways[base].known = true
	for {
		var best *link
		least := uint64(math.MaxUint64)
		for i, l := range n.order {
			a, b := &ways[l.a], &ways[l.b]
			if a.known == b.known || l.a == without || l.b == without {
				continue
			}
			if width, more := bits.Add64(widths[i], max(a.width, b.width), 0); more == 0 && width < least {
				best, least = l, width
			}
		}
		if best == nil {
			return ways
		}
		from, to := best.a, best.b
		if ways[from].known {
			from, to = to, from
		}
		ways[from] = relay{next: to, by: best.views(best.fit, hull.Crystals)[best.place(from)], known: true, width: least}
	}
}

// span is what a time of a host may have been at the base.
func span(ways []relay, host int32, t int64) (earliest, latest int64, ok bool) {
	earliest, latest, ok = t, t, ways[host].known
	for way := &ways[host]; ok && way.by != nil; way = &ways[way.next] {
		if earliest, _, ok = way.by.Band(earliest); ok {
			_, latest, ok = way.by.Band(latest)
		}
	}
	return earliest, latest, ok
}

// together are the steps that a host's clock made, by all its links and the times of one of its peers.
func (n *Network) together(h int32, widths []uint64) []hull.Set {
	base, least := int32(-1), uint64(math.MaxUint64)
	for i, l := range n.order {
		if l.a != h && l.b != h && widths[i] < least {
			base, least = l.a, widths[i]
		}
	}
	if base < 0 {
		return nil
	}
	ways := n.relays(base, h, widths)
	var all hull.Series
	for _, l := range n.order {
		if l.a != h && l.b != h || !l.fit.OK || l.excluded {
			continue
		}
		for _, side := range []hull.Side{hull.Upper, hull.Lower} {
			for _, m := range l.points(side) {
				side := side
				if l.x() != h {
					side, m = side.Other(), m.Swapped()
				}
				earliest, latest, ok := span(ways, l.other(h), m.Y)
				switch {
				case !ok:
				case side == hull.Upper:
					all.Add(side, hull.Point{X: m.X, Y: latest})
				default:
					all.Add(side, hull.Point{X: m.X, Y: earliest})
				}
			}
		}
	}
	f := all.Fit()
	if f.Set != nil && all.Windows() >= manyWindows {
		f = *f.Set
	}
	if !f.OK || len(f.Cuts) == 0 {
		return nil
	}
	c := all.Corridor(f, hull.Crystals)
	for _, by := range c.Jumps() {
		if by[0] <= 0 && by[1] >= 0 {
			return nil // a rate may have been set
		}
	}
	return c.Sets()
}

// other is the end of a link that h is not.
func (l *link) other(h int32) int32 { return l.a + l.b - h }

// place is the end of a link that h is: 0 if its clock is X, 1 if it is Y.
func (l *link) place(h int32) int {
	if h == l.x() {
		return 0
	}
	return 1
}

// confirmed reports whether others have all steps of which the link is not sure.
func (l *link) confirmed(steps map[int32][]stepped, hosts []host) bool {
	views := l.recorded(hosts, *l.fit.Set, hull.Crystals)
	byX, byY := views[0].Sets(), views[1].Sets()
	for i := range byX {
		if !known(steps[l.end(0)], byX[i]) && !known(steps[l.end(1)], byY[i]) {
			return false
		}
	}
	return true
}

// known reports whether a step is among others.
func known(steps []stepped, own hull.Set) bool {
	for _, s := range steps {
		if s.Meets(own) && s.Like(own) {
			return true
		}
	}
	return false
}
