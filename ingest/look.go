package ingest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"synchroscope/catalog"
)

// A Look is an engine on a data directory of which it changes nothing.
type Look struct {
	*Engine
	temp   string
	unlock func()
}

// OpenLook opens a data directory so that one set can be asked, the newest of that name or the one of that id, and not a byte of the directory is changed: the engine works on a
// temporary folder, with a copy of the catalogue and links to the files of the set. What of it must be read again is read into that folder.
func OpenLook(dir, name string, o Options) (*Look, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "synchroscope-look-")
	if err != nil {
		return nil, err
	}
	l := &Look{temp: temp, unlock: func() {}}
	if err = l.open(dir, name, o); err != nil {
		return nil, errors.Join(err, l.remove())
	}
	return l, nil
}

func (l *Look) open(dir, name string, o Options) error {
	unlock, err := catalog.CopyTo(filepath.Join(dir, "catalog"), filepath.Join(l.temp, "catalog"))
	if err != nil {
		return err
	}
	l.unlock = unlock
	sets := filepath.Join(dir, "sets")
	entries, err := os.ReadDir(sets)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if _, ok := catalog.ParseID(entry.Name()); ok {
			if err := copyOver(filepath.Join(sets, entry.Name()), filepath.Join(l.temp, "sets", entry.Name()), catalog.CopyFile); err != nil {
				return err
			}
		}
	}
	o.looked = &looked{dir: dir, name: name}
	l.Engine, err = Open(l.temp, o)
	return err
}

// Close ends the look.
func (l *Look) Close(ctx context.Context) error {
	return errors.Join(l.Engine.Close(ctx), l.remove())
}

func (l *Look) remove() error {
	l.unlock()
	return os.RemoveAll(l.temp)
}

// looked is what an engine that changes nothing looks at.
type looked struct{ dir, name string }

// restoreLooked is restore of the one set that is asked for, which has nothing in the folder of the engine yet.
func (e *Engine) restoreLooked() error {
	rows, err := e.catalog.Sets()
	if err != nil {
		return err
	}
	var row *catalog.Set
	for i, r := range rows {
		switch {
		case !r.Deleted.IsZero() || r.State == catalog.Deleting:
		case r.Name == e.o.looked.name && (row == nil || row.Name != r.Name || r.Created.After(row.Created)):
			row = &rows[i]
		case r.ID.String() == e.o.looked.name && row == nil:
			row = &rows[i]
		}
	}
	if row == nil {
		return nil
	}
	s := e.newSet(*row)
	e.sets[s.ID()] = s
	if row.State != catalog.Ready {
		return nil
	}
	if err := s.link(filepath.Join(e.o.looked.dir, "sets", s.ID())); err != nil {
		return err
	}
	if err := s.restore(); err != nil {
		return err
	}
	s.goOn()
	return nil
}

// link makes the folder of a set that is ready one of links to files elsewhere, without histories where these are to be read again: what is linked is never written to.
func (s *Set) link(from string) error {
	if err := copyOver(from, s.dir, "solution", declarationsFile, statesFile, symbolsFile); err != nil {
		return err
	}
	for _, name := range []string{"traces", givenFolder} {
		if !isFolder(filepath.Join(from, name)) {
			continue
		}
		if err := os.Symlink(filepath.Join(from, name), s.path(name)); err != nil {
			return err
		}
	}
	hosts, err := os.ReadDir(filepath.Join(from, "hosts"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, h := range hosts {
		if err := os.MkdirAll(s.path("hosts", h.Name()), 0o700); err != nil {
			return err
		}
		files, err := os.ReadDir(filepath.Join(from, "hosts", h.Name()))
		if err != nil {
			return err
		}
		for _, f := range files {
			if f.Name() == harmFile { // it may be written
				if err := copyOver(filepath.Join(from, "hosts", h.Name()), s.path("hosts", h.Name()), harmFile); err != nil {
					return err
				}
				continue
			}
			if err := os.Symlink(filepath.Join(from, "hosts", h.Name(), f.Name()), s.path("hosts", h.Name(), f.Name())); err != nil {
				return err
			}
		}
	}
	rows, err := s.e.catalog.Hosts(s.id)
	if err != nil {
		return err
	}
	s.setHosts(rows)
	if again, _ := s.outdated(); again {
		return os.RemoveAll(s.path("hosts"))
	}
	return nil
}

// copyOver copies files of a folder to another, which is made, as far as they are there.
func copyOver(from, to string, names ...string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(from, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), b, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
