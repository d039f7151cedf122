package history_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// blocksOf lists the blocks of a tree by number.
func blocksOf(t *testing.T, h *history.History) (blocks []history.Block) {
	t.Helper()
	err := h.Blocks(context.Background(), func(b history.Block) bool {
		blocks = append(blocks, b)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// inspect returns the places that are damaged, in order, with what is lost.
func inspect(t *testing.T, f history.File) (places []string, lost map[string]string, s *history.Survey) {
	t.Helper()
	s, err := history.Inspect(f, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if s.Count != len(s.Damages) {
		t.Fatalf("%d damages, %d of them kept", s.Count, len(s.Damages))
	}
	lost = make(map[string]string)
	for _, d := range s.Damages {
		var broken *history.CorruptError
		if !errors.As(d.Err, &broken) {
			t.Fatalf("no place: %v", d.Err)
		}
		places, lost[broken.Place] = append(places, broken.Place), d.Lost
	}
	slices.Sort(places)
	return places, lost, s
}

// Whatever bytes of a file are changed, each block with one of them is named, whichever of the others lead to it, and nothing that is sound. Where the
// whole file is sound nothing is said.
func TestInspectNamesEveryDamage(t *testing.T) {
	raced.Alone(t)
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			f, w := shape.grown(t, 1500)
			if places, _, s := inspect(t, f); len(places) > 0 || s.Adrift > 0 {
				t.Fatalf("a sound file: %v, %d adrift", places, s.Adrift)
			}
			blocks := blocksOf(t, w.History())
			r := rand.New(rand.NewPCG(7, 10))
			for range 300 {
				bad := f.Clone()
				var want []string
				adrift := false
				for _, i := range r.Perm(len(blocks))[:1+r.IntN(min(6, len(blocks)))] {
					b := blocks[i]
					bad.B[b.Offset+int64(r.IntN(512*b.Pages))] ^= 0x55
					want = append(want, fmt.Sprintf("block %d", b.Number))
					adrift = adrift || b.Kind == "index" || b.Kind == "names" || b.Kind == "state"
				}
				if r.IntN(4) == 0 {
					bad.B[2048+r.IntN(512)] ^= 0x55
					want = append(want, "finish record")
					adrift = true
				}
				slices.Sort(want)
				got, _, s := inspect(t, bad)
				// Where nothing leads to them, damaged blocks that follow each other are told of as one.
				missing := slices.DeleteFunc(slices.Clone(want), func(p string) bool { return slices.Contains(got, p) || adrift && behind(blocks, p, want) })
				extra := slices.DeleteFunc(slices.Clone(got), func(p string) bool { return slices.Contains(want, p) })
				if len(missing)+len(extra) > 0 {
					t.Fatalf("damaged: %v; named: %v", want, got)
				}
				if s.Adrift > 0 && !adrift {
					t.Fatalf("damaged: %v; %d blocks adrift", want, s.Adrift)
				}
				if s.Adrift+len(want) > len(blocks)+1 {
					t.Fatalf("%d blocks adrift and %d damaged of %d", s.Adrift, len(want), len(blocks))
				}
				if err := history.Check(bad); err == nil {
					t.Fatal("Check finds nothing")
				}
			}
		})
	}
}

// behind says whether the block before a place is damaged too.
func behind(blocks []history.Block, place string, damaged []string) bool {
	for i := 1; i < len(blocks); i++ {
		if fmt.Sprintf("block %d", blocks[i].Number) == place {
			return slices.Contains(damaged, fmt.Sprintf("block %d", blocks[i-1].Number))
		}
	}
	return false
}

// For each kind of place it is said what cannot be read without it, and what is said to be lost, and no other state,
// is what queries fail on.
func TestInspectSaysWhatIsLost(t *testing.T) {
	raced.Alone(t)
	f, w := grown(t, history.Options{NodeSize: 512, MaxChildren: 3}, 3, 1500)
	_, end := w.History().Bounds()
	blocks := blocksOf(t, w.History())
	root := blocks[0]
	for _, b := range blocks {
		if b.Kind == "index" && b.Level >= root.Level {
			root = b
		}
	}
	said := make(map[string]bool)
	for _, b := range blocks {
		bad := f.Clone()
		bad.B[b.Offset+100] ^= 1
		place := fmt.Sprintf("block %d", b.Number)
		places, lost, _ := inspect(t, bad)
		if len(places) != 1 || places[0] != place {
			t.Fatalf("%s damaged, named %v", place, places)
		}
		want := map[string]string{
			"leaf": "the states of ", "extent": "those states of ", "index": "the states of ", "summary": "zoomed-out views and statistics of ",
			"names": "what attributes and texts are called", "state": "what every attribute is at the end",
		}[b.Kind]
		if b.Number == root.Number {
			want = "everything"
		}
		if said[b.Kind] = true; !strings.HasPrefix(lost[place], want) {
			t.Errorf("%s, a %s: lost: %s", place, b.Kind, lost[place])
		}
		var from, to int64
		for i := range lost[place] {
			if n, _ := fmt.Sscanf(lost[place][i:], " from %d to %d ns", &from, &to); n == 2 {
				break
			}
		}
		switch b.Kind {
		case "leaf":
			if from != b.Start || to != b.End {
				t.Errorf("%s is from %d to %d: lost: %s", place, b.Start, b.End, lost[place])
			}
			h, err := history.Open(bad)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range [][2]int64{{0, b.Start}, {b.Start, b.End}, {b.End, end}} {
				failed := false
				for q := range w.Attributes().Len() {
					err := h.Range(t.Context(), []attribute.Quark{attribute.Quark(q)}, r[0], r[1], func(history.Interval) bool { return true })
					failed = failed || err != nil
				}
				if inside := r[0] == b.Start; failed != inside && r[0] < r[1] {
					t.Errorf("%s lost, from %d to %d: reading %d to %d fails: %t", place, b.Start, b.End, r[0], r[1], failed)
				}
			}
		case "index":
			if b.Number != root.Number && (from != b.Start || to != b.End) {
				t.Errorf("%s is from %d to %d: lost: %s", place, b.Start, b.End, lost[place])
			}
		}
	}
	if len(said) != 6 {
		t.Errorf("only %v were damaged", said)
	}
}

// At most so many places are kept, and all are counted.
func TestInspectIsBounded(t *testing.T) {
	f, w := grown(t, history.Options{NodeSize: 512, MaxChildren: 3}, 3, 1000)
	leaves := 0
	for _, b := range blocksOf(t, w.History()) {
		if b.Kind == "leaf" {
			f.B[b.Offset+60] ^= 1
			leaves++
		}
	}
	s, err := history.Inspect(f, 5)
	if err != nil || len(s.Damages) != 5 || s.Count != leaves || s.Adrift != 0 {
		t.Errorf("%d damages kept, %d counted of %d, %d adrift, %v", len(s.Damages), s.Count, leaves, s.Adrift, err)
	}
}

// A file that was cut, that is of another version, that was not finished or whose header is damaged.
func TestInspectOfWhatHasNoPlaces(t *testing.T) {
	f, w := grown(t, history.Options{NodeSize: 512, MaxChildren: 3}, 3, 500)
	blocks := blocksOf(t, w.History())
	for _, left := range []int{0, 1, len(blocks) / 2, len(blocks) - 1} {
		cut := f.Clone()
		cut.B = cut.B[:blocks[left].Offset+300]
		s, err := history.Inspect(cut, 10)
		if err != nil || s.Count == 0 || !strings.Contains(s.Damages[0].Err.Error(), "truncated") || !strings.HasPrefix(s.Damages[0].Lost, "everything") || s.Adrift > left {
			t.Errorf("cut in block %d: %+v, %v", left, s, err)
		}
		for _, d := range s.Damages {
			if strings.Contains(d.Err.Error(), "goes on behind") {
				t.Errorf("cut in block %d: %v", left, d.Err)
			}
		}
	}
	header := f.Clone()
	header.B[20] ^= 1
	header.B[2100] ^= 1
	if places, lost, _ := inspect(t, header); !slices.Equal(places, []string{"finish record", "header record"}) || !strings.HasPrefix(lost["header record"], "everything") {
		t.Errorf("both records: %v", lost)
	}
	unfinished := f.Clone()
	clear(unfinished.B[2048:2560])
	if _, err := history.Inspect(unfinished, 10); !errors.Is(err, history.ErrUnfinished) {
		t.Errorf("unfinished: %v", err)
	}
	if _, err := history.Inspect(&historytest.Memory{B: make([]byte, 10000)}, 10); err != nil {
		t.Errorf("zeros: %v", err)
	}
}

// A record that says of more attributes than there can be, under a right checksum, is told of without memory for them.
func TestInspectOfForgedAttributes(t *testing.T) {
	raced.Alone(t)
	f, _ := grown(t, history.Options{NodeSize: 512, MaxChildren: 3}, 3, 500)
	finish := f.B[2048:2560]
	binary.LittleEndian.PutUint32(finish[48:], 1<<30)
	binary.LittleEndian.PutUint32(finish[508:], crc32.Checksum(finish[:508], crc32.MakeTable(crc32.Castagnoli)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	places, _, _ := inspect(t, f)
	runtime.ReadMemStats(&after)
	if len(places) == 0 {
		t.Error("nothing is told")
	}
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 64 {
		t.Errorf("%d MiB were taken", took)
	}
}
