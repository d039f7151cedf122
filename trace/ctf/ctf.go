// Package ctf reads the Common Trace Format as it is met in the world.
package ctf

import "synchroscope/trace"

// Discover returns the directories below root that hold a trace (a file called
// metadata), in lexical order. It follows no links.
func Discover(root string) ([]string, error) { panic("unbuilt") }

// A Trace is one opened trace directory: its metadata and its stream files.
type Trace struct{}

// Open reads the metadata of the trace in dir. An error names file, line, column and cause.
func Open(dir string) (*Trace, error) { panic("unbuilt") }

// Info is what the metadata and the directory tell.
type Info struct {
	Format   string // "ctf1.8" or "ctf2"
	Kind     string // "kernel", "ust" or "other"
	Hostname string // env hostname, "" if not recorded
	ClockID  string // uuid of the clock, "" if none
	Streams  int    // stream files
	Bytes    int64  // size of the stream files
	Env      map[string]string
	Classes  []string // names of all event classes
}

func (t *Trace) Dir() string  { panic("unbuilt") }
func (t *Trace) Info() Info   { panic("unbuilt") }
func (t *Trace) Close() error { panic("unbuilt") }

// A HostTraces is the traces that share a clock: by clock uuid, else by host name, else each its own.
type HostTraces struct {
	Name, ID string
	Traces   []*Trace
}

// Group orders traces into hosts; names are made unique ("web", "web (2)") and the order is that of names.
// A trace without a host name is called after its directory (for LTTng's .../kernel and .../ust/uid/... the session's).
func Group(traces []*Trace) []HostTraces { panic("unbuilt") }

// Options of a reader.
type Options struct {
	Window int // bytes of a stream file held at once, 256 KiB if 0; packets may be larger
}

// A Reader yields the events of one host, all its traces and streams merged by local
// time; ties by (trace, stream, position). It belongs to one goroutine, but for Bytes.
type Reader struct{}

func NewReader(traces []*Trace, o Options) (*Reader, error) { panic("unbuilt") }

// Next returns the next event, valid until the call after, or io.EOF. It fails only
// when the files cannot be read at all; everything else is an anomaly.
func (r *Reader) Next() (*trace.Event, error) { panic("unbuilt") }

// A Loss says that Count events (0: whole packets, number unknown) are missing on a CPU between Begin and End, local ns.
type Loss struct {
	CPU        int32
	Trace      int32
	Begin, End int64
	Count      int64
}

// Losses returns those found since the last call. A loss is known before any event later
// than its End is returned by Next.
func (r *Reader) Losses() []Loss { panic("unbuilt") }

// Bytes is how much of the stream files has been consumed. Any goroutine may ask.
func (r *Reader) Bytes() int64 { panic("unbuilt") }

// Anomalies returns all met so far, equal ones counted together, in order of first sight.
func (r *Reader) Anomalies() []trace.Anomaly { panic("unbuilt") }

// Position encodes where the reader stands between two calls of Next, with the
// anomalies and counts so far; Seek puts a fresh reader over the same traces there. A position is a few
// hundred bytes per stream.
func (r *Reader) Position() []byte           { panic("unbuilt") }
func (r *Reader) Seek(position []byte) error { panic("unbuilt") }

// SeekTime moves a fresh reader to the first event at or after t (local ns), by packet headers.
func (r *Reader) SeekTime(t int64) error { panic("unbuilt") }

func (r *Reader) Close() error { panic("unbuilt") }
