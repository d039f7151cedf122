package ingest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"synchroscope/ingest/turn"
)

// uploaded is a set to which the whole archive of a shop was uploaded.
func uploaded(t *testing.T, e *Engine) *Set {
	t.Helper()
	s, err := e.Create("shop")
	if err != nil {
		t.Fatal(err)
	}
	whole := shop(t).Archive
	if _, err := s.Upload(t.Context(), "shop.tar.gz", 0, int64(len(whole)), bytes.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	return s
}

func exists(p *Preview) bool { return p != nil }

// What is uploaded is looked at before anybody asks for its import: nobody is shown that look until then, and then at once.
func TestEarlyLook(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s := uploaded(t, e)
	p := awaitPreview(t, s, exists)
	if st := s.Status(); s.Preview() != nil || st.Preview || st.Events != 0 || len(st.Hosts) != 0 || st.State != Uploading {
		t.Errorf("of a set that is uploaded is shown %+v", st)
	}
	if st := p.Status(); st.Events == 0 || len(st.Hosts) != 4 {
		t.Errorf("the look says of itself %+v", st)
	}
	s.early.wait(t.Context())
	if _, err := os.Stat(filepath.Join(s.previews(), "early")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("files of the look have names: %v", err)
	}
	if err := s.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	awaitPreview(t, s, func(p *Preview) bool { return p == nil })
	equal(t, "looked at early", answers(t, s), shop(t).reference(t))
	if _, err := os.Stat(s.previews()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of first looks is left: %v", err)
	}
}

// A look stays in the place of its set until the import has something of every host, not only knows of them: whoever opens the
// set in between sees no less than who came before.
func TestEarlyLookUntilRead(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{Workers: 2})
	s := uploaded(t, e)
	awaitPreview(t, s, exists)
	s.early.wait(t.Context())
	var held [2]*turn.Job
	for i := range held {
		held[i] = e.slots.Job(t)
		if err := held[i].Acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := s.preview.Load()
	if s.Preview() != nil {
		t.Error("who did not ask to look is shown a look, and not the set")
	}
	if err := s.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.Preview() != p || p.Over() {
		t.Errorf("of a set of %d hosts of which nothing is read no look is shown", len(s.Hosts()))
	}
	hosts := s.Hosts()
	for i, h := range hosts {
		h.mu.Lock()
		h.summary.Events = p.events
		h.mu.Unlock()
		if got, want := s.readAsMuch(p), i == len(hosts)-1; got != want {
			t.Errorf("%d of %d hosts have events: it is read as much: %v", i+1, len(hosts), got)
		}
	}
	for _, h := range hosts {
		h.mu.Lock()
		h.summary.Events = 0
		h.mu.Unlock()
	}
	hosts[0].become(done)
	if s.readAsMuch(p) {
		t.Error("one that is read, and empty, speaks for the others")
	}
	hosts[0].become(waiting)
	for _, j := range held {
		j.Release()
	}
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	awaitPreview(t, s, func(p *Preview) bool { return p == nil })
	if !p.Over() {
		t.Error("it does not know that it was replaced")
	}
}

// While most of an archive is still to come there is a look at its first traces, which is gone when the rest is damaged.
func TestEarlyLookAtFault(t *testing.T) {
	noise := make([]byte, 2<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	var entries []entry
	for _, copied := range []string{"a/", "b/"} { // more traces than a first look takes
		for _, f := range filesOf(t, shop(t)) {
			entries = append(entries, entry{copied + f.name, f.content})
		}
	}
	whole := tarGz(t, append(entries, entry{"notes/noise", string(noise)})...)
	damaged := slices.Clone(whole)
	damaged[len(damaged)-len(noise)/4] ^= 0xff
	n := len(whole) - len(noise)/2
	e := openEngine(t, t.TempDir(), Options{})
	s, err := e.Create("damaged")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Upload(t.Context(), "shop.tar.gz", 0, int64(len(whole)), bytes.NewReader(damaged[:n])); err != nil {
		t.Fatal(err)
	}
	p := awaitPreview(t, s, exists)
	if _, err := s.Upload(t.Context(), "shop.tar.gz", int64(n), int64(len(whole)), bytes.NewReader(damaged[n:])); err != nil {
		t.Fatal(err)
	}
	awaitPreview(t, s, func(p *Preview) bool { return p == nil })
	select {
	case <-p.part.ctx.Done():
	case <-t.Context().Done():
		t.Error("what nobody looks at stays open")
	}
	var fault *Fault
	if err := s.Wait(t.Context()); !errors.As(err, &fault) {
		t.Errorf("the import: %v", err)
	}
	if found := filesBelow(t, e); len(found) > 0 {
		t.Errorf("files left: %q", found)
	}
}

// A set that is deleted while it is looked at early leaves nothing open, and one that was killed nothing of the look.
func TestEarlyLookEnds(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s := uploaded(t, e)
	p := awaitPreview(t, s, exists)
	if err := e.Discard(s.ID()); err != nil {
		t.Fatal(err)
	}
	if p.part.ctx.Err() == nil {
		t.Error("what nobody looks at is still open")
	}
	s, err := e.Recover(s.ID())
	if err != nil {
		t.Fatal(err)
	}
	torn := filepath.Join(s.previews(), "early", "hosts", "0")
	if err := errors.Join(os.MkdirAll(torn, 0o700), os.WriteFile(filepath.Join(torn, historyFile), []byte("torn"), 0o600)); err != nil {
		t.Fatal(err)
	}
	kill(t, e)
	e = openEngine(t, e.dir, Options{})
	s, _ = e.Set(s.ID())
	if st := s.Status(); st.State != Uploading {
		t.Fatalf("after a start: %+v", st)
	}
	if _, err := os.Stat(s.previews()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of the look is left: %v", err)
	}
	if err := s.Import(); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "killed after an early look", answers(t, s), shop(t).reference(t))
}
