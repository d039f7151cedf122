package browser

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
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

// Back along a chain that was followed each step chooses what was chosen there: the row, its state, and the message, or none; forward again as well.
func TestBackAlongAChain(t *testing.T) {
	s, set := demoSite(t)
	for name, query := range map[string]string{"all in view": "", "with a host folded": "&collapsed=2"} {
		t.Run(name, func(t *testing.T) {
			p := NewPage(t)
			p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=1.208"+query))
			p.Says("final")
			inspector := p.Find("complementary", "What is selected")
			chosen := func() string {
				q, err := url.Parse(p.Address())
				if err != nil {
					t.Fatal(err)
				}
				return q.Query().Get("row") + " " + q.Query().Get("did") + " " + q.Query().Get("message")
			}
			stops := []struct{ stands, follow string }{
				{"wget · 208 client, child of shopper2 · 181 blocked in poll", "Follow the message from web: httpd · 227"},
				{"httpd · 227 web, child of httpd · 114 blocked in poll", "Follow wget · 230"},
				{"wget · 230 web, child of cart · 228 blocked in poll", "Follow the message from db: httpd · 204"},
				{"httpd · 204 db, child of httpd · 121 blocked in poll", "Follow crunch · 206"},
				{"crunch · 206 db, child of dbwork · 205 running in user space", ""},
			}
			at := func(i int) {
				t.Helper()
				p.Await("at "+stops[i].stands, func() (any, bool) {
					now := strings.Join(strings.Fields(spaces.Replace(inspector.Text())), " ")
					return now, strings.HasPrefix(strings.Replace(now, " "+stops[i].follow+" ", " ", 1), stops[i].stands)
				})
			}
			var was []string
			var placed [2]float64
			for i, stop := range stops {
				at(i)
				p.Await("its row and state in the address", func() (any, bool) {
					now := chosen()
					_, tid, _ := strings.Cut(stop.stands, " · ")
					tid, _, _ = strings.Cut(tid, " ")
					row, rest, _ := strings.Cut(now, " ")
					return now, strings.HasSuffix(row, "."+tid) && !strings.HasPrefix(rest, " ")
				})
				was = append(was, chosen())
				if stop.follow != "" {
					// It is pressed again and again: it stays where it is.
					x, y, _, _ := p.Find("button", stop.follow).Box()
					if i == 0 {
						placed = [2]float64{x, y}
					} else if now := [2]float64{x, y}; now != placed {
						t.Errorf("the button %s stands at %v, the first at %v", stop.follow, now, placed)
					}
					p.Press("g")
				}
			}
			for i := len(stops) - 2; i >= 0; i-- {
				p.Press("Backspace")
				at(i)
				p.Await("what was chosen there", func() (any, bool) { now := chosen(); return now, now == was[i] })
			}
			p.Press("Backspace")
			p.Says("There is no window to go back to.")
			for i := 1; i < len(stops); i++ {
				p.strike("Backspace", 8)
				at(i)
			}
		})
	}
}

// By each host's own clock a wait leads to the same threads, which did the same meanwhile, though the clocks are an hour apart; whichever of the two is ahead.
func TestOnwardInRawTime(t *testing.T) {
	s, set := demoSite(t)
	for name, c := range map[string]struct {
		query string
		way   []string // what follows, with a sentence of each
	}{
		"from behind": {"?begin=1795229355186453488&end=1795229355756538741&row=1.208", []string{
			"wget · 208, client", "httpd · 227, web", "wget · 230, web", "httpd · 204, db", "crunch · 206, db",
		}},
		"from ahead": {"?begin=1795229355186453488&end=1795229355756538741&row=3.229&did=1795229355190433396", []string{"wget · 229, web", "httpd · 226, cache"}},
		"where thousands of messages seem to be on their way": {"?by=web&begin=1795229367884412288&end=1795229368184412288&row=3.628&did=1795229368106222748", []string{"wget · 628, web", "httpd · 382, db"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPage(t)
			p.Open(s.page(set, c.query))
			p.Says("final")
			inspector := p.Find("complementary", "What is selected")
			at := func(stands string, led bool) (words string) {
				p.Await("at "+stands, func() (any, bool) {
					words = strings.Join(strings.Fields(spaces.Replace(inspector.Text())), " ")
					thread, host, _ := strings.Cut(stands, ", ")
					return words, strings.HasPrefix(words, thread+" ") && strings.Contains(words, " "+host+", child of ") && (!led || strings.Contains(words, "waited for"))
				})
				return words
			}
			follow := func() (told []string) {
				for i, stands := range c.way {
					_, waited, _ := strings.Cut(at(stands, i > 0), "In the ")
					sentence, _, _ := strings.Cut(waited, " Follow")
					told = append(told, strings.TrimSuffix(sentence, " Events of this thread"))
					if i+1 < len(c.way) {
						p.Press("g")
					}
				}
				return told
			}
			want := follow()
			for i := len(c.way) - 2; i >= 0; i-- {
				p.Press("Backspace")
				at(c.way[i], false)
			}
			p.Press("r")
			p.Await("raw time", func() (any, bool) { a := p.Address(); return a, strings.Contains(a, "time=raw") })
			at(c.way[0], false)
			if got := follow(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("in raw time these are told\n%q, in synchronized time\n%q", got, want)
			}
		})
	}
}

// lateStates keeps what threads did from the page while it is told to.
const lateStates = `(() => {
	const waiting = []
	window.holdStates = (hold) => {
		window.held = hold
		for (const give of hold ? [] : waiting.splice(0)) give()
		return true
	}
	const Plain = WebSocket
	window.WebSocket = class extends Plain {
		set onmessage(take) {
			super.onmessage = take && ((e) => {
				if (held && new Uint8Array(e.data)[0] === 7) waiting.push(() => take(e))
				else take(e)
			})
		}
	}
	holdStates(false)
})()`

// Times are turned to others: who goes on from the selected state before the server has told it by those goes on as soon as it has.
func TestFollowBeforeTheStateIsTold(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: lateStates}); err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, "?by=web&begin=1795229367884412288&end=1795229368184412288&row=3.628&did=1795229368106222748"))
	p.Says("final")
	p.Says("Follow the message from db: httpd · 382")
	Eval[bool](p, "holdStates(true)")
	p.Press("r")
	p.Await("raw time", func() (any, bool) { a := p.Address(); return a, strings.Contains(a, "time=raw") })
	p.Press("g")
	Eval[bool](p, "holdStates(false)")
	p.Matches(`Followed from wget · 628 on web`)
	p.Await("its row in the address", func() (any, bool) { a := p.Address(); return a, strings.Contains(a, "row=2.382&") })
}
