package handlers

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"synchroscope/ingest"
	"synchroscope/state/kernel"
	"synchroscope/sync/match"
	"synchroscope/sync/report"
	"synchroscope/sync/traffic"
)

// tableSilent is how long a reader of a table may take nothing of it.
const tableSilent = 60 * time.Second

// A stretch is what a table is of.
type stretch struct {
	selection
	set *ingest.Set
}

func (s *Server) stretchOf(r *http.Request) (x stretch, err error) {
	if x.set, err = s.set(r); err != nil {
		return x, err
	}
	x.selection, err = selectionOf(r, x.set)
	return x, err
}

// statesTable answers GET states.csv: what every thread spent a stretch of time on. What a host did not record is an empty cell.
func (s *Server) statesTable(w http.ResponseWriter, r *http.Request) {
	x, err := s.stretchOf(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	for _, host := range x.hosts { // while it can still be said
		if _, err := host.States(); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	table := report.Table{Columns: []string{"host", "thread", "tid", "pid"}}
	for status := kernel.Unknown; status <= kernel.Kernel; status++ {
		table.Columns = append(table.Columns, strings.ReplaceAll(status.String(), " ", "_")+"_ns")
	}
	table.Each = func(row func(...any) error) error {
		for _, host := range x.hosts {
			if err := x.states(r.Context(), host, row); err != nil {
				return err
			}
		}
		return nil
	}
	s.sendTable(w, r, x.set, fmt.Sprintf("states-%d-%d", x.begin, x.end), &table)
}

// states yields a row for each thread of a host that was there in the stretch.
func (x stretch) states(ctx context.Context, host *ingest.Host, row func(...any) error) error {
	h, err := host.States()
	if h == nil {
		return err
	}
	begin, end := x.of(host)
	first, last := h.Bounds()
	if begin, end = max(begin, first), min(end, last); begin >= end {
		return nil
	}
	threads, all, err := doings(ctx, host, h, begin, end)
	if err != nil {
		return err
	}
	calls, softIRQs, irqs := host.CPUParts()
	unrecorded := [kernel.Kernel + 1]bool{kernel.Syscall: !calls, kernel.Interrupted: !softIRQs || !irqs}
	for i, s := range all {
		if len(s.Status) == 0 {
			continue
		}
		var times [kernel.Kernel + 1]int64
		for _, part := range s.Status {
			if int(part.Status) < len(times) {
				times[part.Status] += part.Time
			}
		}
		cells := []any{host.Name(), threads[i].Name, int64(threads[i].TID), int64(threads[i].PID)}
		for status, t := range times {
			if t == 0 && unrecorded[status] {
				cells = append(cells, nil)
			} else {
				cells = append(cells, t)
			}
		}
		if err := row(cells...); err != nil {
			return err
		}
	}
	return nil
}

// messagesTable answers GET messages.csv: the messages that touch a stretch of time, by time of sending.
func (s *Server) messagesTable(w http.ResponseWriter, r *http.Request) {
	x, err := s.stretchOf(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if x.solution, err = x.set.Paired(r.Context(), x.solution); err != nil {
		s.fail(w, r, err)
		return
	}
	all := x.set.Hosts()
	wanted := make([]bool, len(all))
	for _, h := range x.hosts {
		wanted[h.Index()] = true
	}
	table := report.Table{Columns: []string{"from", "to", "from_thread", "to_thread", "sent_ns", "received_ns", "sent_reference_ns", "received_reference_ns", "latency_ns", "latency_error_ns", "bytes", "protocol"}}
	table.Each = func(row func(...any) error) error {
		var failed error
		err := x.set.Messages(r.Context(), x.begin, x.end, x.local, func(m match.Message) bool {
			if int(max(m.From, m.To)) >= len(all) || !wanted[m.From] && !wanted[m.To] {
				return true
			}
			cells := []any{all[m.From].Name(), all[m.To].Name(), int64(m.FromThread), int64(m.ToThread), m.Sent, m.Received, nil, nil, nil, nil, nil, protocolName(m.Protocol)}
			if m.Data > 0 { // a packet has at least its headers, so 0 is not known
				cells[10] = int64(m.Data)
			}
			if x.solution != nil && x.solution.Hosts[m.From].Component == x.solution.Hosts[m.To].Component {
				sent, received := x.solution.Hosts[m.From].Map.Reference(m.Sent), x.solution.Hosts[m.To].Map.Reference(m.Received)
				cells[6], cells[7], cells[8] = sent, received, received-sent
				if p := traffic.Pass(x.solution, m, sent, received); p.Error >= 0 {
					cells[9] = p.Error
				}
			}
			failed = row(cells...)
			return failed == nil
		})
		if err != nil {
			return err
		}
		return failed
	}
	s.sendTable(w, r, x.set, fmt.Sprintf("messages-%d-%d", x.begin, x.end), &table)
}

// protocolName names a protocol above IP, by its number where it is none that messages usually are of.
func protocolName(number uint8) any {
	switch number {
	case 1:
		return "ICMP"
	case 6:
		return "TCP"
	case 17:
		return "UDP"
	case 58:
		return "ICMPv6"
	case 132:
		return "SCTP"
	}
	return int64(number)
}

// sendTable streams a table as CSV.
func (s *Server) sendTable(w http.ResponseWriter, r *http.Request, set *ingest.Set, what string, table *report.Table) {
	s.stream(w, r, set, what, func() {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8; header=present")
		w.Header().Set("Content-Disposition", attachment(fmt.Sprintf("%s-%s.csv", set.Status().Name, what)))
	}, table.CSV)
}

// A patient writer ends only when nothing is taken of it for tableSilent.
type patient struct {
	io.Writer
	c *http.ResponseController
}

func (p *patient) Write(b []byte) (int, error) {
	p.c.SetWriteDeadline(time.Now().Add(tableSilent))
	return p.Writer.Write(b)
}

// attachment is the header that lets a browser keep an answer as a file of a name, without what a file system may not like.
func attachment(name string) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.IsSpace(r) || strings.ContainsRune(`/\:*?"<>|`, r) || !unicode.IsPrint(r) {
			return '-'
		}
		return r
	}, name), ".-")
	header := mime.FormatMediaType("attachment", map[string]string{"filename": name})
	const told = "filename*=" // with other letters than those of ASCII; some clients, as curl, read the plain name alone
	if !strings.Contains(header, told) {
		return header
	}
	plain := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r >= utf8.RuneSelf }), "-")
	return strings.Replace(header, told, fmt.Sprintf("filename=%q; %s", strings.Trim(plain, ".-"), told), 1)
}
