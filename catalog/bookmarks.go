package catalog

import (
	"encoding/binary"
	"encoding/json"
	"errors"
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
	Key     string    `json:"key,omitempty"` // of whoever made it

	Window *[2]int64 `json:"window,omitempty"` // that it was set in, local ns of the host; nil where none is kept
}

// Bookmarks returns those of a set by number, which is the order they were made in.
func (c *Catalog) Bookmarks(id ID) ([]Bookmark, error) {
	var list []Bookmark
	err := c.db.View(func(txn *badger.Txn) error {
		return scan(txn, setKey(tableBookmarks, id), func(key, value []byte) error {
			var b Bookmark
			if err := json.Unmarshal(value, &b); err != nil {
				return fmt.Errorf("%s: %w", place(key), err)
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
	return c.mark(id, b.ID, func(txn *badger.Txn) error { return putJSON(txn, bookmarkKey(id, b.ID), b) })
}

// DropBookmark removes a bookmark. Its number is never given again: see Set.Marked.
func (c *Catalog) DropBookmark(id ID, number uint32) error {
	return c.mark(id, number, func(txn *badger.Txn) error { return txn.Delete(bookmarkKey(id, number)) })
}

// mark is one synced transaction on the bookmark of a set that has the number. Those of a set that is not yet being read are copied once it is.
func (c *Catalog) mark(id ID, number uint32, edit func(*badger.Txn) error) error {
	copied := false
	err := c.update(func(txn *badger.Txn) error {
		var s setRow
		err := getJSON(txn, setKey(tableSets, id), &s)
		copied = err == nil && (s.State == Reading || s.State == Ready)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if copied {
			s.Change++
		}
		if copied || err == nil && number > s.Marked {
			s.Marked = max(s.Marked, number)
			if err := putJSON(txn, setKey(tableSets, id), s); err != nil {
				return err
			}
		}
		return edit(txn)
	})
	if err == nil && copied {
		c.keep(id)
	}
	return err
}

func bookmarkKey(id ID, number uint32) []byte {
	return binary.BigEndian.AppendUint32(setKey(tableBookmarks, id), number)
}
