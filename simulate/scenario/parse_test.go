package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRefused: files under testdata/refused are refused with the sentence in their first line, which is a
// comment that ends in it.
func TestRefused(t *testing.T) {
	files, err := filepath.Glob("testdata/refused/*.scenario")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no files", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, one := range strings.Split(string(text), "\n---\n") {
			first, _, _ := strings.Cut(one, "\n")
			want := strings.TrimPrefix(first, "# ")
			_, err := Parse(strings.NewReader(one), "x", Options{})
			if err == nil || err.Error() != want {
				t.Errorf("%s, part %d: %v\nit should say: %s", f, i+1, err, want)
			}
		}
	}
}

const small = `# a comment
scenario small "Two machines"
duration 10s
host left cpus=4 # another
  clock offset=-7s rate=100ppm walk=0.001 resolution=1us frequency=2.4GHz uptime=3d
  thermal amplitude=0.5 period=20m phase=0.25
  step at=1s by=5us
  reboot at=50% down=1s offset=-20ms rate=-320ppm
host right untraced=yes behind=gate
  tracing start=1s stop=90% subbuffer=64KiB subbuffers=8 rate=20MB wake=5ms loss=1% cut=yes omit="net_*, irq_*"
  kernel slice=3ms tick=4ms faults=20 migrate=0.1 segment=64KiB coalesce=1
  address at=5s ip=10.1.2.3
switch gate nat=yes
link left gate propagation=5us rate=1Gbps queue=128KiB jitter=2us
  back jitter=9us
link gate right tail=0.1% tail_least=100us tail_alpha=1.5 tail_most=1s outliers=0.1% outlier_by=200ms loss=10% loss_burst=2 duplicate=0.01 reorder=0.02 reorder_by=1ms
workload pingpong from=left to=right period="1 s" begin=1s end=9s
`

func parse(t *testing.T, text string, o Options) *Scenario {
	t.Helper()
	s, err := Parse(strings.NewReader(text), "test", o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestEveryKey holds the values of a scenario with every key against what they must be.
func TestEveryKey(t *testing.T) {
	s := parse(t, small, Options{})
	text, err := os.ReadFile("testdata/small.json")
	if err != nil {
		t.Fatal(err)
	}
	if got := indent(t, s); got != string(text) {
		t.Errorf("the scenario is\n%s", got)
	}
}

// TestRelative: parts of the duration are those of the one that is given instead.
func TestRelative(t *testing.T) {
	s := parse(t, small, Options{Duration: 100e9})
	if at := s.Hosts[0].Clock.Reboots[0].At; s.Duration != 100e9 || at != 50e9 {
		t.Errorf("the duration is %d, its half %d", s.Duration, at)
	}
}

// TestBeyond: what is behind the end of a duration that is given instead is told, and does not happen; what is
// relative is never behind it.
func TestBeyond(t *testing.T) {
	if s := parse(t, small, Options{Duration: 20e9}); len(s.Beyond) > 0 {
		t.Errorf("beyond the end is %v", s.Beyond)
	}
	var got []string
	for _, b := range parse(t, strings.Replace(small, " stop=90%", "", 1), Options{Duration: 1e9}).Beyond {
		got = append(got, b.Error())
	}
	want := []string{
		"test:7: the clock of left is set at 1s, but the scenario lasts 1s here, so that does not happen",
		"test:10: tracing of right begins at 1s, but the scenario lasts 1s here, so that does not happen",
		"test:12: right takes another address at 5s, but the scenario lasts 1s here, so that does not happen",
		"test:17: the workload pingpong begins at 1s, but the scenario lasts 1s here, so that does not happen",
	}
	if !slices.Equal(got, want) {
		t.Errorf("beyond the end is\n%s", strings.Join(got, "\n"))
	}
}

// TestWorkloads: what a workload may not have is told with its line.
func TestWorkloads(t *testing.T) {
	_, err := Parse(strings.NewReader(small), "f", Options{Workload: func(kind string, params map[string]string, hosts []string) (map[string]bool, error) {
		return nil, &Error{File: kind + " " + params["period"] + " " + strings.Join(hosts, " "), Text: "no"}
	}})
	if err == nil || err.Error() != "f:17: pingpong 1 s left right: no" {
		t.Error(err)
	}
}

// TestOwned: what only one workload can have is refused the second, with the lines of both, unless it can be had by several
// of a kind.
func TestOwned(t *testing.T) {
	owner := func(kind string, params map[string]string, hosts []string) (map[string]bool, error) {
		return map[string]bool{params["own"]: params["shared"] == "yes"}, nil
	}
	for _, c := range []struct{ first, second, want string }{
		{"a own=x", "a own=y", ""},
		{"a own=x shared=yes", "a own=x shared=yes", ""},
		{"a own=x", "a own=x", "f:5: a: x is that of a in line 4 already"},
		{"a own=x shared=yes", "b own=x shared=yes", "f:5: b: x is that of a in line 4 already"},
	} {
		text := "scenario owned none\nduration 1s\nhost h\nworkload " + c.first + "\nworkload " + c.second + "\n"
		_, err := Parse(strings.NewReader(text), "f", Options{Workload: owner})
		if got := fmt.Sprint(err); got != c.want && (err != nil || c.want != "") {
			t.Errorf("%s, %s: %v", c.first, c.second, err)
		}
	}
}

const grown = `scenario grown "As many as wanted"
hosts 4 3
duration 1m
host node-{1..n} cpus=1
  clock offset=-5s..5s rate=-100..100
change node-2
  tracing start=10s
switch rack-{1,2}
link node-{1..n} rack-{1..2~n} rate=1Gbps
link node-{1..n} node-{2..n,1}
`

// TestSequences: a statement with braces stands for many, in number as wanted, and one more changes nothing
// of what the others have by chance.
func TestSequences(t *testing.T) {
	four := parse(t, grown, Options{Seed: 7})
	if len(four.Hosts) != 4 || len(four.Switches) != 2 || len(four.Links) != 8 {
		t.Fatalf("%d hosts, %d switches, %d links", len(four.Hosts), len(four.Switches), len(four.Links))
	}
	var pairs []string
	for _, l := range four.Links {
		pairs = append(pairs, l.A+"+"+l.B)
	}
	if got, want := strings.Join(pairs, " "), "node-1+rack-1 node-2+rack-2 node-3+rack-1 node-4+rack-2 node-1+node-2 node-2+node-3 node-3+node-4 node-4+node-1"; got != want {
		t.Errorf("the links are %s", got)
	}
	if four.Hosts[1].Tracing.Start != 10e9 || four.Hosts[2].Tracing.Start != 0 {
		t.Error("node-2 alone should start late")
	}
	six, other := parse(t, grown, Options{Seed: 7, Hosts: 6}), parse(t, grown, Options{Seed: 8})
	if len(six.Hosts) != 6 {
		t.Fatalf("there are %d hosts", len(six.Hosts))
	}
	for i, h := range four.Hosts {
		if six.Hosts[i].Clock.Offset != h.Clock.Offset || six.Hosts[i].Clock.Rate != h.Clock.Rate {
			t.Errorf("with more hosts, %s has another clock", h.Name)
		}
		if other.Hosts[i].Clock.Offset == h.Clock.Offset {
			t.Errorf("with another seed, %s has the same clock", h.Name)
		}
		if i > 0 && four.Hosts[0].Clock.Offset == h.Clock.Offset {
			t.Errorf("%s has the clock of node-1", h.Name)
		}
		if o := h.Clock.Offset; o < -5e9 || o > 5e9 {
			t.Errorf("the clock of %s is off by %d", h.Name, o)
		}
	}
	if _, err := Parse(strings.NewReader(grown), "g", Options{Hosts: 2}); err == nil || err.Error() != "g:2: there are 3 to 1000 hosts, not 2" {
		t.Error(err)
	}
	if _, err := Parse(strings.NewReader(small), "s", Options{Hosts: 2}); err == nil || err.Error() != "s: the number of its hosts is fixed" {
		t.Error(err)
	}
}

// FuzzParse: no text makes the parser panic, and what it accepts is accepted again.
func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Add(grown)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(strings.NewReader(text), "fuzz", Options{Seed: 1})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz:") {
				t.Fatalf("the error %q does not name the file", err)
			}
			return
		}
		if _, err := Parse(strings.NewReader(text), "fuzz", Options{Seed: 2, Duration: s.Duration}); err != nil && !strings.Contains(text, "..") {
			t.Fatal(err)
		}
	})
}
