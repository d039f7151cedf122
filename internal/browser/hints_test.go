package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"synchroscope/ingest"
	"synchroscope/trace/ctf/text/texttest"
)

// Of a set that is read nothing is promised that is to come with its first events, also in the first moments, before there are rows, and of however many.
func TestNothingPromisedOfAReadSet(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(3840, 2160)
	const watch = `(() => {
		window.told = "";
		const look = () => {
			const words = document.getElementById("timeline")?.innerText ?? "";
			if (!told.includes(words)) told += words;
			if (performance.now() < 20000) requestAnimationFrame(look);
		};
		look();
	})()`
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch}); err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, ""))
	p.Matches(`3 220 threads, \d+ listed`)
	if told := Eval[string](p, "window.told"); strings.Contains(told, "as soon as") {
		t.Errorf("%q is told of it at first", told[:min(2000, len(told))])
	}
}

// What says how to see the latencies of two hosts is gone as long as they are to be seen.
func TestHintOfTheMatrix(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=messages&window=all"))
	const hint = "Choose a cell"
	p.Says(hint)
	p.Open(s.page(set, "?tab=messages&window=all&pair=client~web"))
	p.Says("How latencies spread")
	p.Await("no hint", func() (any, bool) { text := p.Text(); return text, !strings.Contains(text, hint) })
	p.Find("button", "All hosts").Click()
	p.Says(hint)
}

// Of a set without messages no slow requests are offered.
func TestNoRequestsWithoutMessages(t *testing.T) {
	p := recordedPage(t, "packet-seq-num.tar.gz", "?window=all")
	p.Matches(`Press \? for all keys\.`)
	p.Await("no way to slow requests", func() (any, bool) {
		words := p.Find("complementary", "What is selected").Text()
		return words, strings.Contains(words, "for all keys.") && !strings.Contains(words, "Slowest requests")
	})
	p.palette("slowest requests", "")
	p.Says("Nothing fits “slowest requests”.")
}

// Where a section is empty it is told of which hosts something is not recorded, if others recorded it.
func TestHintOfTheHostsThatLack(t *testing.T) {
	s := newSite(t, ingest.Options{})
	const none, both = "file channel0_0", "event 1 net_dev_queue\n  fields {skbaddr u64}\nevent 2 net_if_receive_skb\n  fields {skbaddr u64}\nfile channel0_0"
	named := func(host, events string) string {
		return texttest.Dir(t, strings.NewReplacer(`"web"`, `"`+host+`"`, none, events).Replace(lossy))
	}
	p := NewPage(t)
	for _, of := range []struct {
		words  string
		traces []string
	}{
		{"The recording of loki lacks net_dev_queue, net_if_receive_skb; record them with: ", []string{named("web", both), named("loki", none)}},
		{"The recordings lack net_dev_queue, net_if_receive_skb; record them with: ", []string{named("web", none), named("loki", none)}},
	} {
		set, err := s.engine.ImportPaths("two", of.traces...)
		if err != nil {
			t.Fatal(err)
		}
		p.Open(s.page(set, ""))
		p.Says("This shows the messages that hosts sent each other. " + of.words)
	}
}
