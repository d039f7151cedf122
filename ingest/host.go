package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"

	"synchroscope/catalog"
	"synchroscope/ingest/density"
	"synchroscope/ingest/gaps"
	"synchroscope/ingest/losses"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// A Host is one clock of a set.
type Host struct {
	set   *Set
	index int32
	row   catalog.Host
	dir   string

	state   atomic.Pointer[string] // one of the words below
	history atomic.Pointer[history.History]
	models  atomic.Pointer[models]
	rows    atomic.Pointer[rows]
	density density.Counter
	gaps    gaps.List                  // where events are missing of which messages are made
	losses  atomic.Pointer[losses.Log] // nil where nobody knows when events were lost: an earlier version read the host
	earlier atomic.Bool                // an earlier model built its states

	harmMu sync.Mutex
	harms  []trace.Anomaly // files that were found damaged, by which see Set.Damaged

	mu      sync.Mutex
	summary summary
	files   []*os.File // that queries read
	lazy    bool       // what a restart left on the disk has not been read back
	unread  *Fault     // why it could not be
	lost    bool       // what it left cannot be shown
}

// States of a host.
const (
	waiting   = "waiting"
	importing = "importing"
	done      = "done"
	broken    = "failed"
)

// A summary is what is known of a host in numbers. It is part of its checkpoint.
type summary struct {
	Events    int64           `json:"events"`
	Lost      int64           `json:"lost_events"`
	Packets   int64           `json:"lost_packets,omitempty"`
	LostOn    []CPULoss       `json:"lost_by_cpu,omitempty"` // never changed, but replaced
	Begin     int64           `json:"begin"`                 // local ns of the first event
	End       int64           `json:"end"`                   // the watermark: local ns, everything before it is known
	Bytes     int64           `json:"bytes"`                 // of the stream files, read
	Endpoints int64           `json:"endpoints"`
	Losses    int64           `json:"losses,omitempty"` // length of their file, 0 where there is none
	Tick      int64           `json:"tick,omitempty"`   // ns by which the clock advances at once, 0 for every one
	Twice     []twice         `json:"twice,omitempty"`  // in order, apart; never changed, but replaced
	Anomalies []trace.Anomaly `json:"anomalies,omitempty"`
	Error     string          `json:"error,omitempty"`
}

// rising reports whether the host's clock surely never went back, as ctf.HostTraces.Ordered has it.
func (h *Host) rising(s *summary) bool {
	return len(s.Twice) == 0 && len(h.row.Traces) == 1 && h.row.Traces[0].Kind == "kernel"
}

// rows are the threads of a host whose models are gone.
type rows struct {
	threads []kernel.Thread // of both models, or of what is declared alone
	model   []byte          // the kernel model's state, if its threads are read as they are asked for
	version uint64
}

func newHost(s *Set, index int32, row catalog.Host) *Host {
	h := &Host{set: s, index: index, row: row, dir: s.path("hosts", strconv.Itoa(int(index)))}
	h.become(waiting)
	return h
}

// restore says that the host was read to its end, by an earlier process.
func (h *Host) restore(state string) {
	h.become(state)
	h.lazy = true
}

func (h *Host) become(state string) { h.state.Store(&state) }

// Index is the host's number in the set, its network and its messages.
func (h *Host) Index() int32 { return h.index }

// Name is unique in the set.
func (h *Host) Name() string { return h.row.Name }

// History is nil until the job has begun.
func (h *Host) History() *history.History {
	h.load()
	return h.history.Load()
}

// States is [Host.History], or why the one that an import made cannot be read. It is nil as long as there is none, and of a host of which nothing
// could be read in the first place.
func (h *Host) States() (*history.History, error) {
	h.load()
	if t := h.history.Load(); t != nil {
		return t, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.unread != nil {
		return nil, h.unread
	}
	return nil, nil
}

// Threads is kernel.Model.Threads, with the rows of what is declared, also after the import.
func (h *Host) Threads(since uint64) ([]kernel.Thread, uint64) {
	h.load()
	if m := h.models.Load(); m != nil {
		return m.threads(since)
	}
	r := h.rows.Load()
	if r == nil {
		return nil, 0
	}
	if since >= r.version {
		return nil, r.version
	}
	return r.all(), r.version
}

// Density counts events and what was lost per column. Its edges are given by the clock that time reads, and in local ns as in history.Pixels. Where nobody knows
// when something was lost it is told about, by stretches of the whole that may be wider than a column.
func (h *Host) Density(ctx context.Context, edges, local []int64, time func(local int64) int64) (events []uint32, lost []LossColumn, err error) {
	h.load()
	events, about := h.density.Columns(local)
	if log := h.losses.Load(); log != nil {
		if lost, err = log.Columns(ctx, edges, time, h.lastRead()); err != nil {
			err = h.losing(err)
		}
		return events, lost, err
	}
	lost = make([]LossColumn, len(about))
	for i, n := range about {
		if n > 0 {
			lost[i] = LossColumn{Events: int64(n), Reaching: 1, Spread: float64(n)}
		}
	}
	return events, lost, nil
}

// LostBetween tells whether events of which messages are made were lost in [begin, end), local ns, or may have been: alone, with whole packets, or before
// or behind what there is of a stream. Where [Host.LostSometime] that does not count whole packets, and of the others it is told by counts alone, for a stretch or so near
// that these cannot tell.
func (h *Host) LostBetween(begin, end int64) bool {
	h.load()
	if h.gaps.Known() {
		return h.gaps.Any(begin, end)
	}
	return h.density.Lost(begin, end)
}

// LostSometime tells whether whole packets were lost and nobody knows any more when: an earlier version of this program, which did not note it, read the host.
func (h *Host) LostSometime() bool {
	return h.figures().Packets > 0 && !h.gaps.Known()
}

func (h *Host) figures() summary {
	h.load()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.summary
}

// load reads back, once, what a restart left on the disk. What cannot be read is
// logged and stays empty.
func (h *Host) load() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.lazy {
		return
	}
	h.lazy = false
	if err := h.readBack(); err != nil {
		h.set.log.Error("a host cannot be read back", "host", h.row.Name, "error", err)
		if h.history.Load() != nil { // only when something was lost is not known
			h.damaged(err)
			return
		}
		h.summary.Error = h.set.withoutFolder(err.Error())
		h.unread = faultf(Damage, "the states of %s cannot be read: %s", h.row.Name, h.summary.Error)
		h.summary.Anomalies = append(h.summary.Anomalies, trace.Anomaly{Kind: "no-history", Message: h.summary.Error, Count: 1})
	}
}

// Unreadable says, in a sentence that names file, place and cause, why there is no history of a host that was read to its end; "" where
// there is one, or none is to be.
func (h *Host) Unreadable() string {
	h.load()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.history.Load() != nil {
		return ""
	}
	return h.summary.Error
}

// readBack opens a host that is read to its end. h.mu is held.
func (h *Host) readBack() error {
	side, err := h.set.e.catalog.Checkpoint(h.set.id, h.index)
	if err != nil {
		return err
	}
	c, err := readCheckpoint(h.dir, side)
	if err != nil {
		return err
	}
	defer c.close()
	return h.take(c)
}

// take makes the host answer from its final checkpoint, its history and its losses. h.mu is held.
func (h *Host) take(c *checkpoint) error {
	if err := h.takeHistory(c); err != nil {
		return err
	}
	return h.takeLosses(c.summary.Losses)
}

func (h *Host) takeHistory(c *checkpoint) error {
	h.summary = c.summary
	if err := errors.Join(h.density.UnmarshalBinary(c.density), h.gaps.UnmarshalBinary(c.gaps)); err != nil {
		return err
	}
	rows, err := rowsOf(c)
	if err != nil {
		return err
	}
	h.rows.Store(rows)
	f, err := os.Open(h.path(historyFile))
	if errors.Is(err, fs.ErrNotExist) && c.summary.Events == 0 {
		return nil // no event, no history
	}
	if err != nil {
		return err
	}
	tree, err := history.OpenCached(f, h.set.e.o.History.Cache)
	if err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	h.files = append(h.files, f)
	h.earlier.Store(tree.Stats().Model < kernel.Version)
	h.history.Store(tree)
	return nil
}

// close closes the files that queries read; they fail from then on.
func (h *Host) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lazy = false
	if tree := h.history.Load(); tree != nil {
		tree.Release()
	}
	for _, f := range h.files {
		f.Close()
	}
	h.files = nil
}

// Files of a host.
const (
	historyFile   = "history.tree"
	endpointsFile = "endpoints"
	lossesFile    = "losses"
	messageLog    = "messages" // of the set
)

func (h *Host) path(name string) string { return filepath.Join(h.dir, name) }

// bytes is the size of all stream files.
func (h *Host) bytes() (sum int64) {
	for _, t := range h.row.Traces {
		sum += t.Bytes
	}
	return sum
}

// A Reach is how far what a host did is known.
type Reach struct {
	Until int64 // local ns
	All   bool  // that is all there will be: the host is read to its end
}

// GoesOn tells whether what ends at end, local ns, by an answer that was asked for after the reach ends there only as no more is read.
func (r Reach) GoesOn(end int64) bool { return !r.All && end >= r.Until }

// Known tells how far what the host did is known: of a host that is being read it is what has been read so far.
func (h *Host) Known() (r Reach) {
	switch *h.state.Load() { // first: a history grows until it is done
	case done, broken:
		r.All = true
	}
	if r.Until = math.MinInt64; h.History() != nil {
		_, r.Until = h.History().Bounds()
	}
	return r
}

// consumed is how much of them the events that are shown took, so that bytes
// and events tell of the same moment.
func (h *Host) consumed() int64 {
	switch *h.state.Load() {
	case done, broken:
		return h.bytes()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return min(h.summary.Bytes, h.bytes())
}

// open opens the host's traces.
func (h *Host) open() ([]*ctf.Trace, error) {
	traces := make([]*ctf.Trace, 0, len(h.row.Traces))
	for _, row := range h.row.Traces {
		t, err := ctf.Open(h.place(row))
		if err != nil {
			return nil, err
		}
		t.Move(row.Moved)
		traces = append(traces, t)
	}
	return traces, nil
}

// place is the folder of one of the host's traces.
func (h *Host) place(t catalog.Trace) string {
	if filepath.IsAbs(t.Path) {
		return t.Path
	}
	return h.set.path(t.Path)
}

// kernel tells which of the host's traces are the kernel's.
func (h *Host) kernel() (is []bool, any bool) {
	for _, t := range h.row.Traces {
		is = append(is, t.Kind == "kernel")
		any = any || t.Kind == "kernel"
	}
	return is, any
}
