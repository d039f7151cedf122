package browser

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"synchroscope/ingest"
)

func TestRenameAndDelete(t *testing.T) {
	s, _ := demoSite(t)
	p := NewPage(t)
	p.Open(s.url)
	p.Find("link", "shop-4hosts")

	p.Find("button", "Rename shop-4hosts").Click()
	p.Find("textbox", "Name").Type("The slow shop")
	p.Press("Enter")
	p.Find("link", "The slow shop")
	p.Reload()
	p.Find("link", "The slow shop").Click()
	p.Await("the title", func() (any, bool) {
		title := Eval[string](p, "document.title")
		return title, title == "The slow shop · Synchroscope"
	})

	// Who looks at it meanwhile, in another tab, goes on when it is back.
	other := p.Beside()
	other.Open(p.Address())
	other.Matches(`dbwork · 205 .* blocked in wait4`)

	p.Open(s.url)
	p.Find("link", "The slow shop")
	p.Find("button", "Delete The slow shop").Click()
	p.Matches("“The slow shop” was deleted. Its files go in 10 min.")
	other.Matches(`“The slow shop” was deleted\. What is below is as it was then\. Its files go in 10 min\. Undo All trace sets`)
	if words := strings.Join(strings.Fields(other.Find("contentinfo", "").Text()), " "); strings.Count(words, "deleted") != 1 || strings.Contains(words, "clock map") {
		t.Errorf("the status line of a deleted set says %q", words)
	}
	p.Gone("link", "The slow shop")
	if n := len(s.engine.Sets()); n != 0 {
		t.Errorf("%d sets are left", n)
	}
	// The way back has the focus, and is still there after a reload.
	p.Reload()
	p.Find("button", "Undo: bring back The slow shop").Click()
	p.Find("link", "The slow shop").Click()
	p.Find("heading", "Control flow")
	p.Matches(`messages in view`)
	other.Await("no word of the deletion", func() (any, bool) {
		words := Eval[string](other, "document.body.innerText")
		return words, !strings.Contains(words, "was deleted")
	})
	other.Press("Home")
	other.Matches(`10 684 messages in view none received before sent`)

	// So is it from the page that shows the set.
	p.Open(s.url)
	p.Find("button", "Delete The slow shop").Click()
	other.Find("button", "Undo: bring back The slow shop").Click()
	other.Await("the word of the deletion gone with its Undo", func() (any, bool) {
		words := other.Find("contentinfo", "").Text()
		return words, !strings.Contains(words, "deleted") && !strings.Contains(words, "Undo")
	})
	other.Press("End")
	other.Matches(`messages in view`)

	// And from its address, where the place that this says is there again.
	p.Reload()
	p.Find("button", "Delete The slow shop").Click()
	other.Matches(`“The slow shop” was deleted\.`)
	other.Reload()
	at := other.Address()
	other.Matches(`The trace set “The slow shop” was deleted\. Until \d\d:\d\d UTC it can be had back as it was\.`)
	other.Await("the focus on Undo", func() (any, bool) {
		words := Eval[string](other, "document.activeElement.textContent")
		return words, words == "Undo"
	})
	other.Press("Enter")
	other.Matches(`messages in view`)
	if other.Address() != at {
		t.Errorf("the set had back from %s is at %s", at, other.Address())
	}

	p.Reload()
	p.Find("button", "Delete The slow shop").Click()
	p.Await("the focus on Undo", func() (any, bool) {
		words := Eval[string](p, "document.activeElement.textContent")
		return words, words == "Undo"
	})
	p.Find("button", "Remove now: takes The slow shop off the disk").Click()
	p.Says("No trace sets yet.")
	p.Gone("list", "Deleted lately")
	if n := len(s.engine.Sets()) + len(s.engine.Discarded()); n != 0 {
		t.Errorf("%d sets are left", n)
	}
}

// A set whose upload is gone from the disk is listed with what is wrong, can be deleted, had back as it was, and removed.
func TestUnshownSet(t *testing.T) {
	dir := t.TempDir()
	e, err := ingest.Open(dir, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := e.Create("half of it")
	if err != nil {
		t.Fatal(err)
	}
	_, err = set.Upload(t.Context(), "a.tar", 0, 600, strings.NewReader(strings.Repeat("x", 200)))
	if err = errors.Join(err, e.Close(t.Context()), os.Remove(filepath.Join(dir, "sets", set.ID(), "files", "a.tar"))); err != nil {
		t.Fatal(err)
	}
	s := siteOn(t, dir, ingest.Options{})
	p := NewPage(t)
	p.Open(s.url)
	sentence := "The set cannot be shown, and its files are as they were: the archive a.tar, 200 bytes of which had arrived, is missing; " +
		"once it is in the data directory again, as sets/" + set.ID() + "/files/a.tar, the next start of the server shows the set, " +
		"otherwise its archives can be uploaded anew as another set, and this one deleted."
	p.Says(sentence)
	p.Gone("button", "Go on…")
	p.Find("link", "half of it").Click()
	p.Says("the Import tab says why")
	p.Find("tab", "Import").Click()
	p.Find("heading", "The set cannot be shown")
	p.Says(sentence)
	p.Open(s.url)
	p.Find("button", "Delete half of it").Click()
	p.Find("button", "Undo: bring back half of it").Click()
	p.Says(sentence)
	p.Find("button", "Delete half of it").Click()
	p.Find("button", "Remove now: takes half of it off the disk").Click()
	p.Gone("list", "Deleted lately")
	p.Says("No trace sets yet.")
	if left, _ := os.ReadDir(filepath.Join(dir, "sets")); len(left) != 0 {
		t.Errorf("on the disk is left %v", left)
	}
}

// A page whose set was deleted says so, with the way back and the way home; what it shows is out of reach, no tab complains of a set
// that it does not know, and nothing is asked about it but whether it is there again, and not even that once it is gone for good.
func TestPageOfADeletedSet(t *testing.T) {
	s, set := demoSite(t)
	var ofSet, ofDeleted atomic.Int64
	s.between = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasPrefix(r.URL.Path, "/api/sets/"+set.ID()+"/"):
				ofSet.Add(1)
			case r.URL.Path == "/api/deleted":
				ofDeleted.Add(1)
			}
			next.ServeHTTP(w, r)
		})
	}
	remove := func(of string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.url+of+set.ID(), nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Body.Close(); answer.StatusCode != http.StatusNoContent {
			t.Fatalf("DELETE %s: %s", of, answer.Status)
		}
	}
	p := NewPage(t)
	p.Open(s.page(set, "?tab=statistics"))
	p.Find("table", "CPUs")
	p.Find("table", "Threads")
	remove("/api/sets/")
	region := p.Find("region", "The set was deleted")
	p.Matches(`“shop-4hosts” was deleted\. What is below is as it was then\. Its files go in 10 min\. Undo All trace sets`)
	p.Gone("table", "CPUs") // nobody reaches it
	region.Find("link", "All trace sets")
	before := ofSet.Load()
	for _, tab := range []string{"Events", "Messages", "State", "Timeline", "Statistics"} {
		p.Find("tab", tab).Click()
		p.Press("Home")
		p.Press("+")
	}
	p.Await("several looks whether it is there", func() (any, bool) { n := ofDeleted.Load(); return n, n >= 3 })
	if n := ofSet.Load() - before; n != 0 {
		t.Errorf("%d questions about a set that was deleted", n)
	}
	if words := p.Text(); strings.Contains(words, "no trace set") {
		t.Errorf("a tab complains: %s", words)
	}

	region.Find("button", "Undo: bring back shop-4hosts").Click()
	p.Gone("region", "The set was deleted")
	p.Find("table", "CPUs")
	p.Find("tab", "Messages").Click()
	p.Matches(`exchanged most`)
	p.Find("tab", "Timeline").Click()
	p.Matches(`messages in view`)

	remove("/api/sets/")
	p.Find("button", "Undo: bring back shop-4hosts")
	remove("/api/deleted/")
	p.Says("The set cannot be brought back any more.")
	p.Gone("button", "Undo: bring back shop-4hosts")
	p.Find("link", "All trace sets").Click()
	p.Says("No trace sets yet.")
}

// By keys alone a set is renamed, deleted, brought back and removed, and the focus is never lost.
func TestSetsByKeys(t *testing.T) {
	s, _ := demoSite(t)
	if _, err := s.engine.Create("alpha"); err != nil {
		t.Fatal(err)
	}
	p := NewPage(t)
	p.Open(s.url)
	p.Find("link", "shop-4hosts")
	p.Find("combobox", "Order").Choose("by name")
	focus := func(want string) {
		t.Helper()
		p.Await("the focus on "+want, func() (any, bool) {
			words := Eval[string](p, `(document.activeElement.closest("li")?.querySelector("a.name")?.textContent ?? "") + ": " + document.activeElement.textContent`)
			return words, words == want
		})
	}
	button := func(words string) {
		Eval[any](p, `[...document.querySelectorAll("li.set")].find((e) => !e.innerText.includes("alpha")).querySelector(".actions").querySelectorAll("button").forEach((b) => b.textContent === "`+words+`" && b.focus())`)
	}
	button("Rename")
	p.Press("Enter")
	p.Press("Escape")
	focus("shop-4hosts: Rename")
	p.Press("Enter")
	p.Find("textbox", "Name").Type("aaa")
	p.Press("Enter")
	p.Find("link", "aaa")
	p.Await("the list in the order of names", func() (any, bool) {
		first := Eval[string](p, `document.querySelector("li.set a.name").textContent`)
		return first, first == "aaa"
	})
	focus("aaa: Rename")

	button("Delete")
	p.Press("Enter")
	focus(": Undo")
	p.Press("Enter")
	focus("aaa: aaa")
	button("Delete")
	p.Press("Enter")
	focus(": Undo")
	p.Press("Tab")
	p.Press("Enter")
	focus("alpha: alpha")
}

// Of sets that are deleted one after the other each is said once.
func TestDeletedSaidOnce(t *testing.T) {
	s := newSite(t, ingest.Options{})
	s.create("alpha", "beta")
	p := NewPage(t)
	p.Open(s.url)
	p.Find("button", "Delete alpha").Click()
	p.Says("“alpha” was deleted.")
	Eval[bool](p, `(() => {
		window.said = [];
		new MutationObserver((all) => all.forEach((m) => m.addedNodes.forEach((n) => window.said.push(n.querySelector?.("[role=status]")?.textContent ?? ""))))
			.observe(document.querySelector("ul.deleted"), {childList: true});
		return true;
	})()`)
	p.Find("button", "Delete beta").Click()
	p.Says("“beta” was deleted.")
	if said := Eval[[]string](p, "window.said"); len(said) != 1 || said[0] != "“beta” was deleted." {
		t.Errorf("as the second is deleted this is said: %q", said)
	}
}

// A line whose name is being edited may move in the list: what was typed so far is not saved, and typing goes on.
func TestRenameWhileMoved(t *testing.T) {
	s, demo := demoSite(t)
	other, err := s.engine.Create("alpha")
	if err != nil {
		t.Fatal(err)
	}
	p := NewPage(t)
	p.Open(s.url)
	p.Find("combobox", "Order").Choose("by name")
	p.Find("link", "shop-4hosts")
	Eval[any](p, `[...document.querySelectorAll("li.set")].find((e) => e.innerText.includes("shop-4hosts")).querySelector(".actions button").click()`)
	p.Find("textbox", "Name").Type("half")
	if err := other.Rename("zulu"); err != nil {
		t.Fatal(err)
	}
	Eval[any](p, `document.dispatchEvent(new Event("visibilitychange"))`)
	p.Await("the line above the other", func() (any, bool) {
		names := Eval[string](p, `[...document.querySelectorAll("li.set")].map((e) => e.querySelector("input").value || e.querySelector("a.name").textContent).join(" ")`)
		return names, names == "half zulu"
	})
	for _, key := range strings.Split("way", "") {
		p.Press(key)
	}
	if got := demo.Status().Name; got != "shop-4hosts" {
		t.Errorf("the name %q was saved while it was being typed", got)
	}
	p.Press("Enter")
	p.Find("link", "halfway")
}

// Of many sets a word finds some, and the list is in the order that is chosen.
func TestFindSets(t *testing.T) {
	s, _ := demoSite(t)
	s.create("beta", "alpha", "gamma")
	p := NewPage(t)
	p.Open(s.url)
	listed := func(want string) {
		t.Helper()
		p.Await("the sets "+want, func() (any, bool) {
			names := Eval[string](p, `[...document.querySelectorAll("li.set a.name")].map((x) => x.textContent).join(" ")`)
			return names, names == want
		})
	}
	p.Says("4 sets, ")
	order := p.Find("combobox", "Order")
	order.Choose("by name")
	listed("alpha beta gamma shop-4hosts")
	order.Choose("largest on disk first")
	p.Await("the largest first", func() (any, bool) {
		names := Eval[string](p, `document.querySelector("li.set a.name").textContent`)
		return names, names == "shop-4hosts"
	})
	order.Choose("by name")
	find := p.Find("searchbox", "Find trace sets by name, host or date")
	find.Type("cache")
	listed("shop-4hosts")
	p.Says("1 of 4 sets")
	if text := p.Text(); !strings.Contains(text, "iB on disk") {
		t.Errorf("the size on disk is not said: %s", text)
	}
	find.Type("nothing like it")
	p.Says("No set has “nothing like it” in its name")
}

// A set that is renamed so that it is not what is searched for any more stays while it has the focus, says so and is not counted; what is pressed meanwhile
// does not move before it is.
func TestRenameWhatIsSearchedFor(t *testing.T) {
	s := newSite(t, ingest.Options{})
	s.create("shop d", "shop c", "shop b", "shop a")
	p := NewPage(t)
	p.Open(s.url)
	p.Says("4 sets, ")
	p.Find("searchbox", "Find trace sets by name, host or date").Type("shop")
	listed := func(count, want string) {
		t.Helper()
		p.Await(count+": "+want, func() (any, bool) {
			said := Eval[string](p, `document.getElementById("sets-count").textContent + ": " + [...document.querySelectorAll("li.set a.name")].map((x) => x.textContent).join(", ")`)
			said = spaces.Replace(said)
			return said, said == count+", 0 B on disk: "+want
		})
	}
	focus := func(want string) {
		t.Helper()
		p.Await("the focus on "+want, func() (any, bool) {
			words := Eval[string](p, `document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent`)
			return words, words == want
		})
	}
	const says = "No longer found by this search: it leaves the list when you go on."
	listed("4 sets", "shop a, shop b, shop c, shop d")
	p.Find("button", "Rename shop a").Click()
	p.Find("textbox", "Name").Type("mill")
	p.Press("Enter")
	p.Says(says)
	listed("3 of 4 sets", "mill, shop b, shop c, shop d")
	focus("Rename mill")
	p.Press("Tab")
	focus("Delete mill")
	p.Says(says)
	p.Press("Tab")
	listed("3 of 4 sets", "shop b, shop c, shop d")
	focus("shop b")
	if strings.Contains(p.Text(), says) {
		t.Error("what is gone is said to stay")
	}

	// A press on another line ends the renaming, or comes after it: what is pressed stays where it is until the pointer is up.
	press := func(name string, meanwhile func()) {
		t.Helper()
		x, y, width, height := p.Find("button", "Rename "+name).Box()
		p.Mouse("mousePressed", x+width/2, y+height/2)
		meanwhile()
		p.Mouse("mouseReleased", x+width/2, y+height/2)
	}
	press("shop b", func() {})
	p.Find("textbox", "Name").Type("yard")
	press("shop c", func() { listed("2 of 4 sets", "yard, shop c, shop d") })
	listed("2 of 4 sets", "shop c, shop d")
	p.Find("textbox", "Name").Type("pier")
	p.Press("Enter")
	p.Says(says)
	press("shop d", func() {
		p.Await("the focus elsewhere", func() (any, bool) {
			yes := Eval[bool](p, `!document.activeElement.closest("li")?.textContent.includes("pier")`)
			return yes, yes
		})
		p.frame()
		p.frame()
	})
	listed("1 of 4 sets", "shop d")
	p.Find("textbox", "Name").Type("dock")
	p.Press("Enter")
	listed("0 of 4 sets", "dock")
	p.Find("searchbox", "Find trace sets by name, host or date").Type("shops")
	listed("0 of 4 sets", "")
	p.Says("No set has “shops” in its name")
}

// The name of a set is whole however much is said of its import, which has a line of its own where both have no room side by side.
func TestNameBesideProgress(t *testing.T) {
	s := newSite(t, ingest.Options{})
	const name, stage = "shop-4hosts, once more 4", "extracting shop-4hosts.tar.gz"
	s.between = func(app http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/api/sets" {
				app.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `[{"id":"1","name":%q,"state":"importing","stage":%q,"progress":0.15,"rate":0,"bytes":18400000,"events":0,
				"created":"2026-11-24T18:52:00Z","hosts":[],"files":[],"stages":[{"name":"upload","done":1,"total":1,"rate":0,"left_s":0},{"name":"unpack","done":1,"total":2,"rate":1,"left_s":4}]}]`, name, stage)
		})
	}
	p := NewPage(t)
	for _, size := range [][2]int64{{3840, 2160}, {1280, 720}, {640, 360}} {
		p.Resize(size[0], size[1])
		p.Open(s.url)
		p.Says("of the unpacking")
		cut := Eval[[]string](p, `[...document.querySelectorAll("li.set a.name, li.set .state")].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)`)
		if len(cut) > 0 {
			t.Errorf("at %v this is cut: %q", size, cut)
		}
		if wide := Eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
			t.Errorf("at %v the page is %d pixels too wide", size, wide)
		}
		if *statesDir != "" {
			p.keep(*statesDir, fmt.Sprintf("progress-%d", size[0]))
		}
	}
}

// A name that turns the way of letters turns nothing but itself: the sentence around it reads from left to right.
func TestNameThatTurns(t *testing.T) {
	s, set := demoSite(t)
	if err := set.Rename("../../etc/<i>\"évil🙂 \u202eabc"); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.url+"/api/sets/"+set.ID(), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	p := NewPage(t)
	p.Open(s.url + "/")
	p.Says("Its files go")
	places := Eval[[]float64](p, `(() => {
		const text = document.querySelector(".deleted [role=status]").firstChild;
		return ["etc", "abc", "was", "deleted"].map((w) => {
			const range = document.createRange();
			range.setStart(text, text.data.indexOf(w));
			range.setEnd(text, text.data.indexOf(w) + w.length);
			return range.getBoundingClientRect().left;
		});
	})()`)
	if !slices.IsSorted(places) {
		t.Errorf("the words begin at %v px", places)
	}
}
