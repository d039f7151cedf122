package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

//go:embed page.js
var watch string

const (
	width = 1440
	row   = 22  // CSS pixels of a row
	rest  = 650 // CSS pixels of what is not rows on a usual screen: header, overview, axis, CPUs, communication, status
)

// A viewer is one page of a Chromium of its own.
type viewer struct {
	ctx    context.Context
	cancel []context.CancelFunc
	wire   *traffic
}

// openPage shows a page, so high that as many rows are in view, and waits until it is sharp.
func openPage(ctx context.Context, wire *traffic, path string, rows int) (*viewer, error) {
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "chromium-headless-shell"} {
		if p, err := exec.LookPath(name); err == nil {
			program = p
			break
		}
	}
	if program == "" {
		return nil, errors.New("no Chromium is installed")
	}
	height := int64(rows*row + rest)
	allocator, end := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(width, int(height)))...)
	tab, cancel := chromedp.NewContext(allocator)
	v := &viewer{ctx: tab, cancel: []context.CancelFunc{cancel, end}, wire: wire}
	err := v.open(wire.url()+path, height)
	if err == nil {
		err = v.fit(rows, height)
	}
	if err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

// sharp is true of a page whose last frame drew rows, all of them in their own pixels.
const sharp = `bench.frames.length > 0 && (() => { const [, rows, blank, coarse] = bench.frames.at(-1); return rows > 20 && blank + coarse === 0; })()`

// fit makes the window higher until as many rows are in view: what is not rows takes its share of a high window as well.
func (v *viewer) fit(rows int, height int64) error {
	for range 8 {
		seen, err := eval[int](v, "bench.frames.at(-1)[1]")
		if err != nil || seen >= rows {
			return err
		}
		height += int64((rows - seen) * row)
		if err := chromedp.Do(v.ctx, chromedp.EmulateViewport(width, height)); err != nil {
			return err
		}
		if err := v.await("a picture with more rows", fmt.Sprintf("bench.frames.at(-1)[1] > %d && %s", seen, sharp)); err != nil {
			return err
		}
	}
	return fmt.Errorf("a window of %d pixels has no room for %d rows", height, rows)
}

func (v *viewer) open(url string, height int64) error {
	if err := chromedp.Do(v.ctx, chromedp.EmulateViewport(width, height)); err != nil {
		return err
	}
	if _, err := chromedp.Call(v.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch}); err != nil {
		return err
	}
	if err := chromedp.Do(v.ctx, chromedp.Navigate(url)); err != nil {
		return err
	}
	return v.await("a sharp picture", sharp)
}

// await looks until an expression is true.
func (v *viewer) await(what, expression string) error {
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		yes, err := eval[bool](v, expression)
		if err != nil || yes {
			return err
		}
		if time.Now().After(end) {
			frames, _ := eval[json.RawMessage](v, "bench.frames.slice(-3)")
			return fmt.Errorf("there was no %s within a minute; the last frames: %s", what, frames)
		}
	}
}

func eval[T any](v *viewer, expression string) (T, error) {
	return chromedp.Run(v.ctx, chromedp.Evaluate[T](expression))
}

// key presses or lets go a letter or a named key.
func (v *viewer) key(kind input.DispatchKeyEventType, key string) error {
	code := key
	if len(key) == 1 && 'a' <= key[0] && key[0] <= 'z' {
		code = "Key" + string(key[0]-'a'+'A')
	}
	_, err := chromedp.Call(v.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key, Code: code})
	return err
}

func (v *viewer) hold(key string, d time.Duration) error {
	if err := v.key(input.DispatchKeyEventTypeKeyDown, key); err != nil {
		return err
	}
	time.Sleep(d)
	return v.key(input.DispatchKeyEventTypeKeyUp, key)
}

func (v *viewer) wheel(x, y, dx, dy float64, modifiers int64) error {
	const aside = 0.001 // a zero would be left out, which the browser refuses
	_, err := chromedp.Call(v.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: dx + aside, DeltaY: dy + aside, Modifiers: modifiers})
	return err
}

// ctrl presses the key Ctrl or lets it go: a wheel with Ctrl and without the key is a trackpad on which fingers are spread.
func (v *viewer) ctrl(kind input.DispatchKeyEventType, modifiers int64) error {
	_, err := chromedp.Call(v.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "Control", Code: "ControlLeft", Modifiers: modifiers})
	return err
}

func (v *viewer) picture(path string) error {
	png, err := chromedp.Run(v.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return err
	}
	return os.WriteFile(path, png, 0o644)
}

// asked is all that the page asked of the server since it was opened.
func (v *viewer) asked() ([]question, error) {
	raw, err := eval[[][2]json.RawMessage](v, "bench.asked")
	if err != nil {
		return nil, err
	}
	var out []question
	for _, r := range raw {
		var ms float64
		var text string
		if err := errors.Join(json.Unmarshal(r[0], &ms), json.Unmarshal(r[1], &text)); err != nil {
			return nil, err
		}
		out = append(out, question{time.Duration(ms * float64(time.Millisecond)), text})
	}
	return out, nil
}

func (v *viewer) close() {
	for _, cancel := range v.cancel {
		cancel()
	}
}
