package network

// A step of the search moves all hosts such that the sum of the squares of what messages miss becomes less. Its equations are solved by conjugate
// gradients, preconditioned by those of each host alone, as in settle. A message that misses nothing yet may do so after the
// step, and nothing of it is in the equations; so steps are damped: a host resists being moved, by all its messages, and the more the less the
// last step helped (Levenberg and Marquardt).

const (
	stepsOfRound = 60
	descents     = 60   // of the conjugate gradients of a step
	precise      = 1e-4 // part of the first gain, at which those end
	stiff        = 1e-6 // weight of the square of what a track turns by at an instant, in ns after the shorter piece beside it
	ridge        = 1e-9 // weight of the square of how far a host is moved, so that nothing is left open
	leastEase    = 1e-9 // part of both weights
	firstDamp    = 1e-2
	leastDamp    = 1e-6
	mostDamp     = 1e3
	still        = 1e-4 // part of what is missing that a step must take off, or it is the last
)

// A system is the equations of one step: of each host a matrix of all that is of it alone, and that without messages.
//
// Where crystals wander for hours hosts are moved by seconds, and however little that weighs, it outweighs what messages miss by some hundred ns: no division
// helps then. So where little is missing and the worst is not halved from one round to the next, that is given less weight.
type system struct {
	ease          float64 // part of the weight that stiffness and how far hosts are moved have
	damp          float64
	own           []factor // of all messages of a host, whether they miss something or not
	rough, factor []factor
	missing       []float64 // ns, by message; less than 0 where nothing is
	short         []int     // messages that miss something
}

// minimize makes steps until they help no more.
func (w *straightest) minimize() {
	w.weigh()
	w.damp = firstDamp
	before := w.squares()
	for range stepsOfRound {
		if len(w.short) == 0 || w.damp > mostDamp || w.looked > labour {
			return
		}
		step, ok := w.step()
		now := before
		if ok {
			w.move(step, 1)
			now = w.squares()
		}
		if !ok || now > before {
			if ok {
				w.move(step, -1)
				w.squares()
			}
			w.damp *= 8
			continue
		}
		w.damp = max(w.damp/4, leastDamp)
		if now >= float64(before*(1-still)) {
			return
		}
		before = now
	}
}

// weigh makes the matrices of all messages of a host, and of its stiffness.
func (w *straightest) weigh() {
	w.own, w.rough, w.factor = make([]factor, len(w.tracks)), make([]factor, len(w.tracks)), make([]factor, len(w.tracks))
	for _, h := range w.free {
		n := len(w.tracks[h].at)
		for below := range 3 {
			w.own[h][below], w.rough[h][below], w.factor[h][below] = make([]float64, n), make([]float64, n), make([]float64, n)
		}
		for i := range n {
			w.rough[h][0][i] = w.ease * ridge
		}
		for i := 1; i+1 < n; i++ {
			turn := w.tracks[h].turn(i)
			for a, x := range turn {
				for b, y := range turn[a:] {
					w.rough[h][b][i-1+a] += float64(w.ease * stiff * x * y)
				}
			}
		}
	}
	for k, m := range w.list {
		w.own[m.from].add(w.ends[k][0])
		w.own[m.to].add(w.ends[k][1])
	}
	w.looked += len(w.list)
}

// turn is what the values before, at and after an instant are to be multiplied by, for what the track turns by there.
func (t *track) turn(i int) [3]float64 {
	before, after := float64(uint64(t.at[i])-uint64(t.at[i-1])), float64(uint64(t.at[i+1])-uint64(t.at[i]))
	least := min(before, after)
	return [3]float64{least / before, -least/before - least/after, least / after}
}

// add adds the square of one place to a matrix.
func (f *factor) add(p stay) {
	f[0][p.piece] += float64((1 - p.part) * (1 - p.part))
	f[0][p.piece+1] += float64(p.part * p.part)
	f[1][p.piece] += float64((1 - p.part) * p.part)
}

// squares is the sum that steps make less, and finds what messages miss.
func (w *straightest) squares() (sum float64) {
	w.short = w.short[:0]
	if w.missing == nil {
		w.missing = make([]float64, len(w.list))
	}
	for k := range w.list {
		ns := aim + w.more[k] - w.delay(k)
		w.missing[k] = ns
		if ns > 0 {
			sum += float64(ns * ns)
			w.short = append(w.short, k)
		}
	}
	w.looked += len(w.list)
	for _, h := range w.free {
		t := &w.tracks[h]
		for i, by := range t.by {
			sum += float64(w.ease * ridge * by * by)
			if i > 0 && i+1 < len(t.by) {
				turn := t.turn(i)
				ns := float64(turn[0]*t.by[i-1]) + float64(turn[1]*by) + float64(turn[2]*t.by[i+1])
				sum += float64(w.ease * stiff * ns * ns)
			}
		}
	}
	return sum
}

// move moves all hosts by so many times a step.
func (w *straightest) move(step [][]float64, times float64) {
	for _, h := range w.free {
		for i, ns := range step[h] {
			w.tracks[h].by[i] += float64(times * ns)
		}
	}
}

// step solves the equations. ok is false where they leave something open.
func (w *straightest) step() (step [][]float64, ok bool) {
	if !w.decompose() {
		return nil, false
	}
	step, rest, direction, turned, near := w.zero(), w.zero(), w.zero(), w.zero(), w.zero()
	for _, h := range w.free {
		w.rough[h].symmetric(w.tracks[h].by, rest[h], -1)
	}
	for _, k := range w.short {
		w.put(rest, k, w.missing[k])
	}
	var first, before float64
	for n := range descents {
		for _, h := range w.free {
			copy(near[h], rest[h])
			w.factor[h].solve(near[h])
		}
		gain := w.product(rest, near)
		if n == 0 {
			first = gain
		}
		if gain <= float64(precise*first) {
			break
		}
		again := 0.0
		if n > 0 {
			again = gain / before
		}
		before = gain
		for _, h := range w.free {
			for i := range direction[h] {
				direction[h][i] = near[h][i] + float64(again*direction[h][i])
			}
		}
		w.times(direction, turned)
		curve := w.product(direction, turned)
		if curve <= 0 {
			break
		}
		far := gain / curve
		for _, h := range w.free {
			for i := range rest[h] {
				step[h][i] += float64(far * direction[h][i])
				rest[h][i] -= float64(far * turned[h][i])
			}
		}
	}
	return step, true
}
