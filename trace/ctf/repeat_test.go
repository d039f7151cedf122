package ctf

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// numbered is a packet of 8 bytes with a number, from ten times that on, with one event.
func numbered(n int) string {
	return fmt.Sprintf("00 u8=64 u8=%d u8=%d u8=0 u8=%d  01 u8=%d\n", 10*n, 10*n+9, n, 10*n+1)
}

// What snapshots have in common is read once, wherever reading begins; what is in none is lost.
func TestSnapshotsOverlap(t *testing.T) {
	differs := strings.Replace(numbered(6), "01 u8=61", "01 u8=62", 1)
	cut := strings.TrimSuffix(numbered(6), "  01 u8=61\n") + " 01"
	for name, c := range map[string]struct{ one, two, events, says string }{
		"end and begin":     {numbered(5) + numbered(6), numbered(6) + numbered(7), "51 61 71", "copy"},
		"same begin":        {numbered(5), numbered(5) + numbered(6), "51 61", "copy"},
		"within":            {numbered(5) + numbered(6) + numbered(7) + numbered(8), numbered(6) + numbered(7), "51 61 71 81", "copy"},
		"several":           {numbered(4) + numbered(5) + numbered(6), numbered(5) + numbered(6) + numbered(7), "41 51 61 71", "copy"},
		"with a gap":        {numbered(5) + numbered(6), numbered(6) + numbered(8), "51 61 81", "copy lost-packets"},
		"apart":             {numbered(5), numbered(7), "51 71", "lost-packets"},
		"one after another": {numbered(5), numbered(6), "51 61", ""},
		"differs":           {numbered(5) + numbered(6), differs + numbered(7), "51 61 71", "copy-differs"},
		"cut in one":        {numbered(5) + cut, numbered(6) + numbered(7), "51 61 71", "copy truncated"},
		"cut in two":        {numbered(5) + numbered(6) + numbered(7), numbered(5) + cut, "51 61 71", "copy truncated"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			writeChunk(t, filepath.Join(root, "snapshot-1-1/kernel"), chunkMetadata, map[string]string{"c_0": c.one})
			writeChunk(t, filepath.Join(root, "snapshot-2-2/kernel"), chunkMetadata, map[string]string{"c_0": c.two})
			traces := openAll(t, root)
			if r := Recordings(traces); len(r) != 1 {
				t.Fatalf("%d recordings, want 1", len(r))
			}
			for _, ahead := range []int{-1, 1} {
				r, err := NewReader(traces, Options{Ahead: ahead})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				var events []string
				for n := 0; ; n++ {
					moved := newReader(t, traces)
					if err := moved.Seek(r.Position()); err != nil {
						t.Fatal(err)
					}
					e, err := r.Next()
					f, errMoved := moved.Next()
					if err != errMoved || err == nil && e.Recorded != f.Recorded {
						t.Fatalf("after %d events: %v, and %v moved there", n, err, errMoved)
					}
					if err != nil {
						break
					}
					events = append(events, fmt.Sprint(e.Recorded))
				}
				if got := strings.Join(events, " "); got != c.events {
					t.Errorf("events at %s, want %s", got, c.events)
				}
				all := int64(0)
				for _, tr := range traces {
					all += tr.Info().Bytes
				}
				if r.Bytes() != all {
					t.Errorf("%d of %d bytes consumed", r.Bytes(), all)
				}
				says := make(map[string]bool)
				for _, a := range r.Anomalies() {
					says[a.Kind] = true
				}
				var kinds []string
				for _, k := range []string{"copy", "copy-differs", "lost-packets", "truncated"} {
					if says[k] {
						kinds = append(kinds, k)
					}
					delete(says, k)
				}
				if got := strings.Join(kinds, " "); got != c.says || len(says) > 0 {
					t.Errorf("told of %q and %v, want %q", got, says, c.says)
				}
			}
		})
	}
}
