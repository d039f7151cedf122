package browser

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A Page is one tab. All its methods fail the test where they cannot do what they say.
type Page struct {
	t   *testing.T
	ctx context.Context

	mu     sync.Mutex
	thrown []string // what the console complained of
	asked  int      // how often the browser asked whether the page may be left, which it always may
}

func (p *Page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// listen fails the test, when it ends, if the page threw or complained. Answers of the
// server that are no success are the test's own matter.
func (p *Page) listen() {
	messages := chromedp.Console(p.ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Source != "network" && (m.IsException() || m.Type == "error" || m.Type == "warning") {
				p.mu.Lock()
				p.thrown = append(p.thrown, m.String())
				p.mu.Unlock()
			}
		}
	}()
	dialogs := chromedp.Events(p.ctx, page.JavascriptDialogOpening)
	go func() {
		for d, err := range dialogs {
			if err != nil {
				return
			}
			p.mu.Lock()
			if d.Type == page.DialogTypeBeforeunload {
				p.asked++
			} else {
				p.thrown = append(p.thrown, "a dialog: "+d.Message)
			}
			p.mu.Unlock()
			chromedp.Call(p.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
		}
	}()
	p.t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, words := range p.thrown {
			p.t.Errorf("the page's console: %s", words)
		}
	})
}

// Asked is how often the browser asked whether the page may be left.
func (p *Page) Asked() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

// Open goes to an address and waits until its document is there.
func (p *Page) Open(url string) {
	p.t.Helper()
	p.leave(chromedp.Navigate(url))
}

// Reload loads the page anew.
func (p *Page) Reload() {
	p.t.Helper()
	p.leave(chromedp.Reload())
}

// leave takes a step to another document and waits until that is there whole. A page that is being left may write what it
// shows into its address once more, and chromedp takes that for the end of the step: a test would look at the old page.
func (p *Page) leave(step chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	Eval[bool](p, "window.left = true")
	p.do(step)
	p.Await("another document", func() (any, bool) {
		here := Eval[string](p, "window.left ? 'the old one' : document.readyState")
		return here, here == "complete"
	})
}

// Address is what the address bar shows.
func (p *Page) Address() string {
	p.t.Helper()
	return Eval[string](p, "location.href")
}

// Loaded is when the document was loaded: it changes by a reload and by nothing else.
func (p *Page) Loaded() float64 {
	p.t.Helper()
	return Eval[float64](p, "performance.timeOrigin")
}

// Prefer sets the colour scheme of the system, "light" or "dark", and what else it asks for: names of media features and their
// values, such as "prefers-contrast", "more".
func (p *Page) Prefer(scheme string, more ...string) {
	p.t.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
	for i := 0; i+1 < len(more); i += 2 {
		features = append(features, &emulation.MediaFeature{Name: more[i], Value: more[i+1]})
	}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
		p.t.Fatal(err)
	}
}

// Resize gives the page another size, CSS pixels.
func (p *Page) Resize(width, height int64) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, height))
}

// Resolution puts the page on a screen with so many pixels to a CSS pixel, and leaves its size in those as it is.
func (p *Page) Resolution(width, height int64, ratio float64) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, height, chromedp.EmulateScale(ratio)))
}

// Eval computes an expression on the page, on the next one if this is being left.
func Eval[T any](p *Page, expression string) T {
	p.t.Helper()
	for end := time.Now().Add(Patience); ; {
		v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
		if err == nil {
			return v
		}
		if !leaving(err) || time.Now().After(end) {
			p.t.Fatalf("%s: %v", expression, err)
		}
	}
}

// leaving tells whether a command failed for the page it was sent to being left.
func leaving(err error) bool {
	words := err.Error()
	return strings.Contains(words, "navigated or closed") || strings.Contains(words, "context")
}

// longestRest is the longest time between two looks.
const longestRest = 300 * time.Millisecond

// Await looks again and again until look says yes. look returns what it saw as well, for
// the words of the failure. A look that takes long is taken less often, or the page would do little else than be looked at.
func (p *Page) Await(what string, look func() (saw any, yes bool)) {
	p.t.Helper()
	end := time.Now().Add(Patience)
	for {
		begin := time.Now()
		saw, yes := look()
		if yes {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("in %v this did not come about: %s. Seen last: %v", Patience, what, saw)
		}
		took := time.Since(begin)
		begin = time.Now()
		p.frame()
		time.Sleep(min(2*took, longestRest) - time.Since(begin))
	}
}

// AwaitRest looks until what it sees is what is wanted and the same twice, as of what still moves, or is not there as a whole.
func (p *Page) AwaitRest(what string, look func() (saw string, yes bool)) {
	p.t.Helper()
	var before string
	p.Await(what+", at rest", func() (any, bool) {
		saw, yes := look()
		rests := yes && saw == before
		before = saw
		return saw, rests
	})
}

// frame waits until the page has drawn once more.
func (p *Page) frame() {
	p.t.Helper()
	Eval[bool](p, "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 16)))")
}

// All are the elements with a role and a name, "" for any, as the accessibility tree has
// them; what is hidden is not among them.
func (p *Page) All(role, name string) []Element {
	p.t.Helper()
	root, err := chromedp.Call(p.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "document"})
	if err != nil && leaving(err) {
		return nil
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return p.below(root.Result.ObjectID, role, name)
}

// longestQuery is how long the accessibility tree is asked for. A page that draws nothing, as one whose script is on its way, may never answer: it draws before it is asked again.
const longestQuery = 10 * time.Second

func (p *Page) below(root runtime.RemoteObjectID, role, name string) []Element {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, longestQuery)
	defer cancel()
	found, err := chromedp.Call(ctx, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{ObjectID: root, Role: role, AccessibleName: name})
	if err != nil {
		return nil // the element went away meanwhile, or nothing was drawn
	}
	var out []Element
	for _, n := range found.Nodes {
		if n.Ignored || n.BackendDOMNodeID == 0 {
			continue
		}
		node, err := chromedp.Call(p.ctx, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: n.BackendDOMNodeID})
		if err != nil {
			continue
		}
		out = append(out, Element{p: p, id: node.Object.ObjectID, what: fmt.Sprintf("%s %q", role, name)})
	}
	return out
}

// Find is the one element with a role and a name; it waits for it.
func (p *Page) Find(role, name string) Element {
	p.t.Helper()
	return p.find(role, name, func() []Element { return p.All(role, name) })
}

func (p *Page) find(role, name string, all func() []Element) Element {
	p.t.Helper()
	var found []Element
	p.Await(fmt.Sprintf("one %s %q", role, name), func() (any, bool) {
		found = all()
		return tally{p, len(found)}, len(found) == 1
	})
	e := found[0]
	e.again = all
	return e
}

// A tally is how many elements were found, and, where that is asked for, what can be read on the page.
type tally struct {
	p *Page
	n int
}

func (c tally) String() string { return fmt.Sprintf("%d of them on this page: %s", c.n, c.p.Text()) }

// Gone waits until there is no element with a role and a name.
func (p *Page) Gone(role, name string) {
	p.t.Helper()
	p.Await(fmt.Sprintf("no %s %q", role, name), func() (any, bool) {
		n := len(p.All(role, name))
		return fmt.Sprintf("%d of them", n), n == 0
	})
}

// Text is all that can be read on the page: nothing while it is on its way from the server. Spaces of any width are spaces.
func (p *Page) Text() string {
	p.t.Helper()
	return spaces.Replace(Eval[string](p, "document.body?.innerText ?? ''"))
}

// spaces are the thin one between groups of digits and the one that breaks no line.
var spaces = strings.NewReplacer("\u2009", " ", "\u202f", " ", "\u00a0", " ")

// Says waits until a text stands on the page.
func (p *Page) Says(words string) {
	p.t.Helper()
	p.Await(fmt.Sprintf("%q on the page", words), func() (any, bool) {
		text := p.Text()
		return text, strings.Contains(text, words)
	})
}

// Matches waits until what a pattern matches stands on the page, with one space for any.
func (p *Page) Matches(pattern string) {
	p.t.Helper()
	match := regexp.MustCompile(pattern)
	p.Await(fmt.Sprintf("%q on the page", pattern), func() (any, bool) {
		text := strings.Join(strings.Fields(p.Text()), " ")
		return text, match.MatchString(text)
	})
}

// Press strikes a key by the name it has in KeyboardEvent.key: "a", "?", "Home".
func (p *Page) Press(key string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keyNamed(key), asKeyboard))
}

// asKeyboard has a key go down as one of a keyboard does: what it would type is not typed where the page prevents that. It would reach
// whatever has the focus by then.
func asKeyboard(event *input.DispatchKeyEventParams) {
	if event.Type == kb.KeyDown {
		event.Type = "rawKeyDown"
	}
}

var keyNames = map[string]string{"Backspace": kb.Backspace, "Home": kb.Home, "End": kb.End, "PageUp": kb.PageUp, "PageDown": kb.PageDown, "Escape": kb.Escape, "Enter": kb.Enter, "Tab": kb.Tab, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight, "ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown}

func keyNamed(key string) string {
	if s, ok := keyNames[key]; ok {
		return s
	}
	return key
}

// Hold keeps a letter pressed until enough says so.
func (p *Page) Hold(letter string, what string, enough func() (saw any, yes bool)) {
	p.t.Helper()
	key := func(kind input.DispatchKeyEventType) {
		params := input.DispatchKeyEventParams{Type: kind, Key: letter, Code: "Key" + strings.ToUpper(letter)}
		if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, params); err != nil {
			p.t.Fatal(err)
		}
	}
	key("keyDown")
	defer key("keyUp")
	p.Await(what, enough)
}

// Click presses the left button at a place of the page.
func (p *Page) Click(x, y float64) {
	p.t.Helper()
	p.Point(x, y)
	p.do(chromedp.MouseClickXY(x, y))
}

// DoubleClick presses the left button twice at a place of the page, with as much time between as a hand takes.
func (p *Page) DoubleClick(x, y float64) {
	p.t.Helper()
	p.Click(x, y)
	p.frame()
	for _, kind := range []input.DispatchMouseEventType{"mousePressed", "mouseReleased"} {
		params := input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: "left", ClickCount: 2}
		if _, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, params); err != nil {
			p.t.Fatal(err)
		}
	}
}

// Point moves the mouse to a place of the page.
func (p *Page) Point(x, y float64) {
	p.t.Helper()
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

// Mouse does something with the left button at a place of the page: "mousePressed", "mouseMoved", "mouseReleased".
func (p *Page) Mouse(kind input.DispatchMouseEventType, x, y float64) {
	p.t.Helper()
	params := input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: "left", ClickCount: 1}
	if _, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, params); err != nil {
		p.t.Fatal(err)
	}
}

// Wheel turns the wheel, by pixels downwards, while the mouse rests at a place of the page.
func (p *Page) Wheel(x, y, down float64) {
	p.t.Helper()
	const aside = 0.001 // a zero would be left out, which the browser refuses
	params := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: aside, DeltaY: down}
	if _, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, params); err != nil {
		p.t.Fatal(err)
	}
}

// Drop lets files of the disk fall on the middle of the page.
func (p *Page) Drop(paths ...string) {
	p.t.Helper()
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
		params := input.DispatchDragEventParams{Type: kind, X: Width / 2, Y: Height / 2, Data: data}
		if _, err := chromedp.Call(p.ctx, input.DispatchDragEvent, params); err != nil {
			p.t.Fatal(err)
		}
	}
}

// Picture is the page as PNG.
func (p *Page) Picture() []byte {
	p.t.Helper()
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	return png
}

// Upload chooses files for the file field of a name. The field itself may be hidden
// behind a button, as the system's file dialog cannot be worked from here.
func (p *Page) Upload(label string, paths ...string) {
	p.t.Helper()
	p.do(chromedp.SetUploadFiles(chromedp.CSS(fmt.Sprintf("input[type=file][aria-label=%q]", label)), paths, chromedp.NodeReady))
}
