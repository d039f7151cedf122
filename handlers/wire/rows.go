package wire

// A RowKind tells what a row shows.
type RowKind uint8

// The kinds of row.
const (
	RowHost RowKind = iota
	RowProcess
	RowThread
	RowCPU
	RowInterrupt     // a line, of one CPU or in total
	RowSoftInterrupt // likewise
	RowFrequency     // of a CPU
)

// NoRow is the parent of a host's row.
const NoRow = 1<<32 - 1

// A Row is one line of the tree of rows. A process row is its main thread's
// row too.
type Row struct {
	ID, Parent  uint32
	Host        uint16
	Kind        RowKind
	TID         int32   // of a thread; the number of a CPU or a line, -1 where it has none
	First, Last float64 // ns after the host's local begin; Last is -1 while it lives
	Name        string
}

// Rows is a push of rows that are new or changed; its header's generation is
// the version of the table.
type Rows struct {
	Header
	Rows []Row
}

const rowSize = 4 + 4 + 2 + 1 + 4 + 8 + 8 + 4 + 16

// Encode writes the message.
func (r *Rows) Encode() ([]byte, error) {
	names := column(r.Rows, func(r *Row) string { return r.Name })
	f := newFrame(KindRows, r.Header, 32+rowSize*len(r.Rows))
	f.u32(uint32(len(r.Rows)))
	f.u32(uint32(textBytes(names)))
	f.u32s(column(r.Rows, func(r *Row) uint32 { return r.ID }))
	f.u32s(column(r.Rows, func(r *Row) uint32 { return r.Parent }))
	f.u16s(column(r.Rows, func(r *Row) uint16 { return r.Host }))
	f.align(4)
	f.bytes(column(r.Rows, func(r *Row) uint8 { return uint8(r.Kind) }))
	f.align(4)
	f.i32s(column(r.Rows, func(r *Row) int32 { return r.TID }))
	f.f64s(column(r.Rows, func(r *Row) float64 { return r.First }))
	f.f64s(column(r.Rows, func(r *Row) float64 { return r.Last }))
	f.texts(names)
	return f.done()
}
