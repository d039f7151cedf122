package catalog

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/dgraph-io/badger/v4"
)

// maxRow bounds one row, so that a transaction holds several.
const maxRow = 1 << 20

// Of the head of a value.
const (
	rowVersion = 0x01
	rowHead    = 5 // bytes: version, CRC32C
)

// tableKeys are what a row of each table is called, and how long its key is.
var tableKeys = map[byte]struct {
	name   string
	length int
}{
	tableSets: {"row", 9}, tableHosts: {"host", 13}, tableCheckpoints: {"checkpoint of host", 13}, tableResults: {"result", 9}, tableBookmarks: {"bookmark", 13},
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealed is the value of a row: what is stored, behind its checksum.
func sealed(key, row []byte) []byte {
	sum := crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, row)
	b := make([]byte, 0, rowHead+len(row))
	b = binary.LittleEndian.AppendUint32(append(b, rowVersion), sum)
	return append(b, row...)
}

// unsealed is what a value stores. One of format 1, which has no checksum, is old.
func unsealed(key, value []byte) (row []byte, old bool, err error) {
	switch {
	case key[0] == tableCheckpoints && len(value) == sideFileSize, key[0] != tableCheckpoints && len(value) > 0 && value[0] == '{':
		return value, true, nil
	case len(value) < rowHead || value[0] != rowVersion:
		return nil, false, fmt.Errorf("%s is damaged: it does not begin as a row does", place(key))
	}
	row = value[rowHead:]
	if crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, row) != binary.LittleEndian.Uint32(value[1:]) {
		return nil, false, fmt.Errorf("%s is damaged: it does not fit its checksum", place(key))
	}
	return row, false, nil
}

// place says which row a key is that of.
func place(key []byte) string {
	name := tableKeys[key[0]].name
	switch {
	case name == "" || len(key) < 9:
		return fmt.Sprintf("a row with the key %x", key)
	case len(key) == 13:
		name = fmt.Sprintf("%s %d", name, binary.BigEndian.Uint32(key[9:]))
	}
	return fmt.Sprintf("the %s of set %s in the catalogue", name, idOf(key))
}

// idOf is the set that a key of at least 9 bytes is of.
func idOf(key []byte) ID { return ID(binary.BigEndian.Uint64(key[1:])) }

// check tells whether a value can be that of its key, and whether it is one of format 1. set is what the row of a set says, empty of another.
func check(key, value []byte) (set setRow, old bool, err error) {
	if len(key) == 0 || tableKeys[key[0]].length != len(key) {
		return set, false, fmt.Errorf("the catalogue has a row with the key %x, which is that of nothing", key)
	}
	row, old, err := unsealed(key, value)
	if err != nil {
		return set, false, err
	}
	switch key[0] {
	case tableSets:
		if err = json.Unmarshal(row, &set); err == nil && !set.State.known() {
			err = fmt.Errorf("there is no state %.40q", set.State)
		}
	case tableHosts:
		err = json.Unmarshal(row, new(Host))
	case tableBookmarks:
		err = json.Unmarshal(row, new(Bookmark))
	case tableResults:
		err = json.Unmarshal(row, new(map[string]any))
	case tableCheckpoints:
		if len(row) != sideFileSize {
			err = fmt.Errorf("it has %d bytes, not %d", len(row), sideFileSize)
		}
	}
	if err != nil {
		return setRow{}, false, fmt.Errorf("%s is damaged: %w", place(key), err)
	}
	return set, old, nil
}

func putRow(txn *badger.Txn, key, row []byte) error { return txn.Set(key, sealed(key, row)) }

func putJSON(txn *badger.Txn, key []byte, row any) error {
	b, err := json.Marshal(row)
	if err != nil {
		return err
	}
	if len(b)+rowHead > maxRow {
		return fmt.Errorf("a row of the catalogue of %d bytes is longer than %d", len(b), maxRow-rowHead)
	}
	return putRow(txn, key, b)
}

func getRow(txn *badger.Txn, key []byte, read func(row []byte) error) error {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return ErrNotFound
	}
	if err != nil {
		return err
	}
	return item.Value(func(b []byte) error {
		row, _, err := unsealed(key, b)
		if err != nil {
			return err
		}
		return read(row)
	})
}

func getJSON(txn *badger.Txn, key []byte, into any) error {
	return getRow(txn, key, func(row []byte) error { return json.Unmarshal(row, into) })
}

// scan calls visit with every key and row below a prefix, in order of key. Both are valid during the call only.
func scan(txn *badger.Txn, prefix []byte, visit func(key, row []byte) error) error {
	return scanValues(txn, prefix, func(key, value []byte) error {
		row, _, err := unsealed(key, value)
		if err != nil {
			return err
		}
		return visit(key, row)
	})
}

// scanValues is scan with values as they are, damaged or not.
func scanValues(txn *badger.Txn, prefix []byte, visit func(key, value []byte) error) error {
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
