package kernel_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/trace"
)

// A memory is a history file in memory.
type memory struct {
	mu sync.RWMutex
	b  []byte
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if off >= int64(len(m.b)) {
		return 0, io.EOF
	}
	n := copy(p, m.b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if end := off + int64(len(p)); end > int64(len(m.b)) {
		m.b = append(m.b, make([]byte, end-int64(len(m.b)))...)
	}
	return copy(m.b[off:], p), nil
}

func (m *memory) Truncate(size int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.b = append(m.b[:min(size, int64(len(m.b)))], make([]byte, max(0, size-int64(len(m.b))))...)
	return nil
}

func (m *memory) Sync() error  { return nil }
func (m *memory) Close() error { return nil }

// A step is an event, or the report of a loss.
type step struct {
	event           *trace.Event
	lost            bool
	cpu             int32
	begin, end, due int64
}

// A host is a model over a history in memory.
type host struct {
	file  *memory
	w     *history.Writer
	model *kernel.Model
}

func newHost(tb testing.TB, start int64, nodeSize int) *host {
	tb.Helper()
	h := &host{file: new(memory)}
	w, err := history.Create(h.file, start, history.Options{NodeSize: nodeSize})
	if err != nil {
		tb.Fatal(err)
	}
	h.w, h.model = w, kernel.New(w)
	return h
}

func (h *host) take(tb testing.TB, s step) {
	tb.Helper()
	var err error
	if s.lost {
		err = h.model.Lost(s.cpu, s.begin, s.end)
	} else {
		err = h.model.Handle(s.event)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

func (h *host) finish(tb testing.TB, end int64) {
	tb.Helper()
	if err := h.model.Advance(end); err != nil {
		tb.Fatal(err)
	}
	if err := h.w.Finish(end); err != nil {
		tb.Fatal(err)
	}
}

// restart stops the host at a checkpoint and starts another from it.
func (h *host) restart(tb testing.TB) *host {
	tb.Helper()
	checkpoint, err := h.w.Checkpoint()
	if err != nil {
		tb.Fatal(err)
	}
	state := h.model.AppendState(nil)
	next := &host{file: h.file}
	if next.w, err = history.Resume(h.file, checkpoint); err != nil {
		tb.Fatal(err)
	}
	next.model = kernel.New(next.w)
	if err := next.model.Restore(state); err != nil {
		tb.Fatal(err)
	}
	if again := next.model.AppendState(nil); string(again) != string(state) {
		tb.Fatalf("a restored model writes another state:\n%q\n%q", again, state)
	}
	return next
}

// dump writes every attribute's changes: "path: time value, time value, …".
func (h *host) dump(tb testing.TB) string {
	tb.Helper()
	ctx := context.Background()
	hist := h.w.History()
	begin, end := hist.Bounds()
	tree := hist.Attributes()
	var b strings.Builder
	for _, q := range tree.Match("") {
		var parts []string
		changes := false
		at := begin
		for at < end {
			iv, err := hist.Point(ctx, q, at)
			if err != nil {
				tb.Fatal(err)
			}
			if iv.Start > at || iv.End <= at {
				tb.Fatalf("%s at %d: interval [%d, %d)", tree.Full(q), at, iv.Start, iv.End)
			}
			changes = changes || !iv.Value.IsNull()
			parts = append(parts, seconds(iv.Start)+" "+show(hist, tree.Full(q), iv.Value))
			at = iv.End
		}
		if changes {
			fmt.Fprintf(&b, "%s: %s\n", tree.Full(q), strings.Join(parts, ", "))
		}
	}
	return b.String()
}

func show(h *history.History, path string, v history.Value) string {
	n, isInt := v.Int()
	parts := strings.Split(path, "/")
	switch {
	case v.IsNull():
		return "-"
	case v.IsString():
		return strconv.Quote(h.String(v))
	case !isInt:
		return fmt.Sprint(v)
	case parts[0] == "Threads" && len(parts) == 2:
		return kernel.Status(n).String()
	case parts[0] == "CPUs" && len(parts) == 2:
		return kernel.CPUStatus(n).String()
	case parts[len(parts)-2] == "IRQs" || parts[len(parts)-2] == "Soft_IRQs":
		return [...]string{"", "raised", "served", "raised+served"}[n]
	}
	return strconv.FormatInt(n, 10)
}

func seconds(ns int64) string {
	return strconv.FormatFloat(float64(ns)/1e9, 'f', -1, 64)
}

func parseSeconds(tb testing.TB, s string) int64 {
	tb.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		tb.Fatal(err)
	}
	return int64(math.Round(f * 1e9))
}
