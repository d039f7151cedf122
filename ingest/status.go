package ingest

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"synchroscope/catalog"
	"synchroscope/sync/network"
	"synchroscope/trace"
)

// State is where a set stands.
type State string

const (
	Uploading State = "uploading"
	Importing State = "importing"
	Ready     State = "ready"
	Failed    State = "failed"
)

// states are those of the catalogue as users see them.
var states = map[catalog.State]State{
	catalog.Uploading:  Uploading,
	catalog.Extracting: Importing,
	catalog.Reading:    Importing,
	catalog.Ready:      Ready,
	catalog.Failed:     Failed,
	catalog.Deleting:   Failed,
}

// Status is the JSON of GET /api/sets/{id}.
//
// Progress is by bytes. Archives, if there are any, are a fifth of it: bytes of them
// read / bytes of them. The rest is bytes of stream files consumed / bytes of stream files, over all
// hosts. It says how much work is left, not how much time.
type Status struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	State      State   `json:"state"`
	Stage      string  `json:"stage"` // in words: "extracting web.tar.gz", "reading 3 hosts"
	Error      string  `json:"error,omitempty"`
	Unshown    bool    `json:"unshown,omitempty"` // it failed at the start of the server, which left its files as they were: Error says why
	Progress   float64 `json:"progress"`          // 0..1
	Rate       float64 `json:"rate"`              // events per second, now
	Begin      string  `json:"begin"`             // reference ns; "" while unknown
	End        string  `json:"end"`
	Events     int64   `json:"events"`
	LostEvents int64   `json:"lost_events"`
	// LostPackets are whole ones, as gaps in their numbers tell, and one for each stream that ends too soon, of an unknown number of events that are not among LostEvents.
	LostPackets int64         `json:"lost_packets,omitempty"`
	Created     string        `json:"created"`           // RFC 3339
	Bytes       int64         `json:"bytes"`             // on disk
	Expires     string        `json:"expires,omitempty"` // RFC 3339: when an upload that nobody goes on with is removed
	Stages      []StageStatus `json:"stages,omitempty"`  // up to the one under way, of a set that is not ready
	Files       []FileStatus  `json:"files"`
	Hosts       []HostStatus  `json:"hosts"`
	Anomalies   int64         `json:"anomalies"`
	Preview     bool          `json:"preview,omitempty"`    // hosts, times and counts are those of a first look at what is unpacked
	Damaged     []string      `json:"damaged,omitempty"`    // sentences on archives of which not all, or nothing, is imported: which, where, why
	Harmed      []string      `json:"harmed,omitempty"`     // sentences on files of hosts that were found damaged: which, where, why
	Halted      bool          `json:"halted,omitempty"`     // failed for want of room on the disk: all there is of it is kept, and an import goes on
	Incomplete  *Incomplete   `json:"incomplete,omitempty"` // the same archives in short
	Unreadable  int           `json:"unreadable"`           // traces that are left out, for they could not be read: Anomalies says why
}

type FileStatus struct {
	Name     string `json:"name"`
	Size     int64  `json:"size"` // -1 while unknown
	Received int64  `json:"received"`
	Given    bool   `json:"given,omitempty"` // it was not uploaded to this set: another one has it, or it is read in place
	Lacks    bool   `json:"lacks,omitempty"` // it is damaged, and something of it, or all, is missing
}

type HostStatus struct {
	Index          int     `json:"index"`
	Name           string  `json:"name"`
	ID             string  `json:"id"`
	Component      int     `json:"component"`
	Reference      bool    `json:"reference"`
	Unsynchronized bool    `json:"unsynchronized"`
	State          string  `json:"state"` // waiting, importing, done, failed
	Progress       float64 `json:"progress"`
	Begin          string  `json:"begin"` // reference ns
	End            string  `json:"end"`
	LocalBegin     string  `json:"local_begin"`
	LocalEnd       string  `json:"local_end"` // the watermark while importing
	Events         int64   `json:"events"`
	LostEvents     int64   `json:"lost_events"`
	LostPackets    int64   `json:"lost_packets,omitempty"`
	// LostByCPU is on which CPUs they were lost, by number; of more than 4096 those that lost any first.
	LostByCPU []CPULoss `json:"lost_by_cpu,omitempty"`
	// PassedTwice is where the host's clock went back over what it had shown before.
	PassedTwice []Twice `json:"passed_twice,omitempty"`
	Missing     []Hint  `json:"missing"`
}

// A HostAnomaly is an anomaly with the host it was met on, "" if it is the set's.
type HostAnomaly struct {
	Host string `json:"host"`
	trace.Anomaly
}

// A result is the row that answers for a set that is ready.
type result struct {
	Status     Status        `json:"status"`
	Unreadable []HostAnomaly `json:"unreadable,omitempty"`
	Milestones []Milestone   `json:"milestones,omitempty"`
	Declared   *texts        `json:"declared,omitempty"` // nil where they are in files alone
}

// extractionShare is the part of the progress that belongs to archives.
const extractionShare = 0.2

// Status tells where the set stands.
func (s *Set) Status() Status {
	held := s.disk.bytes(s.dir)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status(held)
}

// status is Status, of a set that holds so many bytes of the disk; s.mu is held.
func (s *Set) status(held int64) Status {
	if s.row.State == catalog.Ready && s.result != nil {
		st := s.result.Status
		st.Name = s.row.Name
		st.Bytes = held
		st.Files = s.fileStatuses()
		st.tellMissing(s.anomalies)
		if s.unsolved.Load() != nil {
			st = st.By(s.solution.Load())
		}
		for _, h := range s.hosts {
			if h.earlier.Load() {
				st.Anomalies++
			}
			for _, a := range h.harmsMet() {
				st.Anomalies += a.Count
				st.Harmed = append(st.Harmed, Sentence(a.Message))
			}
		}
		return st
	}
	st := Status{
		ID:      s.ID(),
		Name:    s.row.Name,
		State:   states[s.row.State],
		Stage:   s.stage,
		Error:   Sentence(s.row.Error),
		Unshown: s.unshown,
		Created: s.created.Format(time.RFC3339),
		Bytes:   held,
		Files:   []FileStatus{},
		Hosts:   []HostStatus{},
	}
	if s.halted != nil {
		st.State, st.Error, st.Halted = Failed, s.halted.Sentence(), true
	}
	st.Files = s.fileStatuses()
	for _, a := range s.anomalies {
		st.Anomalies += a.Count
	}
	st.tellMissing(s.anomalies)
	s.hostStatuses(&st)
	st.Stages = s.stageStatuses()
	if s.row.State == catalog.Uploading && len(s.uploading) == 0 {
		st.Expires = s.touched.Add(s.e.o.Unfinished).UTC().Format(time.RFC3339)
	}
	st.Progress = s.progress()
	if s.row.State == catalog.Reading {
		st.Rate = s.rate.now(st.Events)
	}
	return st
}

// fileStatuses are those of the files of the row, which are changed by whoever asks. s.mu is held.
func (s *Set) fileStatuses() []FileStatus {
	list := []FileStatus{}
	for _, f := range s.row.Files {
		list = append(list, FileStatus{Name: f.Name, Size: f.Size, Received: f.Received, Given: f.Path != ""})
	}
	return list
}

// tellMissing fills in what of the input is not in the set.
func (st *Status) tellMissing(anomalies []HostAnomaly) {
	st.Unreadable, st.Damaged, st.Incomplete = unreadableTraces(anomalies), damagedArchives(anomalies), incomplete(anomalies)
	for i, f := range st.Files {
		st.Files[i].Lacks = slices.ContainsFunc(anomalies, func(a HostAnomaly) bool { return lacking(a.Kind) && a.Stream == f.Name })
	}
}

// unreadableTraces counts the traces among what could not be read of a set.
func unreadableTraces(list []HostAnomaly) (n int) {
	for _, a := range list {
		if a.Kind == unreadableTrace {
			n++
		}
	}
	return n
}

func (s *Set) hostStatuses(st *Status) {
	solution := s.solution.Load()
	for i, h := range s.hosts {
		sum := h.figures()
		hs := HostStatus{
			Index: i, Name: h.row.Name, ID: h.row.ID,
			State:  *h.state.Load(),
			Events: sum.Events, LostEvents: sum.Lost, LostPackets: sum.Packets, LostByCPU: sum.LostOn, PassedTwice: twices(sum.Twice),
			Missing: h.hints(exchanged(solution, i)),
		}
		if total := h.bytes(); total > 0 {
			hs.Progress = float64(h.consumed()) / float64(total)
		} else if hs.State == done {
			hs.Progress = 1
		}
		if sum.Events > 0 {
			hs.LocalBegin, hs.LocalEnd = decimal(sum.Begin), decimal(sum.End)
		}
		st.Events += sum.Events
		st.LostEvents += sum.Lost
		st.LostPackets += sum.Packets
		for _, a := range sum.Anomalies {
			st.Anomalies += a.Count
		}
		st.Hosts = append(st.Hosts, hs)
	}
	if solution != nil {
		st.by(solution)
	}
}

// By is the status as a solution has it: which host is the reference, what is related to it, and where events begin
// and end in its time. These are left out of it where the solution is nil.
func (st Status) By(solution *network.Solution) Status {
	st.Begin, st.End = "", ""
	st.Hosts = slices.Clone(st.Hosts)
	for i := range st.Hosts {
		h := &st.Hosts[i]
		h.Component, h.Reference, h.Unsynchronized, h.Begin, h.End = 0, false, false, "", ""
	}
	if solution != nil {
		st.by(solution)
	}
	return st
}

// by fills in what a solution says of the hosts, and where their events begin and end in its time.
func (st *Status) by(solution *network.Solution) {
	var first, last int64
	any := false
	for i := range min(len(st.Hosts), len(solution.Hosts)) {
		hs, sh := &st.Hosts[i], &solution.Hosts[i]
		hs.Component = sh.Component
		hs.Unsynchronized = solution.Unsynchronized(int32(i))
		hs.Reference = sh.Reference == int32(i)
		if hs.LocalBegin == "" {
			continue
		}
		begin, end := sh.Map.Reference(number(hs.LocalBegin)), sh.Map.Reference(number(hs.LocalEnd))
		hs.Begin, hs.End = decimal(begin), decimal(end)
		if !any {
			first, last, any = begin, end, true
		}
		first, last = min(first, begin), max(last, end)
	}
	if any {
		st.Begin, st.End = decimal(first), decimal(last)
	}
}

// progress is that of Status. s.mu is held.
func (s *Set) progress() float64 {
	archives, share := 0.0, 0.0
	for _, f := range s.row.Files {
		if f.Received > 0 {
			share = extractionShare
		}
	}
	switch s.row.State {
	case catalog.Uploading, catalog.Failed:
		return 0
	case catalog.Extracting:
		archives = s.unpacked()
		return share * min(archives, 1)
	}
	var read, total int64
	for _, h := range s.hosts {
		read += h.consumed()
		total += h.bytes()
	}
	if total == 0 {
		return share
	}
	return share + (1-share)*float64(read)/float64(total)
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// number is what decimal wrote.
func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// A rate is that of the events, or bytes, of the last seconds.
type rate struct {
	mu      sync.Mutex
	samples []sample      // of the last rateWindow, oldest first
	still   sample        // the last before anything moved
	long    []sample      // since then, oldest first, mostLong at most
	apart   time.Duration // how far those of long are apart at least
}

type sample struct {
	at     time.Time
	events int64
}

const (
	rateWindow = 3 * time.Second
	rateStep   = 100 * time.Millisecond
	mostLong   = 64
)

// now takes the number of events and returns their rate per second.
func (r *rate) now(events int64) float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := time.Now()
	if r.still.at.IsZero() || events <= r.still.events {
		r.still = sample{at, events}
		r.long, r.apart = r.long[:0], rateStep
	}
	r.keep(sample{at, events})
	if n := len(r.samples); n == 0 || at.Sub(r.samples[n-1].at) >= rateStep {
		r.samples = append(r.samples, sample{at, events})
	}
	for len(r.samples) > 1 && at.Sub(r.samples[1].at) >= rateWindow {
		r.samples = r.samples[1:]
	}
	first := r.samples[0]
	if passed := at.Sub(first.at); passed > 0 && events > first.events {
		return float64(events-first.events) / passed.Seconds()
	}
	return 0
}

// keep has a sample for steady. Of more than there is room for every other one goes.
func (r *rate) keep(s sample) {
	if n := len(r.long); n > 0 && s.at.Sub(r.long[n-1].at) < r.apart {
		return
	}
	if r.long = append(r.long, s); len(r.long) <= mostLong {
		return
	}
	n := 0
	for i := 0; i < len(r.long); i += 2 {
		r.long[n] = r.long[i]
		n++
	}
	r.long, r.apart = r.long[:n], 2*r.apart
}

// steady takes the number of events and returns their rate over the last third of the time since the first came, or over the last rateWindow where
// that is longer: hosts that are read in turn, or a busy machine, do not make it swing.
func (r *rate) steady(events int64) float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := time.Now()
	since := at.Add(-max(rateWindow, at.Sub(r.still.at)/3))
	first := r.still
	for _, s := range r.long {
		if s.at.After(since) {
			break
		}
		first = s
	}
	if passed := at.Sub(first.at); passed > 0 {
		return float64(events-first.events) / passed.Seconds()
	}
	return 0
}

// moved is how long ago the first of the events came, and how many came since.
func (r *rate) moved(events int64) (passed time.Duration, count int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Since(r.still.at), events - r.still.events
}

// A disk knows how much a folder holds, as of a second or two ago.
type disk struct {
	mu   sync.Mutex // not that of the set: a folder may have a hundred thousand files
	next time.Time  // when it is looked at again
	held int64
}

func (d *disk) bytes(dir string) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	begin := time.Now()
	if begin.Before(d.next) {
		return d.held
	}
	d.held = 0
	// A file that vanishes meanwhile is none to count.
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			d.held += info.Size()
		}
		return nil
	})
	const least, share = 2 * time.Second, 20 // looking takes no more than a twentieth of the time
	end := time.Now()
	d.next = end.Add(max(least, share*end.Sub(begin)))
	return d.held
}
