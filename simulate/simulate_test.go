package simulate_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/truth"
	"synchroscope/simulate/validate"
	"synchroscope/simulate/workload"
	"synchroscope/trace/ctf/writer"
)

// lasts is how long a scenario is simulated here where a second would not show what it is for.
var lasts = map[string]time.Duration{
	"reboot":           24 * time.Second,
	"s9":               90 * time.Second,
	"late-start":       8 * time.Second,
	"late-join":        8 * time.Second,
	"pair-drift":       time.Minute,
	"thermal-4h":       30 * time.Second,
	"s2":               30 * time.Second,
	"s8":               4 * time.Second,
	"lost-events":      4 * time.Second,
	"cluster-60":       300 * time.Millisecond,
	"many-threads-20k": 1500 * time.Millisecond,
	"syscall-storm":    200 * time.Millisecond,
	"scp":              500 * time.Millisecond,
}

// brief are simulated with -short too.
var brief = map[string]bool{"web": true, "reboot": true, "lost-events": true, "loss-30": true, "s8": true}

func load(t *testing.T, name string, seed uint64) *scenario.Scenario {
	t.Helper()
	d, ok := lasts[name]
	if !ok {
		d = time.Second
	}
	s, err := scenario.Load(name, scenario.Options{Seed: seed, Duration: int64(d), Workload: workload.Check})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every scenario of the library makes traces that are consistent with the truth and with
// themselves, and the same bytes with one core and with four.
func TestLibrary(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for i, name := range scenario.Names() {
		if testing.Short() && !brief[name] {
			continue
		}
		t.Run(name, func(t *testing.T) {
			format := writer.CTF18
			if i%5 == 4 {
				format = writer.CTF2
			}
			var sums [2][sha256.Size]byte
			var dir string
			for run, cores := range []int{1, 4} {
				runtime.GOMAXPROCS(cores)
				dir = filepath.Join(t.TempDir(), "out")
				sum, err := simulate.Run(t.Context(), load(t, name, 7), simulate.Options{Seed: 7, Out: dir, Format: format})
				if err != nil {
					t.Fatal(err)
				}
				if sum.Events == 0 {
					t.Error("there are no events")
				}
				sums[run] = digest(t, dir)
			}
			runtime.GOMAXPROCS(before)
			if sums[0] != sums[1] {
				t.Error("two runs made other bytes")
			}
			report, err := validate.Dir(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if !report.OK() {
				var b bytes.Buffer
				report.WriteTo(&b)
				t.Errorf("it is not consistent:\n%s", b.String())
			}
		})
	}
}

// digest is that of all files in a directory, with their names.
func digest(t *testing.T, dir string) [sha256.Size]byte {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %d\n", strings.TrimPrefix(path, dir), len(content))
		h.Write(content)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Another seed is another day; its summary is what truth.json says.
func TestSeeds(t *testing.T) {
	seen := make(map[[sha256.Size]byte]bool)
	for _, seed := range []uint64{1, 2} {
		dir := t.TempDir()
		sum, err := simulate.Run(t.Context(), load(t, "web", seed), simulate.Options{Seed: seed, Out: dir})
		if err != nil {
			t.Fatal(err)
		}
		if d := digest(t, dir); seen[d] {
			t.Error("two seeds made the same bytes")
		} else {
			seen[d] = true
		}
		known, err := truth.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		counts := known.Counts()
		if sum.Events != counts.Events || sum.Lost != counts.Lost || sum.Messages != known.MessageCount || sum.Scenario != "web" || known.Seed != seed {
			t.Errorf("the summary is %+v, the truth has %+v, %d messages", sum, counts, known.MessageCount)
		}
	}
}

// A patience is a context that is done when it has been looked at so often.
type patience struct {
	context.Context
	looks int
}

func (p *patience) Err() error {
	if p.looks--; p.looks < 0 {
		return context.Canceled
	}
	return nil
}

// A cluster that does very much in no time is asked as often whether it is to stop as one that does the same in
// hours: a thousand events of each CPU are never between two looks.
func TestStopsSoon(t *testing.T) {
	const storm = `scenario storm "Much in little time"
duration 3ms
host node-{1..20} cpus=4
workload storm threads=4 call=100ns between=0s`
	s, err := scenario.Parse(strings.NewReader(storm), "storm", scenario.Options{Workload: workload.Check})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "whole")
	ctx := &patience{t.Context(), math.MaxInt}
	sum, err := simulate.Run(ctx, s, simulate.Options{Seed: 1, Out: dir})
	if err != nil {
		t.Fatal(err)
	}
	looks := math.MaxInt - ctx.looks
	if least := int(sum.Events / (1000 * 20 * 4)); looks < least {
		t.Errorf("it looked %d times at the context during %d events, not %d times", looks, sum.Events, least)
	}
	dir = filepath.Join(t.TempDir(), "half")
	_, err = simulate.Run(&patience{t.Context(), looks / 2}, s, simulate.Options{Seed: 1, Out: dir})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, truth.File)); err == nil {
		t.Error("there is a truth of what did not come to its end")
	}
}

// Copies that every link of a long chain makes do not keep a scenario from its end, and what is written of them is consistent.
func TestCopiesEnd(t *testing.T) {
	const chain = `scenario chain "Links that repeat all they hear"
duration 1s
host {left,right}
switch s-{1..30}
link left s-1 propagation=5us rate=1Gbps duplicate=100%
link s-{1..29} s-{2..30} propagation=5us rate=1Gbps duplicate=100%
link s-30 right propagation=5us rate=1Gbps duplicate=100%
workload pingpong from=left to=right period=50ms size=5000
workload pingpong from=left to=right period=50ms protocol=udp
workload pingpong from=left to=right period=50ms protocol=icmp`
	s, err := scenario.Parse(strings.NewReader(chain), "chain", scenario.Options{Workload: workload.Check})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := simulate.Run(t.Context(), s, simulate.Options{Seed: 1, Out: dir}); err != nil {
		t.Fatal(err)
	}
	report, err := validate.Dir(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK() {
		var b bytes.Buffer
		report.WriteTo(&b)
		t.Errorf("it is not consistent:\n%s", b.String())
	}
	if known, err := truth.Read(dir); err != nil || known.Network.Duplicated < 1000 {
		t.Errorf("copies are %+v, %v", known.Network, err)
	}
}

// What is stopped, and what cannot be, leaves no truth behind.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	_, err := simulate.Run(ctx, load(t, "late-start", 1), simulate.Options{Seed: 1, Out: dir, Progress: func(done, all int64) {
		if done > all/4 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, truth.File)); err == nil {
		t.Error("there is a truth of what did not come to its end")
	}
	if _, err := simulate.Run(t.Context(), load(t, "web", 1), simulate.Options{Seed: 1, Out: dir}); err == nil || !strings.Contains(err.Error(), "something in it already") {
		t.Errorf("a directory that is not empty: %v", err)
	}
}
