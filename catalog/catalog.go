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
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/dgraph-io/badger/v4"
)

// A Catalog is an open store. It may be used from any number of goroutines.
type Catalog struct {
	db *badger.DB
	// alone is held by a change that another one was in the way of, so that none is again: shared by those of the first try.
	alone sync.RWMutex
}

// ErrNotFound says that the catalogue has no row for what was asked.
var ErrNotFound = errors.New("not in the catalogue")

// Open opens the store in dir, making it if needed. Only one process can hold it.
func Open(dir string, log *slog.Logger) (*Catalog, error) {
	return open(dir, memTable, log)
}

func open(dir string, memTable int64, log *slog.Logger) (*Catalog, error) {
	store := filepath.Join(dir, "badger")
	if err := os.MkdirAll(store, 0o700); err != nil {
		return nil, err
	}
	if err := agree(filepath.Join(dir, "format"), memTable); err != nil {
		return nil, err
	}
	db, err := openStore(options(store, memTable, log))
	if err != nil {
		return nil, fmt.Errorf("open the catalogue in %s: %w", store, err)
	}
	return &Catalog{db: db}, nil
}

const (
	begun = 4                   // how many times a store is opened at most: one more than there are kinds of its files
	isNew = "Create a new file" // what badger's error says where it found one without a byte
)

// openStore opens a store, also where a process was killed just as it had made one of its files and not yet written a byte. Badger takes such a
// file for a new one where it expects an old one, makes it whole, and fails for that; the next time it finds it whole.
func openStore(o badger.Options) (db *badger.DB, err error) {
	for range begun {
		if db, err = badger.Open(o); err == nil || !strings.Contains(err.Error(), isNew) {
			return db, err
		}
	}
	return nil, err
}

// Close flushes and closes the store.
func (c *Catalog) Close() error { return c.db.Close() }

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

// maxRow bounds one row, so that a transaction holds several.
const maxRow = 1 << 20

func putJSON(txn *badger.Txn, key []byte, row any) error {
	b, err := json.Marshal(row)
	if err != nil {
		return err
	}
	if len(b) > maxRow {
		return fmt.Errorf("a row of the catalogue of %d bytes is longer than %d", len(b), maxRow)
	}
	return txn.Set(key, b)
}

func getJSON(txn *badger.Txn, key []byte, row any) error {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return ErrNotFound
	}
	if err != nil {
		return err
	}
	return item.Value(func(b []byte) error { return json.Unmarshal(b, row) })
}

// scan calls visit with every key and value below a prefix, in order of key.
// Both are valid during the call only.
func scan(txn *badger.Txn, prefix []byte, visit func(key, value []byte) error) error {
	o := badger.DefaultIteratorOptions
	o.Prefix = prefix
	it := txn.NewIterator(o)
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		item := it.Item()
		if err := item.Value(func(b []byte) error { return visit(item.Key(), b) }); err != nil {
			return err
		}
	}
	return nil
}
