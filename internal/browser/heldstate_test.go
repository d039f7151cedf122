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
		return regexp.MustCompile(`\S+ \S+ Begin`).FindString(strings.Join(strings.Fields(words), " "))
	}
	did := func() string {
		return Eval[string](p, `((q) => [q.get("row"), q.get("did")].join(" "))(new URLSearchParams(location.search))`)
	}
	const window = "?begin=1795229355186453488&end=1795229355356538741"
	stays := func(what string) {
		t.Helper()
		p.Matches(`Latency`)
		var was, before string
		p.AwaitRest("the state beside the message", func() (string, bool) {
			was, before = shown(), did()
			return was + before, was != "" && strings.HasPrefix(before, "3.229 1")
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
	for _, query := range []string{"", "&row=3.229"} {
		p.Open(s.page(set, window+query))
		p.Says("78 messages in view")
		if query == "" {
			p.palette("wget 229", "wget")
			p.strike("Enter", 0)
		}
		p.Await("a state", func() (any, bool) { saw := did(); return saw, regexp.MustCompile(`^3\.229 \d+$`).MatchString(saw) })
		p.Press("m")
		stays("chosen by hand" + query)
	}

	// Where an address has the message and no state, the message says which it is, until another is gone to.
	message := Eval[string](p, `new URLSearchParams(location.search).get("message")`)
	p.Open(s.page(set, window+"&row=3.229&message="+message))
	p.Await("the state at the message", func() (any, bool) { saw := did(); return saw, saw == "3.229 1795229355190433396" })
	stays("told by the message")
	p.Press(".")
	p.Await("the state after it", func() (any, bool) { saw := did(); return saw, saw > "3.229 1795229355190433396" })
	stays("after that of the message")
}
