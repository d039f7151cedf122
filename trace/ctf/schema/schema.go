// Package schema is what the metadata of a trace says, whichever language it
// was written in. trace/ctf/tsdl fills it from the language of CTF 1.8, trace/ctf/ctf2 from the JSON of CTF 2; the
// reader in trace/ctf knows nothing but this.
//
// Names mean nothing here: what the reader must find in packets and headers
// carries a [trace.Role].
package schema

import (
	"strconv"

	"synchroscope/trace"
)

// A Place is where in the metadata something is declared, both from 1; 0 where that is not known.
type Place struct{ Line, Column int }

// A Trace is one trace.
type Trace struct {
	Place
	UUID         string // canonical lower-case form, "" if none
	BigEndian    bool   // the byte order of what does not say
	Env          []Var
	Clocks       []Clock
	PacketHeader *trace.Type // nil if packets have none
	Streams      []*Stream
	Verbatim     bool // names are what they are; without it tracers put an underscore before those of fields
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
// Seconds·10⁹ + ns(Offset) + ns(cycles) nanoseconds after its origin, where whole seconds of Offset count as Seconds, and
// ns(n) is ⌊n·10⁹ / Frequency⌋ or at most 1 beside it. Where a cycle is a whole number of nanoseconds it is that,
// and everywhere else that quotient as a float64, cut, if it is no further away: it is what babeltrace prints.
type Clock struct {
	Name, UUID, Description string // the name is the one by which the metadata refers to it
	Frequency               uint64 // Hz, never 0
	Seconds, Offset         int64  // whole seconds; cycles
	Absolute                bool   // its origin is the same for all traces
	Precision, Accuracy     uint64 // cycles, 0 if not known

	// What CTF 2 identifies a clock by, beyond its trace. Two are the same if they have all of it in common.
	Namespace, Label, UID string
}

// Identity is the same for clocks that are the same, in whichever trace; "" if it is not known.
func (c *Clock) Identity() string {
	switch {
	case c.UUID != "":
		return c.UUID
	case c.Label == "" || c.UID == "":
		return ""
	}
	return strconv.Quote(c.Namespace) + "/" + strconv.Quote(c.Label) + "/" + strconv.Quote(c.UID)
}

// A Stream describes the streams of one kind.
type Stream struct {
	Place
	ID            uint64
	PacketContext *trace.Type // each nil if there is none
	EventHeader   *trace.Type
	EventContext  *trace.Type // that every event carries
	Events        []*Event

	// The clock of all times whose type names none.
	Clock    string
	HasClock bool
}

// An Event describes the events of one kind.
type Event struct {
	Place
	ID               uint64
	Name             string
	Context, Payload *trace.Type
}
