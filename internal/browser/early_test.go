package browser

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/simulate/simulatetest"
	"synchroscope/sync/match"
)

// Messages that are received before they are sent by no more than the error of the clocks, for one was set, are told of as such and in one number by
// timeline, Synchronization and Messages; by the hosts' own clocks they are faults as ever.
func TestEarlyWithinTheError(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("setback", simulatetest.Setback)
	early, first := 0, int64(math.MaxInt64)
	if err := set.EachMessage(t.Context(), math.MinInt64/2, math.MaxInt64/2, set.Solution(), func(_ *match.Message, sent, received int64) bool {
		if received < sent {
			early, first = early+1, min(first, sent)
		}
		return true
	}); err != nil || early < 10 {
		t.Fatalf("%d messages are received before they are sent, %v", early, err)
	}
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Matches(fmt.Sprintf(`messages in view %s received before sent, within the error of the clocks`, grouped(early)))
	if Eval[bool](p, `document.querySelector(".backward").classList.contains("warn")`) {
		t.Error("they look like a fault")
	}
	p.Find("tab", "Synchronization").Click()
	p.Matches(fmt.Sprintf(`a – b .* steps 0 .* %s messages are received before they are sent in synchronized time, each by no more than the error of the clocks there, so they are no violations\. A clock was set meanwhile`, grouped(early)))
	p.Matches(fmt.Sprintf(`Received before sent %s messages, by no more than the error of the clocks there`, grouped(early)))
	p.Find("tab", "Messages").Click()
	p.Matches(`\d received before sent, within the error of the clocks`)

	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d", first-5e6, first+15e6)))
	p.Says("received before sent, within the error of the clocks")
	told := regexp.MustCompile(`Received before sent, by \d\S* \S+: within the error of the clocks, ± .* here\. A clock was set meanwhile`)
	p.Await("a message that is received before it is sent", func() (any, bool) {
		p.Press("m")
		words := strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
		return words, told.MatchString(words)
	})
	p.Open(s.page(set, "?window=all&time=raw"))
	p.Matches(`messages in view ⚠ [\d ]+ received before sent (?:[^,]|$)`)
}
