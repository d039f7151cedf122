package report

import (
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// A Table is one kind of facts as rows of values, for other programs. docs/guide/fine-print/export.md has what the columns mean.
//
// A value is a string, an int, an int64 or a [network.Float]; a [network.Time], which is ns of a clock; a bool; or nil where
// nothing is known.
type Table struct {
	Name    string
	Columns []string
	Each    func(row func(...any) error) error
}

// Tables are all tables of a solution. Messages come in the order in which all goes through them.
func Tables(s *network.Solution, all Messages) []Table {
	r := s.Report()
	return []Table{
		solutionTable(&r), hostTable(s, &r), addressTable(&r), aliasTable(&r),
		linkTable(s, &r), pieceTable(&r), errorTable(s), pointTable(s), cutTable(&r), matchingTable(&r), messageTable(s, all),
	}
}

// value is what p points to, or nil.
func value[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func linkTable(s *network.Solution, r *network.Report) Table {
	return Table{"links", []string{"a", "b", "class", "in_tree", "excluded", "shape", "alpha", "beta_ns", "alpha_min", "alpha_max", "alpha_exact", "beta_exact_ns",
		"messages_a_to_b", "messages_b_to_a", "accurate", "hull_upper", "hull_lower", "pieces", "assumption", "rate_cap_per_s",
		"error_min_ns", "error_median_ns", "error_max_ns", "loop_residual_ns", "loop_bound_ns", "loop_consistent", "loop_hops", "relaxed_ns", "violations",
		"latency_a_to_b_min_ns", "latency_a_to_b_median_ns", "latency_a_to_b_p99_ns", "latency_b_to_a_min_ns", "latency_b_to_a_median_ns", "latency_b_to_a_p99_ns",
		"lines_apart_first_ns", "lines_apart_middle_ns", "lines_apart_last_ns", "known_min_ns", "known_median_ns", "known_max_ns", "known_by"},
		func(row func(...any) error) error {
			for i := range r.Links {
				l := &r.Links[i]
				e, loop, apart := spread(l.Error), closure(l.Loop), extremeLines(l.Apart)
				best := bestOf(s, &s.Links[i])
				ab, ba := quantiles(l.Latency.AToB), quantiles(l.Latency.BToA)
				err := row(l.A, l.B, l.Class, l.InTree, l.Excluded, value(l.Shape), value(l.Alpha), value(l.Beta), value(l.AlphaMin), value(l.AlphaMax), text(l.AlphaExact), text(l.BetaExact),
					l.Messages.AToB, l.Messages.BToA, l.Accurate, l.Hull.Upper, l.Hull.Lower, l.Segments, value(l.Assumption), value(l.RateCap),
					e[0], e[1], e[2], loop[0], loop[1], loop[2], loop[3], l.Relaxed, l.Violations, ab[0], ab[1], ab[2], ba[0], ba[1], ba[2],
					apart[0], apart[1], apart[2], best[0], best[1], best[2], best[3])
				if err != nil {
					return err
				}
			}
			return nil
		}}
}

func spread(e *network.SpreadReport) (out [3]any) {
	if e != nil {
		out = [3]any{e.Min, e.Median, e.Max}
	}
	return out
}

func bestOf(s *network.Solution, k *network.Link) (out [4]any) {
	e, ok := knownBetween(s, k)
	if !ok {
		return out
	}
	by := "links in use"
	if e.alone {
		by = "this link"
	}
	return [4]any{e.least, e.median, e.most, by}
}

func extremeLines(p *network.ApartReport) (out [3]any) {
	if p != nil {
		out = [3]any{p.First, p.Middle, p.Last}
	}
	return out
}

func closure(l *network.LoopReport) (out [4]any) {
	if l != nil {
		out = [4]any{l.Residual, l.Bound, l.Consistent, l.Hops}
	}
	return out
}

func quantiles(q *network.QuantilesReport) (out [3]any) {
	if q != nil {
		out = [3]any{q.Min, q.Median, q.P99}
	}
	return out
}

func pieceTable(r *network.Report) Table {
	return Table{"pieces", []string{"host", "begin_ns", "end_ns", "reference_begin_ns", "reference_end_ns", "rate"},
		func(row func(...any) error) error {
			for i := range r.Hosts {
				for _, p := range r.Hosts[i].Map {
					if err := row(r.Hosts[i].Name, p.Begin, p.End, p.ReferenceBegin, p.ReferenceEnd, p.Rate); err != nil {
						return err
					}
				}
			}
			return nil
		}}
}

func errorTable(s *network.Solution) Table {
	return Table{"error", []string{"host", "local_ns", "reference_ns", "bound_ns"},
		func(row func(...any) error) error {
			for i := range s.Hosts {
				h := &s.Hosts[i]
				for _, b := range h.Map.Bounds() {
					if err := row(h.Name, network.Time(b[0]), network.Time(h.Map.Reference(b[0])), b[1]); err != nil {
						return err
					}
				}
			}
			return nil
		}}
}

func pointTable(s *network.Solution) Table {
	return Table{"points", []string{"a", "b", "kind", "a_ns", "b_ns", "residual_ns"},
		func(row func(...any) error) error {
			for i := range s.Links {
				k := &s.Links[i]
				a, b := &s.Hosts[k.A], &s.Hosts[k.B]
				m, _ := estimate(k, a.Begin, a.End)
				for kind, points := range [][]hull.Point{k.Upper, k.Lower, k.Path} {
					for _, p := range points {
						if err := row(a.Name, b.Name, []string{"upper", "lower", "path"}[kind], network.Time(p.X), network.Time(p.Y), p.Y-m.Reference(p.X)); err != nil {
							return err
						}
					}
				}
			}
			return nil
		}}
}

func cutTable(r *network.Report) Table {
	return Table{"cuts", []string{"a", "b", "cut", "side", "a_ns", "b_ns"},
		func(row func(...any) error) error {
			for i := range r.Links {
				l := &r.Links[i]
				for n, c := range l.Cuts {
					for side, points := range [][][2]network.Time{c.Upper, c.Lower} {
						for _, p := range points {
							if err := row(l.A, l.B, n+1, []string{"upper", "lower"}[side], p[0], p[1]); err != nil {
								return err
							}
						}
					}
				}
			}
			return nil
		}}
}

func matchingTable(r *network.Report) Table {
	return Table{"matching", []string{"counter", "count"},
		func(row func(...any) error) error {
			m := &r.Matching
			for _, c := range []struct {
				name  string
				count int64
			}{
				{"sent", m.Sent}, {"received", m.Received}, {"matched", m.Matched}, {"retransmitted", m.Retransmitted}, {"ambiguous", m.Ambiguous},
				{"loopback", m.Loopback}, {"pieces", m.Pieces}, {"unmatched_sent", m.UnmatchedSent}, {"unmatched_received", m.UnmatchedReceived}, {"evicted", m.Evicted},
			} {
				if err := row(c.name, c.count); err != nil {
					return err
				}
			}
			return nil
		}}
}

func messageTable(s *network.Solution, all Messages) Table {
	return Table{"messages", []string{"from", "to", "sent_ns", "received_ns", "sent_reference_ns", "received_reference_ns", "latency_ns", "latency_error_ns",
		"bytes", "protocol", "from_thread", "to_thread"},
		func(row func(...any) error) error {
			var failed error
			err := all(func(m match.Message) {
				if failed != nil {
					return
				}
				from, to := &s.Hosts[m.From], &s.Hosts[m.To]
				cells := []any{from.Name, to.Name, network.Time(m.Sent), network.Time(m.Received), nil, nil, nil, latencyError(s, m),
					int64(m.Bytes), int(m.Protocol), thread(m.FromThread), thread(m.ToThread)}
				if s.Related(m.From, m.To) {
					sent, received := from.Map.Reference(m.Sent), to.Map.Reference(m.Received)
					cells[4], cells[5], cells[6] = network.Time(sent), network.Time(received), received-sent
				}
				failed = row(cells...)
			})
			if failed != nil {
				return failed
			}
			return err
		}}
}

func thread(tid int32) any {
	if tid < 0 {
		return nil
	}
	return int64(tid)
}

func latencyError(s *network.Solution, m match.Message) any {
	if ns, ok := s.ErrorBetween(m.From, m.To, m.Sent, m.Received); ok {
		return ns
	}
	return nil
}
