package partial_test

import (
	"context"
	"encoding/binary"
	"os"
	"strconv"
	"strings"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/partial"
)

// named is event i, at 100+i, of the history in testdata: it counts what the name is, and each thirtieth gives a new one.
// From corrected on they correct it, too.
func named(into history.Recorder, i, corrected int64) error {
	name := into.Attributes().Path("Name")
	v, _ := into.Ongoing(name)
	if err := into.Modify(100+i, into.Attributes().Path("Count"), v); err != nil {
		return err
	}
	switch {
	case i%30 == 0:
		return into.Modify(100+i, name, into.Text(strconv.AppendInt(nil, i, 10)))
	case i >= corrected && i%8 == 0:
		return into.Update(name, into.Text(strconv.AppendInt(nil, i, 10)))
	}
	return nil
}

// readNamed reads the count of 60 such events, and compares it with what it is in memory.
func readNamed(t *testing.T, full, values, points *history.History, corrected int64) {
	t.Helper()
	h, err := partial.Open(values, points, func(_ context.Context, position []byte, until int64, into history.Recorder) error {
		at, _ := binary.Uvarint(position)
		for i := int64(at); 100+i < until; i++ {
			if err := named(into, i, corrected); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	truth := history.NewMemory(100)
	for i := range int64(60) {
		if err := named(truth, i, corrected); err != nil {
			t.Fatal(err)
		}
	}
	if err := truth.Finish(160); err != nil {
		t.Fatal(err)
	}
	joined := partial.Join(full, h, counters)
	for _, path := range []string{"Count", "Name"} {
		for at := int64(100); at < 160; at++ {
			want, err := truth.Point(context.Background(), truth.Attributes().Lookup(path), at)
			if err != nil {
				t.Fatal(err)
			}
			got, err := joined.Point(context.Background(), joined.Attributes().Lookup(path), at)
			if err != nil || joined.String(got.Value) != truth.String(want.Value) {
				t.Errorf("%s at %d: %q, %v, want %q", path, at, joined.String(got.Value), err, truth.String(want.Value))
			}
		}
	}
}

// A history of the first version is read. One that was not finished is gone on with, and what is corrected then is right for its
// checkpoints as well.
func TestFirstVersion(t *testing.T) {
	read := func(name string) []byte {
		b, err := os.ReadFile("testdata/version1/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var files []*historytest.Memory
	var trees []*history.History
	for _, name := range []string{"full", "values", "positions"} {
		f := &historytest.Memory{B: read(name)}
		h, err := history.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		files, trees = append(files, f), append(trees, h)
	}
	readNamed(t, trees[0], trees[1], trees[2], 60)

	full, err := history.Resume(files[0], read("full.checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	part, err := partial.Resume(files[1], files[2], read("checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	into, err := partial.Route(full, part, counters)
	if err != nil {
		t.Fatal(err)
	}
	for i := int64(40); i < 60; i++ {
		if err := part.Event(100+i, func() []byte { return binary.AppendUvarint(nil, uint64(i)) }); err != nil {
			t.Fatal(err)
		}
		if err := named(into, i, 40); err != nil {
			t.Fatal(err)
		}
	}
	if err := into.Finish(160); err != nil {
		t.Fatal(err)
	}
	values, points := part.Histories()
	readNamed(t, full.History(), values, points, 40)
}

// Positions of a version that this program does not know are refused.
func TestLaterVersion(t *testing.T) {
	values, _ := tree(t)
	points, _ := tree(t)
	part, err := partial.New(values, points, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := part.Event(100, func() []byte { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := points.Modify(100, points.Attributes().Lookup("Version"), points.Text([]byte("3"))); err != nil {
		t.Fatal(err)
	}
	if err := part.Finish(110); err != nil {
		t.Fatal(err)
	}
	h, err := partial.Open(values.History(), points.History(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Point(context.Background(), 0, 105); err == nil || !strings.Contains(err.Error(), "version 3; this program knows versions 1 and 2") {
		t.Errorf("version 3: %v", err)
	}
}
