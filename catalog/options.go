package catalog

import (
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/dgraph-io/badger/v4"
)

// memTable is the size of Badger's memory table in bytes. It bounds a
// transaction to 15 % of itself, and it may never shrink: the log of a table
// is replayed into one table when the store was not closed.
const memTable = 16 << 20

// Aside is about how much memory an open catalogue sets aside for that table, and for what one transaction may exceed it by. It is in no page of
// the machine's until it is used, and an import uses a few thousandths of it, but to the collector it is all there.
const Aside = memTable + 2*(memTable*15/100)

// options are Badger's, for a store of a few thousand small rows that must be
// durable: every commit is synced, values stay in the tables (so deleting
// frees their space without collecting a value log), caches are small.
func options(dir string, memTable int64, log *slog.Logger) badger.Options {
	return badger.DefaultOptions(dir).
		WithSyncWrites(true).
		WithMemTableSize(memTable).
		WithNumMemtables(2).
		WithBlockCacheSize(8 << 20).
		WithNumCompactors(2).
		WithValueThreshold(maxRow).
		WithValueLogFileSize(16 << 20).
		WithMetricsEnabled(false).
		WithLogger(logger{log})
}

const formatLine = "synchroscope catalog 1\nmemtable %d\n"

// agree compares the format file with what this program would write, and
// writes it where there is none.
func agree(path string, memTable int64) error {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return writeFormat(path, memTable)
	}
	if err != nil {
		return err
	}
	var stored int64
	if _, err := fmt.Sscanf(string(b), formatLine, &stored); err != nil {
		return fmt.Errorf("%s: not the format of a catalogue that this program knows", path)
	}
	if memTable < stored {
		return fmt.Errorf("%s: the catalogue was written with a memory table of %d bytes and cannot be opened with %d", path, stored, memTable)
	}
	if memTable > stored {
		return writeFormat(path, memTable)
	}
	return nil
}

func writeFormat(path string, memTable int64) error {
	f, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, formatLine, memTable)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(path+".part", path)
	}
	return err
}

// logger gives Badger's lines to slog. What Badger calls information is of no
// interest to who runs the server.
type logger struct{ log *slog.Logger }

func (l logger) Errorf(f string, a ...any)   { l.log.Error(line(f, a)) }
func (l logger) Warningf(f string, a ...any) { l.log.Warn(line(f, a)) }
func (l logger) Infof(f string, a ...any)    { l.log.Debug(line(f, a)) }
func (l logger) Debugf(f string, a ...any)   { l.log.Debug(line(f, a)) }

func line(f string, a []any) string {
	return "catalogue: " + strings.TrimSpace(fmt.Sprintf(f, a...))
}
