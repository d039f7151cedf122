package catalog

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// A Bookmark is a note on a time and a row of a set.
type Bookmark struct {
	ID      uint32    `json:"-"`    // of those of its set
	Host    int32     `json:"host"` // index
	TID     int64     `json:"tid"`  // of the thread whose row it is on, -1 for that of the host
	Time    int64     `json:"time"` // local ns of the host
	Text    string    `json:"text"`
	Created time.Time `json:"created"`

	Window *[2]int64 `json:"window,omitempty"` // that it was set in, local ns of the host; nil where none is kept
}

// Bookmarks returns those of a set by number, which is the order they were made in.
func (c *Catalog) Bookmarks(id ID) ([]Bookmark, error) {
	var list []Bookmark
	err := c.db.View(func(txn *badger.Txn) error {
		return scan(txn, setKey(tableBookmarks, id), func(key, value []byte) error {
			var b Bookmark
			if err := json.Unmarshal(value, &b); err != nil {
				return fmt.Errorf("bookmark %x: %w", key[1:], err)
			}
			b.ID = binary.BigEndian.Uint32(key[9:])
			list = append(list, b)
			return nil
		})
	})
	return list, err
}

// PutBookmark adds a bookmark, or replaces the one with its number. It is durable on return.
func (c *Catalog) PutBookmark(id ID, b Bookmark) error {
	return c.update(func(txn *badger.Txn) error { return putBookmark(txn, id, b) })
}

func putBookmark(txn *badger.Txn, id ID, b Bookmark) error {
	return putJSON(txn, bookmarkKey(id, b.ID), b)
}

// DropBookmark removes a bookmark.
func (c *Catalog) DropBookmark(id ID, number uint32) error {
	return c.update(func(txn *badger.Txn) error { return txn.Delete(bookmarkKey(id, number)) })
}

func bookmarkKey(id ID, number uint32) []byte {
	return binary.BigEndian.AppendUint32(setKey(tableBookmarks, id), number)
}
