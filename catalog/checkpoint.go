package catalog

import (
	"encoding/binary"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// A SideFile points to the file that holds a host's checkpoint.
type SideFile struct {
	Generation uint64 // part of the file's name
	Length     int64  // bytes
	CRC        uint32 // CRC32C of all of them
	Flags      Flags
}

// Flags of a checkpoint.
type Flags uint32

const (
	Done   Flags = 1 << iota // the host is read to its end
	Broken                   // the host failed: what it has is all there will be
)

const sideFileSize = 24 // bytes

// PutCheckpoint makes f the valid checkpoint of a host. It is durable on return.
func (c *Catalog) PutCheckpoint(id ID, host int32, f SideFile) error {
	return c.update(func(txn *badger.Txn) error {
		return putRow(txn, hostKey(tableCheckpoints, id, host), f.bytes())
	})
}

// bytes is f as a row.
func (f SideFile) bytes() []byte {
	b := make([]byte, 0, sideFileSize)
	b = binary.LittleEndian.AppendUint64(b, f.Generation)
	b = binary.LittleEndian.AppendUint64(b, uint64(f.Length))
	b = binary.LittleEndian.AppendUint32(b, f.CRC)
	return binary.LittleEndian.AppendUint32(b, uint32(f.Flags))
}

// Checkpoint returns the valid checkpoint of a host, or ErrNotFound.
func (c *Catalog) Checkpoint(id ID, host int32) (SideFile, error) {
	var f SideFile
	err := c.db.View(func(txn *badger.Txn) error {
		return getRow(txn, hostKey(tableCheckpoints, id, host), func(b []byte) error {
			if len(b) != sideFileSize {
				return fmt.Errorf("the checkpoint row of host %d of set %s has %d bytes, not %d", host, id, len(b), sideFileSize)
			}
			f.Generation = binary.LittleEndian.Uint64(b)
			f.Length = int64(binary.LittleEndian.Uint64(b[8:]))
			f.CRC = binary.LittleEndian.Uint32(b[16:])
			f.Flags = Flags(binary.LittleEndian.Uint32(b[20:]))
			return nil
		})
	})
	return f, err
}

// DropCheckpoint forgets the checkpoint of a host: it will be read from its beginning.
func (c *Catalog) DropCheckpoint(id ID, host int32) error {
	return c.update(func(txn *badger.Txn) error {
		return txn.Delete(hostKey(tableCheckpoints, id, host))
	})
}
