package live

import (
	"context"
	"fmt"

	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/query"
)

// rowBatch is how many rows are reduced at once. It bounds what is held in the
// form of the query, several times as large as that of the wire.
const rowBatch = 64

// answerStates reduces rows to columns. The rows are asked of each host in its
// own local time; the edges of the columns go through its clock map. What is only known from a first look is left out
// until the answer is complete, so that a page goes on showing what it has of it.
func answerStates(ctx context.Context, s *session, r wire.Request) (answer, error) {
	l := s.lens(r.Raw)
	ids, found := make([]uint32, 0, len(r.Rows)), make([]row, 0, len(r.Rows))
	kept := false
	for _, id := range r.Rows {
		row, ok := s.rows.row(id)
		if !ok && !s.rows.reserved(id) {
			return nil, refusal(fmt.Sprintf("There is no row %d.", id))
		}
		if ok {
			ids, found = append(ids, id), append(found, row)
			kept = kept || row.kept
		}
	}
	out := &wire.States{Header: r.Header, Begin: r.Begin, End: r.End, Columns: r.Columns, Complete: s.complete(r, l, found), Clocks: l.clocks(r, len(s.set.Hosts()))}
	if kept && !out.Complete {
		ids, found = refound(ids, found)
	}
	reduce := s.reducing(l, r, out.Complete)
	for i := 0; i < len(found); {
		n := 1
		for i+n < len(found) && n < rowBatch && found[i+n].host == found[i].host && reducedAlike(found[i], found[i+n]) {
			n++
		}
		rows, err := reduce(ctx, found[i:i+n])
		if err != nil {
			return nil, err
		}
		for k, runs := range rows {
			addRow(out, ids[i+k], runs)
		}
		if out.Size() > wire.MaxFrame {
			return nil, wire.ErrTooLarge
		}
		i += n
	}
	return func(seq uint32) ([]byte, error) {
		out.Seq = seq
		return out.Encode()
	}, nil
}

// refound are the rows without those of before that have not been found again.
func refound(ids []uint32, rows []row) ([]uint32, []row) {
	n := 0
	for i := range rows {
		if !rows[i].kept {
			ids[n], rows[n] = ids[i], rows[i]
			n++
		}
	}
	return ids[:n], rows[:n]
}

// A reducer reduces rows of one host that are reduced alike to the columns of a request. Rows of which nothing is known have no runs.
type reducer func(ctx context.Context, rows []row) ([][]query.Run, error)

// reducing is the way in which the rows of a request are reduced: those of hosts by strips that are kept, where the answer is complete and its set at rest. What
// cannot be read in them may be in columns that were not asked for, so it is looked for in the request's own then.
func (s *session) reducing(l lens, r wire.Request, complete bool) reducer {
	axis := edges(r.Begin, r.End, r.Columns)
	local := make(map[int32][]int64)
	own := func(ctx context.Context, rows []row) ([][]query.Run, error) {
		host := rows[0].host
		if local[host] == nil {
			local[host] = l.localEdges(host, axis)
		}
		runs, err := s.runsOf(ctx, rows, local[host])
		if s.set.Damaged(err) != nil { // the status and the report say so; the other rows are as they are
			return make([][]query.Run, len(rows)), nil
		}
		return runs, err
	}
	c, ok := cutOf(r)
	if !ok || !complete || !atRest(s.set.Status()) {
		return own
	}
	return func(ctx context.Context, rows []row) ([][]query.Run, error) {
		if rows[0].kind != wire.RowHost {
			return own(ctx, rows)
		}
		kept, err := s.stripsOf(ctx, l, c, rows[0].host)
		if err != nil && s.set.Damaged(err) == nil {
			return nil, err
		}
		if kept == nil {
			return own(ctx, rows)
		}
		var runs []query.Run
		for k, strip := range kept {
			runs = strip.unpacked(runs, k*stripColumns-c.skipped, r.Columns)
		}
		return [][]query.Run{runs}, nil
	}
}

// runsOf reduces rows of one host that are reduced alike to columns; edges are in its local time. Rows of which nothing is known have no runs.
func (s *session) runsOf(ctx context.Context, rows []row, edges []int64) ([][]query.Run, error) {
	out := make([][]query.Run, len(rows))
	h := s.set.Hosts()[rows[0].host].History()
	if h == nil {
		return out, nil
	}
	if rows[0].kind == wire.RowHost {
		runs, err := s.useOf(ctx, h, rows[0].host, edges)
		out[0] = runs
		return out, err
	}
	quarks, of := make([]attribute.Quark, 0, len(rows)), make([]int, 0, len(rows))
	for i, r := range rows {
		if r.quark != attribute.None {
			quarks, of = append(quarks, r.quark), append(of, i)
		}
	}
	if len(quarks) == 0 {
		return out, nil
	}
	runs, err := reduce(ctx, h, rows[0].kind, quarks, edges)
	for k := range runs {
		out[of[k]] = runs[k]
	}
	return out, err
}

// complete tells whether nothing in the range of the request can change any
// more on the hosts of the rows.
func (s *session) complete(r wire.Request, l lens, rows []row) bool {
	status := s.set.Status()
	switch {
	case status.Preview || !l.final(r):
		return false
	case atRest(status):
		return true
	}
	hosts := s.set.Hosts()
	for _, row := range rows {
		if int(row.host) < len(status.Hosts) && (status.Hosts[row.host].State == "done" || status.Hosts[row.host].State == "failed") {
			continue
		}
		history := hosts[row.host].History()
		if history == nil {
			return false
		}
		if _, reach := history.Bounds(); reach < l.local(row.host, r.End) {
			return false
		}
	}
	return true
}
