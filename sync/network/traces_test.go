package network_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/trace/archive"
	"synchroscope/trace/ctf"
)

// open extracts a real trace set from the folder beside the project, or skips.
func open(t *testing.T, name string) []ctf.HostTraces {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "traces", name)
	f, err := os.Open(path)
	if err != nil {
		t.Skipf("the folder of real traces is not beside the project: %v", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := archive.Extract(context.Background(), root, name, f, info.Size(), archive.Limits{}, nil); err != nil {
		t.Fatal(err)
	}
	found, err := ctf.Discover(dir)
	if err != nil {
		t.Fatal(err)
	}
	var traces []*ctf.Trace
	for _, d := range found {
		tr, err := ctf.Open(d)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { tr.Close() })
		traces = append(traces, tr)
	}
	return ctf.Group(traces)
}

// synchronize feeds the hosts one after the other, in the order given.
func synchronize(t *testing.T, hosts []ctf.HostTraces, order []int) *network.Solution {
	t.Helper()
	n := network.New(network.Config{})
	for _, h := range hosts {
		n.AddHost(h.Name, h.ID)
	}
	for _, i := range order {
		r, err := ctf.NewReader(hosts[i].Traces, ctf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x := match.NewExtractor(int32(i))
		begin, end := int64(math.MaxInt64), int64(math.MinInt64)
		for {
			ev, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			begin, end = min(begin, ev.Time), max(end, ev.Time)
			if e, ok := x.Extract(ev); ok {
				n.Endpoint(e, nil)
			}
		}
		r.Close()
		n.Span(int32(i), begin, end)
		n.Done(int32(i), nil)
	}
	return n.Solution()
}

func number(t *testing.T, s *network.Solution, name string) int32 {
	for i, h := range s.Hosts {
		if h.Name == name {
			return int32(i)
		}
	}
	t.Fatalf("there is no host %s", name)
	return -1
}

// The oldest real pair: 46 messages within 118 ms. The digits are those that
// another tool computes in decimals of 34 digits; it rounds at every step, so
// the last two of alpha and the last five of beta are its own.
func TestSCP(t *testing.T) {
	hosts := open(t, "scp.tar.gz")
	s := synchronize(t, hosts, []int{0, 1})
	if len(s.Hosts) != 2 || len(s.Links) != 1 {
		t.Fatalf("%d hosts, %d links", len(s.Hosts), len(s.Links))
	}
	k := s.Links[0]
	if k.Class != hull.Accurate || k.AToB+k.BToA != 46 || s.Counts.Matched != 46 || k.Violations != 0 {
		t.Errorf("class %v, %d + %d messages, %d violations", k.Class, k.AToB, k.BToA, k.Violations)
	}
	// VM1 was the source, VM3 the destination, whose clock id is the lower.
	if s.Hosts[k.A].Name != "VM1" || s.Hosts[k.B].Name != "VM3" {
		t.Fatalf("link %s-%s", s.Hosts[k.A].Name, s.Hosts[k.B].Name)
	}
	low, high := new(big.Rat).Inv(k.AlphaMax), new(big.Rat).Inv(k.AlphaMin)
	if got := low.FloatString(10) + " " + high.FloatString(10); got != "0.9973702714 1.0027469787" {
		t.Errorf("slopes of the source by the destination: %s", got)
	}
	r := s.Report().Links[0]
	if !strings.HasPrefix(r.AlphaExact, "0.99994137837031390110568458311683") {
		t.Errorf("alpha %s", r.AlphaExact)
	}
	if !strings.HasPrefix(r.BetaExact, "79796507913179.333476601246882") {
		t.Errorf("beta %s", r.BetaExact)
	}

	// How far the flattest line and the steepest are apart when VM3 receives the first message and the 42nd, and half
	// way between. It is no bound of the error: the lines cross where the error may still be 143 µs.
	first, late := int64(1361214092775785329), int64(1361214092889999872)
	apart := func(vm3 int64) int64 {
		at := func(alpha *big.Rat) *big.Rat {
			x := new(big.Rat).SetInt64(vm3)
			return x.Sub(x, touching(&k, alpha)).Quo(x, alpha)
		}
		d := new(big.Rat).Sub(at(k.AlphaMin), at(k.AlphaMax))
		ns, _ := d.Abs(d).Float64()
		return int64(math.Round(ns / 1000))
	}
	if got := [3]int64{apart(first), apart(first + (late-first)/2), apart(late)}; got != [3]int64{338, 31, 276} {
		t.Errorf("the lines are %d µs apart, want 338, 31 and 276", got)
	}
	if k.ErrorMin < 136_000 || k.ErrorMin > 150_000 {
		t.Errorf("the bound is %d ns at best; the least way there and back takes twice about 140 µs", k.ErrorMin)
	}
}

// touching is the beta of the line of a slope that touches both hulls.
func touching(k *network.Link, alpha *big.Rat) *big.Rat {
	var least *big.Rat
	for _, p := range k.Upper {
		beta := new(big.Rat).SetInt64(p.Y)
		beta.Sub(beta, new(big.Rat).Mul(alpha, new(big.Rat).SetInt64(p.X)))
		if least == nil || beta.Cmp(least) < 0 {
			least = beta
		}
	}
	return least
}

func TestHTTP(t *testing.T) {
	hosts := open(t, "http-3hosts.tar.gz")
	s := synchronize(t, hosts, []int{0, 1, 2})
	if s.Counts.Matched != 1654 {
		t.Errorf("%d messages, want 1654", s.Counts.Matched)
	}
	ppm := map[string]float64{"client": 0, "web": 100, "db": -50}
	checkRates(t, s, ppm, map[string][2]float64{"client-web": {66.5, 129.5}, "web-db": {-177.5, -117.5}})
}

func TestShop(t *testing.T) {
	hosts := open(t, "shop-4hosts.tar.gz")
	s := synchronize(t, hosts, []int{0, 1, 2, 3})
	// 10580 by their keys without IP ids; 37 that these tell from what was sent before with the same key or the
	// same bytes; 67 that a card cut, whose first pieces were received.
	if s.Counts.Matched != 10580+37+67 {
		t.Errorf("%d messages, want 10684", s.Counts.Matched)
	}
	ppm := map[string]float64{"client": 0, "web": 100, "db": -50, "cache": 23}
	checkRates(t, s, ppm, map[string][2]float64{
		"client-web": {91.08, 108.99}, "web-db": {-159.76, -140.87}, "web-cache": {-86.64, -67.79},
		"client-db": {-60.45, -40.95}, "client-cache": {13.55, 45.10},
	})
	messages := map[string][2]int{
		"client-web": {2401, 2361}, "web-db": {988, 988}, "web-cache": {1964, 1930},
		"client-db": {17, 13}, "client-cache": {12, 10},
	}
	for pair, want := range messages {
		a, b, _ := strings.Cut(pair, "-")
		for _, k := range s.Links {
			got := [2]int{k.AToB, k.BToA}
			switch {
			case k.A == number(t, s, a) && k.B == number(t, s, b):
			case k.A == number(t, s, b) && k.B == number(t, s, a):
				got = [2]int{k.BToA, k.AToB}
			default:
				continue
			}
			if got != want {
				t.Errorf("%s: %v messages, want %v", pair, got, want)
			}
		}
	}
	checkOffsets(t, s, "shop-4hosts.truth.txt")
	again := synchronize(t, hosts, []int{3, 1, 0, 2})
	for i, h := range s.Hosts {
		if !h.Map.Equal(again.Hosts[i].Map) {
			t.Errorf("the map of %s depends on the order of the hosts", h.Name)
		}
	}
}

// A reading is a clock's offset to the host machine's clock as it was measured
// over the serial console, before and after the recording.
type reading struct{ at, offset, rtt float64 }

// checkOffsets holds the maps against the measured offsets. These are good to
// half a round trip each, some 0.2 ms.
func checkOffsets(t *testing.T, s *network.Solution, name string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "traces", name))
	if err != nil {
		t.Fatal(err)
	}
	readings := make(map[string][]reading)
	host := ""
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "["); ok {
			host, _, _ = strings.Cut(rest, "]")
		}
		var at, offset, rtt int64
		var when string
		if n, _ := fmt.Sscanf(line, "%d CLKOFF %s guest_minus_host_ns=%d rtt_ns=%d", &at, &when, &offset, &rtt); n == 4 && when != "after-sync" {
			readings[host] = append(readings[host], reading{float64(at), float64(offset), float64(rtt)})
		}
	}
	reference := readings[s.Hosts[s.Reference].Name]
	for _, h := range s.Hosts {
		own := readings[h.Name]
		if len(own) != 2 || len(reference) != 2 {
			t.Fatalf("%s has %d readings of %s", name, len(own), h.Name)
		}
		for _, r := range own {
			// The reference clock at that moment, by the line through its two readings.
			rate := (reference[1].offset - reference[0].offset) / (reference[1].at - reference[0].at)
			want := int64(r.at) + int64(reference[0].offset+rate*(r.at-reference[0].at))
			got := h.Map.Reference(int64(r.at) + int64(r.offset))
			// 200 µs: the largest bound on these maps; the readings are just outside the recordings.
			if off, limit := math.Abs(float64(got-want)), (r.rtt+reference[0].rtt)/2+200e3; off > limit {
				t.Errorf("%s: mapped %.0f µs from where it was measured, to %.0f", h.Name, off/1e3, limit/1e3)
			}
		}
	}
}

// Rates that change by 40 ppm and back are no line, and no link fails for it.
// Between client and db only the pings show it: they talk TCP at the very
// beginning and end, when the clocks agree with a line that is wrong in between.
func TestDrift(t *testing.T) {
	hosts := open(t, "drift-3hosts.tar.gz")
	s := synchronize(t, hosts, []int{0, 1, 2})
	if s.Counts.Matched < 15987 {
		t.Errorf("%d messages, 15987 are of TCP alone", s.Counts.Matched)
	}
	if len(s.Links) != 3 {
		t.Errorf("%d pairs talk, want 3", len(s.Links))
	}
	for _, k := range s.Links {
		a, b := s.Hosts[k.A].Name, s.Hosts[k.B].Name
		if k.Class != hull.Accurate || k.Shape != network.Pieces || k.Alpha != nil || k.ErrorMax < 0 {
			t.Errorf("%s-%s: %v, %v, alpha %v, bound %d", a, b, k.Class, k.Shape, k.Alpha, k.ErrorMax)
		}
		// The rates were set 32 times.
		if k.Violations != 0 || k.Pieces < 5 || k.Pieces > 40 {
			t.Errorf("%s-%s: %d violations, %d pieces", a, b, k.Violations, k.Pieces)
		}
	}
	set := ratesSet(t, "drift-3hosts.truth.txt")
	reference := set[s.Hosts[s.Reference].Name]
	for _, h := range s.Hosts {
		// The offset is not known as well as the rates: one offset must bring
		// the truth into the bound everywhere.
		low, high := math.Inf(-1), math.Inf(1)
		var sum, n, worst, widest float64
		var off []float64
		for x := h.Begin; x <= h.End; x += 100_000_000 {
			bound, ok := h.Map.Error(x)
			if !ok {
				t.Fatalf("%s has no bound at %d", h.Name, x)
			}
			d := reference.elapsed(h.Map.Reference(x)) - set[h.Name].elapsed(x)
			low, high = max(low, d-float64(bound)), min(high, d+float64(bound))
			sum, n, widest = sum+d, n+1, max(widest, float64(bound))
			off = append(off, d)
		}
		if low > high {
			t.Errorf("%s: the true clock leaves the bound by %.0f ns at least", h.Name, low-high)
		}
		for _, d := range off {
			worst = max(worst, math.Abs(d-min(max(sum/n, low), high)))
		}
		if worst > 350e3 || widest > 350e3 {
			t.Errorf("%s: the true clock is up to %.0f ns off, the bound reaches %.0f", h.Name, worst, widest)
		}
		t.Logf("%s: %d pieces, %d bounds, off by %.0f ns at most, bounded by %.0f; one offset in %.0f ns explains all", h.Name, len(h.Map.Knots())-1, len(h.Map.Bounds()), worst, widest, high-low)
	}
	again := synchronize(t, hosts, []int{2, 1, 0})
	for i, h := range s.Hosts {
		if !h.Map.Equal(again.Hosts[i].Map) {
			t.Errorf("the map of %s depends on the order of the hosts", h.Name)
		}
	}
}

// A history is what a clock's rate was set to: from local times on, in ppm.
type history struct {
	from []int64
	ppm  []float64
}

// elapsed is the true time from the first setting to a local time, in ns.
func (h history) elapsed(local int64) float64 {
	var sum float64
	for i := range h.from {
		end := local
		if i+1 < len(h.from) {
			end = min(local, h.from[i+1])
		}
		if i > 0 && end < h.from[i] {
			break
		}
		sum += float64(end-h.from[i]) / (1 + h.ppm[i]*1e-6)
	}
	return sum
}

func ratesSet(t *testing.T, name string) map[string]history {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "traces", name))
	if err != nil {
		t.Fatal(err)
	}
	set := make(map[string]history)
	host := ""
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "["); ok {
			host, _, _ = strings.Cut(rest, "]")
		}
		var at, from int64
		var step string
		var ppm float64
		if n, _ := fmt.Sscanf(line, "%d FREQ %s ppm=%f guest_realtime_ns=%d", &at, &step, &ppm, &from); n == 4 {
			h := set[host]
			set[host] = history{append(h.from, from), append(h.ppm, ppm)}
		}
	}
	return set
}

// checkRates holds every link against the rates the clocks were set to, and
// the extreme slopes against the band computed by others.
func checkRates(t *testing.T, s *network.Solution, ppm map[string]float64, bands map[string][2]float64) {
	t.Helper()
	if len(s.Links) != len(bands) {
		t.Errorf("%d pairs talk, want %d", len(s.Links), len(bands))
	}
	off := func(r *big.Rat) float64 {
		f, _ := new(big.Rat).Sub(r, big.NewRat(1, 1)).Float64()
		return 1e6 * f
	}
	for _, k := range s.Links {
		a, b := s.Hosts[k.A].Name, s.Hosts[k.B].Name
		if k.Class != hull.Accurate || k.Violations != 0 {
			t.Errorf("%s-%s: %v, %d violations", a, b, k.Class, k.Violations)
			continue
		}
		low, high := k.AlphaMin, k.AlphaMax
		band, ok := bands[a+"-"+b]
		if !ok {
			a, b = b, a
			band = bands[a+"-"+b]
			low, high = new(big.Rat).Inv(k.AlphaMax), new(big.Rat).Inv(k.AlphaMin)
		}
		if off(low) < band[0] || off(high) > band[1] {
			t.Errorf("%s-%s: %.3f to %.3f ppm, others find %v", a, b, off(low), off(high), band)
		}
		truth := 1e6 * ((1+ppm[b]*1e-6)/(1+ppm[a]*1e-6) - 1)
		if truth < off(low) || truth > off(high) {
			t.Errorf("%s-%s: the true %.3f ppm are not within %.3f and %.3f", a, b, truth, off(low), off(high))
		}
	}
}
