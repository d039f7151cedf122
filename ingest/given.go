package ingest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

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

// CreateFrom makes a set of what another that is ready was made of, to which more can be uploaded before it is imported. An empty name stands for that of the other; a number
// is put behind it. Nobody knows of the set before all of it is there: what a crash leaves has the name of one that is being removed.
func (e *Engine) CreateFrom(name string, from *Set) (*Set, error) {
	if err := from.lend(); err != nil {
		return nil, err
	}
	defer from.busy.Done()
	if name == "" {
		name = from.name()
	}
	name, err := checkName(name)
	if err != nil {
		return nil, err
	}
	id, err := newID()
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(e.dir, "sets", id.String())
	g := giving{from: from, to: folder + beingDeleted}
	files, err := g.fill()
	if err == nil {
		var s *Set
		if s, err = e.createWhole(catalog.Set{ID: id, Name: name, State: catalog.Uploading, Files: files, Next: g.next()}, g.to, folder); err == nil {
			return s, nil
		}
	}
	return nil, errors.Join(err, os.RemoveAll(g.to))
}

// createWhole makes the set of a row with a number, whose folder is there under another name.
func (e *Engine) createWhole(row catalog.Set, from, folder string) (*Set, error) {
	e.claiming.Lock()
	defer e.claiming.Unlock()
	if err := e.roomForOne(); err != nil {
		return nil, err
	}
	row.Name = e.free(row.Name, nil)
	if err := os.Rename(from, folder); err != nil {
		return nil, err
	}
	s, err := e.create(row)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if err := durable.SyncFolder(filepath.Dir(folder)); err != nil {
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

// A giving fills the folder of a set with what another has.
type giving struct {
	from  *Set
	to    string
	files []catalog.File // of the row of the new set
}

func (g *giving) fill() ([]catalog.File, error) {
	if err := os.MkdirAll(filepath.Join(g.to, givenFolder), 0o700); err != nil {
		return nil, err
	}
	for _, give := range []func() error{g.links, g.texts, g.damages, g.bookmarks} {
		if err := give(); err != nil {
			return nil, err
		}
	}
	return g.files, errors.Join(durable.SyncFolder(filepath.Join(g.to, givenFolder)), durable.SyncFolder(g.to))
}

// links are the files of the other set as the new one has them, too. What is read in place is so by both.
func (g *giving) links() error {
	for _, f := range g.from.files() {
		root := g.from.extracted(f)
		switch {
		case isFolder(root):
		case filepath.IsAbs(f.Path):
			g.files = append(g.files, f)
			continue
		case f.Path != "":
			root = g.from.source(f)
		case g.from.lacksAll(f.Name):
			continue
		}
		given := g.add(f.Name, f.Index, f.Size)
		if err := linkTree(filepath.Join(g.to, given.Path), root); err != nil {
			return g.from.unlinked(f, err)
		}
	}
	return nil
}

func (g *giving) add(name string, index int, size int64) catalog.File {
	g.files = append(g.files, newGiven(name, index, size))
	return g.files[len(g.files)-1]
}

// next is the index of a file that comes behind these, which have those of the other set.
func (g *giving) next() (index int) {
	for _, f := range g.files {
		index = max(index, f.Index+1)
	}
	return index
}

func newGiven(name string, index int, size int64) catalog.File {
	return catalog.File{Index: index, Name: name, Path: filepath.Join(givenFolder, strconv.Itoa(index)), Size: size, Received: size}
}

// isGiven tells whether another set gave a file that is not read in place.
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

// unlinked words why a file of the set cannot be had by another.
func (s *Set) unlinked(f catalog.File, err error) error {
	s.log.Error("a file is not linked", "file", f.Name, "error", err)
	var link *os.LinkError
	none := []error{syscall.EPERM, syscall.EOPNOTSUPP, syscall.ENOSYS, syscall.EMLINK, syscall.EXDEV}
	switch {
	case errors.As(err, &link) && slices.ContainsFunc(none, func(no error) bool { return errors.Is(link, no) }):
		return faultf(Conflict, "the disk of the server keeps no file under two names (%v), so the archives have to be uploaded anew", link.Err)
	case errors.Is(err, fs.ErrNotExist):
		return faultf(Conflict, "the traces of %s are gone", f.Name)
	}
	return err
}

// texts adds what is declared for a set that came whole from elsewhere, whose archive has nothing but traces and results.
func (g *giving) texts() error {
	if !g.from.cameWhole() {
		return nil
	}
	t, err := g.from.texts()
	if err != nil {
		return err
	}
	if _, err := g.from.symbols(); err != nil {
		return faultf(Conflict, "%s", g.from.relative(err.Error()))
	}
	var symbols []byte
	if t.Symbols != nil {
		if symbols, err = g.from.readSymbols(); err != nil {
			return err
		}
	}
	// What is declared for all sets here is added when the traces are found.
	ends := strings.TrimLeft(strings.TrimPrefix(string(t.Endpoints), g.from.e.o.Declarations), "\n")
	for kind, text := range map[string][]byte{declarations.Endpoints.Name: []byte(ends), declarations.States.Name: t.States, declarations.Symbols.Name: symbols} {
		if len(text) == 0 {
			continue
		}
		dir := filepath.Join(g.to, g.add(kind, g.next(), int64(len(text))).Path)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if err := durable.WriteFile(filepath.Join(dir, kind), text); err != nil {
			return err
		}
	}
	return nil
}

// cameWhole tells whether the set was adopted: its traces lie as an export has them.
func (s *Set) cameWhole() bool {
	files, hosts := s.files(), s.Hosts()
	if len(files) != 1 || len(hosts) == 0 || len(hosts[0].row.Traces) == 0 {
		return false
	}
	in, err := filepath.Rel(s.extracted(files[0]), s.path(hosts[0].row.Traces[0].Path))
	return err == nil && filepath.ToSlash(in) == tracePlace(0, 0) && !filepath.IsAbs(hosts[0].row.Traces[0].Path)
}

// givesWay tells whether a file that was not uploaded to the set gives way to one of its name: a text does, and an archive of which something lacks. Others may be of other
// machines.
func (s *Set) givesWay(f catalog.File) bool {
	if f.Path == "" || isText(f) {
		return f.Path != ""
	}
	return slices.ContainsFunc(s.givenDamages(nil), func(a HostAnomaly) bool { return a.Stream == f.Name })
}
