package report

import "synchroscope/sync/network"

// solutionTable has one row: what the solution was made by.
func solutionTable(r *network.Report) Table {
	return Table{"solution", []string{"reference", "version", "final", "method", "pinned", "best", "pinned_loss_ns", "window_begin_ns", "window_end_ns"},
		func(row func(...any) error) error {
			var best, loss, begin, end any
			if p := r.Pinned; p != nil {
				best, loss = p.Best, value(p.Loss)
			}
			if w := r.Options.Window; w != nil {
				begin, end = w[0], w[1]
			}
			return row(text(r.Reference), r.Version, r.Final, r.Options.Method, value(r.Options.Reference), best, loss, begin, end)
		}}
}

func hostTable(s *network.Solution, r *network.Report) Table {
	return Table{"hosts", []string{"host", "id", "component", "is_reference", "reference", "synchronized", "begin_ns", "end_ns",
		"error_min_ns", "error_max_ns", "assumption", "rate_cap_per_s", "pieces",
		"reference_loss_ns", "as_reference_sum_ns", "as_reference_most_ns", "as_reference_farthest", "tick_ns", "window_begin_ns", "window_end_ns"},
		func(row func(...any) error) error {
			for i := range s.Hosts {
				h, q := &s.Hosts[i], &r.Hosts[i]
				var least, most any
				if q.Error != nil {
					least, most = q.Error.Min, q.Error.Max
				}
				var candidate [3]any
				if c := q.Candidate; c != nil {
					candidate = [3]any{c.Sum, c.Most, text(c.Farthest)}
				}
				var window [2]any
				if w := q.Window; w != nil {
					window = [2]any{w[0], w[1]}
				}
				err := row(h.Name, h.ID, h.Component, q.Reference, s.Hosts[h.Reference].Name, !s.Unsynchronized(int32(i)),
					network.Time(h.Begin), network.Time(h.End), least, most, value(q.Assumption), value(q.RateCap), len(q.Map),
					value(q.Loss), candidate[0], candidate[1], candidate[2], q.Tick, window[0], window[1])
				if err != nil {
					return err
				}
			}
			return nil
		}}
}

func addressTable(r *network.Report) Table {
	return Table{"addresses", []string{"host", "address", "interface", "begin_ns", "end_ns", "sent", "lost"},
		func(row func(...any) error) error {
			for i := range r.Hosts {
				for _, a := range r.Hosts[i].Addresses {
					if err := row(r.Hosts[i].Name, a.Address, value(a.Interface), a.Begin, a.End, a.Sent, a.Lost); err != nil {
						return err
					}
				}
			}
			return nil
		}}
}

func aliasTable(r *network.Report) Table {
	return Table{"aliases", []string{"host", "address", "of", "by", "messages"},
		func(row func(...any) error) error {
			for i := range r.Hosts {
				for _, a := range r.Hosts[i].Aliases {
					if err := row(r.Hosts[i].Name, a.Address, text(a.Of), a.By, a.Messages); err != nil {
						return err
					}
				}
			}
			return nil
		}}
}
