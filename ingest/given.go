package ingest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"synchroscope/catalog"
	"synchroscope/ingest/declarations"
	"synchroscope/internal/durable"
)

// # A set that is made of another
//
// What lacks in a set is found out when it is looked at: the machine whose archive was forgotten, what functions are called, a state that is not
// declared. A set that has what another was made of takes more files and is imported as any is, without anything being sent again; the other one stays as it is.
// Both have the same files on the disk, by hard links, so that either can be deleted: docs/decisions/020-more-files.md has what was not done.

// Names of what lies below the folder of a set that was made of another: docs/format/catalog.md.
const (
	givenFolder     = "given"     // what it was given, a folder for each file of its row
	givenDamageFile = "anomalies" // in that folder: those of archives of which something lacks
	givenMarksFile  = "bookmarks" // in that folder: until the hosts are known, which may have other numbers
)

// CreateFrom makes a set of what another that is ready was made of, to which more can be uploaded before it is imported. What is declared for that one is among
// its files, each kind as a text of its own. An empty name stands for that of the other; a number is put behind it.
func (e *Engine) CreateFrom(name string, from *Set) (*Set, error) {
	if err := from.lend(); err != nil {
		return nil, err
	}
	defer from.busy.Done()
	if name == "" {
		name = from.name()
	}
	s, err := e.Create(name)
	if err != nil {
		return nil, err
	}
	if err := s.takeFrom(from); err != nil {
		return nil, errors.Join(err, e.Delete(s.ID()))
	}
	return s, nil
}

// lend keeps the files of a set that is ready until busy is done.
func (s *Set) lend() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.row.State != catalog.Ready {
		return faultf(Conflict, "%s is not imported to its end, so no set can be made of it", s.row.Name)
	}
	if !s.enter() {
		return faultf(NotFound, "the set is gone")
	}
	return nil
}

// takeFrom fills an empty set.
func (s *Set) takeFrom(from *Set) error {
	files, err := s.linkFiles(from)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return faultf(Conflict, "the traces of %s are gone", from.name())
	}
	if files, err = s.takeTexts(from, files); err != nil {
		return err
	}
	if err := errors.Join(s.takeDamages(from), s.takeBookmarks(from)); err != nil {
		return err
	}
	for _, dir := range []string{s.path(givenFolder), s.dir, filepath.Dir(s.dir)} {
		if err := durable.SyncFolder(dir); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	row, err := s.e.catalog.Update(s.id, func(row *catalog.Set) { row.Files, row.Next = files, len(files) })
	if err == nil {
		s.row = row
		s.mark()
	}
	return err
}

// linkFiles has the traces of another set below the folder of this one as well, and returns the files of its row. What is read in place is so by both.
func (s *Set) linkFiles(from *Set) (files []catalog.File, err error) {
	if err := os.MkdirAll(s.path(givenFolder), 0o700); err != nil {
		return nil, err
	}
	for _, f := range from.files() {
		root := from.extracted(f)
		switch {
		case isText(f), !isFolder(root) && f.Path == "": // it is among what is declared, or nothing of it is here
			continue
		case isFolder(root):
		case filepath.IsAbs(f.Path):
			f.Index = len(files)
			files = append(files, f)
			continue
		default:
			root = from.source(f)
		}
		given := newGiven(f.Name, len(files), f.Size)
		if err := linkTree(s.path(given.Path), root); err != nil {
			return nil, s.unlinked(err)
		}
		files = append(files, given)
	}
	return files, nil
}

func newGiven(name string, index int, size int64) catalog.File {
	return catalog.File{Index: index, Name: name, Path: filepath.Join(givenFolder, strconv.Itoa(index)), Size: size, Received: size}
}

// isGiven tells whether another set gave a file.
func isGiven(f catalog.File) bool { return f.Path != "" && !filepath.IsAbs(f.Path) }

// linkTree makes the regular files below a folder, which are on the disk since their set was read, those of another as well. The links are durable on return.
func linkTree(to, from string) error {
	var folders []string
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		in, err := filepath.Rel(from, path)
		place := filepath.Join(to, in)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			folders = append(folders, place)
			return os.MkdirAll(place, 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		return os.Link(path, place)
	})
	for _, dir := range folders {
		if err == nil {
			err = durable.SyncFolder(dir)
		}
	}
	return err
}

// unlinked words why there are no links.
func (s *Set) unlinked(err error) error {
	var link *os.LinkError
	if !errors.As(err, &link) || roomless(err) {
		return err
	}
	s.log.Error("a file cannot be linked", "error", err)
	return faultf(Conflict, "the disk of the server keeps no file under two names (%v), so the archives have to be uploaded anew", link.Err)
}

// takeTexts adds what is declared for another set.
func (s *Set) takeTexts(from *Set, files []catalog.File) ([]catalog.File, error) {
	t, err := from.texts()
	if err != nil {
		return nil, err
	}
	if _, err := from.symbols(); err != nil {
		return nil, faultf(Conflict, "%s", from.relative(err.Error()))
	}
	var symbols []byte
	if t.Symbols != nil {
		if symbols, err = from.readSymbols(); err != nil {
			return nil, err
		}
	}
	// What is declared for all sets is added when the traces are found.
	ends := strings.TrimPrefix(strings.TrimPrefix(string(t.Endpoints), s.e.o.Declarations), "\n")
	for _, x := range []struct {
		kind declarations.Kind
		text []byte
	}{{declarations.Endpoints, []byte(ends)}, {declarations.States, t.States}, {declarations.Symbols, symbols}} {
		if len(x.text) == 0 {
			continue
		}
		f := newGiven(x.kind.Name, len(files), int64(len(x.text)))
		if err := os.MkdirAll(s.path(f.Path), 0o700); err != nil {
			return nil, err
		}
		if err := durable.WriteFile(s.path(f.Path, x.kind.Name), x.text); err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}
