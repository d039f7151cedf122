package wire

// Density is the answer to "density": columns of equal length.
type Density struct {
	Header
	Seq        uint32
	Begin, End int64 // ns, in the requested time
	Events     []uint32
	Lost       []uint32  // events of the losses that touch the column
	Packets    []uint32  // whole ones of them
	Reaching   []uint32  // how many of these losses reach out of it
	Share      []float32 // of the events that is lost, if those of each loss are spread evenly over its time
	Error      []float32 // ns, -1 none
}

// Encode writes the message.
func (d *Density) Encode() ([]byte, error) {
	f := newFrame(KindDensity, d.Header, 32+24*len(d.Events))
	f.u32(d.Seq)
	f.u32(uint32(len(d.Events)))
	f.i64(d.Begin)
	f.i64(d.End)
	f.u32s(d.Events)
	f.u32s(d.Lost)
	f.u32s(d.Packets)
	f.u32s(d.Reaching)
	f.f32s(d.Share)
	f.f32s(d.Error)
	return f.done()
}
