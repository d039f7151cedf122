package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/sync/report"
	"synchroscope/trace/ctf"
	"synchroscope/views"
)

// An export is the files that sync writes beside what it prints. It keeps the messages in a file of its own
// until the clocks are known.
type export struct {
	page, csv, jsonl string // paths, "" where not wanted
	title            string
	collector        *report.Collector
	spool            *spool
	err              error // of the spool
}

// exportFlags adds the flags of an export.
func exportFlags(fs *flag.FlagSet) *export {
	x := &export{}
	fs.StringVar(&x.page, "report", "", "write a page that stands alone to `FILE.html`")
	fs.StringVar(&x.csv, "csv", "", "write tables for spreadsheets into the folder `DIR`; docs/guide/fine-print/export.md has their columns")
	fs.StringVar(&x.jsonl, "jsonl", "", "write the same tables as lines of JSON into the folder `DIR`")
	return x
}

func (x *export) wanted() bool { return x.page != "" || x.csv != "" || x.jsonl != "" }

// open prepares for the messages of the hosts; close must be called. It returns what is to be shown each final message,
// nil if nothing is wanted.
func (x *export) open(paths []string, hosts []ctf.HostTraces) (func(match.Message), error) {
	if !x.wanted() {
		return nil, nil
	}
	for _, dir := range []string{x.csv, x.jsonl} {
		if dir == "" {
			continue
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	var err error
	if x.spool, err = newSpool(); err != nil {
		return nil, err
	}
	ids := make([]string, len(hosts))
	for i, h := range hosts {
		ids[i] = h.ID
	}
	x.collector = report.NewCollector(ids)
	x.title = filepath.Base(filepath.Clean(paths[0]))
	if len(paths) > 1 {
		x.title += fmt.Sprintf(" and %s", plural(int64(len(paths)-1), "other", "others"))
	}
	return func(m match.Message) {
		x.collector.Message(m)
		if x.err == nil {
			x.err = x.spool.add(m)
		}
	}, nil
}

// write writes all that is wanted of the final solution.
func (x *export) write(s *network.Solution) error {
	if x.spool == nil {
		return nil
	}
	if x.err != nil {
		return x.err
	}
	if x.page != "" {
		page, err := report.Make(x.title, s, x.collector, x.spool.each, since(time.Now()))
		if err != nil {
			return err
		}
		err = writeFile(x.page, func(w io.Writer) error { return views.Report(page).Render(context.Background(), w) })
		if err != nil {
			return err
		}
	}
	for _, t := range report.Tables(s, x.spool.each) {
		if x.csv != "" {
			if err := writeFile(filepath.Join(x.csv, t.Name+".csv"), t.CSV); err != nil {
				return err
			}
		}
		if x.jsonl != "" {
			if err := writeFile(filepath.Join(x.jsonl, t.Name+".jsonl"), t.JSONL); err != nil {
				return err
			}
		}
	}
	return nil
}

func since(begin time.Time) report.Stopwatch {
	return func() time.Duration { return time.Since(begin) }
}

func (x *export) close() {
	if x.spool != nil {
		x.spool.close()
	}
}

// writeFile replaces a file by what write writes; the old one stays as it was if that fails.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	err = write(f)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.Rename(f.Name(), path)
}
