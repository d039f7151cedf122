package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// A state that was selected by hand is the same by other clocks, also where a message of its thread is chosen beside it.
func TestStateBesideAMessageStays(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	shown := func() string {
		words := spaces.Replace(p.Find("complementary", "What is selected").Text())
		return regexp.MustCompile(`wget · 229 web, child of .*? Begin`).FindString(strings.Join(strings.Fields(words), " "))
	}
	did := func() string {
		return Eval[string](p, `((q) => [q.get("row"), q.get("did")].join(" "))(new URLSearchParams(location.search))`)
	}
	for what, query := range map[string]string{
		"a row that is chosen by hand": "", "a row of the address": "&row=3.229",
	} {
		p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355356538741"+query))
		p.Says("78 messages in view")
		if query == "" {
			p.palette("wget 229", "wget")
			p.strike("Enter", 0)
		}
		p.Await("a state", func() (any, bool) { saw := did(); return saw, regexp.MustCompile(`^3\.229 \d+$`).MatchString(saw) })
		p.Press("m")
		p.Matches(`Latency`)
		var was, before string
		p.AwaitRest("the state beside the message", func() (string, bool) {
			was, before = shown(), did()
			return was + before, was != ""
		})
		for _, clocks := range []string{"raw", "synchronized", `{"reference": "db"}`, `{}`} {
			if strings.HasPrefix(clocks, "{") {
				said := p.Find("contentinfo", "").Text()
				if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: %q}).then((r) => r.status)`, set.ID(), clocks)); code != 200 {
					t.Fatalf("status %d", code)
				}
				p.Await("the other clocks", func() (any, bool) { saw := p.Find("contentinfo", "").Text(); return saw, saw != said })
			} else {
				p.Press("r")
			}
			p.Matches(`Latency`)
			p.AwaitRest(fmt.Sprintf("%s, by %s: the state %q at %s", what, clocks, was, before), func() (string, bool) {
				now, at := shown(), did()
				return now + " at " + at, now == was && at == before
			})
		}
	}
}
