package wire

// A Wakeup is a thread that another one woke.
type Wakeup struct {
	At           float64 // ns after Wakeups.Base
	Waker, Woken uint32  // rows; that of the host where the waker has none
}

// Wakeups is the answer to "wakeups".
type Wakeups struct {
	Header
	Seq     uint32
	Base    int64  // ns, in the requested time
	LeftOut uint32 // rows that were asked for and change too often here
	Arrows  []Wakeup
}

const wakeupSize = 8 + 4 + 4

// Encode writes the message.
func (w *Wakeups) Encode() ([]byte, error) {
	f := newFrame(KindWakeups, w.Header, 32+wakeupSize*len(w.Arrows))
	f.u32(w.Seq)
	f.u32(uint32(len(w.Arrows)))
	f.i64(w.Base)
	f.u32(w.LeftOut)
	f.u32(0)
	f.f64s(column(w.Arrows, func(a *Wakeup) float64 { return a.At }))
	f.u32s(column(w.Arrows, func(a *Wakeup) uint32 { return a.Waker }))
	f.u32s(column(w.Arrows, func(a *Wakeup) uint32 { return a.Woken }))
	return f.done()
}
