package main

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"synchroscope/catalog"
	"synchroscope/internal/raced"
)

// What little a program has in use has little garbage, whatever it may take; what it may take it keeps to; and what much it has has as much again.
func TestLimitFor(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct{ objects, others, most, want int64 }{
		{0, 0, 384, 56},
		{20, 8, 384, 56},
		{40, 10, 384, 56},
		{48, 10, 384, 63},
		{60, 10, 384, 77},
		{60, 10, 64, 64},
		{90, 10, 384, 124},
		{120, 10, 384, 180},
		{200, 10, 1000, 371},
		{240, 10, 1000, 490},
		{240, 10, 384, 384},
	} {
		if got := limitFor(catalog.Aside+c.objects*mib, c.others*mib, c.most*mib) - catalog.Aside; (got+mib/2)/mib != c.want {
			t.Errorf("%d MiB of objects, %d of others, at most %d: a limit of %.1f MiB, want %d", c.objects, c.others, c.most, float64(got)/mib, c.want)
		}
	}
}

// With 20 MiB in use, and much garbage, a program stays near what it usually takes though it may take more, and would take 200 by itself; of
// what a catalogue sets aside nothing is there here. The collector may be late for a moment on a machine that others use as well, by 2 MiB once:
// nine looks of ten are within the bound, and the others beyond it by what is in use at most. It is looked at in a process of its own: other tests leave memory in use, each run another amount.
func TestPace(t *testing.T) {
	raced.Alone(t)
	const alone = "SYNCHROSCOPE_TEST_PACE"
	if os.Getenv(alone) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPace$", "-test.v")
		cmd.Env = append(os.Environ(), alone+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: TestPace") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	defer debug.SetGCPercent(debug.SetGCPercent(900))
	debug.FreeOSMemory()
	others := besides() + inUse()
	stop := pace(others + 384<<20)
	used := make([][]byte, 20<<20/4096)
	for i := range used {
		used[i] = make([]byte, 4096)
	}
	var looks []int64
	for i := range 1 << 19 {
		garbage = make([]byte, 1024)
		for k := range garbage {
			garbage[k] = byte(i)
		}
		if i%256 == 0 {
			looks = append(looks, read("/memory/classes/total:bytes")-read("/memory/classes/heap/released:bytes"))
		}
	}
	runtime.KeepAlive(used)
	stop()
	slices.Sort(looks)
	bound := int64(usually + catalog.Aside + 20<<20)
	nearly, most := looks[len(looks)*9/10], looks[len(looks)-1]
	if nearly > bound || most > bound+20<<20 {
		t.Errorf("%.1f MiB, %.1f at the most; for %.1f in use it is to be %.1f", float64(nearly)/(1<<20), float64(most)/(1<<20), float64(others+20<<20)/(1<<20), float64(bound)/(1<<20))
	}
	t.Logf("%.1f MiB, %.1f at the most", float64(nearly)/(1<<20), float64(most)/(1<<20))
	if limit := debug.SetMemoryLimit(-1); limit < 1<<40 {
		t.Errorf("a limit of %d is left", limit)
	}
}

var garbage []byte
