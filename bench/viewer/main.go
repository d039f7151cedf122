// Viewer measures how the page moves: Chromium is driven through half a minute of panning and
// zooming over a large simulated cluster with a hundred rows in view, and what its main thread did
// for each frame, what each frame left blank, and how fast the server answered is printed as a table.
//
//	go run ./bench/viewer [-cache DIR] [-program FILE] [-seconds 30] [-rows 100] [-script FILE]
//
// The traces are made once and kept in the cache directory, with the set that is imported from them
// for each run: about 900 MB.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"synchroscope/bench/traces"
)

// Targets of the viewer, as docs/performance.md has them.
const (
	targetFrame  = 1000.0 / 60 // ms, the median
	targetSlow   = 50.0        // ms, the 99th percentile
	targetSharp  = 150.0       // ms, the median
	targetAnswer = 20.0        // ms, the 95th percentile
	targetRedraw = 100.0       // kB
)

type options struct {
	cache    string
	program  string
	key      traces.Key
	seconds  float64
	rows     int
	presses  int
	browsers int
	apart    bool
	picture  string
	script   string
}

func main() {
	var o options
	flag.StringVar(&o.cache, "cache", filepath.Join(os.TempDir(), "synchroscope-bench-viewer"), "keep the traces in `directory`")
	flag.StringVar(&o.program, "program", "", "the synchroscope to measure, instead of one built from the sources here")
	o.key.Flags()
	flag.Float64Var(&o.seconds, "seconds", 30, "how long the page is moved")
	flag.IntVar(&o.rows, "rows", 100, "rows in view")
	flag.IntVar(&o.presses, "presses", 40, "single key presses that are timed")
	flag.IntVar(&o.browsers, "browsers", 8, "browsers that ask the server at once")
	flag.BoolVar(&o.apart, "apart", false, "these browsers look at different places")
	flag.StringVar(&o.picture, "picture", "", "write the page as it is in the end to `file`")
	flag.StringVar(&o.script, "script", "", "keep what the page asked in `file`; where it is already, browsers ask that, and no page is moved")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench/viewer:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	server, err := serve(ctx, o)
	if err != nil {
		return err
	}
	defer server.stop()
	load := traces.MachineLoad()
	var t table
	asked, err := readScript(o.script)
	if errors.Is(err, fs.ErrNotExist) {
		if asked, err = drive(ctx, o, server, &t); err == nil && o.script != "" {
			err = writeScript(o.script, asked)
		}
	}
	if err != nil {
		return err
	}
	if err := crowd(ctx, o, server, asked, &t); err != nil {
		return err
	}
	fmt.Printf("%s: %s events; load %s before, %s after\n\n", o.key.Scenario, server.events, load, traces.MachineLoad())
	t.print()
	return nil
}

// drive moves a page, tells what that was like and returns what the page asked.
func drive(ctx context.Context, o options, server *server, t *table) ([]question, error) {
	wire, err := tap(server.url)
	if err != nil {
		return nil, err
	}
	page, err := openPage(ctx, wire, server.page("?rows=all"), o.rows)
	if err != nil {
		return nil, err
	}
	defer page.close()
	motion, err := page.move(time.Duration(o.seconds * float64(time.Second)))
	if err != nil {
		return nil, err
	}
	scrolled, err := page.scroll(time.Duration(o.seconds / 3 * float64(time.Second)))
	if err != nil {
		return nil, err
	}
	presses, err := page.press(o.presses)
	if err != nil {
		return nil, err
	}
	if o.picture != "" {
		if err := page.picture(o.picture); err != nil {
			return nil, err
		}
	}
	t.row("rows in view", fmt.Sprint(motion.rows), fmt.Sprintf("%d", o.rows), motion.rows >= o.rows)
	t.row("frames", fmt.Sprintf("%d in %.1f s", len(motion.wall), motion.seconds), "", true)
	t.row("between frames, median (99 %)", fmt.Sprintf("%.1f ms (%.1f)", quantile(motion.between, .5), quantile(motion.between, .99)), "", true)
	work, slow := quantile(motion.processor, .5), quantile(motion.processor, .99)
	t.row("main-thread work of a frame, median", fmt.Sprintf("%.1f ms (%.1f by the clock on the wall)", work, quantile(motion.wall, .5)), fmt.Sprintf("< %.1f ms", targetFrame), work < targetFrame)
	t.row("the same, 99 %", fmt.Sprintf("%.1f ms (%.1f)", slow, quantile(motion.wall, .99)), fmt.Sprintf("< %.0f ms", targetSlow), slow < targetSlow)
	t.row("frames with a blank row", fmt.Sprintf("%d of %d", motion.blankFrames, motion.drawn), "0", motion.blankFrames == 0)
	t.row("frames with a blank row while rows are scrolled", fmt.Sprintf("%d of %d", scrolled.blankFrames, scrolled.drawn), "0", scrolled.blankFrames == 0)
	t.row("main-thread work of such a frame, median (99 %)", fmt.Sprintf("%.1f ms (%.1f)", quantile(scrolled.processor, .5), quantile(scrolled.processor, .99)), "", true)
	t.row("rows stretched, of those drawn", fmt.Sprintf("%.1f %%", motion.coarse), "", true)
	sharp := quantile(presses.sharp, .5)
	t.row("key press to sharp picture, median (95 %)", fmt.Sprintf("%.0f ms (%.0f), %d presses", sharp, quantile(presses.sharp, .95), len(presses.sharp)), fmt.Sprintf("< %.0f ms", targetSharp), sharp < targetSharp)
	redraw := quantile(presses.bytes, .5) / 1e3
	t.row("a full redraw, median (largest)", fmt.Sprintf("%.1f kB (%.1f)", redraw, quantile(presses.bytes, 1)/1e3), fmt.Sprintf("< %.0f kB", targetRedraw), quantile(presses.bytes, 1)/1e3 < targetRedraw)
	return page.asked()
}

// crowd tells how the server answers several browsers.
func crowd(ctx context.Context, o options, server *server, asked []question, t *table) error {
	before := processor(server.cmd.Process.Pid)
	answers, err := replay(ctx, server.live(), asked, o.browsers, o.apart)
	if err != nil {
		return err
	}
	used := processor(server.cmd.Process.Pid) - before
	for _, op := range []string{"states", "messages", "density"} {
		a := answers[op]
		if a == nil || len(a.times) == 0 {
			continue
		}
		at := quantile(a.times, .95)
		t.row(fmt.Sprintf("%s: answers to %d browsers at once, 95 %% (median)", op, o.browsers),
			fmt.Sprintf("%.1f ms (%.1f), %d answers, %d superseded", at, quantile(a.times, .5), len(a.times), a.superseded), fmt.Sprintf("< %.0f ms", targetAnswer), at < targetAnswer)
	}
	all := answers["all"]
	if all == nil {
		return errors.New("the server answered nothing")
	}
	t.row("processor time of the server for an answer, mean", fmt.Sprintf("%.1f ms", used/float64(len(all.times)+all.superseded)), "", true)
	at := quantile(all.times, .95)
	t.row(fmt.Sprintf("all answers to %d browsers at once, 95 %% (median)", o.browsers), fmt.Sprintf("%.1f ms (%.1f)", at, quantile(all.times, .5)), fmt.Sprintf("< %.0f ms", targetAnswer), at < targetAnswer)
	return nil
}
