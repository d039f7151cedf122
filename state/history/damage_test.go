package history_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// grown is a finished tree of several levels, with extents and summaries.
func grown(t testing.TB, opts history.Options, threads, events int) (*historytest.Memory, *history.Writer) {
	t.Helper()
	f := new(historytest.Memory)
	w, err := history.Create(f, 0, opts)
	if err != nil {
		t.Fatal(err)
	}
	l := historytest.NewLoad(w, threads, false)
	for i := range events {
		var err error
		if opts.Compress { // states that come again and again
			l.Now += 500
			for k := 0; k < threads && err == nil; k++ {
				err = w.Modify(l.Now, l.Threads[k].Status, history.Int(int64(i%4)))
			}
		} else {
			err = l.Event()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(l.Now + 1); err != nil {
		t.Fatal(err)
	}
	if err := history.Check(f); err != nil {
		t.Fatal(err)
	}
	return f, w
}

// A shape is a kind of tree.
type shape struct {
	opts    history.Options
	threads int
	busy    int // so many times as many changes, of few attributes with many values
}

// shapes are trees whose blocks have one page, and several, one with sums in its summaries, one that is compressed and two with wide totals.
var shapes = map[string]shape{
	"one page":        {history.Options{NodeSize: 512, MaxChildren: 3}, 3, 0},
	"several pages":   {history.Options{NodeSize: 4096, PageSize: 512, MaxChildren: 3}, 3, 0},
	"sums":            {history.Options{NodeSize: 2048, PageSize: 512, MaxChildren: 8}, 1, 0},
	"compressed":      {history.Options{NodeSize: 4096, PageSize: 512, MaxChildren: 3, Compress: true}, 3, 0},
	"parts":           {history.Options{NodeSize: 16 << 10, PageSize: 512, MaxChildren: 3}, 3, 0},
	"wide":            {history.Options{NodeSize: 2048, PageSize: 512, MaxChildren: 4}, 60, 10},
	"wide compressed": {history.Options{NodeSize: 4096, PageSize: 512, MaxChildren: 12, Compress: true}, 60, 30},
}

// grown is a finished tree of the shape, of so many events.
func (s shape) grown(t testing.TB, events int) (*historytest.Memory, *history.Writer) {
	t.Helper()
	if s.opts.NodeSize > 8<<10 {
		history.DivideFrom(t, 1024)
		history.TallyFrom(t, 10, 1<<17)
	}
	if s.busy == 0 {
		return grown(t, s.opts, s.threads, events)
	}
	f := new(historytest.Memory)
	w, err := history.Create(f, 1000, s.opts)
	if err != nil {
		t.Fatal(err)
	}
	deeds := busyDeeds(1, s.busy*events, s.threads)
	for i, d := range deeds {
		if s.opts.Compress { // changes that come again and again
			d = deed{1000 + 20*int64(i), []string{"CPUs", fmt.Sprint(i % 2), "Current_thread"}, 0, 6 + i*i%101}
		}
		if err := d.do(w); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(deeds[len(deeds)-1].at + 1_000_000); err != nil {
		t.Fatal(err)
	}
	if err := history.Check(f); err != nil {
		t.Fatal(err)
	}
	return f, w
}

// places tells of every page which block it belongs to.
func places(t testing.TB, h *history.History) (blocks []uint32) {
	t.Helper()
	err := h.Blocks(context.Background(), func(b history.Block) bool {
		for range b.Pages {
			blocks = append(blocks, b.Number)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// Every flipped byte is found by Check, and named: header and finish record
// are in the header page, everything else in a block. Bytes are taken from every
// region of the file: records, headers, checksums, directories, columns, zeros.
func TestCheckFindsFlippedBytes(t *testing.T) {
	raced.Alone(t)
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			f, w := shape.grown(t, 1500)
			if n := history.Sums(t, w.History()); (n > 0) != (name == "sums") {
				t.Fatalf("%d columns of sums", n)
			}
			if n := compressed(t, w.History()); (n > 0) != shape.opts.Compress {
				t.Fatalf("%d compressed blocks", n)
			}
			if n := len(history.Wide(t, w.History())); n == 0 && shape.busy > 0 {
				t.Fatalf("%d columns of wide totals", n)
			}
			blocks := places(t, w.History())
			r := rand.New(rand.NewPCG(5, 6))
			for i := r.IntN(40); i < len(f.B); i += 1 + r.IntN(120) {
				f.B[i] ^= 0x55
				err := history.Check(f)
				f.B[i] ^= 0x55
				var corrupt *history.CorruptError
				if !errors.As(err, &corrupt) {
					t.Fatalf("byte %d changed: %v", i, err)
				}
				place := "header record"
				switch {
				case i >= 4096:
					place = fmt.Sprintf("block %d", blocks[(i-4096)/512])
				case i >= 512 && i < 2048 || i >= 2560:
					place = "first page"
				case i >= 2048:
					place = "finish record"
				}
				if corrupt.Place != place {
					t.Fatalf("byte %d of %s changed, found in %s: %v", i, place, corrupt.Place, err)
				}
			}
		})
	}
}

func TestCheckFindsWhatIsBehind(t *testing.T) {
	raced.Alone(t)
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			f, _ := shape.grown(t, 500)
			f.B = append(f.B, 0)
			if err := history.Check(f); err == nil || !strings.Contains(err.Error(), "goes on behind the last") {
				t.Errorf("a byte more: %v", err)
			}
		})
	}
}

func TestCheckFindsTruncation(t *testing.T) {
	raced.Alone(t)
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			f, _ := shape.grown(t, 500)
			for size := range len(f.B) {
				if size%97 != 0 && len(f.B)-size > 600 {
					continue
				}
				short := f.Clone()
				short.B = short.B[:size]
				err := history.Check(short)
				if err == nil || !strings.Contains(err.Error(), "truncated") {
					t.Fatalf("cut to %d of %d bytes: %v", size, len(f.B), err)
				}
			}
		})
	}
}

// A tree of another version is refused with both versions, by Open and by Resume.
func TestVersionRefused(t *testing.T) {
	f, _ := grown(t, history.Options{}, 3, 100)
	for _, version := range []uint32{1, 2, 3, 9, 1 << 20} {
		other := f.Clone()
		binary.LittleEndian.PutUint32(other.B[8:], version)
		binary.LittleEndian.PutUint32(other.B[508:], crc32.Checksum(other.B[:508], crc32.MakeTable(crc32.Castagnoli)))
		want := fmt.Sprintf("the tree is of version %d; this program reads versions 4 to 8", version)
		if _, err := history.Open(other); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("opened: %v, want %s", err, want)
		}
		if _, err := history.Resume(other, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("resumed: %v, want %s", err, want)
		}
	}
}

// A block that is intact but in the wrong place is found too.
func TestCheckFindsMovedBlocks(t *testing.T) {
	f, w := grown(t, history.Options{NodeSize: 512, MaxChildren: 3}, 3, 300)
	blocks := w.History().Stats().Pages
	for i := range blocks - 1 {
		moved := f.Clone()
		a, b := moved.B[4096+512*i:][:512], moved.B[4096+512*(i+1):][:512]
		first := append([]byte(nil), a...)
		copy(a, b)
		copy(b, first)
		if err := history.Check(moved); err == nil || !strings.Contains(err.Error(), "says it is number") {
			t.Fatalf("blocks %d and %d exchanged: %v", i, i+1, err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	f, _ := grown(t, history.Options{}, 3, 100)
	unfinished := f.Clone()
	clear(unfinished.B[2048:2560])
	if _, err := history.Open(unfinished); !errors.Is(err, history.ErrUnfinished) {
		t.Errorf("unfinished: %v", err)
	}
	for name, b := range map[string][]byte{
		"empty": nil,
		"zeros": make([]byte, 10000),
		"text":  []byte(strings.Repeat("not a tree\n", 1000)),
	} {
		if _, err := history.Open(&historytest.Memory{B: b}); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

func TestResumeRefuses(t *testing.T) {
	f := new(historytest.Memory)
	w, err := history.Create(f, 0, history.Options{NodeSize: 512})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Path("a")
	for i := range int64(2000) {
		if err := w.Modify(i, q, history.Int(i)); err != nil {
			t.Fatal(err)
		}
	}
	blob, err := w.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		bad := append([]byte(nil), blob...)
		bad[rapid.IntRange(0, len(bad)-1).Draw(t, "byte")] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		if _, err := history.Resume(f.Clone(), bad); err == nil {
			t.Fatal("resumed from a damaged checkpoint")
		}
		if _, err := history.Resume(f.Clone(), blob[:rapid.IntRange(0, len(blob)-1).Draw(t, "length")]); err == nil {
			t.Fatal("resumed from a piece of a checkpoint")
		}
	})
	short := f.Clone()
	short.B = short.B[:len(short.B)-512]
	if _, err := history.Resume(short, blob); err == nil || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("file shorter than its checkpoint: %v", err)
	}
	other := new(historytest.Memory)
	if _, err := history.Create(other, 1, history.Options{NodeSize: 512}); err != nil {
		t.Fatal(err)
	}
	if _, err := history.Resume(other, blob); err == nil || !strings.Contains(err.Error(), "another file") {
		t.Errorf("another file: %v", err)
	}
}

// A query meets damage as an error, never as an answer or a panic.
func TestQueriesMeetDamage(t *testing.T) {
	f, w := grown(t, history.Options{NodeSize: 512, MaxChildren: 3}, 3, 1000)
	ctx := context.Background()
	_, end := w.History().Bounds()
	var qs []attribute.Quark
	for q := range w.Attributes().Len() {
		qs = append(qs, attribute.Quark(q))
	}
	found := 0
	for n := range w.History().Stats().Pages {
		broken := f.Clone()
		broken.B[4096+512*n+100] ^= 1
		h, err := history.Open(broken)
		if err != nil {
			found++
			continue
		}
		if err := h.Range(ctx, qs, 0, end, func(history.Interval) bool { return true }); err != nil {
			found++
		}
	}
	if blocks := w.History().Stats().Pages; found < blocks*3/4 {
		t.Errorf("reading everything met %d of %d damages", found, blocks)
	}
}

type failing struct {
	historytest.Memory
	left int
}

var errDisk = errors.New("no space left on device")

func (f *failing) WriteAt(p []byte, off int64) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errDisk
	}
	return f.Memory.WriteAt(p, off)
}

// An error of the file stays with the writer, and readers keep what they have.
func TestWriteErrorIsSticky(t *testing.T) {
	f := &failing{left: 20}
	w, err := history.Create(f, 0, history.Options{NodeSize: 512})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Path("a")
	for i := int64(1); err == nil && i < 100_000; i++ {
		if err = w.Modify(i, q, history.Int(i)); err == nil {
			w.Publish(i)
		}
	}
	if !errors.Is(err, errDisk) {
		t.Fatalf("got %v", err)
	}
	if err := w.Finish(1 << 40); !errors.Is(err, errDisk) {
		t.Errorf("finish after the error: %v", err)
	}
	if _, err := w.Checkpoint(); !errors.Is(err, errDisk) {
		t.Errorf("checkpoint after the error: %v", err)
	}
	_, end := w.History().Bounds()
	for i := int64(1); i < end; i++ {
		iv, err := w.History().Point(context.Background(), q, i)
		if err != nil || iv.Value != history.Int(i) {
			t.Fatalf("point %d: %v, %v", i, iv, err)
		}
	}
}
