package report

import (
	"container/heap"
	"math"
	"time"

	"synchroscope/sync/graph"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

const (
	// window is that of the method from scratch, ns of reference time, counted as departures are.
	window = 2_000_000_000
	// mostScratch is how often the forest is computed from scratch to measure what that takes; it is done for every n-th
	// message beyond.
	mostScratch = 1000
	batch       = 1024
	mostAhead   = 1 << 18 // see work
)

// A Stopwatch tells how much time has passed since some moment; nil where nobody wants to know.
type Stopwatch func() time.Duration

// work does what the thesis compares in its tables 5.4 to 5.6, on the messages in the order of their sending, and measures it: everything from scratch for
// each window; hulls kept, all else from scratch at each message that narrows a link; everything kept.
type work struct {
	*growth
	s     *network.Solution
	watch Stopwatch
	ahead departures
	// mostAhead is how many messages wait to be taken in the order of their sending.
	mostAhead int
	held      []match.Message
	sent      []int64 // of those held, as departures have it

	windowed, kept, scratch cost
	inWindow                map[[2]int32]*hull.Hull
	windowEnd               int64
	stride                  int // between two computations from scratch that are measured
	measured                int
	factors                 []float64 // by host: its rate to the reference
	watched                 time.Duration
}

// A cost is what a method took.
type cost struct {
	analysing, forest, conversion time.Duration
	forests                       int
}

func newWork(s *network.Solution, watch Stopwatch) *work {
	return &work{growth: newGrowth(s), s: s, watch: watch, mostAhead: mostAhead, inWindow: make(map[[2]int32]*hull.Hull), windowEnd: math.MinInt64, stride: 1, factors: make([]float64, len(s.Hosts))}
}

func (w *work) time() time.Duration {
	if w.watch == nil {
		return 0
	}
	return w.watch()
}

// add takes a message, in any order. Messages become certain long after others that were sent later where a clock waits for what
// relates it; what comes when as many as may wait were sent later is taken then.
func (w *work) add(m match.Message) {
	h := &w.s.Hosts[m.From]
	heap.Push(&w.ahead, departure{m, h.Map.Reference(m.Sent) - w.begins[h.Component]})
	if len(w.ahead) > w.mostAhead {
		w.take()
	}
}

// take passes the message on that was sent first.
func (w *work) take() {
	d := heap.Pop(&w.ahead).(departure)
	w.held, w.sent = append(w.held, d.message), append(w.sent, d.sent)
	if len(w.held) == batch {
		w.flush()
	}
}

// flush does the work for the messages that are held, a method after the other, so that the watch is read seldom.
func (w *work) flush() {
	begin := w.time()
	before := w.kept
	for i, m := range w.held {
		if w.growth.add(m, w.sent[i]) {
			w.improve(m)
		}
	}
	spent := w.kept.forest - before.forest + w.kept.conversion - before.conversion
	w.kept.analysing += w.time() - begin - spent - w.watched
	w.watched = 0
	if w.watch != nil {
		w.windows()
	}
	w.held, w.sent = w.held[:0], w.sent[:0]
}

// improve brings forest, references and maps up to date, and measures what that would take from scratch.
func (w *work) improve(m match.Message) {
	begin := w.time()
	c := w.narrowed(m)
	changed := w.time()
	if c.Edges || c.Reference {
		w.kept.forests++
		for h := range w.forest.Affected(c) {
			w.factors[h] = factor(&w.forest, w.known, h)
		}
	}
	end := w.time()
	w.kept.forest += changed - begin
	w.kept.conversion += end - changed
	if w.watch == nil {
		return
	}
	w.scratch.forests++
	if w.scratch.forests%w.stride == 0 {
		w.fromScratch(&w.scratch, w.known)
		if w.measured++; w.measured%mostScratch == 0 {
			w.stride *= 2
		}
	}
	w.watched += w.time() - end
}

// fromScratch computes forest, references and the factors of all hosts anew. What it takes counts for all that are not measured.
func (w *work) fromScratch(c *cost, links map[[2]int32]knowledge) {
	begin := w.time()
	var f graph.Forest
	f.Grow(w.hosts)
	for key, k := range links {
		f.Set(graph.Edge{A: int(key[0]), B: int(key[1]), Weight: k.weight})
	}
	built := w.time()
	for h := range w.hosts {
		factor(&f, links, h)
	}
	times := time.Duration(1)
	if c == &w.scratch {
		times = time.Duration(w.stride)
	}
	c.forest += (built - begin) * times
	c.conversion += (w.time() - built) * times
}

// factor is the rate of a host's clock against that of its reference, as the thesis converts times: in floats along the path.
func factor(f *graph.Forest, links map[[2]int32]knowledge, h int) float64 {
	rate := 1.
	path, _ := f.Path(h, f.Reference(h))
	for _, e := range path {
		k := links[pair(int32(e.A), int32(e.B))]
		switch {
		case k.rate == 0:
		case h == e.A:
			rate *= k.rate
		default:
			rate /= k.rate
		}
		h = e.A + e.B - h
	}
	return rate
}

// windows is the method from scratch: each window has hulls of its own messages alone.
func (w *work) windows() {
	begin, spent := w.time(), time.Duration(0)
	for i, m := range w.held {
		if w.sent[i] > w.windowEnd {
			spent += w.endWindow()
			w.windowEnd = w.sent[i] + window
		}
		key := pair(m.From, m.To)
		h := w.inWindow[key]
		if h == nil {
			h = new(hull.Hull)
			w.inWindow[key] = h
		}
		h.Add(constraint(m))
	}
	w.windowed.analysing += w.time() - begin - spent
}

// endWindow makes the forest of a window, and says how long that took.
func (w *work) endWindow() time.Duration {
	if len(w.inWindow) == 0 {
		return 0
	}
	known := make(map[[2]int32]knowledge, len(w.inWindow))
	for key, h := range w.inWindow {
		known[key] = knowledgeOf(h)
	}
	clear(w.inWindow)
	begin := w.time()
	w.fromScratch(&w.windowed, known)
	w.windowed.forests++
	return w.time() - begin
}

// sheets are the growth of the forest, and what the methods took; no rows of the latter without a watch.
func (w *work) sheets() (growth, work Sheet) {
	for len(w.ahead) > 0 {
		w.take()
	}
	w.flush()
	work = Sheet{Title: "What it took", Note: "in the form of Jabbarifar 2013, tables 5.4 to 5.6; reading and matching are the same for all three", Heads: []Head{
		{Text: "Method"},
		{Text: "Analysing (ms)", Means: "Finding the lines that fit the messages of a link."},
		{Text: "Computed", Means: "How often the forest was, or was changed."},
		{Text: "Forest and reference (µs)", Means: "Finding the ways and the best reference, all of them together."},
		{Text: "Conversion (µs)", Means: "Composing rates along the ways, as the thesis does."},
	}}
	if w.watch != nil {
		w.endWindow()
		for _, m := range []struct {
			name string
			cost
		}{
			{"all from scratch, in windows of 2 s", w.windowed},
			{"hulls kept, forest from scratch at each accurate message", cost{w.kept.analysing, w.scratch.forest, w.scratch.conversion, w.scratch.forests}},
			{"all kept", w.kept},
		} {
			work.Rows = append(work.Rows, []Cell{
				{Text: m.name}, {Text: fixed(m.analysing.Seconds()*1e3, 1)}, {Text: group(int64(m.forests))},
				{Text: fixed(m.forest.Seconds()*1e6, 0)}, {Text: fixed(m.conversion.Seconds()*1e6, 0)},
			})
		}
		if w.stride > 1 {
			work.Note += "; forests from scratch were measured at a part of the messages and multiplied"
		}
	}
	return w.growth.sheet(), work
}
