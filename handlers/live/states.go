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
	axis := edges(r.Begin, r.End, r.Columns)
	local := make(map[int32][]int64)
	for i := 0; i < len(found); {
		host, n := found[i].host, 1
		for i+n < len(found) && n < rowBatch && found[i+n].host == host && reducedAlike(found[i], found[i+n]) {
			n++
		}
		if local[host] == nil {
			local[host] = l.localEdges(host, axis)
		}
		err := s.statesOf(ctx, out, ids[i:i+n], found[i:i+n], local[host])
		if s.set.Damaged(err) != nil { // the status and the report say so; the other rows are as they are
			for _, id := range ids[i : i+n] {
				out.Row(id)
				out.Run(out.Columns, wire.Nothing, "", nil)
			}
			err = nil
		}
		if err != nil {
			return nil, err
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

// statesOf adds some rows of one host.
func (s *session) statesOf(ctx context.Context, out *wire.States, ids []uint32, rows []row, edges []int64) error {
	if rows[0].kind == wire.RowHost {
		return s.useOf(ctx, out, ids, rows, edges)
	}
	var quarks []attribute.Quark
	for _, r := range rows {
		if r.quark != attribute.None {
			quarks = append(quarks, r.quark)
		}
	}
	var runs [][]query.Run
	if history := s.set.Hosts()[rows[0].host].History(); history != nil && len(quarks) > 0 {
		var err error
		if runs, err = reduce(ctx, history, rows[0].kind, quarks, edges); err != nil {
			return err
		}
	}
	for i, r := range rows {
		out.Row(ids[i])
		if r.quark == attribute.None || len(runs) == 0 {
			out.Run(out.Columns, wire.Nothing, "", nil)
			continue
		}
		for k := range runs[0] {
			run := &runs[0][k]
			out.Run(int(run.End), run.State, run.Label, &run.Mix)
			if run.State == query.Mixed && run.Brief != 0 {
				out.Brief(run.Brief)
			}
		}
		runs = runs[1:]
	}
	return nil
}

// complete tells whether nothing in the range of the request can change any
// more on the hosts of the rows.
func (s *session) complete(r wire.Request, l lens, rows []row) bool {
	status := s.set.Status()
	if status.Preview || !r.Raw && (l.solution == nil || !l.solution.Final) {
		return false
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
