package ingest

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"synchroscope/catalog"
	"synchroscope/trace/ctf/text/texttest"
)

// half is a set to which the first half of a shop was uploaded, and the rest. In the middle stands what cannot be compressed, and
// is more than is read of an archive at once: so what is before it can be unpacked, and what is behind it cannot.
func half(t *testing.T, e *Engine) (s *Set, rest []byte) {
	t.Helper()
	noise := make([]byte, 2<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	entries := filesOf(t, shop(t))
	middle := slices.IndexFunc(entries, func(e entry) bool { return strings.HasPrefix(e.name, "db/") })
	whole := tarGz(t, slices.Insert(entries, middle, entry{"notes/noise", string(noise)})...)
	var err error
	if s, err = e.Create("half"); err != nil {
		t.Fatal(err)
	}
	n := len(whole) / 2
	if _, err := s.Upload(t.Context(), "shop.tar.gz", 0, int64(len(whole)), bytes.NewReader(whole[:n])); err != nil {
		t.Fatal(err)
	}
	return s, whole[n:]
}

func uploadRest(t *testing.T, s *Set, rest []byte) {
	t.Helper()
	held := s.Status().Files[0].Received
	if _, err := s.Upload(t.Context(), "shop.tar.gz", held, held+int64(len(rest)), bytes.NewReader(rest)); err != nil {
		t.Fatal(err)
	}
}

// awaitPreview waits until the preview of a set is one that is wanted.
func awaitPreview(t *testing.T, s *Set, wanted func(*Preview) bool) *Preview {
	t.Helper()
	for {
		changed := s.Changed()
		if p := s.preview.Load(); wanted(p) {
			return p
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatal("it does not come")
		}
	}
}

// While half of an archive is unpacked there are rows to look at, which claim no more than was read; and the import
// that follows comes to the same as one that nobody looked at.
func TestFirstLook(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s, rest := half(t, e)
	stop := s.startPreviews()
	awaitPreview(t, s, func(p *Preview) bool { return p != nil })
	stop()
	p := s.preview.Load()
	st := p.Status()
	if !st.Preview || st.Events == 0 || len(st.Hosts) == 0 || len(st.Hosts) == 4 || st.Anomalies != 0 || !strings.HasPrefix(st.Stage, "first look") {
		t.Errorf("the first look says of itself %+v", st)
	}
	if own := s.Status(); own.Preview || len(own.Hosts) != 0 || own.Events != 0 {
		t.Errorf("the set claims to have read something: %+v", own)
	}
	if solution := p.Solution(); solution == nil || solution.Final || len(solution.Hosts) != len(st.Hosts) {
		t.Errorf("its clocks are %+v", solution)
	}
	for i, h := range p.Hosts() {
		threads, _ := h.Threads(0)
		if len(threads) == 0 || h.History() == nil {
			t.Errorf("%s has %d threads", h.Name(), len(threads))
			continue
		}
		if _, end := h.History().Bounds(); decimal(end) != st.Hosts[i].LocalEnd || st.Hosts[i].State != importing {
			t.Errorf("%s is said to be %s up to %s, its history reaches to %d", h.Name(), st.Hosts[i].State, st.Hosts[i].LocalEnd, end)
		}
	}
	uploadRest(t, s, rest)
	if err := s.Import(); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	awaitPreview(t, s, func(p *Preview) bool { return p == nil })
	if !p.Over() {
		t.Error("what was replaced does not know it")
	}
	final := s.Status()
	for _, h := range st.Hosts {
		for _, f := range final.Hosts {
			if f.Name == h.Name && (f.ID != h.ID || f.Events < h.Events || number(f.LocalBegin) > number(h.LocalBegin) || number(f.LocalEnd) < number(h.LocalEnd)) {
				t.Errorf("at first %+v, in the end %+v", h, f)
			}
		}
	}
	equal(t, "looked at before", answers(t, s), shop(t).reference(t))
	if _, err := os.Stat(s.previews()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of first looks is left: %v", err)
	}
}

// A first look ends where unpacking has come to: that a stream goes no further there is no loss, as it is of a trace that is whole.
func TestFirstLookLosesNoEnds(t *testing.T) {
	dir := texttest.Dir(t, texttest.Counted(`hostname="web"`, `domain="kernel"`)+`
file s_0
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
1.600000000 e
cut 1
file s_1
packet begin=1.000000000 end=3.000000000 seq=0 discarded=0 cpu=1
1.600000000 e
2.900000000 e
file s_2
packet begin=1.000000000 end=3.000000000 seq=0 discarded=0 cpu=2
cut 40
`)
	e := openEngine(t, t.TempDir(), Options{})
	s, err := e.Create("look")
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.makePreview(t.Context(), "1", []string{dir}, previewEvents)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	h := p.Hosts()[0]
	list, err := h.EachLoss(t.Context(), LossQuery{Begin: math.MinInt64, End: math.MaxInt64}, 9)
	if st := p.Status(); err != nil || len(list) > 0 || st.LostPackets != 0 || st.Events == 0 {
		t.Errorf("lost are %+v, %v; %d packets", list, err, st.LostPackets)
	}
	if st := importPath(t, e, "whole", dir).Status(); st.LostPackets != 2 {
		t.Errorf("of the whole trace %d packets are lost", st.LostPackets)
	}
}

// A kill while there is a first look leaves nothing of it, and the import comes to the same.
func TestKilledAtFirstLook(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s, rest := half(t, e)
	stop := s.startPreviews()
	awaitPreview(t, s, func(p *Preview) bool { return p != nil })
	uploadRest(t, s, rest)
	if err := awaitUnpacked(t, s, 0); err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := e.catalog.Move(s.id, catalog.Extracting, nil); err != nil { // as far as an import has come that is killed at once
		t.Fatal(err)
	}
	kill(t, e)
	torn := filepath.Join(s.previews(), "7", "hosts", "0")
	if err := errors.Join(os.MkdirAll(torn, 0o700), os.WriteFile(filepath.Join(torn, historyFile), []byte("torn"), 0o600)); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, e.dir, Options{})
	s, _ = e.Set(s.ID())
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "killed while looked at", answers(t, s), shop(t).reference(t))
	if left := tree(t, torn); len(left) > 0 {
		t.Errorf("there are left %d things", len(left))
	}
}

// What is wrong with an archive is told whoever looks, and nothing of a first look stays.
func TestFirstLookAtFault(t *testing.T) {
	whole := shop(t).Archive
	e := openEngine(t, t.TempDir(), Options{})
	s, err := e.Create("damaged")
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(whole) // so that nobody knows what of it is right
	damaged[len(whole)*3/4] ^= 0xff
	if _, err := s.Upload(t.Context(), "shop.tar.gz", 0, int64(len(damaged)), bytes.NewReader(damaged)); err != nil {
		t.Fatal(err)
	}
	var fault *Fault
	if err := s.Look(t.Context()); err != nil && !errors.As(err, &fault) {
		t.Errorf("looking: %v", err)
	}
	if err := s.Wait(t.Context()); !errors.As(err, &fault) || !strings.Contains(fault.Message, "is damaged at byte ") {
		t.Errorf("the import: %v", err)
	}
	awaitPreview(t, s, func(p *Preview) bool { return p == nil })
	if st := s.Status(); st.State != Failed || len(st.Hosts) > 0 {
		t.Errorf("status %+v", st)
	}
	if found := filesBelow(t, e); len(found) > 0 {
		t.Errorf("files left: %q", found)
	}
}
