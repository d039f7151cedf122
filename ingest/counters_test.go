package ingest

import (
	"testing"

	"synchroscope/trace/ctf/text/texttest"
)

// What is counted in the last 10 ms of a recording is in its last instant.
func TestCountersAreWholeAtTheEnd(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, boxKernel+`event 0 page_fault_user
  fields {address u64}
file s
packet cpu=0
1.001000000 page_fault_user address=1
1.002000000 page_fault_user address=1
1.003000000 page_fault_user address=1
`))
	h := s.Hosts()[0].History()
	for at, want := range map[int64]string{1_002_500_000: "1", 1_003_000_000: "3"} {
		iv, err := h.Point(t.Context(), h.Attributes().Lookup("CPUs", "0", "Page_faults"), at)
		if err != nil || h.Text(iv.Value) != want {
			t.Errorf("at %d ns there are %s page faults (%v), want %s", at, h.Text(iv.Value), err, want)
		}
	}
}
