package browser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/trace/ctf/text/texttest"
)

// A trace that could not be read is missed wherever its set is looked at, and one click leads to the reason; so is
// said of one that was read why it shows nothing.
func TestUnread(t *testing.T) {
	s := newSite(t, ingest.Options{})
	dir := t.TempDir()
	empty := texttest.Dir(t, `
ctf 1.8 le
env hostname="web"
stream 0
event-header {id u8}
event 0 e
`)
	broken := filepath.Join(dir, "broken")
	if err := errors.Join(os.CopyFS(filepath.Join(dir, "empty"), os.DirFS(empty)), os.Mkdir(broken, 0o755),
		os.WriteFile(filepath.Join(broken, "metadata"), []byte("/* CTF 1.8 */ trace { major = 1;"), 0o644)); err != nil {
		t.Fatal(err)
	}
	set, err := s.engine.ImportPaths("two machines", dir)
	if err != nil {
		t.Fatal(err)
	}
	s.ready(set)

	const sentence = "1 trace could not be read and is left out."
	p := NewPage(t)
	p.Open(s.url)
	p.Says(sentence)
	p.Find("link", "Import report").Click()
	p.Find("tab", "Import")
	p.Says("the trace holds no events")
	p.Says("broken/metadata")

	p.Find("tab", "Timeline").Click()
	p.Says(sentence)
	p.Says("Only one host of this set could be read.")
	p.Find("link", "Import report").Click()
	p.Await("the import report", func() (any, bool) {
		selected := p.Find("tab", "Import").State("selected")
		return selected, selected == "true"
	})
	p.Says("the trace holds no events")
}

// A set whose recordings hold no events says so in every tab, and does not wait for any.
func TestNoEvents(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.written("never started", noEvents)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Says("This shows what each thread does. The recordings hold no events.")
	p.Says("This shows what each CPU runs, and its interrupts. The recordings hold no events.")
	for _, tab := range []string{"Synchronization", "Events", "Statistics", "Messages", "State"} {
		p.Find("tab", tab).Click()
		p.Says("The recordings hold no events; the Import tab says more.")
	}
	p.Find("button", "Import tab").Click()
	p.Says("Was the session started (lttng start)?")
}

// manyHosts is a set of hosts whose names are too long for most tables, each of which recorded what the host web has in a text.
func (s *site) manyHosts(text string) *ingest.Set {
	s.t.Helper()
	var paths []string
	for i := range 40 {
		paths = append(paths, texttest.Dir(s.t, strings.Replace(text, `"web"`, fmt.Sprintf(`"one_of_many_machines_whose_names_are_long_and_differ_at_the_end_%02d"`, i), 1)))
	}
	set, err := s.engine.ImportPaths("many", paths...)
	if err != nil {
		s.t.Fatal(err)
	}
	s.ready(set)
	return set
}

// With more hosts than there is room for an empty view says in sight, over their rows, why it is empty.
func TestNoThreadsOfManyHosts(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.manyHosts(noEvents)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Says("This shows what each thread does. The recordings hold no events.")
	inSight := func(when string) {
		t.Helper()
		p.Await("it in sight "+when, func() (any, bool) {
			saw := Eval[[]float64](p, `(() => {
				const section = document.querySelector("section[aria-label='Control flow']");
				const [words, all] = [".empty", ".scroller"].map((s) => section.querySelector(s).getBoundingClientRect());
				return [words.top, words.bottom, all.top, all.bottom];
			})()`)
			return saw, saw[0] >= saw[2] && saw[1] <= saw[3] && saw[1] > saw[0]
		})
	}
	inSight("over rows")
	Eval[string](p, `document.querySelector("#timeline").style.setProperty("--tree", "900px") ?? ""`)
	inSight("in more lines")
	p.Resize(Width, 450)
	p.Open(s.page(set, ""))
	inSight("in a low page")
}

// No part of a report lies over another, or beside what there is of the page, at any width.
func TestReportOfManyHostsFits(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.manyHosts(lossy)
	p := NewPage(t)
	for _, width := range []int64{360, 800, 1100, 1280, 1440, 1920, 3840} {
		p.Resize(width, 800)
		p.Open(s.page(set, "?tab=import"))
		p.Says("Duration, own clock")
		Eval[string](p, `document.querySelector("#import .wide table").style.minWidth = "1200px"`) // as larger numbers and times make it
		saw := Eval[[]float64](p, `(() => {
			const cards = [...document.querySelectorAll("#import .card")].map((e) => e.getBoundingClientRect()).filter((b) => b.height > 0);
			const over = cards.filter((a) => cards.some((b) => a !== b && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
			const all = document.getElementById("import");
			return [over, all.scrollWidth, all.clientWidth];
		})()`)
		if saw[0] > 0 || saw[1] > saw[2] {
			t.Errorf("at %d px %v parts of the report lie over others, and it is %v wide in %v", width, saw[0], saw[1], saw[2])
		}
	}
}

// noEvents is the trace of a kernel that knows all a view wants, and recorded none of it.
const noEvents = `
ctf 1.8 le
env hostname="web"
env domain="kernel"
stream 0
event-header {id u8}
event 0 sched_switch
event 1 sched_waking
event 2 net_dev_queue
event 3 net_if_receive_skb
event 4 syscall_entry_read
event 5 irq_handler_entry
event 6 irq_handler_exit
event 7 irq_softirq_entry
event 8 irq_softirq_exit
event 9 lttng_statedump_process_state
`
