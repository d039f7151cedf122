package ingest

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"synchroscope/catalog"
	"synchroscope/ingest/messages"
	"synchroscope/internal/durable"
	"synchroscope/sync/network"
	"synchroscope/trace"
	"synchroscope/trace/archive"
)

// A Set is one trace set.
type Set struct {
	e       *Engine
	id      catalog.ID
	dir     string
	created time.Time
	log     *slog.Logger
	changed *signal
	ctx     context.Context // ends when the set is closed
	cancel  context.CancelCauseFunc

	solution atomic.Pointer[network.Solution]
	messages atomic.Pointer[messages.Store]
	preview  atomic.Pointer[Preview]
	early    earlyLook
	rate     rate    // of events
	rates    [3]rate // of bytes, by stage

	unsolved  atomic.Pointer[Fault]
	unmatched error // why messages cannot be made again of the endpoints, which are damaged; loading is held

	mu            sync.Mutex
	row           catalog.Set
	stage         string
	hosts         []*Host
	anomalies     []HostAnomaly      // of the set: archives and traces that cannot be read
	uploading     map[string]bool    // names of files that a piece arrives for now
	damages       map[int]damage     // of archives, by index of the file, of the import under way
	unpackings    map[int]*unpacking // by index of the file, until the archives are extracted
	budget        *archive.Budget    // of all archives
	unshown       bool               // it could not be restored
	run           *run               // the newest import, nil if there was none
	result        *result            // of a set that is ready
	declared      *texts             // never changed, but replaced; nil before the traces are found, and of a set that has them in files alone
	names         symbolTable        // of its functions
	comparisons   *comparisons       // of its hosts, nil before they are asked for
	stages        []Stage
	milestones    *milestones // of the newest import, nil before it reads
	disk          disk
	looked        time.Time // when somebody asked for the import to look at it
	touched       time.Time // when a piece of an upload began or ended last, or the set was opened
	closing       bool
	halted        *Fault         // why the import has ended and can go on, nil if it has not
	busy          sync.WaitGroup // uploads, unpackings and imports
	synchronizing sync.Mutex     // held while the set is synchronized in another way, or what that goes by is read
	marking       sync.Mutex     // held while bookmarks are changed
	resuming      sync.Mutex     // held while an import that the disk had no room for is begun again
	loading       sync.Mutex     // held while something is read back that a restart left on the disk
}

func (e *Engine) newSet(row catalog.Set) *Set {
	s := &Set{
		e:          e,
		id:         row.ID,
		dir:        filepath.Join(e.dir, "sets", row.ID.String()),
		created:    row.Created,
		log:        e.o.Log.With("set", row.ID.String()),
		changed:    newSignal(50 * time.Millisecond),
		row:        row,
		touched:    time.Now(),
		uploading:  make(map[string]bool),
		unpackings: make(map[int]*unpacking),
		budget:     archive.NewBudget(e.o.Archive),
	}
	s.ctx, s.cancel = context.WithCancelCause(e.ctx)
	return s
}

// restore makes the files of a set agree with its row, after a start.
func (s *Set) restore() error {
	if err := os.RemoveAll(s.previews()); err != nil {
		return err
	}
	if err := s.overtaken(); err != nil {
		return err
	}
	switch s.row.State {
	case catalog.Uploading:
		s.anomalies = s.givenDamages(s.row.Files)
		return s.restoreUploads()
	case catalog.Failed:
		s.anomalies = s.givenDamages(s.row.Files)
		return s.clear()
	case catalog.Reading, catalog.Ready:
		rows, err := s.e.catalog.Hosts(s.id)
		if err != nil {
			return err
		}
		s.setHosts(rows)
		if s.row.State == catalog.Ready {
			if err := s.renew(); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	var res result
	if err := s.e.catalog.Result(s.id, &res); err != nil {
		return err
	}
	s.anomalies, s.declared = res.Unreadable, res.Declared
	if s.row.State == catalog.Ready {
		s.result = &res
		if err := s.dropArchives(); err != nil { // by a crash right after the end of the import
			return err
		}
		s.dropKept()
		if len(res.Status.Hosts) != len(s.hosts) {
			return fmt.Errorf("the result has %d hosts, the catalogue %d", len(res.Status.Hosts), len(s.hosts))
		}
		for i, h := range s.hosts {
			if h.lost {
				res.Status.Hosts[i].State = broken
			}
			h.restore(res.Status.Hosts[i].State)
		}
		return nil
	}
	for _, h := range s.hosts {
		if err := h.sweep(); err != nil {
			return err
		}
	}
	return nil
}

// hide makes a set that could not be restored one that failed, though not in the catalogue: its files stay, and the next start may find more.
func (s *Set) hide(err error) {
	s.log.Error("a set cannot be shown", "name", s.row.Name, "error", err)
	s.hosts, s.anomalies, s.result, s.declared, s.unshown = nil, nil, nil, nil, true
	s.row.State, s.row.Error = catalog.Failed, "the set cannot be shown, and its files are as they were: "+s.relative(err.Error())
}

// goOn starts the import of a set that was in the middle of it.
func (s *Set) goOn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.row.State == catalog.Extracting || s.row.State == catalog.Reading {
		s.start()
	}
}

// close ends all work on the set and waits for it.
func (s *Set) close(cause error) {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.cancel(cause)
	s.busy.Wait()
	s.show(nil)
	for _, h := range s.Hosts() {
		h.close()
	}
	if m := s.messages.Load(); m != nil {
		m.Close()
	}
}

// enter counts work on the set; false if the set is being closed. s.mu is held.
func (s *Set) enter() bool {
	if s.closing {
		return false
	}
	s.busy.Add(1)
	return true
}

// AfterClose calls f in a goroutine of its own once the set is deleted or the engine is closed, unless stop is called before. Both wait for uploads to end, one of which may
// wait for bytes that do not come.
func (s *Set) AfterClose(f func()) (stop func() bool) { return context.AfterFunc(s.ctx, f) }

// ID is the number of the set as in URLs.
func (s *Set) ID() string { return s.id.String() }

// Rename gives the set another name, which no other set has.
func (s *Set) Rename(name string) error {
	name, err := checkName(name)
	if err != nil {
		return err
	}
	s.e.claiming.Lock()
	defer s.e.claiming.Unlock()
	if s.e.names(s)[name] {
		return faultf(Conflict, "there is another set called %q already", name)
	}
	return s.call(name)
}

// call writes down what the set is called.
func (s *Set) call(name string) error {
	return s.update(func(row *catalog.Set) { row.Name = name })
}

// update changes the row of the set.
func (s *Set) update(edit func(*catalog.Set)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	row, err := s.e.catalog.Update(s.id, edit)
	if err != nil {
		return err
	}
	if s.unshown {
		row.State, row.Error = s.row.State, s.row.Error
	}
	s.row = row
	s.mark()
	return nil
}

// mark says that something changed.
func (s *Set) mark() {
	s.changed.mark()
	s.e.changed.mark()
}

// Changed is closed at the next change of anything of the set.
func (s *Set) Changed() <-chan struct{} { return s.changed.wait() }

// Hosts grows while traces are found; a host's index is its position.
func (s *Set) Hosts() []*Host {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.hosts)
}

// setHosts makes the hosts of the set, by index.
func (s *Set) setHosts(rows []catalog.Host) {
	s.hosts = make([]*Host, len(rows))
	for i, row := range rows {
		s.hosts[i] = newHost(s, int32(i), row)
	}
}

// Anomalies returns what was odd in the traces, equal ones counted together, by host.
func (s *Set) Anomalies() []HostAnomaly {
	s.mu.Lock()
	all := slices.Clone(s.anomalies)
	hosts := slices.Clone(s.hosts)
	s.mu.Unlock()
	for _, h := range hosts {
		for _, a := range h.figures().Anomalies {
			all = append(all, HostAnomaly{h.Name(), a})
		}
		for _, a := range h.harmsMet() {
			all = append(all, HostAnomaly{h.Name(), a})
		}
		if h.earlier.Load() {
			all = append(all, HostAnomaly{h.Name(), trace.Anomaly{Kind: earlierModel, Stream: historyFile, Count: 1, Message: "an earlier version of the program built the states"}})
		}
	}
	return all
}

// Places in the set's folder.

func (s *Set) path(elements ...string) string {
	return filepath.Join(append([]string{s.dir}, elements...)...)
}

func (s *Set) uploaded(name string) string { return s.path("files", name) }

// extracted is where the traces of an archive lie.
func (s *Set) extracted(f catalog.File) string { return s.path("traces", strconv.Itoa(f.Index)) }

// partial is behind the name of a folder or file that is not finished.
const partial = durable.Partial
