package wire

// Density is the answer to "density": three columns of equal length.
type Density struct {
	Header
	Seq          uint32
	Begin, End   int64 // ns, in the requested time
	Events, Lost []uint32
	Error        []float32 // ns, -1 none
}

// Encode writes the message.
func (d *Density) Encode() ([]byte, error) {
	f := newFrame(KindDensity, d.Header, 32+12*len(d.Events))
	f.u32(d.Seq)
	f.u32(uint32(len(d.Events)))
	f.i64(d.Begin)
	f.i64(d.End)
	f.u32s(d.Events)
	f.u32s(d.Lost)
	f.f32s(d.Error)
	return f.done()
}
