// Package record writes what happens on a simulated machine the way LTTng's kernel tracer
// would have: kinds of events with its names and fields, a stream for each CPU, and the
// sub-buffers between the two, which overflow when their reader is slow.
//
// A [Recorder] is one tracing session on one machine. Its streams take events in
// true time and write them in the machine's own time. Nothing is allocated for an
// event: its bytes are put behind each other in the sub-buffer, and package
// trace/ctf/writer makes a packet of it when it is full. docs/simulator.md says what is modelled.
package record

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"synchroscope/simulate/chance"
	"synchroscope/trace/ctf/schema"
	"synchroscope/trace/ctf/writer"
)

// A Clock is what a machine's tracer reads the time from.
type Clock interface {
	Cycles(t int64) uint64 // at a true time, ns
}

// Options say how a machine is traced. Directory, host name, CPUs and clock must be given.
type Options struct {
	Dir      string // the trace's own; made if need be
	Format   writer.Format
	Hostname string
	Name     string // of the session; "sim" if empty
	CPUs     int

	Clock       Clock
	Frequency   uint64 // of the clock, Hz; 1 GHz if 0
	Origin      int64  // its zero after the epoch, ns: whole seconds unless the frequency is 1 GHz
	Description string // of the clock

	// Chance makes the uuids and says which packets are lost.
	Chance *chance.Source
	// ClockUUID is that of a clock that other traces have in common; "" makes one.
	ClockUUID string

	SubBuffer  int // bytes of a sub-buffer, 256 KiB if 0
	SubBuffers int // of each CPU, 4 if 0, 2 at least
	// Rate is how many bytes a second the consumer reads, from all CPUs together; 0 means that it
	// never falls behind. Wake is how long after a sub-buffer is full it begins, ns.
	Rate, Wake int64
	// Loss is the chance that a packet is lost on its way to the disk.
	Loss float64
	// Cut leaves out the end of every stream, from the middle of an event on, as a crash would.
	Cut bool
	// End is a true time from which on nothing is recorded, if it is not 0. What a CPU does lies a little
	// ahead of the time at which the session is closed.
	End int64
	// Omit are patterns, as of path.Match, of kinds of events that are not recorded.
	Omit []string
}

// A Recorder is a tracing session of a machine. It belongs to one goroutine.
type Recorder struct {
	opt      Options
	writer   *writer.Writer
	streams  []*Stream
	consumer consumer
	omitted  []bool // by number; nil if all kinds are recorded
}

// A Summary is what became of the events of a session.
type Summary struct {
	Events    int64 // that stand in the trace
	Discarded int64 // for want of a sub-buffer, as the packets that stand in the trace say
	Untold    int64 // the same, but told by none of them: before the end of the first, where it is not packet 0, or behind the last
	Packets   int64 // that stand in the trace
	Lost      int64 // packets that are not there, though they are numbered
	Missing   int64 // events in them
	// Packets of the network that the trace says were sent and received, but for those over the loopback device.
	Sent, Received int64
}

// Begin starts tracing at a true time.
func Begin(at int64, o Options) (*Recorder, error) {
	o.fill()
	t := o.schema(at)
	w, err := writer.New(t, o.Format)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	metadata := w.Metadata()
	if o.Format == writer.CTF18 {
		metadata = writer.Packetize(t, metadata)
	}
	if err := os.WriteFile(filepath.Join(o.Dir, "metadata"), metadata, 0o644); err != nil {
		return nil, err
	}
	r := &Recorder{opt: o, writer: w, consumer: consumer{rate: o.Rate, wake: o.Wake}, omitted: o.omitted()}
	for cpu := range o.CPUs {
		s, err := r.stream(at, cpu)
		if err != nil {
			return nil, err
		}
		r.streams = append(r.streams, s)
	}
	return r, nil
}

func (o *Options) fill() {
	if o.Name == "" {
		o.Name = "sim"
	}
	if o.Frequency == 0 {
		o.Frequency = 1e9
	}
	if o.Description == "" {
		o.Description = "Monotonic Clock"
	}
	if o.SubBuffer == 0 {
		o.SubBuffer = 256 << 10
	}
	if o.SubBuffers == 0 {
		o.SubBuffers = 4
	}
	o.SubBuffers = max(o.SubBuffers, 2) // one is read while the other is filled
	if o.ClockUUID == "" {
		o.ClockUUID = UUID(o.Chance)
	}
}

// schema is the metadata of the session.
func (o *Options) schema(at int64) *schema.Trace {
	t := *layout().base
	stream := *t.Streams[0]
	stream.Events = slices.DeleteFunc(slices.Clone(stream.Events), func(e *schema.Event) bool { return o.omits(e.Name) })
	t.Streams = []*schema.Stream{&stream}
	t.UUID = UUID(o.Chance)
	seconds := o.Origin/1e9 + int64(o.Clock.Cycles(at)/o.Frequency)
	whole, cycles := o.Origin/1e9, int64(0)
	if o.Frequency == 1e9 {
		whole, cycles = 0, o.Origin
	}
	text := func(name, value string) schema.Var { return schema.Var{Name: name, Text: value} }
	number := func(name string, value int64) schema.Var {
		return schema.Var{Name: name, Number: value, IsNumber: true}
	}
	t.Env = []schema.Var{
		text("hostname", o.Hostname), text("domain", "kernel"), text("sysname", "Linux"),
		text("kernel_release", "6.1.0-18-amd64"), text("kernel_version", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)"),
		text("tracer_name", "lttng-modules"), number("tracer_major", 2), number("tracer_minor", 13), number("tracer_patchlevel", 9),
		text("trace_buffering_scheme", "global"), text("trace_name", o.Name),
		text("trace_creation_datetime", time.Unix(seconds, 0).UTC().Format("20060102T150405+0000")),
	}
	t.Clocks = []schema.Clock{{
		Name: t.Clocks[0].Name, UUID: o.ClockUUID, Description: o.Description,
		Frequency: o.Frequency, Seconds: whole, Offset: cycles,
	}}
	return &t
}

// CPU is the stream of a CPU.
func (r *Recorder) CPU(i int) *Stream { return r.streams[i] }

// Close stops tracing at a true time.
func (r *Recorder) Close(at int64) (Summary, error) {
	var sum Summary
	var first error
	for _, s := range r.streams {
		if err := s.finish(at); err != nil && first == nil {
			first = err
		}
		sum.add(&s.sum)
	}
	return sum, first
}

func (s *Summary) add(o *Summary) {
	s.Events += o.Events
	s.Discarded += o.Discarded
	s.Untold += o.Untold
	s.Packets += o.Packets
	s.Lost += o.Lost
	s.Missing += o.Missing
	s.Sent += o.Sent
	s.Received += o.Received
}

// UUID draws a random one.
func UUID(c *chance.Source) string {
	a, b := c.Uint64(), c.Uint64()
	a = a&^0xf000 | 0x4000
	b = b&^(3<<62) | 2<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", a>>32, a>>16&0xffff, a&0xffff, b>>48, b&(1<<48-1))
}
