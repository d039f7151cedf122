package ingest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"synchroscope/catalog"
)

// # What is kept of a set whose rows were damaged
//
// Its rows may be of before some archive, and then nobody knows whether what lies in its folder can be had elsewhere: docs/format/catalog.md.

// keptTraces begins the names of the folders that forgetTraces puts aside; they go when the set is ready, or with it.
const keptTraces = "traces-kept"

// forgetTraces removes what was unpacked. Of a set whose rows were damaged it may be all there is of some archive, and is put aside, unless something of each
// of its archives is aside already.
func (s *Set) forgetTraces() error {
	if !s.row.Spared {
		return os.RemoveAll(s.path("traces"))
	}
	kept, err := s.kept()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(s.path("traces"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	aside := func(e os.DirEntry) bool {
		return strings.HasSuffix(e.Name(), partial) || slices.ContainsFunc(kept, func(k string) bool { return isFolder(s.path(k, e.Name())) })
	}
	if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !aside(e) }) {
		return os.RemoveAll(s.path("traces"))
	}
	for n := 1; ; n++ {
		if name := fmt.Sprintf("%s-%d", keptTraces, n); !slices.Contains(kept, name) {
			return os.Rename(s.path("traces"), s.path(name))
		}
	}
}

// kept are the names of the folders of traces that are put aside.
func (s *Set) kept() (names []string, err error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), keptTraces) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// dropKept removes what was put aside, of a set that is ready.
func (s *Set) dropKept() {
	names, err := s.kept()
	for _, name := range names {
		err = errors.Join(err, os.RemoveAll(s.path(name)))
	}
	if err != nil {
		s.log.Warn("what was put aside of a set is not removed", "error", err)
	}
}

// dropArchives removes the archives of the set, which have served. Those that its row does not know stay until the set is deleted: they are of a row that was lost.
func (s *Set) dropArchives() error {
	known := s.files()
	for _, f := range known {
		if f.Path != "" {
			continue
		}
		if err := os.Remove(s.uploaded(f.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	entries, err := os.ReadDir(s.path("files"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(entries) == 0 {
		err = os.Remove(s.path("files"))
	}
	return err
}

// tellUnknown tells of archives of the set that its row does not know.
func (s *Set) tellUnknown() {
	if s.row.State == catalog.Failed {
		return // it has forgotten its archives
	}
	entries, _ := os.ReadDir(s.path("files"))
	for _, e := range entries {
		if s.file(e.Name()) < 0 {
			s.e.notice("The set %s: the catalogue does not know of %s, and nothing of it is in the set. The file stays there until the set is deleted.", named(s.row), s.uploaded(e.Name()))
		}
	}
}
