package archive

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// A trickle is an archive that arrives in pieces.
type trickle struct {
	mu   sync.Mutex
	more *sync.Cond
	all  []byte
	held int
}

func newTrickle(all []byte) *trickle {
	t := &trickle{all: all}
	t.more = sync.NewCond(&t.mu)
	return t
}

func (t *trickle) deliver(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held = min(t.held+n, len(t.all))
	t.more.Broadcast()
}

func (t *trickle) ReadAt(p []byte, off int64) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.held < len(t.all) && off+int64(len(p)) > int64(t.held) {
		t.more.Wait()
	}
	return bytes.NewReader(t.all).ReadAt(p, off)
}

func (t *trickle) Size() (int64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.held < len(t.all) {
		t.more.Wait()
	}
	return int64(len(t.all)), nil
}

// contents is what lies below a folder: "" for folders.
func contents(t testing.TB, root *os.Root) map[string]string {
	t.Helper()
	found := make(map[string]string)
	must(t, fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			b, err := fs.ReadFile(root.FS(), path)
			found[path] = string(b)
			return err
		}
		found[path] = ""
		return err
	}))
	return found
}

// In whatever pieces an archive arrives, good or bad: what comes out, and what is said of it, is
// what comes of the whole file.
func TestArrivingIsWhole(t *testing.T) {
	items := []item{{name: "a", dir: true}, {name: "a/metadata", body: "trace"}, {name: "a/s_0", body: string(sample(lessIfShort(300_000)))}, {name: "b", body: "x"}}
	evil := append(items[:3:3], item{name: "../b", body: "x"})
	dir := t.TempDir()
	var goods, evils [][]byte // by format
	for _, m := range makers {
		goods, evils = append(goods, m.make(t, items...)), append(evils, m.make(t, evil...))
	}
	rapid.Check(t, func(rt *rapid.T) {
		format := rapid.IntRange(0, len(makers)-1).Draw(rt, "format")
		data := slices.Clone(goods[format])
		switch rapid.SampledFrom([]string{"good", "evil", "cut", "damaged"}).Draw(rt, "kind") {
		case "evil":
			data = evils[format]
		case "cut":
			data = data[:rapid.IntRange(0, len(data)-1).Draw(rt, "bytes left")]
		case "damaged":
			data[rapid.IntRange(0, len(data)-1).Draw(rt, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(rt, "bit")
		}
		roots := make([]*os.Root, 2)
		for i := range roots {
			sub, err := os.MkdirTemp(dir, "")
			must(t, err)
			defer os.RemoveAll(sub)
			roots[i], err = os.OpenRoot(sub)
			must(t, err)
			defer roots[i].Close()
		}
		limits := Limits{EntryBytes: 1 << 20}
		want := Extract(context.Background(), roots[0], "x", bytes.NewReader(data), int64(len(data)), limits, nil)
		r := newTrickle(data)
		pieces := rapid.SliceOfN(rapid.IntRange(1, 100_000), 1, 5).Draw(rt, "pieces")
		go func() {
			for _, n := range pieces {
				r.deliver(n)
			}
			r.deliver(len(data))
		}()
		got := ExtractArriving(context.Background(), roots[1], "x", r, limits, func(int64) {})
		if (want == nil) != (got == nil) || want != nil && want.Error() != got.Error() {
			rt.Fatalf("the whole: %v; arriving: %v", want, got)
		}
		if a, b := contents(t, roots[0]), contents(t, roots[1]); !maps.Equal(a, b) {
			rt.Fatalf("the whole made %d things, the arriving %d, or other contents", len(a), len(b))
		}
	})
}

// Extraction of a tar does not wait for its end.
func TestArrivingIsExtractedMeanwhile(t *testing.T) {
	data := makeTar(t, item{name: "first", body: string(sample(600_000))}, item{name: "second", body: string(sample(600_000))})
	r := newTrickle(data)
	r.deliver(800_000)
	root, err := os.OpenRoot(t.TempDir())
	must(t, err)
	defer root.Close()
	done := make(chan error, 1)
	seen := make(chan struct{})
	var once sync.Once
	go func() {
		done <- ExtractArriving(context.Background(), root, "x", r, Limits{}, func(read int64) {
			if read > 600_000 {
				once.Do(func() { close(seen) })
			}
		})
	}()
	<-seen
	if info, err := root.Stat("first"); err != nil || info.Size() == 0 {
		t.Errorf("the first file after two thirds of the archive: %v", err)
	}
	r.deliver(len(data))
	must(t, <-done)
}

// What a budget has for all archives is refused to the one that exceeds it, and given back by it.
func TestBudget(t *testing.T) {
	b := NewBudget(Limits{Entries: 5, TotalBytes: 100})
	extract := func(items ...item) string {
		data := makeTar(t, items...)
		root, err := os.OpenRoot(t.TempDir())
		must(t, err)
		defer root.Close()
		if err := Extract(context.Background(), root, "x", bytes.NewReader(data), int64(len(data)), Limits{Shared: b}, nil); err != nil {
			return err.Error()
		}
		return ""
	}
	sixty := item{name: "sixty", body: strings.Repeat("s", 60)}
	one := func(name string) item { return item{name: name, body: "1"} }
	for _, c := range []struct {
		items []item
		says  string
	}{
		{[]item{sixty}, ""},
		{[]item{one("a"), sixty}, `x: entry "sixty" is too much: all archives together may hold 100 bytes`},
		{[]item{one("a"), one("b"), one("c"), one("d"), one("e")}, `x: entry "e" is one too many: all archives together may hold 5 entries`},
		{[]item{one("a"), one("b"), one("c"), one("d")}, ""},
		{[]item{one("a")}, `x: entry "a" is one too many: all archives together may hold 5 entries`},
	} {
		if got := extract(c.items...); got != c.says {
			t.Errorf("got %q, want %q", got, c.says)
		}
	}
}
