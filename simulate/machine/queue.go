package machine

// A runQueue is the threads that wait for a CPU: a heap, the next one on top.
type runQueue struct {
	threads []*Thread
	count   uint64
}

// Len is how many wait.
func (q *runQueue) Len() int { return len(q.threads) }

// ahead tells whether a is to run before b: real time by priority, others by what they had.
func ahead(a, b *Thread) bool {
	if ra, rb := a.Prio < 0, b.Prio < 0; ra || rb {
		if ra != rb {
			return ra
		}
		if a.Prio != b.Prio {
			return a.Prio < b.Prio
		}
		return a.order < b.order
	}
	return a.v < b.v || a.v == b.v && a.order < b.order
}

func (q *runQueue) push(t *Thread) {
	q.count++
	t.order = q.count
	q.threads = append(q.threads, t)
	q.up(len(q.threads) - 1)
}

func (q *runQueue) up(i int) {
	h := q.threads
	for i > 0 {
		p := (i - 1) / 2
		if !ahead(h[i], h[p]) {
			return
		}
		h[i], h[p] = h[p], h[i]
		i = p
	}
}

func (q *runQueue) pop() *Thread { return q.remove(0) }

func (q *runQueue) remove(i int) *Thread {
	h := q.threads
	t, n := h[i], len(h)-1
	h[i] = h[n]
	h[n] = nil
	q.threads = h[:n]
	if i == n {
		return t
	}
	q.up(i)
	for h = q.threads; ; {
		child := 2*i + 1
		if child >= n {
			return t
		}
		if child+1 < n && ahead(h[child+1], h[child]) {
			child++
		}
		if !ahead(h[child], h[i]) {
			return t
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
