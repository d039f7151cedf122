package ingest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"synchroscope/trace"
	"synchroscope/trace/ctf/text/texttest"
)

// Events that are farther from 1970 than views can show are left out and told of with file and packet; those around them are as if they were not there, in
// the import as in the list of events. Where there are no others the host says why it has none.
func TestFarTimes(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s := importPath(t, e, "some", texttest.Dir(t, texttest.Counted(`hostname="web"`)+`
file s
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
packet begin=5000000000.000000000 end=5000000001.000000000 seq=1 discarded=0 cpu=0
5000000000.500000000 e
5000000000.600000000 e
packet begin=3.000000000 end=4.000000000 seq=2 discarded=0 cpu=0
3.500000000 e
file r
packet begin=2.000000000 end=3.000000000 seq=0 discarded=0 cpu=1
2.500000000 e
`))
	var told []HostAnomaly
	for _, a := range s.Anomalies() {
		if a.Kind == "far-time" {
			told = append(told, a)
		}
	}
	h := s.Status().Hosts[0]
	if h.Events != 3 || h.LocalBegin != "1500000000" || h.LocalEnd != "3500000001" {
		t.Errorf("%d events from %s to %s", h.Events, h.LocalBegin, h.LocalEnd)
	}
	if len(told) != 1 || told[0].Count != 2 || !strings.HasSuffix(told[0].Stream, "/s") || told[0].Offset == 0 || !strings.Contains(told[0].Message, "in the packet at byte 61 an event has the time 5000000000500000000 ns, of the year 2128, and is left out") {
		t.Errorf("told is %+v", told)
	}
	var listed []int64
	err := s.Events(t.Context(), EventQuery{Begin: math.MinInt64, End: math.MaxInt64, Raw: true}, func(_ *Host, _ int64, ev *trace.Event) bool {
		listed = append(listed, ev.Time)
		return true
	})
	if err != nil || len(listed) != 3 || listed[2] != 3_500_000_000 {
		t.Errorf("listed are events at %d, %v", listed, err)
	}
	s, err = e.ImportPaths("none", texttest.Dir(t, texttest.Counted(`hostname="web"`)+`
file s
packet begin=5000000000.000000000 end=5000000001.000000000 seq=0 discarded=0 cpu=0
5000000000.500000000 e
`))
	if err == nil {
		err = s.Wait(t.Context())
	}
	wantFault(t, "far events alone", err, Invalid)
	if said := fmt.Sprint(err); !strings.Contains(said, "no event can be read; the first cause, in ") || !strings.Contains(said, "s at byte 52: in the packet at byte 0 an event has the time") {
		t.Errorf("of far events alone is said %s", said)
	}
}
