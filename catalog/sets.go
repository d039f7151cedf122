package catalog

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// A Set is the row of a trace set.
type Set struct {
	ID      ID        `json:"-"`
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	State   State     `json:"state"`
	Error   string    `json:"error,omitempty"`
	Next    int       `json:"next"` // index of the next file
	Files   []File    `json:"files,omitempty"`
	Deleted time.Time `json:"deleted,omitzero"` // when it was discarded, zero if it is not
	Again   bool      `json:"again,omitempty"`  // it was ready once and is read again: its traces stay if that fails
	Marked  uint32    `json:"marked,omitempty"` // the highest number that a bookmark of it had
	Spared  bool      `json:"spared,omitempty"` // its rows were damaged: until it is ready nothing of it is removed but by who deletes it
}

// setRow is a Set as it is stored.
type setRow struct {
	Set
	Change uint64 `json:"change"` // of the rows of the set but checkpoints, counted
}

// A File is an archive or a folder that was given to a set.
type File struct {
	Index    int    `json:"index"` // names the folder its traces are extracted to
	Name     string `json:"name"`
	Path     string `json:"path,omitempty"` // absolute, if it is read in place, or below the set's folder, if another set gave it
	Size     int64  `json:"size"`           // bytes, -1 while unknown
	Received int64  `json:"received"`       // bytes that are durable
}

// A Host is the row of one clock of a set.
type Host struct {
	Name   string  `json:"name"`
	ID     string  `json:"id"`
	Traces []Trace `json:"traces"`
}

// A Trace is a trace directory of a host.
type Trace struct {
	Path  string `json:"path"` // below the set's folder, or absolute
	Kind  string `json:"kind"`
	Bytes int64  `json:"bytes"` // of its stream files
	// Moved is by how many ns its times are later than its metadata has them.
	Moved int64 `json:"moved,omitempty"`
	// Missing names the events that views need and the trace does not have.
	Missing []string `json:"missing,omitempty"`
}

// Create adds the row of a new set.
func (c *Catalog) Create(s Set) error {
	err := c.update(func(txn *badger.Txn) error {
		return putJSON(txn, setKey(tableSets, s.ID), setRow{Set: s, Change: 1})
	})
	if err == nil {
		c.keep(s.ID)
	}
	return err
}

// Sets returns all rows, in no order that means anything.
func (c *Catalog) Sets() ([]Set, error) {
	var sets []Set
	err := c.db.View(func(txn *badger.Txn) error {
		return scan(txn, []byte{tableSets}, func(key, value []byte) error {
			var s Set
			if err := json.Unmarshal(value, &s); err != nil {
				return fmt.Errorf("%s: %w", place(key), err)
			}
			s.ID = ID(binary.BigEndian.Uint64(key[1:]))
			sets = append(sets, s)
			return nil
		})
	})
	return sets, err
}

// Set returns the row of a set.
func (c *Catalog) Set(id ID) (Set, error) {
	var s Set
	err := c.db.View(func(txn *badger.Txn) error { return getJSON(txn, setKey(tableSets, id), &s) })
	s.ID = id
	return s, err
}

// Update changes the row of a set by edit, which must leave the state alone, and
// returns the row as it is now.
func (c *Catalog) Update(id ID, edit func(*Set)) (Set, error) {
	return c.change(id, func(*badger.Txn, *Set) error { return nil }, "", edit)
}

// Move takes a set to another state, with whatever edit changes beside it.
func (c *Catalog) Move(id ID, to State, edit func(*Set)) (Set, error) {
	return c.change(id, func(*badger.Txn, *Set) error { return nil }, to, edit)
}

// Found moves a set to Reading and stores its hosts, by index, and what is known of the result.
func (c *Catalog) Found(id ID, hosts []Host, result any) (Set, error) {
	return c.change(id, func(txn *badger.Txn, _ *Set) error {
		if err := putJSON(txn, setKey(tableResults, id), result); err != nil {
			return err
		}
		for i, h := range hosts {
			if err := putJSON(txn, hostKey(tableHosts, id, int32(i)), h); err != nil {
				return err
			}
		}
		return nil
	}, Reading, nil)
}

// Adopt moves a set from Extracting to Ready at once, with hosts and their checkpoints, by index, that were made elsewhere.
func (c *Catalog) Adopt(id ID, hosts []Host, sides []SideFile, result any) (Set, error) {
	return c.change(id, func(txn *badger.Txn, _ *Set) error {
		for i, h := range hosts {
			if err := putJSON(txn, hostKey(tableHosts, id, int32(i)), h); err != nil {
				return err
			}
			if err := putRow(txn, hostKey(tableCheckpoints, id, int32(i)), sides[i].bytes()); err != nil {
				return err
			}
		}
		return putJSON(txn, setKey(tableResults, id), result)
	}, Ready, func(s *Set) { s.Again, s.Spared = false, false })
}

// Finish moves a set to Ready and stores the result that will answer for it.
func (c *Catalog) Finish(id ID, result any) (Set, error) {
	return c.change(id, func(txn *badger.Txn, _ *Set) error {
		return putJSON(txn, setKey(tableResults, id), result)
	}, Ready, func(s *Set) { s.Again, s.Spared = false, false })
}

// Renew replaces the result of a set that is ready.
func (c *Catalog) Renew(id ID, result any) error {
	_, err := c.change(id, func(txn *badger.Txn, s *Set) error {
		if s.State != Ready {
			return fmt.Errorf("set %s is %s and has no result yet", id, s.State)
		}
		return putJSON(txn, setKey(tableResults, id), result)
	}, "", nil)
	return err
}

// Fail moves a set to Failed with a sentence, and forgets its files, or those alone that were uploaded, hosts,
// checkpoints and bookmarks. The files themselves are the caller's to remove, before; those of a set that is read again stay.
func (c *Catalog) Fail(id ID, sentence string, uploaded bool) (Set, error) {
	return c.change(id, func(txn *badger.Txn, _ *Set) error {
		return drop(txn, id, tableHosts, tableCheckpoints, tableResults, tableBookmarks)
	}, Failed, func(s *Set) {
		s.Error = sentence
		s.Files = slices.DeleteFunc(s.Files, func(f File) bool { return !uploaded || f.Path == "" })
	})
}

// change is one synced transaction on the row of a set. An empty state to stays
// where it is.
func (c *Catalog) change(id ID, more func(*badger.Txn, *Set) error, to State, edit func(*Set)) (Set, error) {
	var s setRow
	err := c.update(func(txn *badger.Txn) error {
		s = setRow{}
		if err := getJSON(txn, setKey(tableSets, id), &s); err != nil {
			return err
		}
		s.ID = id
		from := s.State
		if to != "" && !from.May(to) {
			return fmt.Errorf("set %s cannot go from %s to %s", id, from, to)
		}
		if edit != nil {
			edit(&s.Set)
		}
		s.Change++
		s.State = from
		if to != "" {
			s.State = to
		}
		if err := more(txn, &s.Set); err != nil {
			return err
		}
		return putJSON(txn, setKey(tableSets, id), s)
	})
	if err != nil {
		return Set{}, fmt.Errorf("catalogue: %w", err)
	}
	c.keep(id)
	return s.Set, nil
}

// Hosts returns the hosts of a set by index; none before it is Reading.
func (c *Catalog) Hosts(id ID) ([]Host, error) {
	var hosts []Host
	err := c.db.View(func(txn *badger.Txn) error {
		return scan(txn, setKey(tableHosts, id), func(_, value []byte) error {
			var h Host
			err := json.Unmarshal(value, &h)
			hosts = append(hosts, h)
			return err
		})
	})
	return hosts, err
}

// Result reads into result what Found or Finish stored.
func (c *Catalog) Result(id ID, result any) error {
	return c.db.View(func(txn *badger.Txn) error {
		return getJSON(txn, setKey(tableResults, id), result)
	})
}

// Delete removes every row of a set.
func (c *Catalog) Delete(id ID) error {
	return c.update(func(txn *badger.Txn) error { return drop(txn, id, tables[:]...) })
}

func drop(txn *badger.Txn, id ID, tables ...byte) error {
	for _, table := range tables {
		var keys [][]byte
		err := scanValues(txn, setKey(table, id), func(key, _ []byte) error {
			keys = append(keys, append([]byte(nil), key...))
			return nil
		})
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := txn.Delete(key); err != nil {
				return err
			}
		}
	}
	return nil
}
