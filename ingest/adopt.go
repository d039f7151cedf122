package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"synchroscope/catalog"
	"synchroscope/ingest/messages"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// adopt makes the set what the archive of a whole set holds, and tells whether it was given one. Until the one
// transaction at its end the set is still extracting: after a crash all of it is done again.
func (s *Set) adopt() (bool, error) {
	files := s.files()
	root := ""
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(s.extracted(f), manifestFile)); err != nil {
			continue
		}
		d, damaged := s.damageTo(f)
		switch {
		case len(files) > 1:
			if !damaged {
				d = damage{err: faultf(Invalid, "%s is a whole trace set; it is imported alone, as a set of its own", f.Name), alone: true}
			}
			if err := os.RemoveAll(s.extracted(f)); err != nil {
				return false, err
			}
			s.damaged(f, damage{err: d.err, offset: d.offset, alone: d.alone})
		case damaged:
			return false, d.err
		default:
			root = s.extracted(f)
		}
	}
	if root == "" {
		return false, s.nothing(files)
	}
	s.setStage("checking the whole set")
	m, err := readManifest(root)
	if err != nil {
		return false, err
	}
	if err := verify(root); err != nil {
		return false, err
	}
	if err := s.moveIn(root, m); err != nil {
		return false, err
	}
	rows, err := s.rowsOf(root, m)
	if err != nil {
		return false, err
	}
	s.mu.Lock()
	s.anomalies = m.Unreadable
	s.setHosts(rows)
	s.mu.Unlock()
	declared, err := s.readTexts()
	if err == nil {
		_, err = s.symbols()
	}
	var solution *network.Solution
	if err == nil {
		solution, err = s.checkResults(m)
	}
	if err != nil {
		return false, faultf(Invalid, "the whole set cannot be taken over: %s", s.relative(err.Error()))
	}
	if err := s.takeName(m.Name, files[0]); err != nil {
		return false, err
	}
	return true, s.settle(m, rows, solution, declared)
}

// What the name of a file says of how it is packed, and that it is a whole set.
var (
	packed = regexp.MustCompile(`(?i)\.(zip|t?(ar\.)?(gz|xz|zst)|tgz|txz|tar)$`)
	tarred = regexp.MustCompile(`(?i)\.tar$`)
	whole  = regexp.MustCompile(`(?i)(.)\.synchroscope$`)
)

// NameOf is the name that a set made of a file has unless it is given another: the file's, without what says how it is packed
// and that it is a whole set.
func NameOf(file string) string {
	name := whole.ReplaceAllString(tarred.ReplaceAllString(packed.ReplaceAllString(file, ""), ""), "$1")
	return cmp.Or(name, file)
}

// takeName gives a set that was uploaded the name it had elsewhere, where it has none but its file's, or that with a number. One that is read in place
// is known again by its file's.
func (s *Set) takeName(name string, f catalog.File) error {
	name, err := checkName(name)
	own, file := s.name(), NameOf(f.Name)
	onlyNumbered := numberBehind.MatchString(own) && numberBehind.ReplaceAllString(own, "") == numberBehind.ReplaceAllString(file, "")
	if err != nil || f.Path != "" || own != file && !onlyNumbered {
		return nil
	}
	s.e.claiming.Lock()
	defer s.e.claiming.Unlock()
	return s.call(s.e.free(name, s))
}

// readManifest reads and checks what an archive says of itself.
func readManifest(root string) (*manifest, error) {
	b, err := readBounded(filepath.Join(root, manifestFile), maxManifest)
	if err != nil {
		return nil, err
	}
	m := new(manifest)
	var head struct {
		Format  string
		Version int
	}
	switch err := json.Unmarshal(b, &head); {
	case err != nil || head.Format != manifestFormat:
		return nil, faultf(Invalid, "%s does not describe a trace set", manifestFile)
	case head.Version < oldestManifest || head.Version > manifestVersion:
		return nil, faultf(Invalid, "the archive of a whole set has version %d, this program reads versions %d to %d", head.Version, oldestManifest, manifestVersion)
	}
	if err := json.Unmarshal(b, m); err != nil {
		return nil, faultf(Invalid, "%s cannot be understood: %v", manifestFile, err)
	}
	return m, m.check()
}

func (m *manifest) check() error {
	bad := func(format string, args ...any) error {
		return faultf(Invalid, "%s cannot be: %s", manifestFile, fmt.Sprintf(format, args...))
	}
	if n := len(m.Hosts); n == 0 || n > maxWholeHosts {
		return bad("it has %d hosts", n)
	}
	if n := len(m.Bookmarks); n > MaxBookmarks {
		return bad("it has %d bookmarks", n)
	}
	seen := make(map[string]bool)
	failed := 0
	for i, h := range m.Hosts {
		if h.Name == "" || seen[h.Name] || !utf8.ValidString(h.Name) || !utf8.ValidString(h.ID) {
			return bad("the name of host %d, %.80q, is not one of its own", i, h.Name)
		}
		seen[h.Name] = true
		for k, t := range h.Traces {
			if t.Path != tracePlace(i, k) || t.Bytes < 0 {
				return bad("trace %d of %s is at %.80q", k, h.Name, t.Path)
			}
		}
		if h.Failed {
			failed++
		}
	}
	if failed == len(m.Hosts) {
		return bad("no host of it could be read")
	}
	for i, b := range m.Bookmarks {
		text, err := bookmarkText(b.Text)
		if err != nil || b.Host < 0 || int(b.Host) >= len(m.Hosts) || b.TID < -1 || b.Window != nil && b.Window[0] >= b.Window[1] {
			return bad("bookmark %d is on no row, in no window or has no text that can be kept", i+1)
		}
		m.Bookmarks[i].ID, m.Bookmarks[i].Text, m.Bookmarks[i].Key = uint32(i+1), text, ""
	}
	if n := len(m.Milestones); n > mostMilestones {
		return bad("it has %d milestones", n)
	}
	for i, x := range m.Milestones {
		before := Milestone{}
		if i > 0 {
			before = m.Milestones[i-1]
		}
		if x.After < before.After || x.Version < before.Version || x.Hosts < 0 || x.Hosts > x.Of || x.Of > maxWholeHosts || !x.bounded() {
			return bad("milestone %d does not go on from the one before", i+1)
		}
	}
	return nil
}

// moveIn takes what the archive holds of results to where they belong. Traces stay where they are.
func (s *Set) moveIn(root string, m *manifest) error {
	if err := os.RemoveAll(s.path("hosts")); err != nil { // of an attempt before a crash
		return err
	}
	if err := os.MkdirAll(s.path("hosts"), 0o700); err != nil {
		return err
	}
	for name, must := range wholeFiles {
		err := os.Rename(filepath.Join(root, name), s.path(name))
		if errors.Is(err, fs.ErrNotExist) && must {
			err = faultf(Invalid, "the archive of a whole set has no file %q", name)
		}
		if err != nil && (must || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	for i := range m.Hosts {
		dir := s.path("hosts", strconv.Itoa(i))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		for _, name := range []string{checkpointName(1), historyFile, endpointsFile, lossesFile} {
			err := os.Rename(filepath.Join(root, "hosts", strconv.Itoa(i), name), filepath.Join(dir, name))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	for _, name := range []string{manifestFile, checksumsFile, "hosts"} {
		if err := os.RemoveAll(filepath.Join(root, name)); err != nil {
			return err
		}
	}
	return syncTree(s.dir)
}

// rowsOf are the hosts as the catalogue will have them.
func (s *Set) rowsOf(root string, m *manifest) ([]catalog.Host, error) {
	rows := make([]catalog.Host, len(m.Hosts))
	for i, h := range m.Hosts {
		rows[i] = catalog.Host{Name: h.Name, ID: h.ID}
		for _, t := range h.Traces {
			dir := filepath.Join(root, filepath.FromSlash(t.Path))
			if info, err := os.Stat(dir); err != nil || !info.IsDir() {
				return nil, faultf(Invalid, "the archive of a whole set lacks a trace of %s, %s", h.Name, t.Path)
			}
			in, err := filepath.Rel(s.dir, dir)
			if err != nil {
				return nil, err
			}
			t.Path = in
			rows[i].Traces = append(rows[i].Traces, t)
		}
	}
	return rows, nil
}

// checkResults reads everything that answers will rely on. Files of the set are as strange as its traces: what numbers
// in them point to must be there.
func (s *Set) checkResults(m *manifest) (*network.Solution, error) {
	for i, h := range s.Hosts() {
		sum, err := h.adopt(m.Hosts[i].side())
		if err != nil {
			return nil, err
		}
		if err := h.eachEndpoint(sum, func([]match.Endpoint) error { return context.Cause(s.ctx) }); err != nil {
			return nil, err
		}
		h.become(done)
		if m.Hosts[i].Failed {
			h.become(broken)
		}
	}
	for _, name := range []string{"solution", "constraints"} {
		if err := notLarger(s.path(name), maxAdopted); err != nil {
			return nil, err
		}
	}
	solution, err := readSolution(s.path("solution"))
	if err != nil {
		return nil, err
	}
	if err := checkSolution(solution, m); err != nil {
		return nil, err
	}
	c, err := readConstraints(s.path("constraints"))
	if err != nil {
		return nil, err
	}
	again, err := c.Solve(network.Config{})
	if err != nil {
		return nil, err
	}
	if err := checkSolution(again, m); err != nil {
		return nil, err
	}
	return solution, s.checkMessages(int32(len(m.Hosts)))
}

// adopt makes the host answer from a checkpoint that was made elsewhere.
func (h *Host) adopt(side catalog.SideFile) (sum summary, err error) {
	if err := notLarger(h.path(checkpointName(side.Generation)), maxAdopted); err != nil {
		return sum, err
	}
	c, err := readCheckpoint(h.dir, side)
	if err != nil {
		return sum, err
	}
	defer c.close()
	h.mu.Lock()
	defer h.mu.Unlock() // whatever take makes of it: the end of a failed import locks the host again
	return c.summary, h.take(c)
}

// notLarger refuses a file that would be read whole and has more than so many bytes. That there is none is not its matter.
func notLarger(path string, most int64) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && info.Size() > most:
		return fmt.Errorf("%s has %d bytes, at most %d are read", path, info.Size(), most)
	}
	return err
}

// checkSolution tells whether a solution is of the hosts of a manifest and points to nothing else.
func checkSolution(solution *network.Solution, m *manifest) error {
	n := int32(len(m.Hosts))
	is := func(host int32) bool { return 0 <= host && host < n }
	if len(solution.Hosts) != len(m.Hosts) || !is(solution.Reference) {
		return fmt.Errorf("the synchronization is one of %d hosts, the set has %d", len(solution.Hosts), n)
	}
	for i, h := range solution.Hosts {
		if h.Name != m.Hosts[i].Name || h.ID != m.Hosts[i].ID || !is(h.Reference) || h.Map == nil {
			return fmt.Errorf("the synchronization knows host %d as %.80q, the set as %.80q", i, h.Name, m.Hosts[i].Name)
		}
	}
	up := make([]int32, n) // towards the host that stands for a tree
	for i := range up {
		up[i] = int32(i)
	}
	top := func(host int32) int32 {
		for up[host] != host {
			up[host] = up[up[host]]
			host = up[host]
		}
		return host
	}
	for _, l := range solution.Links {
		if !is(l.A) || !is(l.B) || l.A >= l.B {
			return fmt.Errorf("the synchronization has a link of the hosts %d and %d", l.A, l.B)
		}
		if !l.InTree {
			continue
		}
		a, b := top(l.A), top(l.B)
		if a == b { // who walks along the tree would walk for ever
			return fmt.Errorf("the tree of the synchronization has a loop at the hosts %d and %d", l.A, l.B)
		}
		up[a] = b
	}
	solution.Report() // it reads all of a solution: a panic in it is one of this import
	return nil
}

// checkMessages reads all messages: the hosts of each block must be there.
func (s *Set) checkMessages(hosts int32) error {
	store, err := openMessages(s.path("messages"))
	if err != nil {
		return err
	}
	defer store.Close()
	var wrong error
	q := messages.Query{Begin: math.MinInt64, End: math.MaxInt64}
	// The hosts of a message are those of its block, and every block is asked for, whatever times it claims.
	q.Wanted = func(from, to int32) bool {
		if min(from, to) < 0 || max(from, to) >= hosts || from == to {
			wrong = fmt.Errorf("messages go from host %d to host %d, of %d", from, to, hosts)
		}
		return true
	}
	for next := 0; next >= 0 && err == nil && wrong == nil; {
		next, err = store.Scan(s.ctx, q, next, 1<<16, func(match.Message, int64, int64) {})
	}
	return cmp.Or(wrong, err)
}

// settle makes the set ready.
func (s *Set) settle(m *manifest, rows []catalog.Host, solution *network.Solution, declared *texts) error {
	for _, b := range m.Bookmarks {
		if err := s.e.catalog.PutBookmark(s.id, b); err != nil {
			return err
		}
	}
	sides := make([]catalog.SideFile, len(m.Hosts))
	for i := range m.Hosts {
		sides[i] = m.Hosts[i].side()
	}
	s.solution.Store(solution)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stage = ""
	res := &result{Status: s.status(0), Unreadable: s.anomalies, Milestones: m.Milestones, Declared: declared}
	res.Status.State, res.Status.Progress, res.Status.Rate, res.Status.Stages = Ready, 1, 0, nil
	row, err := s.e.catalog.Adopt(s.id, rows, sides, res)
	if err != nil {
		return err
	}
	s.row, s.result, s.declared = row, res, declared
	s.mark()
	return nil
}

// readBounded reads a file that has at most so many bytes.
func readBounded(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = faultf(Invalid, "%s has more than %d bytes", strings.TrimSuffix(filepath.Base(path), partial), most)
	}
	return b, err
}
