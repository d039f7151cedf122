package wire

import "slices"

// Flags of an arrow.
const (
	Violation = 1 // received before it was sent, in the requested time
	Bundle    = 2 // stands for several messages
)

// Ends are the first and the last time at which messages were sent, and at which they were received, ns after Messages.Base.
type Ends struct {
	SentFirst, SentLast         int64
	ReceivedFirst, ReceivedLast int64
}

// An Arrow is one message between two rows, or a bundle of them. Times are in
// ns after Messages.Base; a bundle has the means, the sum of bytes and the largest
// errors of its messages.
type Arrow struct {
	Sent, Received     float64
	From, To           uint32 // rows
	Count              uint32
	Bytes              float32
	ErrorFrom, ErrorTo float32 // ns, -1 unknown
	Backward           uint32  // messages of it that were received before they were sent
	FromPort, ToPort   uint16  // of TCP; both 0 unknown, or not the same of all messages
	Protocol           uint8   // of IP; 0 unknown, or not the same
	Flags              uint8
	Ends               Ends // of a bundle; zero of one message
}

// Messages is the answer to "messages".
type Messages struct {
	Header
	Seq        uint32
	Base       int64  // ns, in the requested time
	Total      uint32 // messages in the range, bundled or not
	Violations uint32
	Complete   bool // nothing in the range can still change
	Arrows     []Arrow
	Clocks     Clocks
}

const (
	arrowSize = 8 + 8 + 4 + 4 + 4 + 4 + 4 + 4 + 4 + 2 + 2 + 1 + 1
	endsSize  = 4 * 8
)

// Encode writes the message.
func (m *Messages) Encode() ([]byte, error) {
	bundles := slices.DeleteFunc(slices.Clone(m.Arrows), func(a Arrow) bool { return a.Flags&Bundle == 0 })
	f := newFrame(KindMessages, m.Header, 48+arrowSize*len(m.Arrows)+endsSize*len(bundles)+m.Clocks.size())
	f.u32(m.Seq)
	f.u32(uint32(len(m.Arrows)))
	f.i64(m.Base)
	f.u32(m.Total)
	f.u32(m.Violations)
	f.u32(flag(m.Complete))
	f.u32(0)
	f.f64s(column(m.Arrows, func(a *Arrow) float64 { return a.Sent }))
	f.f64s(column(m.Arrows, func(a *Arrow) float64 { return a.Received }))
	f.u32s(column(m.Arrows, func(a *Arrow) uint32 { return a.From }))
	f.u32s(column(m.Arrows, func(a *Arrow) uint32 { return a.To }))
	f.u32s(column(m.Arrows, func(a *Arrow) uint32 { return a.Count }))
	f.f32s(column(m.Arrows, func(a *Arrow) float32 { return a.Bytes }))
	f.f32s(column(m.Arrows, func(a *Arrow) float32 { return a.ErrorFrom }))
	f.f32s(column(m.Arrows, func(a *Arrow) float32 { return a.ErrorTo }))
	f.u32s(column(m.Arrows, func(a *Arrow) uint32 { return a.Backward }))
	f.u16s(column(m.Arrows, func(a *Arrow) uint16 { return a.FromPort }))
	f.u16s(column(m.Arrows, func(a *Arrow) uint16 { return a.ToPort }))
	f.bytes(column(m.Arrows, func(a *Arrow) uint8 { return a.Protocol }))
	f.bytes(column(m.Arrows, func(a *Arrow) uint8 { return a.Flags }))
	f.f64s(column(bundles, func(a *Arrow) float64 { return float64(a.Ends.SentFirst) }))
	f.f64s(column(bundles, func(a *Arrow) float64 { return float64(a.Ends.SentLast) }))
	f.f64s(column(bundles, func(a *Arrow) float64 { return float64(a.Ends.ReceivedFirst) }))
	f.f64s(column(bundles, func(a *Arrow) float64 { return float64(a.Ends.ReceivedLast) }))
	f.clocks(&m.Clocks)
	return f.done()
}

// column takes one field of every element.
func column[T, E any](from []E, field func(*E) T) []T {
	out := make([]T, len(from))
	for i := range from {
		out[i] = field(&from[i])
	}
	return out
}
