// Package schema is what the metadata of a trace says, whichever language it
// was written in. trace/ctf/tsdl fills it from the language of CTF 1.8; the
// reader in trace/ctf knows nothing but this.
//
// Names mean nothing here: what the reader must find in packets and headers
// carries a [trace.Role].
package schema

import (
	"strconv"

	"synchroscope/trace"
)

// A Trace is one trace.
type Trace struct {
	UUID         string // canonical lower-case form, "" if none
	BigEndian    bool   // the byte order of what does not say
	Env          []Var
	Clocks       []Clock
	PacketHeader *trace.Type // nil if packets have none
	Streams      []*Stream
}

// A Var is an entry of the environment: a string or an integer.
type Var struct {
	Name, Text string
	Number     int64
	IsNumber   bool
}

// String is the value as text.
func (v Var) String() string {
	if v.IsNumber {
		return strconv.FormatInt(v.Number, 10)
	}
	return v.Text
}

// A Clock turns cycles into time: its value at a moment is
// Seconds·10⁹ + (Offset + cycles)·10⁹ / Frequency nanoseconds after its origin.
type Clock struct {
	Name, UUID, Description string
	Frequency               uint64 // Hz, never 0
	Seconds, Offset         int64  // whole seconds; cycles
	Absolute                bool   // its origin is the same for all traces
}

// A Stream describes the streams of one kind.
type Stream struct {
	ID            uint64
	PacketContext *trace.Type // each nil if there is none
	EventHeader   *trace.Type
	EventContext  *trace.Type // that every event carries
	Events        []*Event
}

// An Event describes the events of one kind.
type Event struct {
	ID               uint64
	Name             string
	Context, Payload *trace.Type
}
