package ingest

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"synchroscope/catalog"
	"synchroscope/ingest/turn"
)

// An Engine owns a data directory: the catalogue and one folder per set.
type Engine struct {
	dir     string
	o       Options
	catalog *catalog.Catalog
	slots   *turn.Slots
	early   chan struct{} // places of archives that are unpacked while they arrive
	room    atomic.Bool   // a slot is kept from imports (room.go)
	changed *signal
	ctx     context.Context // ends with errStopped
	stop    context.CancelCauseFunc

	sweeping sync.WaitGroup
	claiming sync.Mutex // held while uploads are counted and one more begins, and while a set gets a name

	mu        sync.Mutex
	sets      map[string]*Set
	discarded map[string]catalog.Set // deleted, and to be had back
	notices   []string               // on what was found damaged
	closed    bool
}

// Open locks dir, makes it if needed, and goes on with every import that was not finished.
func Open(dir string, o Options) (*Engine, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "sets"), 0o700); err != nil {
		return nil, err
	}
	e := &Engine{dir: dir, o: o.withDefaults(), early: make(chan struct{}, earlyPlaces), changed: newSignal(100 * time.Millisecond), sets: make(map[string]*Set), discarded: make(map[string]catalog.Set)}
	e.slots = e.o.Slots
	if e.catalog, err = catalog.Open(filepath.Join(dir, "catalog"), filepath.Join(dir, "sets"), e.o.Log); err != nil {
		return nil, err
	}
	e.ctx, e.stop = context.WithCancelCause(context.Background())
	if err := e.restore(); err != nil {
		e.stop(errStopped)
		e.catalog.Close()
		return nil, err
	}
	e.sweeping.Add(1)
	go e.sweeps()
	return e, nil
}

// restore brings the sets of the catalogue to where they can go on. What is wrong with one of them keeps no other out.
func (e *Engine) restore() error {
	if e.o.looked != nil {
		return e.restoreLooked()
	}
	lost := e.tellDamages()
	rows, err := e.catalog.Sets()
	if err != nil {
		return err
	}
	for _, d := range lost {
		row, found, err := e.findAgain(d)
		if err != nil {
			return err
		}
		if found {
			rows = append(rows, row)
		}
	}
	var sets []*Set
	for _, row := range rows {
		if !row.Deleted.IsZero() && time.Since(row.Deleted) < e.o.Grace && row.State != catalog.Deleting {
			e.discarded[row.ID.String()] = row
			continue
		}
		if !row.Deleted.IsZero() || row.State == catalog.Deleting {
			if err := e.erase(row.ID); err != nil {
				e.notice("The deleted set %s cannot be removed: %v.", named(row), err)
			}
			continue
		}
		s := e.newSet(row)
		if err := s.restore(); err != nil {
			s.hide(err)
		} else {
			s.tellUnknown()
		}
		e.sets[s.ID()] = s
		sets = append(sets, s)
	}
	if err := e.finishDeletions(); err != nil {
		return err
	}
	for _, s := range sets {
		s.recall()
		s.goOn()
	}
	return nil
}

// beingDeleted is behind the name of the folder of a set that is being removed: whatever the catalogue says, nobody wants it.
const beingDeleted = ".deleted"

// erase removes a set that is in state deleting.
func (e *Engine) erase(id catalog.ID) error {
	folder := filepath.Join(e.dir, "sets", id.String())
	if err := os.RemoveAll(folder + beingDeleted); err != nil {
		return err
	}
	if err := os.Rename(folder, folder+beingDeleted); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.RemoveAll(folder + beingDeleted); err != nil {
		return err
	}
	return e.catalog.Delete(id)
}

// finishDeletions removes the folders of sets whose deletion a crash interrupted.
func (e *Engine) finishDeletions() error {
	entries, err := os.ReadDir(filepath.Join(e.dir, "sets"))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), beingDeleted)
		if _, ok := catalog.ParseID(name); !ok {
			e.o.Log.Warn("something in the folder of the sets is no set and is left alone", "name", entry.Name())
		} else if name != entry.Name() {
			err = errors.Join(err, os.RemoveAll(filepath.Join(e.dir, "sets", entry.Name())))
		}
	}
	return err
}

// Close stops the imports, each with a checkpoint, and closes everything.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.closed = true
	e.mu.Unlock()
	e.stop(errStopped)
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.sweeping.Wait()
		for _, s := range e.Sets() {
			s.close(errStopped)
		}
	}()
	select {
	case <-done:
	case <-ctx.Done():
		return fmt.Errorf("the imports did not stop in time: %w", context.Cause(ctx))
	}
	return e.catalog.Close()
}

// maxName bounds the name of a set, in bytes.
const maxName = 200

func checkName(name string) (string, error) {
	name = strings.TrimSpace(strings.ToValidUTF8(name, "\uFFFD"))
	switch {
	case name == "":
		return "", faultf(Invalid, "a trace set needs a name")
	case len(name) > maxName:
		return "", faultf(Invalid, "the name of a trace set is at most %d bytes long", maxName)
	}
	return name, nil
}

// numberBehind is the end of a name that tells sets apart that would have the same.
var numberBehind = regexp.MustCompile(` \(\d+\)$`)

// name is what the set is called.
func (s *Set) name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.row.Name
}

// names are what all sets but one are called.
func (e *Engine) names(but *Set) map[string]bool {
	taken := map[string]bool{}
	for _, s := range e.Sets() {
		if s != but {
			taken[s.name()] = true
		}
	}
	return taken
}

// free is a name that no set but one has: the name itself or, where another has that, with the first number that is free. A name that has no room for a
// number stays as it is.
func (e *Engine) free(name string, but *Set) string {
	taken := e.names(but)
	found, stem := name, numberBehind.ReplaceAllString(name, "")
	for n := 2; taken[found]; n++ {
		found = fmt.Sprintf("%s (%d)", stem, n)
	}
	if len(found) > maxName {
		return name
	}
	return found
}

// Create makes an empty set. Where there is one of the name already, it gets a number behind it.
func (e *Engine) Create(name string) (*Set, error) {
	name, err := checkName(name)
	if err != nil {
		return nil, err
	}
	e.claiming.Lock()
	defer e.claiming.Unlock()
	if err := e.roomForOne(); err != nil {
		return nil, err
	}
	return e.create(catalog.Set{Name: e.free(name, nil), State: catalog.Uploading})
}

// roomForOne tells whether one more set may wait for uploads. e.claiming is held.
func (e *Engine) roomForOne() error {
	if n, _ := e.unfinished(nil, ""); n >= maxUnfinished {
		return faultf(Conflict, "there are %d uploads that were not finished, with those deleted lately; finish some of them, or delete them for good, first", n)
	}
	return nil
}

// ImportPaths makes a set of folders and archives of this machine, which are read where they are and never changed, and begins with its import. It is one change of the
// catalogue: a process that is killed leaves no set, or one that the next start goes on with.
func (e *Engine) ImportPaths(name string, paths ...string) (*Set, error) {
	name, err := checkName(name)
	if err != nil {
		return nil, err
	}
	row := catalog.Set{State: catalog.Extracting}
	for _, path := range paths {
		file, err := placed(path)
		if err != nil {
			return nil, err
		}
		if isText(file) && slices.ContainsFunc(row.Files, func(f catalog.File) bool { return f.Name == file.Name && isText(f) }) {
			return nil, faultf(Invalid, "a second %s is given by itself; put both into one", file.Name)
		}
		addPlaced(&row, file)
	}
	if len(row.Files) == 0 {
		return nil, faultf(Invalid, "the set has no archive yet")
	}
	e.claiming.Lock()
	defer e.claiming.Unlock()
	row.Name = e.free(name, nil)
	s, err := e.create(row)
	if err == nil {
		s.goOn()
	}
	return s, err
}

// newID is a number that no set has.
func newID() (catalog.ID, error) {
	var b [8]byte
	_, err := rand.Read(b[:])
	return catalog.ID(binary.BigEndian.Uint64(b[:])), err
}

// create makes the set of a row, which gets a number if it has none.
func (e *Engine) create(row catalog.Set) (*Set, error) {
	if row.ID == 0 {
		var err error
		if row.ID, err = newID(); err != nil {
			return nil, err
		}
	}
	row.Created = time.Now().UTC()
	s := e.newSet(row)
	s.anomalies = s.givenDamages(row.Files)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, errStopped
	}
	if err := e.catalog.Create(row); err != nil {
		return nil, err
	}
	e.sets[s.ID()] = s
	e.changed.mark()
	return s, nil
}

// Set returns the set with an id.
func (e *Engine) Set(id string) (*Set, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, ok := e.sets[id]
	return s, ok
}

// Sets returns all sets, newest first.
func (e *Engine) Sets() []*Set {
	e.mu.Lock()
	sets := make([]*Set, 0, len(e.sets))
	for _, s := range e.sets {
		sets = append(sets, s)
	}
	e.mu.Unlock()
	slices.SortFunc(sets, func(a, b *Set) int {
		return cmp.Or(b.created.Compare(a.created), cmp.Compare(a.id, b.id))
	})
	return sets
}

// withdraw takes a set out of those that are shown.
func (e *Engine) withdraw(id string) (*Set, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.sets[id]
	if s == nil {
		return nil, faultf(NotFound, "there is no trace set %s", id)
	}
	delete(e.sets, id)
	return s, nil
}

// Delete removes a set with all its files for good, whatever it is doing, also one that was discarded.
func (e *Engine) Delete(id string) error {
	if found, err := e.remove(id); found {
		return err
	}
	s, err := e.withdraw(id)
	if err != nil {
		return err
	}
	defer e.changed.mark()
	// From here on a crash ends in the deletion too.
	if _, err := e.catalog.Move(s.id, catalog.Deleting, nil); err != nil {
		return err
	}
	s.close(errDeleted)
	s.changed.mark()
	return e.erase(s.id)
}

// Changed is closed at the next change of any set.
func (e *Engine) Changed() <-chan struct{} { return e.changed.wait() }
