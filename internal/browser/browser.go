// Package browser is a person at the page, for tests: a Chromium that is told what
// to look for and what to do by what can be seen and heard of the page, the roles
// and names of its accessibility tree. A test that finds its button has shown
// that somebody who cannot see the page finds it as well, and it does not break
// when the markup changes and nothing else.
//
// What is drawn on a canvas has no tree. It is read as pixels, in the colours that
// the page's own style sheet names: see Canvas.
//
// Nothing here waits for a time to pass. Everything is looked at again and again until
// it is as expected or the patience of the test is at its end, and then the test fails
// with what was seen last.
//
// The browser is shared, and so is, by some pages one after the other, the process that they run in: to start one and to
// compile the scripts in it anew is as much work as all that a plain test does. Each page is a tab of its own that forgets
// what it stored when its test ends, and of two that are open at once the second has a browser context of its own, so that
// they do not see each other.
package browser

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Patience is how long a test looks for something before it fails.
const Patience = time.Minute

// Width and Height are those of every page, in CSS pixels.
const (
	Width  = 1440
	Height = 900
)

var shared struct {
	sync.Mutex
	ctx    context.Context
	cancel []context.CancelFunc
	// home is a browser context with an empty page in it, which its process lives by: that of the tests' pages one after the other.
	// It has had so many of them, and taken tells that one is open.
	home  context.Context
	leave context.CancelFunc
	pages int
	taken bool
}

// pagesOfAProcess is after how many pages there is a new process: it keeps some memory of those that were closed.
const pagesOfAProcess = 20

// programs are the names that Chromium goes by. The first is the one without windows: its pages are the same, but it draws no window
// about each, which is a fifth to a third of what the tests take.
var programs = []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

var errMissing = errors.New("no Chromium is installed")

// start runs the browser unless it runs.
func start() (context.Context, error) {
	shared.Lock()
	defer shared.Unlock()
	if shared.ctx != nil {
		return shared.ctx, nil
	}
	program := ""
	for _, name := range programs {
		if p, err := exec.LookPath(name); err == nil {
			program = p
			break
		}
	}
	if program == "" {
		return nil, errMissing
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.NoSandbox, // a sandbox needs rights that a container does not have
		chromedp.DisableGPU,
		chromedp.WindowSize(Width, Height),
		// The same pixels on every machine.
		chromedp.Flag("disable-lcd-text", true),
		chromedp.Flag("font-render-hinting", "none"),
		chromedp.Flag("force-device-scale-factor", "1"),
		chromedp.Flag("disable-accelerated-2d-canvas", true),
		chromedp.Flag("renderer-process-limit", "1"), // for all pages of a browser context
		// A page of a test is gone before its scripts have been run often enough for these compilers to be worth what they take, which is a
		// fifth of all that the browser computes.
		chromedp.Flag("js-flags", "--no-turbofan,--no-maglev"),
	)
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	// The browser lives as long as the context of this first call, so it has no deadline.
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		end()
		return nil, err
	}
	shared.ctx, shared.cancel = ctx, []context.CancelFunc{cancel, end}
	return ctx, nil
}

// Main runs the tests of a package and ends the browser after them:
//
//	func TestMain(m *testing.M) { browser.Main(m) }
//
// What else is to be done then is given to it, as it does not return.
func Main(m *testing.M, after ...func()) {
	code := m.Run()
	for _, f := range after {
		f()
	}
	shared.Lock()
	for _, cancel := range shared.cancel {
		cancel()
	}
	shared.Unlock()
	os.Exit(code)
}

// NewPage opens an empty page that is closed when the test ends. The test is skipped
// where there is no Chromium, but fails in CI, which has to have one.
func NewPage(t *testing.T) *Page {
	t.Helper()
	parent, err := start()
	switch {
	case errors.Is(err, errMissing) && os.Getenv("CI") == "":
		t.Skip("no Chromium is installed, so the pages are not tested; apt-get install chromium")
	case err != nil:
		t.Fatal(err)
	}
	home, mine := take(t, parent)
	if !mine {
		return newPage(t, parent, chromedp.WithNewBrowserContext())
	}
	t.Cleanup(give)
	p := newPage(t, home)
	t.Cleanup(p.forgetStored)
	return p
}

// take is the browser context whose pages share a process, the caller's until give, if no other page is open in it.
func take(t *testing.T, browser context.Context) (ctx context.Context, mine bool) {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.taken {
		return nil, false
	}
	if shared.pages++; shared.home == nil || shared.pages > pagesOfAProcess {
		if shared.home != nil {
			shared.leave()
		}
		home, leave := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
		if err := chromedp.Do(home); err != nil {
			leave()
			t.Fatal(err)
		}
		shared.home, shared.leave, shared.pages = home, leave, 1
	}
	shared.taken = true
	return shared.home, true
}

func give() {
	shared.Lock()
	defer shared.Unlock()
	shared.taken = false
}

// forgetStored clears what the page stored, for the next one of the same address.
func (p *Page) forgetStored() {
	p.t.Helper()
	// An empty page has no storage, and must not be asked for it.
	Eval[bool](p, "(location.origin === 'null' || localStorage.clear(), true)")
}

// Beside opens an empty page of the same browser context, as another tab is: what is stored is stored for both.
func (p *Page) Beside() *Page {
	p.t.Helper()
	return newPage(p.t, p.ctx)
}

func newPage(t *testing.T, parent context.Context, options ...chromedp.ContextOption) *Page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, options...)
	t.Cleanup(cancel)
	p := &Page{t: t, ctx: ctx}
	p.do(chromedp.EmulateViewport(Width, Height))
	// Nobody here asks what was sent, and of each message of a page's connection all bytes would be told: of three tests 17 MB.
	if _, err := chromedp.Call(ctx, network.Disable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "UTC"}); err != nil {
		t.Fatal(err)
	}
	p.Prefer("light")
	p.listen()
	return p
}
