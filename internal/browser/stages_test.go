package browser

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// While a set is imported its stages are told: what was uploaded and unpacked, and how much is read, how fast, and what that leaves to wait for.
func TestStages(t *testing.T) {
	s, hold := slowedSite(t, 20)
	p := NewPage(t)
	set := s.add("shop", demoArchive)
	p.Open(s.page(set, "?tab=import"))
	// What is heard of an import, each sentence as it is said.
	Eval[bool](p, `(() => {
		window.heard = [];
		new MutationObserver((all) => all.forEach(({target}) => {
			const e = (target.nodeType === 3 ? target.parentElement : target).closest("[role=status], [role=alert], [aria-live]");
			if (e && /left|import/i.test(e.textContent)) window.heard.push(e.textContent);
		})).observe(document.getElementById("status"), {subtree: true, childList: true, characterData: true});
		return true;
	})()`)
	p.Matches(`Upload 5\.7 MiB Unpack 5\.7 MiB Read [\d.]+ [KM]?i?B of [\d.]+ MiB · [\d.]+ % · [\d.]+ [KM]iB/s · (about \d+ s|a few seconds) left`)
	p.Await("the same in the status line", func() (any, bool) {
		words := strings.Join(strings.Fields(spaces.Replace(p.Find("contentinfo", "").Text())), " ")
		return words, regexp.MustCompile(`[\d.]+ % · .*events/s · (about \d+ s|a few seconds) left`).MatchString(words)
	})
	// Packets whose other end is not read yet are said to wait for it, until the import is over.
	p.Find("tab", "Synchronization").Click()
	p.Matches(`messages were matched from [\d ]+ sent and [\d ]+ received packets\. .*\d+ (sent|received) waits? for (their|its) other end to be read\.`)
	hold.letGo()
	s.ready(set)
	p.Matches(`10 684 messages were matched .* 5 sent and 5 received found no partner: their other end was not recorded, or they were lost or changed on the way\.`)
	if words := p.Text(); strings.Contains(words, "other end to be read") {
		t.Errorf("after the import the page says %s", words)
	}
	p.Find("tab", "Import").Click()
	p.Gone("list", "Stages")
	p.Says("Imported")
	p.Await("the end of the import heard", func() (any, bool) {
		heard := Eval[[]string](p, "window.heard")
		return heard, slices.Contains(heard, "The import is finished.")
	})
	// Each tenth is said once, with what it leaves to wait for.
	tenths := make(map[string]bool)
	for _, words := range Eval[[]string](p, "window.heard") {
		tenth := regexp.MustCompile(`^Import: (\d+0? %|all is read)`).FindString(words)
		if words != "The import is finished." && (tenth == "" || tenths[tenth]) {
			t.Errorf("%q is said out of turn", words)
		}
		tenths[tenth] = true
	}
}
