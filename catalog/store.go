package catalog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"
	boptions "github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"

	"synchroscope/internal/durable"
)

// openIn opens the store in dir. One that is damaged is put aside for a new one, which is a damage of no set.
func (c *Catalog) openIn(dir string, memTable int64) error {
	store := filepath.Join(dir, "badger")
	if err := c.openStore(store, memTable); err == nil || !damaged(err) {
		return err
	} else if aside, failed := putAside(store); failed != nil {
		return errors.Join(err, failed)
	} else {
		c.damages = append(c.damages, Damage{Cause: errors.New(firstLine(err)), Aside: aside})
	}
	return c.openStore(store, memTable)
}

// openStore opens the store in the folder if every row of it can be read.
func (c *Catalog) openStore(store string, memTable int64) error {
	if err := os.MkdirAll(store, 0o700); err != nil {
		return err
	}
	unlock, err := lock(store) // an earlier version of the program may have it
	if err != nil {
		return err
	}
	err = verify(store)
	unlock()
	if err != nil {
		return err
	}
	err = sound(store, func() (err error) {
		if c.db, err = openBegun(options(store, memTable, c.log)); err != nil {
			return fmt.Errorf("open the catalogue in %s: %w", store, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = sound(store, func() error {
		return c.db.View(func(txn *badger.Txn) error {
			return scanValues(txn, nil, func(_, _ []byte) error { return nil })
		})
	})
	if err != nil {
		return errors.Join(err, sound(store, c.db.Close))
	}
	return nil
}

const (
	begun = 4                   // how many times a store is opened at most: one more than there are kinds of its files
	isNew = "Create a new file" // what badger's error says where it found one without a byte
)

// openBegun opens a store, also where a process was killed just as it had made one of its files and not yet written a byte. Badger takes such a
// file for a new one where it expects an old one, makes it whole, and fails for that; the next time it finds it whole.
func openBegun(o badger.Options) (db *badger.DB, err error) {
	for range begun {
		if db, err = badger.Open(o); err == nil || !strings.Contains(err.Error(), isNew) {
			return db, err
		}
	}
	return nil, err
}

// damaged tells whether an error of a store is one of its files, and not one of who has it or where it lies.
func damaged(err error) bool {
	for _, cause := range []error{fs.ErrPermission, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EINTR, errInUse, errOtherVersion} {
		if errors.Is(err, cause) || strings.Contains(err.Error(), cause.Error()) { // Badger tells most causes in words alone
			return false
		}
	}
	return !strings.Contains(err.Error(), "Another process is using this Badger database")
}

// errOtherVersion is of a copy that another version of the program wrote.
var errOtherVersion = errors.New("has another version")

// errInUse is of a folder that another process works in.
var errInUse = errors.New("another process works on this data directory")

// sound turns a panic of what reads a file, or all in a folder, into an error that names it.
func sound(path string, read func() error) (err error) {
	defer func() {
		if recover() != nil { // an index out of range, mostly
			err = fmt.Errorf("%s is damaged: it cannot be decoded", path)
		}
	}()
	return read()
}

// firstLine is what Badger says, without where in its source that is.
func firstLine(said any) string {
	first, _, _ := strings.Cut(strings.TrimSpace(fmt.Sprint(said)), "\n")
	return first
}

// verify tells whether the files of a store can be opened. Badger itself checks tables in the background, where no panic of it can be caught, and goes on without those that
// do not fit their checksums.
func verify(store string) error {
	entries, err := os.ReadDir(store)
	if err != nil {
		return err
	}
	tables, others := map[uint64]string{}, false
	for _, entry := range entries {
		name := entry.Name()
		if !entry.Type().IsRegular() { // Badger ends the process where it cannot open some of them
			return fmt.Errorf("%s is no file", filepath.Join(store, name))
		}
		if id, ok := table.ParseFileID(name); ok {
			tables[id] = filepath.Join(store, name)
		}
		switch filepath.Ext(name) {
		case ".sst", ".mem", ".vlog":
			others = true
		}
	}
	path := filepath.Join(store, badger.ManifestFilename)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if others {
			return fmt.Errorf("%s is missing", path)
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	var manifest badger.Manifest
	var sane int64
	err = sound(path, func() (err error) {
		if manifest, sane, err = badger.ReplayManifestFile(f, 0, badger.Options{Logger: logger{quiet}}); err != nil {
			return fmt.Errorf("%s is damaged: %w", path, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	for id, name := range tables {
		if _, named := manifest.Tables[id]; !named && sane < info.Size() {
			return fmt.Errorf("%s is damaged at byte %d: it ends within a change, and does not name %s", path, sane, filepath.Base(name))
		}
	}
	for id, m := range manifest.Tables {
		name := filepath.Join(store, table.IDToFilename(id))
		if err := verifyTable(name, m.Compression); err != nil {
			return err
		}
	}
	return nil
}

// verifyTable holds a table against its checksums.
func verifyTable(name string, compression boptions.CompressionType) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing", name)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	return sound(name, func() error {
		o := badger.DefaultOptions("")
		t, err := table.OpenInMemoryTable(b, 0, &table.Options{Compression: compression, BlockSize: o.BlockSize, BloomFalsePositive: o.BloomFalsePositive})
		if err == nil {
			err = t.VerifyChecksum()
		}
		if err != nil {
			return fmt.Errorf("%s is damaged: %s", name, firstLine(err))
		}
		return nil
	})
}

// putAside gives the folder of a store a name that nothing reads, and returns that.
func putAside(store string) (string, error) {
	name := filepath.Join(filepath.Dir(store), "badger-damaged-"+time.Now().UTC().Format("20060102-150405"))
	aside := name
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s-%d", name, n)
	}
	if err := os.Rename(store, aside); err != nil {
		return "", err
	}
	return aside, durable.SyncFolder(filepath.Dir(store))
}
