package history

import "synchroscope/state/attribute"

// A filler puts columns, that come in order of quark, into blocks of the payload size space.
type filler struct {
	buf              []byte // where a payload is made
	space, directory int
	emit             func(used, columns, entries int, least attribute.Quark) error

	held    []heldColumn
	text    []byte // of these
	size    int    // at most, with their heads
	entries int
}

type heldColumn struct {
	quark  attribute.Quark
	length int
}

// add puts a column with a number of entries behind those before. It must fit into a block.
func (f *filler) add(q attribute.Quark, column []byte, entries int) error {
	size := 5 + uvarintLen(uint64(len(column))) + len(column)
	if mostDirectory(len(f.held)+1, f.directory)+f.size+size > f.space {
		if err := f.flush(); err != nil {
			return err
		}
	}
	f.held = append(f.held, heldColumn{q, len(column)})
	f.text = append(f.text, column...)
	f.size += size
	f.entries += entries
	return nil
}

// flush writes a block of what waits, if anything does.
func (f *filler) flush() error {
	if len(f.held) == 0 {
		return nil
	}
	h := beginHeads(f.buf, len(f.held), f.directory)
	for _, c := range f.held {
		h.add(c.quark, c.length)
	}
	b := append(h.end(), f.text...)
	err := f.emit(len(b), len(f.held), f.entries, f.held[0].quark)
	f.held, f.text, f.size, f.entries = f.held[:0], f.text[:0], 0, 0
	return err
}
