package live

import (
	"cmp"
	"context"
	"slices"

	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// wakeupMoments bounds the states that are looked at for one answer.
const wakeupMoments = 1 << 15

// A sleeper is a thread of which it is asked who woke it.
type sleeper struct {
	row    uint32
	host   int32
	tid    int32
	states uint64 // in the range
	sleeps uint64 // of these
}

// answerWakeups tells which threads woke those of the rows asked for, and when; or which woke one thread, and whom that
// woke. Threads whose state changes most often are left out, as many as it takes to stay within the bounds, and counted.
func answerWakeups(ctx context.Context, s *session, r wire.Request) (answer, error) {
	l := s.lens(r.Raw)
	out := &wire.Wakeups{Header: r.Header, Base: r.Begin}
	var err error
	if r.OfRow {
		err = s.wakeupsOf(ctx, l, r, out)
	} else {
		err = s.wakeupsIn(ctx, l, r, out)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(out.Arrows, func(a, b wire.Wakeup) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Woken, b.Woken))
	})
	return func(seq uint32) ([]byte, error) {
		out.Seq = seq
		return out.Encode()
	}, nil
}

// wakeupsIn are those of the rows asked for.
func (s *session) wakeupsIn(ctx context.Context, l lens, r wire.Request, out *wire.Wakeups) error {
	sleepers, err := s.sleepers(ctx, l, r, r.Rows)
	if err != nil {
		return err
	}
	slices.SortFunc(sleepers, func(a, b sleeper) int {
		return cmp.Or(cmp.Compare(a.states, b.states), cmp.Compare(a.row, b.row))
	})
	looked, most := uint64(0), uint64(0)
	for i, x := range sleepers {
		looked += x.states
		most += x.sleeps
		if looked > wakeupMoments || most > uint64(r.Limit) {
			out.LeftOut = uint32(len(sleepers) - i)
			return nil
		}
		if out.Arrows, err = s.woken(ctx, l, r, x, out.Arrows, 0); err != nil {
			return err
		}
	}
	return nil
}

// wakeupsOf are those of one thread: who woke it, and which threads of its host it woke.
func (s *session) wakeupsOf(ctx context.Context, l lens, r wire.Request, out *wire.Wakeups) error {
	of, ok := s.rows.row(r.Row)
	if !ok || of.kind != wire.RowProcess && of.kind != wire.RowThread {
		return nil
	}
	sleepers, err := s.sleepers(ctx, l, r, s.rows.threads(of.host))
	if err != nil {
		return err
	}
	other := func(x sleeper) int {
		if x.row == r.Row {
			return 0
		}
		return 1
	}
	slices.SortFunc(sleepers, func(a, b sleeper) int {
		return cmp.Or(cmp.Compare(other(a), other(b)), cmp.Compare(a.states, b.states), cmp.Compare(a.row, b.row))
	})
	looked := uint64(0)
	for _, x := range sleepers {
		if looked+x.states > wakeupMoments {
			out.LeftOut++
			continue
		}
		looked += x.states
		by := of.thread.TID
		if x.row == r.Row {
			by = 0
		}
		arrows, err := s.woken(ctx, l, r, x, out.Arrows, by)
		if err != nil {
			return err
		}
		if len(arrows) > r.Limit {
			out.LeftOut++
			continue
		}
		out.Arrows = arrows
	}
	return nil
}

// woken appends the wake-ups of a thread, those by one thread alone unless that is 0.
func (s *session) woken(ctx context.Context, l lens, r wire.Request, x sleeper, to []wire.Wakeup, by int32) ([]wire.Wakeup, error) {
	begin, end := l.local(x.host, r.Begin), l.local(x.host, r.End)
	err := kernel.Waits(ctx, s.set.Hosts()[x.host].History(), x.tid, begin, end, func(w kernel.Waiting) bool {
		if w.Ended && w.End < end && w.Waker > 0 && (by == 0 || w.Waker == by) {
			to = append(to, wire.Wakeup{At: float64(l.shown(x.host, w.End) - r.Begin), Waker: s.rows.of(x.host, w.Waker), Woken: x.row})
		}
		return true
	})
	return to, err
}

// sleepers are the threads among some rows that slept in the range of a request.
func (s *session) sleepers(ctx context.Context, l lens, r wire.Request, rows []uint32) ([]sleeper, error) {
	byHost := make(map[int32][]sleeper)
	quarks := make(map[int32][]attribute.Quark)
	seen := make(map[uint32]bool, len(rows))
	for _, id := range rows {
		row, ok := s.rows.row(id)
		if !ok || seen[id] || row.kind != wire.RowProcess && row.kind != wire.RowThread || row.quark == attribute.None {
			continue
		}
		seen[id] = true
		byHost[row.host] = append(byHost[row.host], sleeper{row: id, host: row.host, tid: row.thread.TID})
		quarks[row.host] = append(quarks[row.host], row.quark)
	}
	var out []sleeper
	for host, of := range byHost {
		h := s.set.Hosts()[host].History()
		if h == nil {
			continue
		}
		totals, err := h.Totals(ctx, quarks[host], l.local(host, r.Begin), l.local(host, r.End))
		if err != nil {
			return nil, err
		}
		for i := range of {
			if of[i].count(totals[i]); of[i].sleeps > 0 {
				out = append(out, of[i])
			}
		}
	}
	return out, nil
}

// count takes how often the thread was in which state.
func (x *sleeper) count(totals []history.Total) {
	for _, t := range totals {
		x.states += t.Count
		if status, ok := t.Value.Int(); ok && (kernel.Status(status) == kernel.Blocked || kernel.Status(status) == kernel.Wait) {
			x.sleeps += t.Count
		}
	}
}
