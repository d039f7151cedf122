package handlers

import (
	"strings"
	"testing"

	"synchroscope/trace/ctf/text/texttest"
)

// Events that are lost and whole packets, of which nobody knows how many events they held, are told apart, of all sets together.
func TestLossesAreMeasured(t *testing.T) {
	s := newSite(t, Options{})
	for _, name := range []string{"one", "two"} {
		s.imported(name, texttest.Dir(t, texttest.Counted()+`
file s
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
packet begin=2.000000000 end=3.000000000 seq=8 discarded=30 cpu=0
2.500000000 e
`))
	}
	text := s.get("/metrics").body
	for _, line := range []string{"synchroscope_lost_events 60", "synchroscope_lost_packets 14"} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}
