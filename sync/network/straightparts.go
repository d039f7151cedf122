package network

import (
	"cmp"
	"maps"
	"slices"
)

// An end is that of a message at one host.
type end struct {
	at      int64 // reference time
	message int
}

// A part is a piece of the track of a host.
type part struct{ host, piece int }

// parts are those at the two ends of a message.
func (w *straightest) parts(k int) [2]part {
	return [2]part{{int(w.list[k].from), w.ends[k][0].piece}, {int(w.list[k].to), w.ends[k][1].piece}}
}

// divide puts an instant into the pieces that what is missing can be put down to, where the most is missing, and reports whether it could. The first is
// that of which all messages together miss most; then that of which the messages do that the first does not explain; and so on.
func (w *straightest) divide(wrong []int) (divided bool) {
	missing := make(map[part]float64)
	for _, k := range wrong {
		for _, p := range w.parts(k) {
			missing[p] += aim - w.delay(k)
		}
	}
	at := make(map[part]int64)
	for first := 0.0; len(wrong) > 0; {
		p := slices.MaxFunc(slices.Collect(maps.Keys(missing)), func(a, b part) int {
			return cmp.Or(cmp.Compare(missing[a], missing[b]), cmp.Compare(b.host, a.host), cmp.Compare(b.piece, a.piece))
		})
		if first = max(first, missing[p]); missing[p] < float64(leastOwn*first) {
			break
		}
		var left []int
		worst := 0.0
		for _, k := range wrong {
			both := w.parts(k)
			if both[0] != p && both[1] != p {
				left = append(left, k)
				continue
			}
			miss := aim - w.delay(k)
			for _, q := range both {
				missing[q] -= miss
			}
			if miss > worst {
				worst, at[p] = miss, w.list[k].sent
				if both[1] == p {
					at[p] = w.list[k].received
				}
			}
		}
		delete(missing, p)
		wrong = left
	}
	for h := range w.tracks {
		t := &w.tracks[h]
		for i := len(t.at) - 2; i >= 0; i-- {
			x, asked := at[part{h, i}]
			length := uint64(0)
			if asked {
				length = uint64(t.at[i+1]) - uint64(t.at[i])
			}
			if length < 2*leastPiece {
				continue
			}
			margin := int64(length / edge)
			x = min(max(x, t.at[i]+margin), t.at[i+1]-margin)
			by := t.value(t.place(x))
			t.at, t.by = slices.Insert(t.at, i+1, x), slices.Insert(t.by, i+1, by)
			divided = true
		}
	}
	return divided
}

// straighten leaves out instants without which all messages are right too, the others being as they are.
func (w *straightest) straighten() {
	own := make([][]end, len(w.tracks))
	for k, m := range w.list {
		if len(w.tracks[m.from].at) > 2 {
			own[m.from] = append(own[m.from], end{m.sent, k})
		}
		if len(w.tracks[m.to].at) > 2 {
			own[m.to] = append(own[m.to], end{m.received, k})
		}
	}
	for h := range w.tracks {
		slices.SortFunc(own[h], func(p, q end) int { return cmp.Or(cmp.Compare(p.at, q.at), cmp.Compare(p.message, q.message)) })
		t := &w.tracks[h]
		for i := 1; i+1 < len(t.at); {
			x, by := t.at[i], t.by[i]
			t.at, t.by = slices.Delete(t.at, i, i+1), slices.Delete(t.by, i, i+1)
			if !w.rightFrom(t.at[i-1], t.at[i], own[h]) {
				t.at, t.by = slices.Insert(t.at, i, x), slices.Insert(t.by, i, by)
				i++
			}
		}
	}
	w.locate()
}

// rightFrom reports whether all messages are right that begin or end at a host between two times.
func (w *straightest) rightFrom(from, to int64, own []end) bool {
	first, _ := slices.BinarySearchFunc(own, from, func(e end, at int64) int { return cmp.Compare(e.at, at) })
	for _, e := range own[first:] {
		if e.at > to {
			break
		}
		m := &w.list[e.message]
		w.ends[e.message] = [2]stay{w.tracks[m.from].place(m.sent), w.tracks[m.to].place(m.received)}
		if w.delay(e.message) <= distance {
			return false
		}
	}
	return true
}
