// Package ingest takes trace sets from upload to history: one job per host,
// all of them resumable.
package ingest

import (
	"context"
	"io"
	"log/slog"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/trace"
	"synchroscope/trace/archive"
)

// Options of an engine; zero fields take the default.
type Options struct {
	Workers int            // hosts read at once over all sets, GOMAXPROCS if 0
	Archive archive.Limits // per archive
	History history.Options
	Log     *slog.Logger
}

// An Engine owns a data directory: the catalogue and one folder per set.
type Engine struct{}

// Open locks dir, makes it if needed, and goes on with every import that was not finished.
func Open(dir string, o Options) (*Engine, error) { panic("unbuilt") }

// Close stops the imports at their next checkpoint and closes everything.
func (e *Engine) Close(ctx context.Context) error { panic("unbuilt") }

func (e *Engine) Create(name string) (*Set, error) { panic("unbuilt") }
func (e *Engine) Set(id string) (*Set, bool)       { panic("unbuilt") }
func (e *Engine) Sets() []*Set                     { panic("unbuilt") } // newest first
func (e *Engine) Delete(id string) error           { panic("unbuilt") }
func (e *Engine) Changed() <-chan struct{}         { panic("unbuilt") } // closed at the next change of any set

// A Fault is an error that is the input's, not ours. Its message is shown to the user as it is.
type Fault struct {
	Kind    FaultKind
	Message string
}

type FaultKind uint8

const (
	Invalid  FaultKind = iota // 400 or, for archives and traces, 422
	NotFound                  // 404
	Conflict                  // 409
	TooLarge                  // 413
)

func (f *Fault) Error() string { return f.Message }

// State is where a set stands.
type State string

const (
	Uploading State = "uploading"
	Importing State = "importing"
	Ready     State = "ready"
	Failed    State = "failed"
)

// Status is the JSON of GET /api/sets/{id}.
type Status struct {
	ID         string       `json:"id"`
	Name       string       `json:"name"`
	State      State        `json:"state"`
	Stage      string       `json:"stage"` // in words: "extracting web.tar.gz", "reading 3 hosts"
	Error      string       `json:"error,omitempty"`
	Progress   float64      `json:"progress"` // by bytes of trace read, 0..1
	Rate       float64      `json:"rate"`     // events per second, now
	Begin      string       `json:"begin"`    // reference ns; "" while unknown
	End        string       `json:"end"`
	Events     int64        `json:"events"`
	LostEvents int64        `json:"lost_events"`
	Created    string       `json:"created"` // RFC 3339
	Bytes      int64        `json:"bytes"`   // on disk
	Files      []FileStatus `json:"files"`
	Hosts      []HostStatus `json:"hosts"`
	Anomalies  int64        `json:"anomalies"`
}

type FileStatus struct {
	Name     string `json:"name"`
	Size     int64  `json:"size"` // -1 while unknown
	Received int64  `json:"received"`
}

type HostStatus struct {
	Index          int     `json:"index"`
	Name           string  `json:"name"`
	ID             string  `json:"id"`
	Component      int     `json:"component"`
	Reference      bool    `json:"reference"`
	Unsynchronized bool    `json:"unsynchronized"`
	State          string  `json:"state"` // waiting, importing, done, failed
	Progress       float64 `json:"progress"`
	Begin          string  `json:"begin"` // reference ns
	End            string  `json:"end"`
	LocalBegin     string  `json:"local_begin"`
	LocalEnd       string  `json:"local_end"` // the watermark while importing
	Events         int64   `json:"events"`
	LostEvents     int64   `json:"lost_events"`
	Missing        []Hint  `json:"missing"`
}

// A Hint names the events a view lacks and the command that would record them.
type Hint struct {
	View    string   `json:"view"`
	Events  []string `json:"events"`
	Command string   `json:"command"`
}

// A Set is one trace set.
type Set struct{}

func (s *Set) ID() string               { panic("unbuilt") }
func (s *Set) Rename(name string) error { panic("unbuilt") }
func (s *Set) Status() Status           { panic("unbuilt") }
func (s *Set) Changed() <-chan struct{} { panic("unbuilt") } // closed at the next change of anything below
func (s *Set) Hosts() []*Host           { panic("unbuilt") } // grows while traces are found; index is the position
func (s *Set) Anomalies() []HostAnomaly { panic("unbuilt") }

// Solution is the newest synchronization, nil before the hosts are known.
func (s *Set) Solution() *network.Solution { panic("unbuilt") }

// Upload appends a piece of an archive at offset; total is -1 where unknown. It returns
// the bytes of the file held now.
func (s *Set) Upload(ctx context.Context, filename string, offset, total int64, r io.Reader) (int64, error) {
	panic("unbuilt")
}

// AddPath takes a trace directory, a directory of traces or an archive of this machine.
func (s *Set) AddPath(path string) error { panic("unbuilt") }

// Import starts, or goes on with, the import; it returns at once. Faults found before
// the first trace is read (no archive, not an archive, no trace inside, bad metadata
// everywhere) are returned by Wait, shown by Status, and leave no extracted files.
func (s *Set) Import() error { panic("unbuilt") }

// Prepare is Import up to the point where reading starts: it returns the faults above.
func (s *Set) Prepare(ctx context.Context) error { panic("unbuilt") }

// Wait blocks until the import ended and returns its fault.
func (s *Set) Wait(ctx context.Context) error { panic("unbuilt") }

// Messages yields the messages that touch [begin, end) in the given clock (reference if
// raw is false, else each host's own), by time of sending.
func (s *Set) Messages(ctx context.Context, begin, end int64, raw bool, yield func(match.Message) bool) error {
	panic("unbuilt")
}

// LinkMessages yields all messages of a pair, both ways.
func (s *Set) LinkMessages(ctx context.Context, a, b int32, yield func(match.Message) bool) error {
	panic("unbuilt")
}

// Events yields decoded events of all hosts merged by reference (or raw local) time.
func (s *Set) Events(ctx context.Context, q EventQuery, yield func(host *Host, reference int64, ev *trace.Event) bool) error {
	panic("unbuilt")
}

type EventQuery struct {
	Begin, End int64 // reference ns unless Raw
	Raw        bool
	Host       string // "" all
	Name       string // glob, "" all
}

// A Host is one clock of a set.
type Host struct{}

type HostAnomaly struct {
	Host string `json:"host"`
	trace.Anomaly
}

func (h *Host) Index() int32 { panic("unbuilt") }
func (h *Host) Name() string { panic("unbuilt") }

// History is nil until the job has begun.
func (h *Host) History() *history.History { panic("unbuilt") }

// Threads is kernel.Model.Threads, also after the import.
func (h *Host) Threads(since uint64) ([]kernel.Thread, uint64) { panic("unbuilt") }

// Density counts events and lost events per column, edges in local ns as in history.Pixels.
func (h *Host) Density(edges []int64) (events, lost []uint32) { panic("unbuilt") }
