package catalog

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/dgraph-io/badger/v4"
	boptions "github.com/dgraph-io/badger/v4/options"

	"synchroscope/internal/durable"
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
		WithChecksumVerificationMode(boptions.OnTableAndBlockRead).
		WithMetricsEnabled(false).
		WithLogger(logger{log})
}

const (
	formatVersion = 2
	formatLine    = "synchroscope catalog %d\nmemtable %d\n"
)

// agree compares the format file with what this program would write, and
// writes it where there is none, or one that tells nothing. What cannot be read in its place is put aside, where an earlier one makes room for it.
func (c *Catalog) agree(path string, memTable int64) error {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return writeFormat(path, memTable)
	}
	if err != nil && damaged(err) {
		err = errors.Join(os.RemoveAll(path+".damaged"), os.Rename(path, path+".damaged"))
	}
	if err != nil {
		return err
	}
	var version int
	var stored int64
	n, _ := fmt.Sscanf(string(b), formatLine, &version, &stored)
	switch {
	case n >= 1 && version > formatVersion:
		return fmt.Errorf("%s: the catalogue has format %d, this program knows none later than %d", path, version, formatVersion)
	case n == 2 && memTable < stored:
		return fmt.Errorf("%s: the catalogue was written with a memory table of %d bytes and cannot be opened with %d", path, stored, memTable)
	case n < 2:
		c.log.Warn("a file is damaged and written anew", "file", path)
	}
	if n < 2 || memTable > stored || version != formatVersion {
		return writeFormat(path, memTable)
	}
	return nil
}

func writeFormat(path string, memTable int64) error {
	return durable.WriteFile(path, fmt.Appendf(nil, formatLine, formatVersion, memTable))
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
