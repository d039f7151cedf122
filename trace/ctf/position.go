package ctf

// Position encodes where the reader stands between two calls of Next, with the
// anomalies and counts so far; Seek puts a fresh reader over the same traces there. A position is a few
// hundred bytes per stream.
func (r *Reader) Position() []byte           { panic("unbuilt") }
func (r *Reader) Seek(position []byte) error { panic("unbuilt") }

// SeekTime moves a fresh reader to the first event at or after t (local ns), by packet headers.
func (r *Reader) SeekTime(t int64) error { panic("unbuilt") }
