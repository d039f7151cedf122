package browser

import (
	"fmt"
	"strings"
	"testing"
)

// From a thread that ran nothing leads on, and that is said: it waited for nothing.
func TestNothingLeadsOnFromWhatRan(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?row=2.206&did=%d&begin=1795229355286453488&end=1795229355406538741", demoFocus.Begin+100_000_000)))
	p.Matches(`crunch · 206 db, child of .* (user space|in \w+)`)
	p.Press("g")
	p.Await("that it ran", func() (any, bool) {
		words := spaces.Replace(p.Text())
		return words[max(0, len(words)-400):], strings.Contains(words, "crunch · 206 was running, and waited for nothing.")
	})
}
