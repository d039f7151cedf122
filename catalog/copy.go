package catalog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"

	"synchroscope/internal/durable"
)

// # The copy beside a set
//
// What the store has of a set is also in a file of the set's folder, so that a damaged store costs no set: docs/format/catalog.md.

// CopyFile is the name of the copy in the folder of a set.
const CopyFile = "rows"

const (
	copyMagic   = "SYNCROWS"
	copyVersion = 1
	copyHead    = 32        // bytes
	maxCopy     = 256 << 20 // bytes
)

// A record is the rows of a set as the store has them.
type record struct {
	id     ID
	change uint64
	set    Set
	rows   []keyed
	old    bool // one of them is of format 1
}

// A keyed value is a row as it is stored.
type keyed struct{ key, value []byte }

// record reads the rows of a set, ErrNotFound if it has none. The first that is damaged is the error, and what is sound is returned beside it.
func (c *Catalog) record(id ID) (record, error) {
	r := record{id: id}
	var damage error
	err := c.db.View(func(txn *badger.Txn) error {
		for _, table := range tables {
			err := scanValues(txn, setKey(table, id), func(key, value []byte) error {
				if err := r.add(append([]byte(nil), key...), append([]byte(nil), value...)); err != nil && damage == nil {
					damage = err
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil || damage != nil:
		return r, errors.Join(err, damage)
	case len(r.rows) == 0 || r.rows[0].key[0] != tableSets:
		return r, ErrNotFound
	}
	return r, r.whole()
}

// add takes a row if it is sound.
func (r *record) add(key, value []byte) error {
	set, old, err := check(key, value)
	if err != nil {
		return err
	}
	if idOf(key) != r.id {
		return fmt.Errorf("%s is not one of set %s", place(key), r.id)
	}
	r.rows, r.old = append(r.rows, keyed{key, value}), r.old || old
	if key[0] != tableSets {
		return nil
	}
	set.ID = r.id
	r.set, r.change = set.Set, set.Change
	return nil
}

// whole tells whether a set in its state can lack none of the rows it has.
func (r *record) whole() error {
	if r.set.State != Reading && r.set.State != Ready {
		return nil
	}
	hosts, result := 0, false
	for _, row := range r.rows {
		switch row.key[0] {
		case tableHosts:
			if n := binary.BigEndian.Uint32(row.key[9:]); n != uint32(hosts) {
				return fmt.Errorf("the catalogue has no row of host %d of set %s", hosts, r.id)
			}
			hosts++
		case tableResults:
			result = true
		}
	}
	if !result {
		return fmt.Errorf("the catalogue has no result of set %s", r.id)
	}
	return nil
}

// copied tells whether there is to be a copy: whatever has files has one.
func (r *record) copied() bool {
	switch r.set.State {
	case Uploading:
		return len(r.set.Files) > 0
	case Failed:
		return r.set.Again
	}
	return true
}

// bytes is the record as a file.
func (r *record) bytes() []byte {
	b := binary.LittleEndian.AppendUint32([]byte(copyMagic), copyVersion)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.rows)))
	b = binary.LittleEndian.AppendUint64(b, uint64(r.id))
	b = binary.LittleEndian.AppendUint64(b, r.change)
	for _, row := range r.rows {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(row.key)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(row.value)))
		b = append(append(b, row.key...), row.value...)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// readCopy reads the copy in the folder of a set.
func readCopy(folder string, id ID) (record, error) {
	path := filepath.Join(folder, CopyFile)
	bad := func(format string, args ...any) (record, error) {
		return record{}, fmt.Errorf("%s is damaged: %s", path, fmt.Sprintf(format, args...))
	}
	info, err := os.Stat(path)
	if err != nil {
		return record{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxCopy {
		return bad("it is no file of at most %d bytes", maxCopy)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return record{}, err
	}
	if len(b) < copyHead+4 || string(b[:8]) != copyMagic {
		return bad("it does not begin as a copy of rows does")
	}
	b, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(b, castagnoli) != sum {
		return bad("it does not fit its checksum")
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v != copyVersion {
		return record{}, fmt.Errorf("%s %w: %d, this program reads version %d", path, errOtherVersion, v, copyVersion)
	}
	r := record{id: id}
	rows, of, change := binary.LittleEndian.Uint32(b[12:]), ID(binary.LittleEndian.Uint64(b[16:])), binary.LittleEndian.Uint64(b[24:])
	if of != id {
		return bad("it is of set %s", of)
	}
	for b = b[copyHead:]; rows > 0; rows-- {
		if len(b) < 8 {
			return bad("it is shorter than its rows")
		}
		key, value := uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[4:]))
		if b = b[8:]; key+value > uint64(len(b)) {
			return bad("it is shorter than its rows")
		}
		if err := r.add(b[:key], b[key:key+value]); err != nil {
			return bad("%v", err)
		}
		b = b[key+value:]
	}
	switch err := r.whole(); {
	case len(b) > 0 || len(r.rows) == 0 || r.rows[0].key[0] != tableSets || r.change != change:
		return bad("its rows are not what it says")
	case err != nil:
		return bad("%v", err)
	}
	return r, nil
}

// keep writes the copy of a set, if it is to have one. That it cannot be written is logged: the store is what counts.
func (c *Catalog) keep(id ID) {
	if c.sets == "" {
		return
	}
	c.copying.Lock()
	defer c.copying.Unlock()
	r, err := c.record(id)
	if err == nil && r.copied() {
		err = r.write(filepath.Join(c.sets, id.String()))
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		c.log.Error("the copy of what the catalogue has of a set is not written", "set", id.String(), "error", err)
	}
}

// write makes r the copy in the folder of its set. A set that is being deleted gets no folder for it.
func (r *record) write(folder string) error {
	_, err := os.Stat(folder)
	made := errors.Is(err, fs.ErrNotExist)
	if made && r.set.State == Deleting {
		return nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	b := r.bytes()
	if len(b) > maxCopy {
		return fmt.Errorf("it would have %d bytes, at most %d are kept", len(b), maxCopy)
	}
	if err := durable.WriteFile(filepath.Join(folder, CopyFile), b); err != nil {
		return err
	}
	if made {
		return durable.SyncFolder(filepath.Dir(folder))
	}
	return nil
}
