package match

import (
	"cmp"
	"slices"

	"synchroscope/sync/hull"
)

const (
	// mostVotes is about how many suppositions are looked at for two hosts.
	mostVotes = 1 << 16
	// apart is by how much, in ns, what two suppositions say of clocks differs at least if these contradict each other.
	apart = 10_000_000_000
)

// A vote is the supposition that a send and a receive with one key are one packet, by the clocks of x, the lower host, and y.
type vote struct {
	x, y  int64
	side  hull.Side // Upper if x sent it
	doubt bool      // one of its ends has another vote that says nearly the same
}

// ahead is what the vote says of how far y is ahead of x; ok is false if that is out of range.
func (v *vote) ahead() (int64, bool) { return minus(v.y, v.x) }

// prove learns how clocks are related from all messages of generations whose keys are their own for good, and of hosts that have none
// of these in both directions from keys that repeat: if there is only one way to put what was sent beside
// what was received so that a pair of clocks allows it, then that is how the clocks are related. Neither depends on
// the order of the endpoints.
func (r *relations) prove(generations ...*generation) {
	votes := make(map[[2]int32]int)
	for _, g := range generations {
		for i := range g.entries.len() {
			e := g.entries.at(i)
			switch {
			case e.key.repeats():
				if e.sends > 0 && e.receives > 0 && !e.copied && !e.many() && e.from != e.to {
					votes[hosts(e.from, e.to)] += int(e.sends) * int(e.receives)
				}
			case e.fate() == matched:
				message := e.message()
				r.message(&message, true)
			}
		}
	}
	ballots := make(map[[2]int32][]vote)
	for pair, n := range votes {
		if p := r.list[pair]; n >= leastMessages && (p == nil || !p.sure.useful && !p.likely.useful) {
			ballots[pair] = nil
		}
	}
	if len(ballots) == 0 {
		return
	}
	var scratch [2][]end
	for _, g := range generations {
		for i := range g.entries.len() {
			e := g.entries.at(i)
			if !e.key.repeats() || e.sends == 0 || e.receives == 0 || e.copied || e.many() || e.from == e.to {
				continue
			}
			pair := hosts(e.from, e.to)
			ballot, wanted := ballots[pair]
			if !wanted || !e.key.among(votes[pair]/mostVotes+1) {
				continue
			}
			scratch = [2][]end{g.ends(scratch[0][:0], e, Send), g.ends(scratch[1][:0], e, Receive)}
			for j := range scratch[0] {
				for k := range scratch[1] {
					v := vote{x: scratch[0][j].time, y: scratch[1][k].time, side: hull.Upper}
					if e.from == pair[1] {
						v = vote{x: v.y, y: v.x, side: hull.Lower}
					}
					if _, ok := v.ahead(); ok {
						ballot = append(ballot, v)
					}
				}
			}
			ballots[pair] = ballot
		}
	}
	for pair, ballot := range ballots {
		for _, v := range elected(ballot) {
			message := Message{From: pair[0], To: pair[1], Sent: v.x, Received: v.y}
			if v.side == hull.Lower {
				message = Message{From: pair[1], To: pair[0], Sent: v.y, Received: v.x}
			}
			r.message(&message, false)
		}
	}
}

func hosts(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }

// among reports whether a key is one of the n-th part that is looked at.
func (k *Key) among(n int) bool {
	var d digest
	d.word(k.A)
	d.word(k.B)
	d.word(k.C ^ k.D)
	return d.x%uint64(n) == 0
}

// elected returns the votes that say nearly the same of the clocks and that a pair of clocks allows, if no other votes do, and none stand beside
// them as those from before or after a clock was set do.
func elected(ballot []vote) (best []vote) {
	ahead := func(v *vote) int64 { d, _ := v.ahead(); return d }
	slices.SortFunc(ballot, func(v, w vote) int {
		return cmp.Or(cmp.Compare(ahead(&v), ahead(&w)), cmp.Compare(v.x, w.x), cmp.Compare(v.side, w.side))
	})
	tried := 0
	var refused [][]vote
	for len(ballot) > 0 {
		n := 1
		for n < len(ballot) && ahead(&ballot[n])-ahead(&ballot[n-1]) < apart {
			n++
		}
		party := certain(ballot[:n:n])
		ballot = ballot[n:]
		if !allowed(party, &tried) {
			refused = append(refused, party)
			continue
		}
		if best != nil || tried > mostCurves {
			return nil
		}
		best = party
	}
	if best == nil {
		return nil
	}
	ends := make(map[[2]int64]bool, 2*len(best)) // of a host, 0 for that of x, and a time
	for _, v := range best {
		ends[[2]int64{0, v.x}], ends[[2]int64{1, v.y}] = true, true
	}
	for _, party := range refused {
		party = slices.DeleteFunc(party, func(v vote) bool { return ends[[2]int64{0, v.x}] || ends[[2]int64{1, v.y}] })
		if inStretches(party) {
			return nil
		}
	}
	return best
}

// inStretches reports whether votes fall, by time, into stretches that a line fits: then a clock was set between them. Votes of packets with the same key that
// were sent minutes apart have in them how far these really were apart, which no line fits for as many of both directions. It sorts the votes.
func inStretches(votes []vote) bool {
	slices.SortFunc(votes, func(v, w vote) int { return cmp.Or(cmp.Compare(v.x, w.x), cmp.Compare(v.y, w.y)) })
	all, agreeing := len(votes), 0
	for len(votes) > 0 {
		var u unit
		n := 0
		var sides [2]int
		for ; n < len(votes); n++ {
			u.hull.Add(votes[n].side, hull.Point{X: votes[n].x, Y: votes[n].y})
			if u.enough() && u.hull.Class() != hull.Approximate && !u.straight() {
				break
			}
			sides[votes[n].side]++
		}
		if n >= leastMessages && min(sides[hull.Upper], sides[hull.Lower]) > 1 {
			agreeing += n
		}
		votes = votes[n:]
	}
	return agreeing > 0 && 2*agreeing >= all
}

// certain returns those of the votes of which no end has another vote among them. It sorts them.
func certain(votes []vote) []vote {
	slices.SortFunc(votes, func(v, w vote) int { return cmp.Or(cmp.Compare(v.side, w.side), cmp.Compare(v.x, w.x)) })
	for i := range votes[1:] {
		if v, w := &votes[i], &votes[i+1]; v.side == w.side && v.x == w.x {
			v.doubt, w.doubt = true, true
		}
	}
	slices.SortFunc(votes, func(v, w vote) int { return cmp.Or(cmp.Compare(v.side, w.side), cmp.Compare(v.y, w.y)) })
	for i := range votes[1:] {
		if v, w := &votes[i], &votes[i+1]; v.side == w.side && v.y == w.y {
			v.doubt, w.doubt = true, true
		}
	}
	return slices.DeleteFunc(votes, func(v vote) bool { return v.doubt })
}

// allowed reports whether a pair of clocks allows the votes. Curves are tried as long as not too many were.
func allowed(votes []vote, tried *int) bool {
	var u unit
	for _, v := range votes {
		u.hull.Add(v.side, hull.Point{X: v.x, Y: v.y})
	}
	switch {
	case !u.enough():
		return false
	case u.straight():
		return true
	}
	if *tried++; *tried > mostCurves {
		return true // who knows
	}
	var series hull.Series
	for _, v := range votes {
		series.Add(v.side, hull.Point{X: v.x, Y: v.y})
	}
	f := series.Fit()
	return f.OK && len(f.Cuts) == 0
}
