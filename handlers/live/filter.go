package live

import (
	"context"
	"errors"

	"synchroscope/handlers/rowfilter"
	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/query"
)

// Bounds of what a filter looks at moment by moment: of one row and in one answer. What is beyond them is
// listed, and counted as unsure.
const (
	rowMoments    = 1 << 14
	answerMoments = 1 << 18
)

// sumBatch is how many rows' totals are held at once.
const sumBatch = 1024

// deeds are the attributes of a thread that tell of its deeds, "" for its own.
var deeds = [rowfilter.Deeds]string{
	rowfilter.Status: "", rowfilter.Syscall: "System_call", rowfilter.CPU: "CPU",
	rowfilter.Priority: "Priority", rowfilter.Function: "Function",
}

// answerFilter lists the threads of which a filter is true at a moment of the range.
func answerFilter(ctx context.Context, s *session, r wire.Request) (answer, error) {
	f, err := rowfilter.Parse(r.Where)
	if err != nil {
		var wrong *rowfilter.Error
		if errors.As(err, &wrong) {
			return nil, refusal(wrong.Error())
		}
		return nil, err
	}
	l := s.lens(r.Raw)
	out := &wire.Listing{Header: r.Header, Map: l.version()}
	left := answerMoments
	for batch := range s.rows.batches(sumBatch) {
		history := s.set.Hosts()[batch.host].History()
		sieve := sieve{ctx: ctx, filter: f, history: history, left: &left}
		sieve.begin, sieve.end = l.local(batch.host, r.Begin), l.local(batch.host, r.End)
		found, err := sieve.all(batch)
		if err != nil {
			return nil, err
		}
		for i, v := range found {
			if v == rowfilter.Never {
				continue
			}
			out.Rows = append(out.Rows, batch.ids[i])
			if v == rowfilter.Perhaps {
				out.Unsure++
			}
		}
	}
	return func(seq uint32) ([]byte, error) {
		out.Seq = seq
		return out.Encode()
	}, nil
}

// A sieve decides a filter for rows of one host, in a stretch of its local time.
type sieve struct {
	ctx        context.Context
	filter     *rowfilter.Filter
	history    *history.History // nil where there is none
	begin, end int64
	left       *int // moments that may still be looked at
}

// all decides it for all rows of a batch: first by the threads alone, then by all that each deed was, then
// moment by moment.
func (s *sieve) all(b rowsOf) ([]rowfilter.Verdict, error) {
	out := make([]rowfilter.Verdict, len(b.ids))
	var open []int
	var asked []attribute.Quark
	for i := range b.subjects {
		out[i] = s.filter.Of(&b.subjects[i])
		if out[i] != rowfilter.Perhaps {
			continue
		}
		if b.quarks[i] == attribute.None || s.history == nil {
			out[i] = rowfilter.Never
			continue
		}
		open = append(open, i)
		asked = append(asked, s.attributes(b.quarks[i])...)
	}
	if len(open) == 0 {
		return out, nil
	}
	known := make([]attribute.Quark, 0, len(asked))
	for _, q := range asked {
		if q != attribute.None {
			known = append(known, q)
		}
	}
	totals, err := s.history.Totals(s.ctx, known, s.begin, s.end)
	if err != nil {
		return nil, err
	}
	per := 1 + len(s.filter.Deeds())
	for k, i := range open {
		of := make([][]history.Total, per)
		for j, q := range asked[k*per : (k+1)*per] {
			if q != attribute.None {
				of[j], totals = totals[0], totals[1:]
			}
		}
		if out[i], err = s.one(&b.subjects[i], asked[k*per:(k+1)*per], of); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// attributes are that of a thread's status and those of the filter's deeds.
func (s *sieve) attributes(thread attribute.Quark) []attribute.Quark {
	qs := []attribute.Quark{thread}
	for _, d := range s.filter.Deeds() {
		q := thread
		if deeds[d] != "" {
			q = s.history.Attributes().Child(thread, deeds[d])
		}
		qs = append(qs, q)
	}
	return qs
}

// one decides it for a thread by the totals of its attributes, the first that of its status.
func (s *sieve) one(of *rowfilter.Subject, qs []attribute.Quark, totals [][]history.Total) (rowfilter.Verdict, error) {
	alive, always := false, true
	for _, t := range totals[0] {
		alive = alive || !t.Value.IsNull()
		always = always && !t.Value.IsNull()
	}
	if !alive {
		return rowfilter.Never, nil
	}
	asked := s.filter.Deeds()
	for k, d := range asked {
		of.Deeds[d] = s.values(d, totals[k+1])
	}
	v := s.filter.Of(of)
	if v != rowfilter.Perhaps {
		return v, nil
	}
	if len(asked) == 1 {
		// One deed alone: each value it had is a moment.
		all := of.Deeds[asked[0]]
		for i := range all.Some {
			of.Deeds[asked[0]] = rowfilter.Values{Known: true, Some: all.Some[i : i+1]}
			if s.filter.Of(of) == rowfilter.Always {
				return rowfilter.Always, nil
			}
		}
		of.Deeds[asked[0]] = rowfilter.Values{Known: true, Absent: true}
		if !all.Absent || asked[0] == rowfilter.Status || s.filter.Of(of) == rowfilter.Never {
			return rowfilter.Never, nil
		}
		if always {
			return rowfilter.Always, nil
		}
	}
	return s.moments(of, qs)
}

// moments decides it for a thread by looking at one moment after the other.
func (s *sieve) moments(of *rowfilter.Subject, qs []attribute.Quark) (rowfilter.Verdict, error) {
	found := rowfilter.Never
	done, err := query.Moments(s.ctx, s.history, qs, s.begin, s.end, min(rowMoments, *s.left), func(values []history.Value) bool {
		*s.left--
		if values[0].IsNull() {
			return true
		}
		for k, d := range s.filter.Deeds() {
			of.Deeds[d] = rowfilter.Values{Known: true, Absent: values[k+1].IsNull()}
			if !values[k+1].IsNull() {
				of.Deeds[d].Some = []rowfilter.Value{s.value(values[k+1])}
			}
		}
		found = s.filter.Of(of)
		return found != rowfilter.Always
	})
	if err == nil && !done {
		found = rowfilter.Perhaps
	}
	return found, err
}

// values are all that a deed was.
func (s *sieve) values(d rowfilter.Deed, totals []history.Total) rowfilter.Values {
	out := rowfilter.Values{Known: true, Absent: len(totals) == 0}
	for _, t := range totals {
		if t.Value.IsNull() {
			// While a thread has no status it does nothing.
			out.Absent = out.Absent || d != rowfilter.Status
			continue
		}
		out.Some = append(out.Some, s.value(t.Value))
	}
	return out
}

func (s *sieve) value(v history.Value) rowfilter.Value {
	if n, ok := v.Int(); ok {
		return rowfilter.Value{Number: n}
	}
	if v.IsString() {
		return rowfilter.Value{Text: s.history.String(v)}
	}
	return rowfilter.Value{}
}
