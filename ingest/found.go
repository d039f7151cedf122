package ingest

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"synchroscope/catalog"
	"synchroscope/ingest/declarations"
)

// # Sets that are found again
//
// A damaged catalogue costs no set: its rows are in a copy beside its files, and where that is damaged too the set is made of what lies in its
// folder. What nothing can be made of fails, and its files stay until it is deleted. docs/format/catalog.md tells what each damage costs.

// mostNamed is how many sets a notice names.
const mostNamed = 10

// Notices are sentences on what was found wrong with the data directory when the engine was opened, and what was done.
func (e *Engine) Notices() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.notices)
}

// notice keeps a sentence, with places below the data directory, and logs it.
func (e *Engine) notice(format string, args ...any) {
	text := strings.ReplaceAll(fmt.Sprintf(format, args...), e.dir+string(filepath.Separator), "")
	e.o.Log.Warn(text)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.notices = append(e.notices, text)
}

// named is what a notice calls a set.
func named(row catalog.Set) string {
	if row.Name == "" {
		return row.ID.String()
	}
	return fmt.Sprintf("%s (%s)", row.Name, row.ID)
}

// tellDamages tells of what the catalogue has mended itself, and returns the rest: sets that it has lost.
func (e *Engine) tellDamages() (lost []catalog.Damage) {
	var without []string
	for _, d := range e.catalog.Damages() {
		switch {
		case d.Lost:
			lost = append(lost, d)
		case d.Aside != "":
			e.notice("The catalogue cannot be used: %v. It is kept as %s, and a new one is made from what lies beside the sets.", d.Cause, d.Aside)
		case d.Rowless && d.Set.State != catalog.Deleting:
			without = append(without, named(d.Set))
		case d.Set.State != catalog.Deleting:
			e.notice("The set %s: %v. What was lost is taken from the copy in its folder.", named(d.Set), d.Cause)
		}
	}
	if n := len(without); n > 0 {
		names := strings.Join(without[:min(n, mostNamed)], ", ")
		if n > mostNamed {
			names += fmt.Sprintf(" and %d more", n-mostNamed)
		}
		e.notice("The catalogue has nothing of %s: %s. What it had is taken from the copy of it in the folder of each.", count(n, "set"), names)
	}
	return lost
}

// findAgain makes a set that the catalogue has lost of what lies in its folder, if something can be made of that.
func (e *Engine) findAgain(d catalog.Damage) (row catalog.Set, found bool, err error) {
	row = d.Set
	row.ID = d.ID
	if row.State == catalog.Deleting {
		return row, false, e.erase(d.ID)
	}
	folder := filepath.Join(e.dir, "sets", d.ID.String())
	kept, err := files(folder)
	if err != nil {
		return row, false, err
	}
	if !kept {
		if !d.Rowless {
			e.notice("The set %s: %v. It had no files, and is lost.", named(row), d.Cause)
		}
		return row, false, errors.Join(os.RemoveAll(folder), e.catalog.Delete(d.ID))
	}
	done := "It is made anew of the traces there are of it, and is read again."
	row.Error, row.Again, row.Spared = "", true, true
	if row.Created.IsZero() {
		row.Created = time.Now().UTC()
		if info, err := os.Stat(folder); err == nil {
			row.Created = info.ModTime().UTC()
		}
	}
	given := givenIn(folder, row.Files)
	uploads, traces := archivesIn(folder, slices.Concat(row.Files, given)), append(extractedIn(folder, row.Files), given...)
	for _, f := range row.Files {
		if f.Path != "" && !slices.ContainsFunc(traces, func(x catalog.File) bool { return x.Index == f.Index }) {
			traces = append(traces, f)
		}
	}
	switch {
	case len(traces) > 0 && (len(uploads) == 0 || isFolder(filepath.Join(folder, "hosts"))):
		row.State, row.Files = catalog.Extracting, traces
	case len(uploads) > 0:
		done = "It is made anew of the archives there are of it, and waits to be imported."
		row.State, row.Files = catalog.Uploading, append(uploads, given...)
	default:
		done = "There is nothing in its folder that a set can be made of: it is listed as failed, and its files are as they were until it is deleted."
		row.State, row.Files = catalog.Failed, nil
		row.Error = fmt.Sprintf("there is nothing in its folder, sets/%s, that a set can be made of, and what the catalogue had of it is lost; its files are as they were, and go when it is deleted", d.ID)
	}
	for _, f := range row.Files {
		row.Next = max(row.Next, f.Index+1)
	}
	was, name := named(row), ""
	if row.Name == "" {
		name = " What it was called is lost."
		row.Name = "Found again " + row.Created.Format(time.DateOnly)
	}
	if err := e.catalog.Create(row); err != nil {
		return row, false, err
	}
	e.notice("The set %s: %v. %s%s", was, d.Cause, done, name)
	return row, true, nil
}

// files tells whether there is a file anywhere below a folder, which may be missing.
func files(folder string) (found bool, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			found = true
			return fs.SkipAll
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return found, err
}

// archivesIn are the archives below a folder of a set, by what is known of them.
func archivesIn(folder string, known []catalog.File) (list []catalog.File) {
	entries, _ := os.ReadDir(filepath.Join(folder, "files"))
	next := 0
	for _, f := range known {
		next = max(next, f.Index+1)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		f := catalog.File{Index: next, Name: entry.Name(), Size: -1}
		if i := slices.IndexFunc(known, func(k catalog.File) bool { return k.Name == f.Name && k.Path == "" }); i >= 0 {
			f = known[i]
		} else {
			next++
		}
		f.Received = info.Size()
		list = append(list, f)
	}
	return list
}

// extractedIn are the archives whose traces are below a folder of a set.
func extractedIn(folder string, known []catalog.File) []catalog.File {
	return numberedIn(filepath.Join(folder, "traces"), known, func(n int, name string) catalog.File { return catalog.File{Index: n, Name: name} })
}

// givenIn are the files that another set gave.
func givenIn(folder string, known []catalog.File) []catalog.File {
	return numberedIn(filepath.Join(folder, givenFolder), known, func(n int, name string) catalog.File { return newGiven(name, n, 0) })
}

// textIn is the name of the text that is all there is in a folder, "" where there is something else.
func textIn(folder string) string {
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		return ""
	}
	kind, _ := declarations.Named(entries[0].Name())
	return kind.Name
}

// numberedIn are the files whose folders are in a folder, by their numbers, of which unknown makes those that are not known.
func numberedIn(folder string, known []catalog.File, unknown func(n int, name string) catalog.File) (list []catalog.File) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		n, err := strconv.Atoi(entry.Name())
		if err != nil || n < 0 || !entry.IsDir() {
			continue
		}
		f := unknown(n, cmp.Or(textIn(filepath.Join(folder, entry.Name())), fmt.Sprintf("archive %d", n+1)))
		if i := slices.IndexFunc(known, func(k catalog.File) bool { return k.Index == n }); i >= 0 {
			f = known[i]
		}
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b catalog.File) int { return cmp.Compare(a.Index, b.Index) })
	return list
}

// overtaken makes a set go on from its traces where its row, or the copy that this was taken from, is of before its archives were removed. Nobody may have these elsewhere.
func (s *Set) overtaken() error {
	if s.row.State != catalog.Uploading && s.row.State != catalog.Extracting {
		return nil
	}
	gone := false
	for _, f := range s.row.Files {
		if f.Path != "" || f.Received == 0 {
			continue
		}
		_, err := os.Stat(s.uploaded(f.Name))
		gone = gone || errors.Is(err, fs.ErrNotExist)
	}
	traces := extractedIn(s.dir, s.row.Files)
	if !gone || len(traces) == 0 {
		return nil
	}
	edit := func(row *catalog.Set) {
		row.Again = true
		row.Files = slices.DeleteFunc(row.Files, func(f catalog.File) bool {
			return f.Path == "" && !isFolder(s.extracted(f)) && !isFile(s.uploaded(f.Name))
		})
	}
	change := func() (catalog.Set, error) { return s.e.catalog.Update(s.id, edit) }
	if s.row.State == catalog.Uploading {
		change = func() (catalog.Set, error) { return s.e.catalog.Move(s.id, catalog.Extracting, edit) }
	}
	row, err := change()
	if err != nil {
		return err
	}
	s.row = row
	s.e.notice("The set %s: the catalogue has it as it was before its archives were extracted. It is read again from its traces.", named(row))
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
