package catalog

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/dgraph-io/badger/v4"
)

// A Damage is what was found wrong with the store, or with the rows of a set, when it was opened.
type Damage struct {
	ID      ID     // of the set, of which there are no rows now if Lost; 0 of the store as a whole
	Cause   error  // names the file or the row
	Aside   string // where the store as a whole is now
	Lost    bool   // there was no copy to take the rows from
	Rowless bool   // nothing was wrong with its rows but that there were none
	Set     Set    // as it is now; of a set that is lost only where its own row was sound
}

// Damages returns what was found when the store was opened, that of the store as a whole first.
func (c *Catalog) Damages() []Damage { return c.damages }

// quiet is for what tells by its error.
var quiet = slog.New(slog.DiscardHandler)

// mend makes the rows and the copy of every set agree.
func (c *Catalog) mend() error {
	ids, err := c.ids()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := c.mendSet(id); err != nil {
			return err
		}
	}
	return nil
}

// ids are the sets of which there is a row or a folder.
func (c *Catalog) ids() ([]ID, error) {
	found := map[ID]bool{}
	err := c.db.View(func(txn *badger.Txn) error {
		return scanValues(txn, nil, func(key, _ []byte) error {
			if len(key) >= 9 && slices.Contains(tables[:], key[0]) {
				found[ID(binary.BigEndian.Uint64(key[1:]))] = true
			} else {
				c.log.Warn("the catalogue has a row of nothing", "key", fmt.Sprintf("%x", key))
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if c.sets != "" {
		entries, err := os.ReadDir(c.sets)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			if id, ok := ParseID(entry.Name()); ok {
				found[id] = true
			}
		}
	}
	ids := make([]ID, 0, len(found))
	for id := range found {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, nil
}

// mendSet takes the rows of a set from its copy where they are damaged, gone or of before it, and else writes the copy again where it is not of now.
func (c *Catalog) mendSet(id ID) error {
	r, cause := c.record(id)
	rowless := false
	beside, missing := record{}, error(fs.ErrNotExist)
	if c.sets != "" {
		beside, missing = readCopy(filepath.Join(c.sets, id.String()), id)
	}
	if missing != nil && !errors.Is(missing, fs.ErrNotExist) && !damaged(missing) {
		return missing // what the machine lacks now must not be taken for a copy that is no more
	}
	switch {
	case cause == nil && missing == nil && beside.change > r.change:
		cause = fmt.Errorf("the newest %d changes of set %s are not in the catalogue: the end of its log is damaged", beside.change-r.change, id)
	case cause == nil:
		if r.old {
			if err := c.replace(r, false); err != nil {
				return err
			}
		}
		if missing == nil && beside.change == r.change {
			return nil
		}
		if missing != nil && !errors.Is(missing, fs.ErrNotExist) {
			c.log.Warn("the copy of what the catalogue has of a set is damaged and written again", "error", missing)
		}
		c.keep(id)
		return nil
	case errors.Is(cause, ErrNotFound):
		rowless = true
		cause = fmt.Errorf("the catalogue has no row of set %s", id)
	}
	if missing == nil {
		if err := beside.spare(); err != nil {
			return err
		}
		c.damages = append(c.damages, Damage{ID: id, Cause: cause, Rowless: rowless, Set: beside.set})
		if err := c.replace(beside, true); err != nil {
			return err
		}
		if beside.set.Spared {
			c.keep(id)
		}
		return nil
	}
	if !errors.Is(missing, fs.ErrNotExist) {
		cause = fmt.Errorf("%w, and %w", cause, missing)
	}
	c.damages = append(c.damages, Damage{ID: id, Cause: cause, Lost: true, Rowless: rowless, Set: r.set})
	return c.dropDamaged(id)
}

// spare makes the set of a record that is not ready one of which nothing is removed: its rows may be of before, or be not all there were.
func (r *record) spare() error {
	if r.set.State == Ready || r.set.State == Deleting {
		return nil
	}
	r.set.Spared = true
	r.change++
	row, err := json.Marshal(setRow{Set: r.set, Change: r.change})
	if err != nil {
		return err
	}
	r.rows[0].value = sealed(r.rows[0].key, row)
	return nil
}

// replace makes the rows of a set those of r, the set's own last: until then the copy is the newer one. Rows that r does not have are removed if only says so.
func (c *Catalog) replace(r record, only bool) error {
	if only {
		if err := c.Delete(r.id); err != nil {
			return err
		}
	}
	const most = 1 << 20 // bytes of a transaction
	rows := append(slices.Clone(r.rows[1:]), r.rows[0])
	for len(rows) > 0 {
		n, size := 0, 0
		for n < len(rows) && (n == 0 || size+len(rows[n].value) <= most) {
			size += len(rows[n].value)
			n++
		}
		err := c.update(func(txn *badger.Txn) error {
			for _, row := range rows[:n] {
				stored, _, err := unsealed(row.key, row.value)
				if err != nil {
					return err
				}
				if err := putRow(txn, row.key, stored); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// dropDamaged leaves of a set that is lost what is sound of its bookmarks.
func (c *Catalog) dropDamaged(id ID) error {
	return c.update(func(txn *badger.Txn) error {
		if err := drop(txn, id, tableSets, tableHosts, tableCheckpoints, tableResults); err != nil {
			return err
		}
		var bad [][]byte
		err := scanValues(txn, setKey(tableBookmarks, id), func(key, value []byte) error {
			if _, _, err := check(key, value); err != nil {
				bad = append(bad, slices.Clone(key))
			}
			return nil
		})
		for _, key := range bad {
			err = errors.Join(err, txn.Delete(key))
		}
		return err
	})
}
