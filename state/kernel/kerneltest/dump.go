package kerneltest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// Dump writes every attribute that ever has a value, in order of quark, with its
// changes: "path: time value, time value, …". Times are in seconds, statuses in
// words, "-" is null.
func (h *Host) Dump(tb testing.TB) string {
	tb.Helper()
	hist := h.Writer.History()
	begin, end := hist.Bounds()
	tree := hist.Attributes()
	var b strings.Builder
	for _, q := range tree.Match("") {
		var parts []string
		some := false
		for at := begin; at < end; {
			iv, err := hist.Point(context.Background(), q, at)
			if err != nil {
				tb.Fatal(err)
			}
			if iv.Start > at || iv.End <= at {
				tb.Fatalf("%s at %d: the interval is [%d, %d)", tree.Full(q), at, iv.Start, iv.End)
			}
			some = some || !iv.Value.IsNull()
			parts = append(parts, Seconds(iv.Start)+" "+show(hist, tree.Full(q), iv.Value))
			at = iv.End
		}
		if some {
			fmt.Fprintf(&b, "%s: %s\n", tree.Full(q), strings.Join(parts, ", "))
		}
	}
	return b.String()
}

// Rows writes the threads, one per line.
func (h *Host) Rows() string {
	var b strings.Builder
	threads, _ := h.Model.Threads(0)
	for _, th := range threads {
		last := "-"
		if th.Last != 0 {
			last = Seconds(th.Last)
		}
		fmt.Fprintf(&b, "%d %q pid=%d ppid=%d first=%s last=%s\n", th.TID, th.Name, th.PID, th.PPID, Seconds(th.First), last)
	}
	return b.String()
}

// Seconds writes a time that is exact as float64.
func Seconds(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'f', -1, 64) }

func show(h *history.History, path string, v history.Value) string {
	n, isInt := v.Int()
	switch word := kernel.Word(path, n); {
	case v.IsNull():
		return "-"
	case v.IsString():
		return strconv.Quote(h.String(v))
	case isInt && word != "":
		return word
	}
	return v.String()
}
