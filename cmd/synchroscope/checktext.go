package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"synchroscope/trace"
)

// text writes the report for people: a line for each trace, below that of its host, and
// then what is odd, with its place.
func (c *checkReport) text(out io.Writer) error {
	rows := []row{{"HOST", "TRACE", "FORMAT", "KIND", "STREAMS", "EVENTS", "LOST", "BEGIN", "SPAN", "ANOMALIES"}}
	hosts := 0
	for i := range c.Traces {
		t := &c.Traces[i]
		host := "" // that of the line above
		if i == 0 || c.Traces[i-1].Host != t.Host {
			hosts++
			host = printable(t.Host)
		}
		begin, span := t.span()
		rows = append(rows, row{
			host, printable(t.Path), t.Format, t.Kind, strconv.Itoa(t.Streams),
			decimal(t.Events), lostCell(t.LostEvents, t.LostPackets, decimal), begin, span, decimal(t.anomalies()),
		})
	}
	if _, err := io.WriteString(out, table(rows)); err != nil {
		return err
	}
	for i := range c.Traces {
		if err := c.Traces[i].oddities(out); err != nil {
			return err
		}
	}
	for i, sentence := range c.Notices {
		before := ""
		if i == 0 {
			before = "\n"
		}
		if _, err := fmt.Fprintln(out, before+printable(sentence)); err != nil {
			return err
		}
	}
	unreadable := ""
	if n := len(c.Errors); n > 0 {
		unreadable = ", " + strconv.Itoa(n) + " not readable"
	}
	_, err := fmt.Fprintf(out, "\n%s, %s, %s, %s, %s%s\n",
		plural(int64(len(c.Traces)), "trace", "traces"), plural(int64(hosts), "host", "hosts"),
		plural(c.Events, "event", "events"), lostText(c.LostEvents, c.LostPackets, decimal), plural(c.anomalies(), "anomaly", "anomalies"), unreadable)
	if err == nil && c.Messages != nil {
		_, err = fmt.Fprintln(out, matchingText(c.Messages))
	}
	return err
}

// A row is a line of the table, numbers from its fifth column on.
type row [10]string

// table lays rows out: words to the left, numbers to the right.
func table(rows []row) string {
	const words = 4
	var width [len(row{})]int
	for _, r := range rows {
		for i, cell := range r {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		for i, cell := range r {
			if i > 0 {
				b.WriteString("  ")
			}
			if i < words {
				fmt.Fprintf(&b, "%-*s", width[i], cell)
			} else {
				fmt.Fprintf(&b, "%*s", width[i], cell)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// span words when the trace begins, as the events command prints times, and how long it is.
func (r *traceReport) span() (begin, span string) {
	if r.Begin == nil {
		return "-", "-"
	}
	b, _ := strconv.ParseInt(*r.Begin, 10, 64)
	e, _ := strconv.ParseInt(*r.End, 10, 64)
	begin = string(trace.AppendTime(nil, b))
	d := time.Duration(e - b)
	if d < 0 {
		return begin, "more than 292 years"
	}
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
		if d >= unit {
			d = d.Round(unit / 1000)
			break
		}
	}
	return begin, d.String()
}

// oddities writes the anomalies of a trace.
func (r *traceReport) oddities(out io.Writer) error {
	if len(r.Anomalies) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", printable(r.Path))
	for _, a := range r.Anomalies {
		fmt.Fprintf(&b, "  %s, ", a.Kind)
		if a.Count > 1 {
			fmt.Fprintf(&b, "%d times, first ", a.Count)
		}
		fmt.Fprintf(&b, "in %s at byte %d: %s\n", printable(a.Stream), a.Offset, printable(a.Message))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(n, 10) + " " + many
}
