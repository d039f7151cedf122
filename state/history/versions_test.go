package history_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// written returns what a program wrote whose format had an older version: a finished tree of the first 1200 deeds of story 1, and
// the checkpoint that was made after 800 of them.
func written(t *testing.T, version int) (deeds []deed, tree *historytest.Memory, checkpoint []byte) {
	t.Helper()
	var files [2][]byte
	for i, name := range []string{"tree", "checkpoint"} {
		var err error
		if files[i], err = os.ReadFile(fmt.Sprintf("testdata/versions/%d.%s", version, name)); err != nil {
			t.Fatal(err)
		}
	}
	return story(1, 1200), &historytest.Memory{B: files[0]}, files[1]
}

// Trees of older versions give the answers of one that is made now, and one that was not finished is gone on with, in its version.
func TestOlderVersions(t *testing.T) {
	raced.Alone(t)
	for version := 4; version <= 7; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			deeds, file, checkpoint := written(t, version)
			now, _ := told(t, deeds, layout{opts: history.Options{NodeSize: 4096, MaxChildren: 5}, publish: 100})
			want := answers(t, now)
			if err := history.Check(file); err != nil {
				t.Fatal(err)
			}
			h, err := history.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			if compressed(t, h) > 0 != (version == 5) {
				t.Errorf("%d blocks are compressed", compressed(t, h))
			}
			if got := answers(t, h); !slices.Equal(got, want) {
				t.Error("other answers than of a tree that is made now")
			}
			w, err := history.Resume(file, checkpoint)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range deeds[800:] {
				if err := d.do(w); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Finish(deeds[len(deeds)-1].at + 100); err != nil {
				t.Fatal(err)
			}
			if err := history.Check(file); err != nil {
				t.Fatal(err)
			}
			if got := binary.LittleEndian.Uint32(file.B[8:]); got != uint32(version) {
				t.Errorf("of version %d when it is finished", got)
			}
			if got := answers(t, w.History()); !slices.Equal(got, want) {
				t.Error("other answers after going on than of a tree that is made now")
			}
		})
	}
}

// A way of compressing that a version does not have is refused.
func TestCompressionOfVersions(t *testing.T) {
	_, four, _ := written(t, 4)
	_, five, _ := written(t, 5)
	_, six, _ := written(t, 6)
	_, seven, _ := written(t, 7)
	eight, _ := grown(t, history.Options{}, 3, 100)
	for _, c := range []struct {
		file    *historytest.Memory
		version int
		packed  byte
	}{{four, 4, 1}, {five, 5, 0}, {five, 5, 2}, {six, 6, 2}, {seven, 7, 2}, {eight, 8, 2}} {
		c.file.B[32] = c.packed
		binary.LittleEndian.PutUint32(c.file.B[508:], crc32.Checksum(c.file.B[:508], crc32.MakeTable(crc32.Castagnoli)))
		want := fmt.Sprintf("compression %d is none that version %d has", c.packed, c.version)
		if _, err := history.Open(c.file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
