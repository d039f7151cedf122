package wire

// Listing is the answer to "filter" and to "measure": rows, with a number each or without.
type Listing struct {
	Header
	Seq    uint32
	Unsure uint32 // of "filter": rows among them that could not be decided within bounds; of "measure": rows at their end of which nothing is known yet
	Map    uint32 // version of the clock maps; 0 in raw time and while there are none
	Rows   []uint32
	Values []float64 // one for each row, or none at all
}

// Encode writes the message.
func (l *Listing) Encode() ([]byte, error) {
	f := newFrame(KindListing, l.Header, 40+4*len(l.Rows)+8*len(l.Values))
	f.u32(l.Seq)
	f.u32(uint32(len(l.Rows)))
	f.u32(uint32(len(l.Values)))
	f.u32(l.Unsure)
	f.u32(l.Map)
	f.u32s(l.Rows)
	f.f64s(l.Values)
	return f.done()
}
