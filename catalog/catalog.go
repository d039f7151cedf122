// Package catalog keeps what must survive the process in Badger: trace sets,
// their files, states and checkpoints. docs/format/catalog.md lists the keys.
//
// The store is kept small on purpose. A key-value store of this kind writes
// everything several times over and holds its tables in memory; nodes of a
// history, endpoints and the state of a reader go to files of their own, and
// the catalogue has only the key that says which of them is valid. That key is
// also the commit point: a file that no key names does not exist.
package catalog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/dgraph-io/badger/v4"
)

// A Catalog is an open store. It may be used from any number of goroutines.
type Catalog struct {
	db      *badger.DB
	sets    string // folder of the sets' folders, "" if no copies are kept
	log     *slog.Logger
	unlock  func()
	damages []Damage
	// reserved is the file that goes before the store is closed.
	reserved string
	// alone is held by a change that another one was in the way of, so that none is again: shared by those of the first try.
	alone sync.RWMutex
	// copying is held while the copy of a set is written.
	copying sync.Mutex
}

// ErrNotFound says that the catalogue has no row for what was asked.
var ErrNotFound = errors.New("not in the catalogue")

// Open opens the store in dir, making it if needed. Only one process can hold it. Below the folder sets each set has one of its own, in which a copy of its
// rows is kept; what is damaged of the store is mended from those, which [Catalog.Damages] tells. Without a name of that folder there are no copies.
func Open(dir, sets string, log *slog.Logger) (*Catalog, error) {
	return open(dir, sets, memTable, log)
}

func open(dir, sets string, memTable int64, log *slog.Logger) (*Catalog, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	unlock, err := lock(dir)
	if err != nil {
		return nil, err
	}
	c := &Catalog{sets: sets, log: log, unlock: unlock}
	if err = c.reserve(dir); err == nil {
		err = c.agree(filepath.Join(dir, "format"), memTable)
	}
	if err == nil {
		err = c.openIn(dir, memTable)
	}
	if err == nil {
		if err = c.reserveLog(dir); err == nil {
			err = c.mend()
		}
		if err != nil {
			c.shut()
		}
	}
	if err != nil {
		os.Remove(c.reserved)
		unlock()
		return nil, err
	}
	return c, nil
}

// Close flushes and closes the store.
func (c *Catalog) Close() error {
	defer c.unlock()
	return c.shut()
}

// shut closes the store in the room that was taken for that.
func (c *Catalog) shut() error {
	os.Remove(c.reserved)
	return c.db.Close()
}

// update makes changes in a transaction, again where another one that was finished first has changed what they rest on: f may be called
// twice. The second time no other is made beside it: one that reads much, such as the deletion of a set, would never come through while
// others that read little follow each other.
func (c *Catalog) update(f func(*badger.Txn) error) error {
	c.alone.RLock()
	err := c.db.Update(f)
	c.alone.RUnlock()
	if !errors.Is(err, badger.ErrConflict) {
		return err
	}
	c.alone.Lock()
	defer c.alone.Unlock()
	return c.db.Update(f)
}

// An ID is the number of a set.
type ID uint64

// String writes the id as 16 hexadecimal digits.
func (id ID) String() string { return fmt.Sprintf("%016x", uint64(id)) }

// ParseID reads what String writes.
func ParseID(s string) (ID, bool) {
	if len(s) != 16 {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 16, 64)
	if err != nil || ID(n).String() != s {
		return 0, false
	}
	return ID(n), true
}

// Tables, by the first byte of their keys.
const (
	tableSets        = 0x01
	tableHosts       = 0x02
	tableCheckpoints = 0x03
	tableResults     = 0x04
	tableBookmarks   = 0x05
)

// tables are all that hold rows of a set.
var tables = [...]byte{tableSets, tableHosts, tableCheckpoints, tableResults, tableBookmarks}

func setKey(table byte, id ID) []byte {
	return binary.BigEndian.AppendUint64([]byte{table}, uint64(id))
}

func hostKey(table byte, id ID, host int32) []byte {
	return binary.BigEndian.AppendUint32(setKey(table, id), uint32(host))
}
