package main

import (
	"errors"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// A motion is what was seen while the page moved.
type motion struct {
	rows        int       // in view in the end
	seconds     float64   // it lasted
	frames                // ms of the main thread
	between     []float64 // ms from frame to frame
	drawn       int       // frames that drew rows
	blankFrames int
	coarse      float64 // percent of the rows drawn
}

// move pans and zooms by held keys, through all depths and by rows as well, for so long.
func (v *viewer) move(d time.Duration) (*motion, error) { return v.run(d, steps) }

// scroll goes through the rows by wheel and by keys, to the end and back, for so long.
func (v *viewer) scroll(d time.Duration) (*motion, error) {
	if _, err := eval[bool](v, `document.querySelector("[role=treegrid][aria-label^=Control]").focus() ?? true`); err != nil {
		return nil, err
	}
	return v.run(d, scrolls)
}

// run takes steps, one after the other and again, for so long.
func (v *viewer) run(d time.Duration, steps []func(*viewer) error) (*motion, error) {
	if _, err := eval[bool](v, "bench.frames.length = bench.ticks.length = 0; bench.tick(); true"); err != nil {
		return nil, err
	}
	rec, err := v.record()
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	for k := 0; time.Since(begun) < d; k++ {
		s := steps[k%len(steps)]
		if err := s(v); err != nil {
			return nil, err
		}
	}
	m := &motion{seconds: time.Since(begun).Seconds()}
	told, err := eval[[][4]float64](v, "bench.frames")
	if err != nil {
		return nil, err
	}
	ticks, err := eval[[]float64](v, "bench.ticks")
	if err != nil {
		return nil, err
	}
	for i := 1; i < len(ticks); i++ {
		m.between = append(m.between, ticks[i]-ticks[i-1])
	}
	var rows, coarse float64
	for _, f := range told {
		rows += f[1]
		coarse += f[3]
		if f[2] > 0 {
			m.blankFrames++
		}
		m.rows = int(f[1])
	}
	m.drawn = len(told)
	m.coarse = 100 * coarse / max(1, rows)
	m.frames, err = rec.frames()
	return m, err
}

func hold(key string, d time.Duration) func(*viewer) error {
	return func(v *viewer) error { return v.hold(key, d) }
}

func turn(times int, dx, dy float64, modifiers int64) func(*viewer) error {
	return func(v *viewer) error {
		if modifiers == control {
			if err := v.ctrl(input.DispatchKeyEventTypeKeyDown, control); err != nil {
				return err
			}
			defer v.ctrl(input.DispatchKeyEventTypeKeyUp, 0)
		}
		for range times {
			if err := v.wheel(width/2, 700, dx, dy, modifiers); err != nil {
				return err
			}
			time.Sleep(30 * time.Millisecond)
		}
		return nil
	}
}

const shift, control = 8, 2

var steps = []func(*viewer) error{
	hold("w", 1200*time.Millisecond), hold("d", 1500*time.Millisecond), hold("a", 800*time.Millisecond),
	hold("w", 1200*time.Millisecond), hold("d", 1200*time.Millisecond), hold("s", 900*time.Millisecond),
	turn(20, 400, 0, shift), turn(15, 0, 110, 0), hold("d", 1000*time.Millisecond),
	hold("w", 1500*time.Millisecond), hold("a", 1500*time.Millisecond), turn(15, 0, -110, 0),
	turn(20, 0, 120, control), hold("d", 1200*time.Millisecond), turn(20, 0, -120, control),
	hold("s", 2500*time.Millisecond), hold("a", 800*time.Millisecond), hold("s", 1500*time.Millisecond),
}

// strike presses a key so many times, as fast as a held one repeats.
func strike(key string, times int) func(*viewer) error {
	return func(v *viewer) error {
		for range times {
			for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
				if err := v.key(kind, key); err != nil {
					return err
				}
			}
			time.Sleep(30 * time.Millisecond)
		}
		return nil
	}
}

// In the tree that has the focus, End chooses the last row, and a page up or down chooses from there.
var scrolls = []func(*viewer) error{
	turn(30, 0, 400, 0), strike("PageDown", 20), strike("End", 1), strike("PageUp", 20), turn(30, 0, -900, 0),
}

// Timed is what single changes took.
type timed struct {
	sharp []float64 // ms from the key to the first sharp picture
	bytes []float64 // until the picture of a far jump is sharp
}

// press times single keys, each after a rest, and then jumps through the overview to places of
// which nothing is known, whose bytes are counted.
func (v *viewer) press(times int) (*timed, error) {
	out := new(timed)
	// In the tree arrows open and close rows.
	if _, err := eval[bool](v, "document.activeElement.blur() ?? true"); err != nil {
		return nil, err
	}
	if err := chromedp.Do(v.ctx, chromedp.KeyEvent("0")); err != nil {
		return nil, err
	}
	if err := v.quiet(); err != nil {
		return nil, err
	}
	keys := []string{"+", "+", "+", "ArrowRight", "+", "ArrowRight", "+", "ArrowRight", "ArrowRight", "+", "+", "ArrowLeft", "ArrowLeft", "-", "-", "ArrowRight", "-", "ArrowLeft", "-", "-"}
	for k := range times {
		ms, _, err := v.timed(func() error {
			key := keys[k%len(keys)]
			if err := v.key(input.DispatchKeyEventTypeKeyDown, key); err != nil {
				return err
			}
			return v.key(input.DispatchKeyEventTypeKeyUp, key)
		})
		if err != nil {
			return nil, err
		}
		out.sharp = append(out.sharp, ms)
	}
	for k := range 12 {
		if k%4 == 0 {
			if err := v.hold("w", 900*time.Millisecond); err != nil {
				return nil, err
			}
			if err := v.quiet(); err != nil {
				return nil, err
			}
		}
		_, bytes, err := v.timed(func() error { return v.jump(0.05 + 0.9*float64((k*7)%12)/12) })
		if err != nil {
			return nil, err
		}
		out.bytes = append(out.bytes, bytes)
	}
	return out, nil
}

// jump clicks a place of the overview.
func (v *viewer) jump(share float64) error {
	at, err := eval[[]float64](v, `(() => { const b = document.querySelector(".overview .strip").getBoundingClientRect(); return [b.left, b.top + b.height / 2, b.width]; })()`)
	if err != nil {
		return err
	}
	return chromedp.Do(v.ctx, chromedp.MouseClickXY(at[0]+share*at[2], at[1]))
}

// timed does something and waits for the picture to be sharp; ms is from the event in the page
// to it, bytes are what came until then.
func (v *viewer) timed(act func() error) (ms, bytes float64, err error) {
	if _, err := eval[bool](v, "bench.press = null; bench.timing = true"); err != nil {
		return 0, 0, err
	}
	before := v.wire.received.Load()
	if err := act(); err != nil {
		return 0, 0, err
	}
	if err := v.await("sharp picture after a key", "bench.press !== null && bench.press.sharp !== null"); err != nil {
		return 0, 0, err
	}
	bytes = float64(v.wire.received.Load() - before)
	ms, err = eval[float64](v, "bench.timing = false; bench.press.sharp")
	if err != nil {
		return 0, 0, err
	}
	return ms, bytes, v.quiet()
}

// quiet waits until the picture is sharp and nothing comes any more.
func (v *viewer) quiet() error {
	if err := v.await("sharp picture at rest", "(([, , blank, coarse]) => blank + coarse === 0)(bench.frames.at(-1))"); err != nil {
		return err
	}
	begun := time.Now()
	for last := int64(-1); last != v.wire.received.Load(); {
		if time.Since(begun) > 20*time.Second {
			return errors.New("20 s after it was sharp, things still come")
		}
		last = v.wire.received.Load()
		time.Sleep(400 * time.Millisecond)
	}
	return nil
}
