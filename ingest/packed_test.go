package ingest

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/internal/raced"
)

// Beside traces an archive in an archive is told of, for each its place, and at most so many of one file; the traces are imported as without it.
func TestPackedArchives(t *testing.T) {
	raced.Elsewhere(t, "TestUnpackedAhead")
	from := shop(t)
	good := entry{"shop.tar.gz", string(from.Archive)}
	crowd := []entry{{"notes.tar.txt", "…"}, {".zip", "…"}}
	for i := range mostPacked + 5 {
		crowd = append(crowd, entry{fmt.Sprintf("deep/er/%02d.tar.xz", i), "…"})
	}
	e := openEngine(t, t.TempDir(), Options{})
	want := counted.ReplaceAllString(answers(t, imported(t, upload(t, e, good))), "")
	for _, c := range []struct {
		outer entry
		told  int
	}{
		{entry{"outer.tar.gz", string(tarGz(t, append(ofHosts(t, from, "db"), entry{"web/inner.zip", "PK"})...))}, 1},
		{entry{"crowd.tar.gz", string(tarGz(t, crowd...))}, mostPacked},
	} {
		s := imported(t, upload(t, e, good, c.outer))
		if got := counted.ReplaceAllString(answers(t, s), ""); got != want {
			equal(t, c.outer.name, got, want)
		}
		told := 0
		for _, a := range s.Anomalies() {
			if a.Kind == packedTrace {
				told++
				if !strings.HasPrefix(a.Stream, c.outer.name+"/") || a.Message != a.Stream+" is an archive itself, and was not unpacked" {
					t.Errorf("%s: told as %+v", c.outer.name, a)
				}
			}
		}
		if told != c.told {
			t.Errorf("%s: %d archives told of, want %d", c.outer.name, told, c.told)
		}
	}
}
