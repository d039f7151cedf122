package ctf

import (
	"bytes"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
)

// openAll opens the traces below a directory.
func openAll(t testing.TB, root string) []*Trace {
	t.Helper()
	dirs, err := Discover(root)
	if err != nil {
		t.Fatal(err)
	}
	var traces []*Trace
	for _, dir := range dirs {
		tr, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		traces = append(traces, tr)
	}
	return traces
}

func newReader(t testing.TB, traces []*Trace) *Reader {
	t.Helper()
	return readerWith(t, traces, Options{Window: 8192})
}

func readerWith(t testing.TB, traces []*Trace, o Options) *Reader {
	t.Helper()
	r, err := NewReader(traces, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// resumable are small traces with overlaps, losses, gaps, many streams and split streams.
var resumable = []string{"hello-lost.tar.gz", "multi-domains.tar.gz", "lttng-tracefile-rotation.tar.gz", "packet-seq-num.tar.gz", "session-rotation.tar.gz"}

var placing = Options{Window: 8192, Places: true}

// A reader put at a position goes on exactly as the one that gave it: the same
// events, losses and their places, anomalies, and the same bytes in the end.
func TestResume(t *testing.T) {
	raced.Elsewhere(t, "TestAheadIsTheSame")
	for _, name := range resumable {
		t.Run(name, func(t *testing.T) {
			traces := openAll(t, unpack(t, name))
			var whole bytes.Buffer
			drain(t, readerWith(t, traces, placing), &whole)
			lines := strings.SplitAfter(whole.String(), "\n")
			random := rand.New(rand.NewPCG(1, 2))
			for range 4 {
				r := readerWith(t, traces, placing)
				var got bytes.Buffer
				steps := random.IntN(len(lines) / 3)
				for range steps {
					e, err := r.Next()
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Fatal(err)
					}
					if random.IntN(3) > 0 { // losses that nobody has asked for yet go along
						writeLosses(r, &got)
					}
					got.Write(appendEvent(nil, e))
				}
				s := readerWith(t, traces, placing)
				if err := s.Seek(r.Position()); err != nil {
					t.Fatalf("after %d events: %v", steps, err)
				}
				if again := s.Position(); !bytes.Equal(again, r.Position()) {
					t.Fatal("the position of a resumed reader is another one")
				}
				drain(t, s, &got)
				if want := whole.String(); sorted(got.String()) != sorted(want) {
					t.Fatalf("resumed after %d events, %s", steps, difference(sorted(got.String()), sorted(want)))
				}
				all := int64(0)
				for _, tr := range traces {
					all += tr.Info().Bytes
				}
				if s.Bytes() != all {
					t.Errorf("%d of %d bytes consumed", s.Bytes(), all)
				}
			}
		})
	}
}

func writeLosses(r *Reader, out io.Writer) {
	var x Reader
	x.losses, x.told = r.Losses(), r.Placed()
	x.err = io.EOF
	drain(nil, &x, out)
}

// sorted puts lines in order: when a loss is asked for is the caller's choice, so its line may stand elsewhere.
func sorted(s string) string {
	lines := strings.SplitAfter(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got\n" + g[i] + "\nwant\n" + w[i]
		}
	}
	return "one is longer"
}

// begun is a reader that has returned some events.
func begun(t *testing.T) ([]*Trace, *Reader) {
	t.Helper()
	traces := openAll(t, unpack(t, "multi-domains.tar.gz"))
	r := newReader(t, traces)
	for range 100 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	return traces, r
}

// A damaged or foreign position is an error, never a panic.
func TestSeekRefuses(t *testing.T) {
	traces, r := begun(t)
	p := r.Position()
	if err := r.Seek(p); err == nil {
		t.Error("a reader that has begun was moved")
	}
	if err := newReader(t, traces[:1]).Seek(p); err == nil {
		t.Error("a position of other traces was accepted")
	}
	for n := range p {
		if err := newReader(t, traces).Seek(p[:n]); err == nil {
			t.Fatalf("a position cut after %d of %d bytes was accepted", n, len(p))
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		bad := slices.Clone(p)
		for range 3 {
			bad[random.IntN(len(bad))] = byte(random.Uint32())
		}
		r := newReader(t, traces)
		if err := r.Seek(bad); err == nil {
			for range 50 {
				if _, err := r.Next(); err != nil {
					break
				}
			}
		}
	}
}

// A position of the versions before, which told nothing of the ends of streams, of the places of losses, or of streams that rest, is gone on from; another is refused.
func TestSeekVersions(t *testing.T) {
	traces, r := begun(t)
	p := r.Position()
	if p[0] != positionVersion || p[len(p)-1] != 0 {
		t.Fatalf("a position of version %d that ends with %d, want no stream in doubt", p[0], p[len(p)-1])
	}
	before := [][]byte{r.position(restlessVersion), r.position(unplacedVersion), r.position(untailedVersion)}
	var want bytes.Buffer
	drain(t, r, &want)
	for _, b := range before {
		s := newReader(t, traces)
		if err := s.Seek(b); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		drain(t, s, &got)
		if got.String() != want.String() {
			t.Errorf("of version %d %s", b[0], difference(got.String(), want.String()))
		}
	}
	p[0] = positionVersion + 1
	if err := newReader(t, traces).Seek(p); err == nil || !strings.Contains(err.Error(), "version 6 is not known") {
		t.Errorf("a position of another version: %v", err)
	}
}

// SeekTime finds the same event as reading on to it.
func TestSeekTime(t *testing.T) {
	for _, name := range []string{"scp.tar.gz", "lttng-tracefile-rotation.tar.gz", "hello-lost.tar.gz", "mpi_allreduce.tar.gz"} {
		traces := openAll(t, unpack(t, name))[:1]
		var times []int64
		var texts []string
		for r := newReader(t, traces); ; {
			e, err := r.Next()
			if err == io.EOF {
				break
			}
			times = append(times, e.Time)
			texts = append(texts, string(appendEvent(nil, e)))
		}
		random := rand.New(rand.NewPCG(5, 6))
		for range 30 {
			i := random.IntN(len(times))
			at := times[i] - int64(random.IntN(2))
			want, _ := slices.BinarySearch(times, at)
			r := newReader(t, traces)
			if err := r.SeekTime(at); err != nil {
				t.Fatal(err)
			}
			for j := want; j < min(want+20, len(times)); j++ {
				e, err := r.Next()
				if err != nil {
					t.Fatal(err)
				}
				if got := string(appendEvent(nil, e)); got != texts[j] {
					t.Fatalf("%s: event %d from time %d on is\n%s, want\n%s", name, j-want, at, got, texts[j])
				}
			}
		}
		r := newReader(t, traces)
		if err := r.SeekTime(times[len(times)-1] + 1); err != nil {
			t.Fatal(err)
		}
		if e, err := r.Next(); err != io.EOF {
			t.Errorf("%s: behind the end there is %v, %v", name, e, err)
		}
	}
}

// An index has a fixed size, and its groups leave nothing out.
func TestTimeIndexIsBounded(t *testing.T) {
	x := &timeIndex{group: 1}
	const packets = 10*maxIndex + 7
	for n := range packets {
		x.add(indexEntry{off: int64(n), latest: int64(10*n + 9)}, int64(10*n))
	}
	if len(x.entries) > maxIndex {
		t.Errorf("%d entries, want at most %d", len(x.entries), maxIndex)
	}
	for _, at := range []int{0, 9, 10, 12345, 10*packets - 1} {
		e, ok := x.find(int64(at))
		if n := int64(at / 10); !ok || e.off > n || e.off < n-int64(x.group) {
			t.Errorf("time %d lies in packet %d; found %+v, %v with groups of %d", at, n, e, ok, x.group)
		}
	}
	if _, ok := x.find(10 * packets); ok {
		t.Error("found a packet behind the last one")
	}
	x.close()
	if e, ok := x.find(10 * packets); !ok || e.off < packets-int64(x.group) {
		t.Errorf("found %+v, %v: events of the last packet may be later than it says", e, ok)
	}
}

// The hosts of a set: by clock, then by host name, then each trace its own.
func TestGroup(t *testing.T) {
	trace := func(dir, clock, host string) *Trace {
		return &Trace{dir: filepath.FromSlash(dir), info: Info{ClockID: clock, Hostname: host}, plan: &plan{}}
	}
	hosts := Group([]*Trace{
		trace("/x/web/ust/uid/0/64-bit", "c1", "web"), trace("/x/web/kernel", "c1", "web"),
		trace("/x/other/kernel", "c2", "web"),
		trace("/x/a", "", "db"), trace("/x/b", "", "db"),
		trace("/x/session-1/ust/pid/app-12", "", ""), trace("/x/session-2/kernel", "", ""), trace("/x/session-10/kernel", "", ""), trace("/x/plain", "", ""),
	})
	var got []string
	for _, h := range hosts {
		line := h.Name + ":"
		for _, tr := range h.Traces {
			line += " " + filepath.ToSlash(tr.dir)
		}
		got = append(got, line)
	}
	want := []string{
		"db: /x/a /x/b", "plain: /x/plain", "session-1: /x/session-1/ust/pid/app-12", "session-2: /x/session-2/kernel", "session-10: /x/session-10/kernel",
		"web: /x/other/kernel", "web (2): /x/web/kernel /x/web/ust/uid/0/64-bit",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
