package ingest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"synchroscope/catalog"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/sync/match"
)

// answers is everything that can be asked of a set, in text: numbers, threads, counts per column,
// messages in both clocks, the final solution, and all states at twelve times of each host.
func answers(t testing.TB, s *Set) string {
	t.Helper()
	ctx := context.Background()
	var b strings.Builder
	st := s.Status()
	fmt.Fprintf(&b, "%s: %d events, %d and %d packets lost, %d anomalies, %s to %s\n", st.State, st.Events, st.LostEvents, st.LostPackets, st.Anomalies, st.Begin, st.End)
	random := rand.New(rand.NewPCG(1, 2))
	for i, h := range s.Hosts() {
		hs := st.Hosts[i]
		fmt.Fprintf(&b, "%s %s: %d events, %d and %d packets lost, %v of them, %s to %s\n", hs.Name, hs.State, hs.Events, hs.LostEvents, hs.LostPackets, hs.LostByCPU, hs.LocalBegin, hs.LocalEnd)
		threads, _ := h.Threads(0)
		fmt.Fprintf(&b, " threads %s\n", digest(threads))
		tree := h.History()
		begin, end := tree.Bounds()
		edges := make([]int64, 500)
		for i := range edges {
			edges[i] = begin + (end-begin)*int64(i)/int64(len(edges)-1)
		}
		events, _, dense := h.Density(ctx, edges, edges, nil)
		missing, err := h.gaps.AppendBinary(nil)
		losses, no := h.Losses(ctx, LossQuery{Begin: math.MinInt64, End: math.MaxInt64, Edges: edges})
		fmt.Fprintf(&b, " density %s, %v, missing %x, %v, losses %v, %v\n", digest(events), dense, missing, err, losses, no)
		paths, values := make(map[attribute.Quark]string), make(map[history.Value]string)
		var line []byte
		for range 12 {
			at := begin + random.Int64N(end-begin)
			sum, n := fnv.New64a(), 0
			err := tree.Full(ctx, at, func(iv history.Interval) bool {
				path, ok := paths[iv.Quark]
				if !ok {
					path = tree.Attributes().Full(iv.Quark)
					paths[iv.Quark] = path
				}
				value, ok := values[iv.Value]
				if !ok {
					value = fmt.Sprint(iv.Value, tree.String(iv.Value))
					values[iv.Value] = value
				}
				line = append(append(line[:0], path...), ' ')
				line = append(strconv.AppendInt(line, iv.Start, 10), ' ')
				line = append(strconv.AppendInt(line, iv.End, 10), ' ')
				line = append(append(line, value...), '\n')
				sum.Write(line)
				n++
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, " at %d: %d states %x\n", at, n, sum.Sum64())
		}
	}
	for _, raw := range []bool{false, true} {
		sum, n := fnv.New64a(), 0
		err := s.Messages(ctx, -1<<63, 1<<63-1, raw, func(m match.Message) bool {
			fmt.Fprintln(sum, m)
			n++
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "messages, raw %v: %d %x\n", raw, n, sum.Sum64())
	}
	final := *s.Solution()
	final.Version = 0 // how many were published on the way is a matter of time
	stored := storedSolution{Solution: &final}
	for _, h := range final.Hosts {
		stored.Maps = append(stored.Maps, h.Map.AppendBinary(nil))
	}
	text, err := json.Marshal(stored)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "solution %s\n", text)
	return b.String()
}

// A lockedBuffer takes the log of several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func digest(v ...any) string {
	h := fnv.New64a()
	fmt.Fprint(h, v...)
	return fmt.Sprintf("%x", h.Sum64())
}

func equal(t *testing.T, how, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			at := 0 // shortly before the first byte that differs
			for at < min(len(g[i]), len(w[i])) && g[i][at] == w[i][at] {
				at++
			}
			at = max(0, at-100)
			t.Errorf("%s: line %d is from byte %d on\n%.300s\nbut undisturbed it is\n%.300s", how, i, at, g[i][at:], w[i][at:])
			return
		}
	}
	if len(g) != len(w) {
		t.Errorf("%s: %d lines, undisturbed %d", how, len(g), len(w))
	}
}

// The law of order: neither the number of workers nor the size of nodes nor a stop in the middle
// shows in any answer.
func TestOrderDoesNotMatter(t *testing.T) {
	type how struct {
		from *recording
		Options
	}
	from := shop(t)
	hows := []how{
		{from, Options{Workers: 1}},
		{from, Options{Workers: 4}},
		{from, Options{Workers: 1, History: history.Options{NodeSize: 4096, MaxChildren: 8}}},
		{from, Options{Workers: 4, History: history.Options{NodeSize: 256 << 10, Compress: true}}},
	}
	if testing.Short() {
		hows = []how{hows[0], hows[3]}
	} else { // what real machines did, in two ways that differ in everything
		hows = append(hows, how{demo(t), Options{Workers: 1, History: history.Options{NodeSize: 4096, MaxChildren: 8}}})
	}
	for _, o := range hows {
		want := o.from.reference(t)
		how := fmt.Sprintf("%s, %d workers, nodes of %d", o.from.name, o.Workers, o.History.NodeSize)
		dir := t.TempDir()
		e := openEngine(t, dir, o.Options)
		s := importPath(t, e, "demo", o.from.File(t))
		equal(t, how, answers(t, s), want)

		// The same from the disk, in a new process's eyes, and with the synchronization done again.
		closeEngine(t, e)
		e = openEngine(t, dir, o.Options)
		equal(t, how+", opened again", answers(t, e.Sets()[0]), want)
		closeEngine(t, e)
		if o.Workers != 1 {
			continue
		}
		if err := os.WriteFile(e.Sets()[0].path("solution"), []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
		e = openEngine(t, dir, o.Options)
		equal(t, how+", with a damaged solution", answers(t, e.Sets()[0]), want)
		closeEngine(t, e)
	}
}

// mostTries is how often an import is begun that is to be stopped: where a processor was elsewhere, one is over before.
const mostTries = 20

// An engine that is closed in the middle of its work goes on where it was.
func TestStoppedAndResumed(t *testing.T) {
	from := busyShop(t)
	want := from.reference(t)
	stops, resumed := 0, 0
	for range mostTries {
		if stops >= 3 {
			break
		}
		s, r := stoppedAndResumed(t, from, want)
		stops, resumed = stops+s, resumed+r
	}
	if stops < 3 || resumed < stops {
		t.Errorf("%d stops, %d times a host went on from a checkpoint", stops, resumed)
	}
}

// stoppedAndResumed stops an import again and again, and tells how often, and how often a host went on from a checkpoint.
func stoppedAndResumed(t *testing.T, from *recording, want string) (stops, resumed int) {
	t.Helper()
	dir := t.TempDir()
	log := new(lockedBuffer)
	o := Options{Workers: 2, saveEvery: 5 * time.Millisecond, Log: slog.New(slog.NewTextHandler(log, nil))}
	e := openEngine(t, dir, o)
	if _, err := e.ImportPaths("demo", from.File(t)); err != nil {
		t.Fatal(err)
	}
	for e.Sets()[0].Status().State == Importing && stops < 20 {
		events := e.Sets()[0].Status().Events
		for e.Sets()[0].Status().State == Importing && e.Sets()[0].Status().Events < events+from.Events/100 {
			time.Sleep(time.Millisecond)
		}
		before := e.Sets()[0]
		closeEngine(t, e)
		o.Workers = 1 + stops%3
		e = openEngine(t, dir, o)
		// One that came when all that was begun was over has nothing to go on with.
		if slices.ContainsFunc(before.Status().Hosts, func(h HostStatus) bool { return h.State == importing && h.Events > 0 }) {
			stops++
		}
	}
	if err := e.Sets()[0].Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(log.String(), "level=WARN") || strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("complaints:\n%s", log.String())
	}
	equal(t, fmt.Sprintf("stopped %d times", stops), answers(t, e.Sets()[0]), want)
	closeEngine(t, e)
	return stops, strings.Count(log.String(), "goes on from its checkpoint")
}

// However rarely checkpoints are due, one that is asked to stop makes them, and what is read is known from the
// first moment after the start.
func TestStopIsACheckpoint(t *testing.T) {
	from := busyShop(t)
	for range mostTries {
		if stopIsACheckpoint(t, from) {
			return
		}
	}
	t.Errorf("each of %d imports was over before it was stopped", mostTries)
}

// stopIsACheckpoint reports whether the import was stopped before it was over.
func stopIsACheckpoint(t *testing.T, from *recording) bool {
	t.Helper()
	dir, o := t.TempDir(), Options{Workers: 2, saveEvery: time.Hour}
	e := openEngine(t, dir, o)
	s, err := e.ImportPaths("demo", from.File(t))
	if err != nil {
		t.Fatal(err)
	}
	for {
		changed := s.Changed()
		if s.Status().Events > from.Events/10 {
			break
		}
		<-changed
	}
	closeEngine(t, e)
	if s.Status().State != Importing {
		return false
	}
	e = openEngine(t, dir, o)
	if before, after := s.Status().Events, e.Sets()[0].Status().Events; after < before {
		t.Errorf("%d events were read before the stop, %d are known after the start", before, after)
	}
	if err := e.Sets()[0].Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	return true
}

// A job that meets the stop while it publishes makes its checkpoint all the same.
func TestStopWhilePublishing(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{saveEvery: time.Hour})
	s := importPath(t, e, "demo", shop(t).File(t))
	h := s.Hosts()[0]
	y := newSynchronizer(s, s.Hosts(), nil) // takes nothing
	ctx, stop := context.WithCancelCause(t.Context())
	j := &job{h: h, ctx: ctx, slot: e.slots.Job(s), sync: y}
	defer j.closeFiles()
	if err := errors.Join(j.reopen(), j.fresh()); err != nil {
		t.Fatal(err)
	}
	for range cap(y.in) {
		y.in <- packet{}
	}
	stop(errStopped)
	if err := j.readEvents(); !stopped(err) {
		t.Fatalf("the job ended with %v", err)
	}
	side, err := e.catalog.Checkpoint(s.id, h.index)
	if err != nil {
		t.Fatal(err)
	}
	c, err := readCheckpoint(h.dir, side)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if c.summary.Events == 0 || c.summary.Events != j.sum.Events {
		t.Errorf("a checkpoint after %d of %d events", c.summary.Events, j.sum.Events)
	}
}

// A job that meets the stop when all events are read is done all the same: nothing is read again.
func TestStopAtTheEnd(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{saveEvery: time.Hour})
	s := importPath(t, e, "demo", shop(t).File(t))
	h := s.Hosts()[0]
	ctx, stop := context.WithCancelCause(t.Context())
	y := newSynchronizer(s, s.Hosts(), nil)
	go y.run()
	defer close(y.in)
	j := &job{h: h, ctx: ctx, slot: e.slots.Job(s), sync: y}
	defer j.closeFiles()
	if err := errors.Join(j.reopen(), j.fresh(), j.readEvents()); err != nil {
		t.Fatal(err)
	}
	stop(errStopped)
	if err := j.end(); err != nil && !stopped(err) {
		t.Fatal(err)
	}
	side, err := e.catalog.Checkpoint(s.id, h.index)
	if err != nil || side.Flags&catalog.Done == 0 {
		t.Errorf("the host is not done: %v, flags %d", err, side.Flags)
	}
}

// When this variable is set the test binary is a server that imports into the directory it names.
const childDir = "SYNCHROSCOPE_TEST_IMPORT"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		child(dir)
	}
	os.Exit(m.Run())
}

// child opens dir and says how far its import is, a line for every change.
func child(dir string) {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	e, err := Open(dir, Options{Workers: 2, Log: log, saveEvery: 5 * time.Millisecond})
	if err != nil {
		fmt.Println("fault", err)
		os.Exit(1)
	}
	for {
		s := e.Sets()[0]
		changed := s.Changed()
		st := s.Status()
		fmt.Println(st.State, st.Events)
		if st.State != Importing {
			break
		}
		<-changed
	}
	select {} // until it is killed
}

// kill -9 at many moments, among them the extraction, and the answers are those of peace. Where the machine has so much else to do that
// an import is over before it was killed often enough, others are.
func TestKilledAndResumed(t *testing.T) {
	from := busyShop(t)
	want := from.reference(t)
	random := rand.New(rand.NewPCG(3, 4))
	var log bytes.Buffer
	resumed := func() int { return strings.Count(log.String(), "goes on from its checkpoint") }
	kills := 0
	for imports := 0; imports == 0 || imports < 5 && (kills < 4 || resumed() < 2); imports++ {
		kills += killedAndResumed(t, from, want, random, &log)
	}
	if n := resumed(); kills < 4 || n < 2 {
		t.Errorf("%d kills, and only %d times a host went on from a checkpoint", kills, n)
	}
	if strings.Contains(log.String(), "level=WARN") || strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("the children complain:\n%s", log.String())
	}
}

// killedAndResumed kills one import again and again until it is over, and holds its answers against those wanted.
func killedAndResumed(t *testing.T, from *recording, want string, random *rand.Rand, log *bytes.Buffer) (kills int) {
	t.Helper()
	dir := t.TempDir()
	prepareImport(t, dir, from)
	state := "importing"
	var last int64
	for ; state == "importing" && kills < 60; kills++ {
		target := int64(0)
		if kills > 2 {
			target = last + random.Int64N(from.Events/8)
		}
		state, last = killAt(t, dir, target, log)
	}
	e := openEngine(t, dir, Options{})
	if err := e.Sets()[0].Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, fmt.Sprintf("killed %d times", kills), answers(t, e.Sets()[0]), want)
	for _, left := range []string{"files", "*" + partial, filepath.Join("*", "*"+partial), filepath.Join("hosts", "*", "*"+partial)} {
		if found, _ := filepath.Glob(e.Sets()[0].path(left)); len(found) > 0 {
			t.Errorf("left behind: %v", found)
		}
	}
	return kills
}

// killAt lets a child work on dir until it has read a number of events, and kills it. It
// returns what the child said last.
func killAt(t *testing.T, dir string, events int64, log *bytes.Buffer) (state string, read int64) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, err := fmt.Sscan(lines.Text(), &state, &read); err != nil {
			t.Errorf("the child said %q", lines.Text())
			break
		}
		if state != "importing" || read >= events {
			break
		}
	}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	cmd.Wait()
	return state, read
}
