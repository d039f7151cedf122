package partial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// A Replay makes the changes of all events from a position on that lie before
// until, as they were made when the history was written. The position is what
// [Writer.Event] was given. into holds the state before the first of them, as it was known then; what was so before is there since the position's
// checkpoint.
type Replay func(ctx context.Context, position []byte, until int64, into history.Recorder) error

// A History answers queries from any number of goroutines. Its answers are those
// of a full history, but the bounds of an interval are cut to the checkpoints
// around: at Point and Full those next to the instant, at Range those next to
// the range. [history.History.Full] names attributes that have become null, this one does not.
type History struct {
	tree   *history.History
	full   history.Reader // of the attributes that are not here, or nil
	points *history.History
	replay Replay

	mu     sync.Mutex
	recent []*piece         // newest last
	spare  []*history.Names // of no replay
}

// pieces are kept for so many of the latest queries.
const pieces = 8

// A piece is the history from one checkpoint to the next.
type piece struct {
	number  int64
	once    sync.Once
	made    *history.Memory
	err     error
	givenUp bool // the query that made it was over before it was made
}

// Open reads a partial history: its trees of values and of positions. While it is written, what lies before its newest
// checkpoint can be read.
func Open(tree, points *history.History, replay Replay) (*History, error) {
	start, end := tree.Bounds()
	from, to := points.Bounds()
	if from != start || to != end && tree.Stats().Finished && points.Stats().Finished {
		return nil, fmt.Errorf("partial: the positions go from %d to %d ns, the values from %d to %d: they are not of one history", from, to, start, end)
	}
	return &History{tree: tree, points: points, replay: replay}, nil
}

// Attributes is the tree of this history's attributes.
func (h *History) Attributes() *attribute.Tree { return h.tree.Attributes() }

// Bounds are the start and the end, which is the newest checkpoint until the history is finished.
func (h *History) Bounds() (start, end int64) {
	start, end = h.tree.Bounds()
	_, positions := h.points.Bounds()
	return start, min(end, positions)
}

// String resolves a string value.
func (h *History) String(v history.Value) string { return h.tree.String(v) }

// Point returns the interval of q that holds t.
func (h *History) Point(ctx context.Context, q attribute.Quark, t int64) (history.Interval, error) {
	m, err := h.around(ctx, t)
	if err != nil {
		return history.Interval{}, err
	}
	return m.Point(ctx, q, t)
}

// Full yields the interval that holds t of every attribute that is not null then.
func (h *History) Full(ctx context.Context, t int64, yield func(history.Interval) bool) error {
	m, err := h.around(ctx, t)
	if err != nil {
		return err
	}
	return m.Full(ctx, t, func(iv history.Interval) bool { return iv.Value.IsNull() || yield(iv) })
}

// Range yields all intervals of the given attributes that touch [begin, end), by
// quark and then time. It holds all of them in memory.
func (h *History) Range(ctx context.Context, qs []attribute.Quark, begin, end int64, yield func(history.Interval) bool) error {
	rows := make(map[attribute.Quark][]history.Interval)
	err := h.each(ctx, qs, begin, end, func(iv history.Interval, first bool) bool {
		row := rows[iv.Quark]
		if last := len(row) - 1; first && last >= 0 && row[last].End == iv.Start && row[last].Value == iv.Value {
			row[last].End = iv.End
		} else {
			rows[iv.Quark] = append(row, iv)
		}
		return true
	})
	if err != nil {
		return err
	}
	for _, q := range slices.Compact(slices.Sorted(slices.Values(qs))) {
		for _, iv := range rows[q] {
			if !yield(iv) {
				return nil
			}
		}
	}
	return nil
}

// each yields intervals piece by piece, and whether they are the first of their attribute in the piece.
func (h *History) each(ctx context.Context, qs []attribute.Quark, begin, end int64, yield func(iv history.Interval, first bool) bool) error {
	start, last := h.Bounds()
	begin, end = max(begin, start), min(end, last)
	more := true
	for t := begin; t < end && more; {
		m, err := h.around(ctx, t)
		if err != nil {
			return err
		}
		from, to := m.Bounds()
		err = m.Range(ctx, qs, t, end, func(iv history.Interval) bool {
			more = yield(iv, iv.Start == from)
			return more
		})
		if err != nil {
			return err
		}
		t = to
	}
	return nil
}

// Pixels reduces each attribute to columns, exactly. It replays all that is in sight.
func (h *History) Pixels(ctx context.Context, qs []attribute.Quark, edges []int64) ([][]history.Run, error) {
	return history.Reduce(ctx, byPiece{h}, qs, edges)
}

// Sampled yields the intervals that hold certain instants, as [history.History.Sampled]. It replays all that is in sight.
func (h *History) Sampled(ctx context.Context, qs []attribute.Quark, begin, end, every int64, yield func(history.Interval) bool) error {
	return history.Sample(ctx, h, qs, begin, end, every, yield)
}

// Totals returns what each attribute was from begin until before end. It replays all that is in sight.
func (h *History) Totals(ctx context.Context, qs []attribute.Quark, begin, end int64) ([][]history.Total, error) {
	return history.Sum(ctx, byPiece{h}, qs, begin, end)
}

// Alive returns the attributes that are not null all of the time. It replays all that is in sight.
func (h *History) Alive(ctx context.Context, qs []attribute.Quark, begin, end int64) ([]attribute.Quark, error) {
	return history.Alive(ctx, h, qs, begin, end)
}

// NextChange returns the first wanted interval of q that begins after t; a checkpoint is no change. It replays piece by piece up to there.
func (h *History) NextChange(ctx context.Context, q attribute.Quark, t int64, want func(history.Value) bool) (history.Interval, bool, error) {
	return history.Next(ctx, h, q, t, want)
}

// PreviousChange returns the last wanted interval of q that begins before t; a checkpoint is no change. It replays piece by piece back to there.
func (h *History) PreviousChange(ctx context.Context, q attribute.Quark, t int64, want func(history.Value) bool) (history.Interval, bool, error) {
	return history.Previous(ctx, h, q, t, want)
}

// byPiece is a history whose ranges come piece by piece rather than by quark.
type byPiece struct{ *History }

func (h byPiece) Range(ctx context.Context, qs []attribute.Quark, begin, end int64, yield func(history.Interval) bool) error {
	return h.each(ctx, qs, begin, end, func(iv history.Interval, _ bool) bool { return yield(iv) })
}

// Seam tells whether a piece begins at a time: what was so before is cut there.
func (h *History) Seam(ctx context.Context, t int64) bool {
	bounds, err := pieceAt(ctx, h.points, t)
	return err == nil && bounds.Start == t
}

// around returns the piece that holds t.
func (h *History) around(ctx context.Context, t int64) (*history.Memory, error) {
	start, end := h.Bounds()
	if t < start || t >= end {
		return nil, fmt.Errorf("partial: time %d ns is %w, which covers %d to %d", t, history.ErrOutside, start, end)
	}
	bounds, err := pieceAt(ctx, h.points, t)
	if err != nil {
		return nil, err
	}
	n, ok := bounds.Value.Int()
	if !ok {
		n = -1
	}
	for {
		p := h.piece(n)
		p.once.Do(func() {
			p.made, p.err = h.make(ctx, bounds)
			p.givenUp = ctx.Err() != nil
		})
		if p.err == nil {
			return p.made, nil
		}
		h.drop(p)
		if !p.givenUp || ctx.Err() != nil {
			return nil, p.err
		}
		// Another query began the replay, and was given up.
	}
}

func (h *History) piece(n int64) *piece {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, p := range h.recent {
		if p.number == n {
			h.recent = append(slices.Delete(h.recent, i, i+1), p)
			return p
		}
	}
	p := &piece{number: n}
	if len(h.recent) == pieces {
		h.recent = slices.Delete(h.recent, 0, 1)
	}
	h.recent = append(h.recent, p)
	return p
}

// drop forgets a piece that could not be made, so that the next query tries again.
func (h *History) drop(p *piece) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.recent = slices.DeleteFunc(h.recent, func(r *piece) bool { return r == p })
}

// make replays the piece of an interval; one without a number is a history without events.
func (h *History) make(ctx context.Context, bounds history.Interval) (*history.Memory, error) {
	names := h.names()
	attributes, texts := names.Len()
	m, err := h.replayed(ctx, bounds, names.NewMemory(bounds.Start))
	if a, t := names.Len(); a != attributes || t != texts {
		if err == nil {
			err = errNew
		}
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spare = append(h.spare, names)
	return m, err
}

// names are those of the history, for a replay alone: one that is not of this trace may add to them.
func (h *History) names() *history.Names {
	h.mu.Lock()
	last := len(h.spare) - 1
	if last < 0 {
		h.mu.Unlock()
		return h.tree.Names()
	}
	names := h.spare[last]
	h.spare = h.spare[:last]
	h.mu.Unlock()
	names.Follow()
	return names
}

// replayed fills m with the piece of an interval.
func (h *History) replayed(ctx context.Context, bounds history.Interval, m *history.Memory) (*history.Memory, error) {
	if bounds.Value.IsNull() {
		return m, m.Finish(bounds.End)
	}
	start, _ := h.Bounds()
	begin, end := bounds.Start, bounds.End
	attributes := attribute.Quark(m.Attributes().Len())
	var wrong error
	put := func(iv history.Interval) bool {
		if iv.Quark < attributes { // one that was made since, which was null, may have been corrected
			wrong = m.Update(iv.Quark, iv.Value)
		}
		return wrong == nil
	}
	if err := h.tree.Full(ctx, begin, put); err != nil {
		return nil, err
	}
	if h.full != nil && begin > start {
		if err := h.full.Full(ctx, begin-1, put); err != nil {
			return nil, err
		}
	}
	// Only now, so that what the full history has corrected meanwhile is among what was known before.
	from, err := placeAt(ctx, h.points, begin)
	if err != nil {
		return nil, err
	}
	for _, was := range from.was {
		v := was.value
		if v.IsString() {
			v = m.Text([]byte(h.points.String(v)))
		}
		put(history.Interval{Quark: was.quark, Value: v})
	}
	if wrong != nil {
		return nil, wrong
	}
	if err := h.replay(ctx, from.position, end, m); err != nil {
		return nil, fmt.Errorf("partial: replay from %d ns: %w", begin, err)
	}
	return m, m.Finish(end)
}

var errNew = errors.New("partial: the replay made attributes or texts that the history does not know: it is not the replay of this trace")
