package handlers

import (
	"cmp"
	"net/http"

	"synchroscope/ingest"
	"synchroscope/sync/report"
	"synchroscope/trace"
)

// eventsTable answers GET events.csv: all events that a query wants, in order of its time, with what the clock of their host showed and with the reference
// time that they stand at.
func (s *Server) eventsTable(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if q := r.URL.Query(); q.Has("after") || q.Has("before") || q.Has("limit") {
		s.fail(w, r, badRequest(`A table of events has no "after", "before" and "limit".`))
		return
	}
	q, err := eventsAsked(r, set)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	solution := set.Solution()
	table := report.Table{Columns: []string{"time_ns", "host_time_ns", "host", "cpu", "name", "fields"}}
	table.Each = func(row func(...any) error) error {
		var failed error
		var text []byte
		p := newPager(q)
		err := set.Events(r.Context(), q.EventQuery, func(h *ingest.Host, t int64, ev *trace.Event) bool {
			if !p.wanted(h.Name(), t, ev) {
				return p.fault() == nil
			}
			text = ev.AppendText(text[:0])
			cells := []any{nil, ev.Recorded, h.Name(), nil, ev.Class.Name, string(text)}
			if solution != nil && int(h.Index()) < len(solution.Hosts) {
				cells[0] = solution.Hosts[h.Index()].Map.Reference(ev.Time)
			}
			if ev.CPU >= 0 {
				cells[3] = int64(ev.CPU)
			}
			failed = row(cells...)
			return failed == nil
		})
		return cmp.Or(err, failed, p.fault())
	}
	s.sendTable(w, r, set, "events", &table)
}
