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

	"synchroscope/sync/clock"
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
		var ticks clock.Ticks
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
			ticks.Add(ev.Recorded)
			if e, ok := x.Extract(ev); ok {
				n.Endpoint(e, nil)
			}
		}
		r.Close()
		if tick := ticks.Tick(); tick != 0 {
			t.Errorf("%s has a fine clock, and is said to advance by %d ns at once", hosts[i].Name, tick)
		}
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

// The oldest real pair: 46 messages within 118 ms. The digits of the line are those that
// another tool computes in decimals of 34 digits; it rounds at every step, so
// the last two of alpha and the last five of beta are its own.
func TestSCP(t *testing.T) {
	want := expected(t, "scp.tar.gz")
	hosts := open(t, "scp.tar.gz")
	s := synchronize(t, hosts, []int{0, 1})
	if len(s.Hosts) != 2 || len(s.Links) != 1 {
		t.Fatalf("%d hosts, %d links", len(s.Hosts), len(s.Links))
	}
	k := s.Links[0]
	if k.Class != hull.Accurate || k.AToB+k.BToA != want.Messages || s.Counts.Matched != int64(want.Messages) || k.Violations != 0 {
		t.Errorf("class %v, %d + %d messages, %d violations", k.Class, k.AToB, k.BToA, k.Violations)
	}
	// VM1 was the source, VM3 the destination, whose clock id is the lower.
	if s.Hosts[k.A].Name != "VM1" || s.Hosts[k.B].Name != "VM3" {
		t.Fatalf("link %s-%s", s.Hosts[k.A].Name, s.Hosts[k.B].Name)
	}
	low, high := new(big.Rat).Inv(k.AlphaMax), new(big.Rat).Inv(k.AlphaMin)
	if low.FloatString(10) != want.AlphaMin.String() || high.FloatString(10) != want.AlphaMax.String() {
		t.Errorf("slopes of the source by the destination: %s to %s, want %s to %s", low.FloatString(10), high.FloatString(10), want.AlphaMin, want.AlphaMax)
	}
	r := s.Report().Links[0]
	words := strings.Fields(want.Midline)
	alpha, beta := words[len(words)-4], words[len(words)-1]
	if a, b := len(alpha)-2, len(beta)-5; r.AlphaExact[:a] != alpha[:a] || r.BetaExact[:b] != beta[:b] {
		t.Errorf("alpha %s and beta %s, want %s and %s but for the last 2 and 5 digits", r.AlphaExact, r.BetaExact, alpha, beta)
	}

	// In whole microseconds, from the first message to the last that narrowed the lines.
	apart, µs := r.Apart, int64(1000)
	if apart == nil || apart.Clock != "VM3" || apart.Begin != 1361214092775785329 || apart.End != 1361214092889854105 {
		t.Fatalf("the lines are compared at %+v", apart)
	}
	for _, c := range []struct {
		where     string
		got, want int64
	}{{"first", apart.First, want.Error.Ends[1]}, {"middle", apart.Middle, want.Error.Middle}, {"last", apart.Last, want.Error.Ends[0]}} {
		if c.got <= c.want-µs || c.got >= c.want+µs {
			t.Errorf("%s: the lines are %d ns apart, want about %d", c.where, c.got, c.want)
		}
	}
	if k.ErrorMin < 136_000 || k.ErrorMin > 150_000 {
		t.Errorf("the bound is %d ns at best; the least way there and back takes twice about 140 µs", k.ErrorMin)
	}
}

func TestHTTP(t *testing.T) {
	want := expected(t, "http-3hosts.tar.gz")
	hosts := open(t, "http-3hosts.tar.gz")
	s := synchronize(t, hosts, []int{0, 1, 2})
	if s.Counts.Matched != int64(want.MatchedTCP) {
		t.Errorf("%d messages, want %d", s.Counts.Matched, want.MatchedTCP)
	}
	if len(s.Links) != len(want.OneLine) {
		t.Errorf("%d pairs talk, want %d", len(s.Links), len(want.OneLine))
	}
	for pair, ppm := range want.OneLine {
		k := talking(t, s, pair)
		k.checkSlopes(t, want.Rate, ppm[0], ppm[1], 0.5)
		if got := ppmOf(k.Alpha); math.Abs(got-ppm[2]) > 0.005 {
			t.Errorf("%s: the midline has %.3f ppm, others find %v", pair, got, ppm[2])
		}
		if got, want := k.ahead(), want.Offset[k.b]-want.Offset[k.a]; math.Abs(got-want) > 0.05 {
			t.Errorf("%s: %s is ahead by %.6f s, others find %v", pair, k.b, got, want)
		}
	}
	checkLines(t, s, want.Rate, 3)
}

func TestShop(t *testing.T) {
	want := expected(t, "shop-4hosts.tar.gz")
	hosts := open(t, "shop-4hosts.tar.gz")
	s := synchronize(t, hosts, []int{0, 1, 2, 3})
	// Those that others match have keys without IP ids. 37 more are told by these from what was sent before with the same
	// key or the same bytes; of 67 a card cut them, and their first pieces were received.
	if s.Counts.Matched != int64(want.MatchedTCP)+37+67 {
		t.Errorf("%d messages, want %d and 104 more", s.Counts.Matched, want.MatchedTCP)
	}
	if len(s.Links) != len(want.Pairs) {
		t.Errorf("%d pairs talk, want %d: %v do not", len(s.Links), len(want.Pairs), want.NoLink)
	}
	more := map[string]int{"client-web": 53, "web-db": 4, "web-cache": 47} // of the 104, all from b
	for pair, p := range want.Pairs {
		k := talking(t, s, pair)
		if want := [2]int{p.Messages[0], p.Messages[1] + more[pair]}; k.messages != want {
			t.Errorf("%s: %v messages, want %v", pair, k.messages, want)
		}
		k.checkSlopes(t, want.Rate, p.OneLine[0], p.OneLine[1], 0.01)
		// Others have fewer messages, and so another line between the extreme ones.
		if got, most := k.ahead(), float64(k.link.Apart.First)/2e9; math.Abs(got-p.Offset) > most {
			t.Errorf("%s: %s is ahead by %.6f s at the first message, others find %v", pair, k.b, got, p.Offset)
		}
	}
	checkOffsets(t, s, "shop-4hosts.truth.txt")
	checkLines(t, s, want.Rate, 1)
	again := synchronize(t, hosts, []int{3, 1, 0, 2})
	for i, h := range s.Hosts {
		if !h.Map.Equal(again.Hosts[i].Map) {
			t.Errorf("the map of %s depends on the order of the hosts", h.Name)
		}
	}
}

// checkLines holds the maps of clocks that keep their rates against these: each is one line, although delays change with the load.
func checkLines(t *testing.T, s *network.Solution, rates map[string]float64, most float64) {
	t.Helper()
	reference := 1 + rates[s.Hosts[s.Reference].Name]/1e6
	for _, h := range s.Hosts {
		knots := h.Map.Knots()
		first, last := knots[0], knots[len(knots)-1]
		got := (float64(last.Reference-first.Reference)/float64(last.Local-first.Local) - 1) * 1e6
		want := (reference/(1+rates[h.Name]/1e6) - 1) * 1e6
		if len(knots) != 2 || math.Abs(got-want) > most {
			t.Errorf("%s: %d pieces, %.3f ppm, want one of %.3f", h.Name, len(knots)-1, got, want)
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
	want := expected(t, "drift-3hosts.tar.gz")
	hosts := open(t, "drift-3hosts.tar.gz")
	s := synchronize(t, hosts, []int{0, 1, 2})
	if s.Counts.Matched < int64(want.MatchedTCP) {
		t.Errorf("%d messages, %d are of TCP alone", s.Counts.Matched, want.MatchedTCP)
	}
	if len(s.Links) != len(want.Pairs) {
		t.Errorf("%d pairs talk, want %d", len(s.Links), len(want.Pairs))
	}
	for _, k := range s.Links {
		a, b := s.Hosts[k.A].Name, s.Hosts[k.B].Name
		if k.Class != hull.Accurate || k.Shape != network.Pieces || k.Alpha != nil || k.ErrorMax < 0 {
			t.Errorf("%s-%s: %v, %v, alpha %v, bound %d", a, b, k.Class, k.Shape, k.Alpha, k.ErrorMax)
		}
		p, ok := want.Pairs[a+"-"+b]
		if !ok {
			p = want.Pairs[b+"-"+a]
			p.Messages[0], p.Messages[1] = p.Messages[1], p.Messages[0]
		}
		if p.Messages[0] == 0 || k.AToB < p.Messages[0] || k.BToA < p.Messages[1] {
			t.Errorf("%s-%s: %d and %d messages, %v are of TCP alone", a, b, k.AToB, k.BToA, p.Messages)
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

// A pair is a link with its hosts in the order of a name "a-b".
type pair struct {
	a, b             string
	messages         [2]int // from a, from b
	Low, High, Alpha *big.Rat
	link             *network.Link
	s                *network.Solution
}

// talking finds the link of "a-b", which must be of one line that every message fits.
func talking(t *testing.T, s *network.Solution, name string) pair {
	t.Helper()
	a, b, _ := strings.Cut(name, "-")
	p := pair{a: a, b: b, s: s}
	m, n := number(t, s, a), number(t, s, b)
	for i := range s.Links {
		k := &s.Links[i]
		switch {
		case k.A == m && k.B == n:
			p.link, p.messages = k, [2]int{k.AToB, k.BToA}
			p.Low, p.High, p.Alpha = k.AlphaMin, k.AlphaMax, k.Alpha
		case k.A == n && k.B == m:
			p.link, p.messages = k, [2]int{k.BToA, k.AToB}
			inverse := func(r *big.Rat) *big.Rat { return new(big.Rat).Inv(r) }
			p.Low, p.High, p.Alpha = inverse(k.AlphaMax), inverse(k.AlphaMin), inverse(k.Alpha)
		}
	}
	if k := p.link; k == nil || k.Class != hull.Accurate || k.Violations != 0 || k.Apart == nil {
		t.Fatalf("%s: %+v", name, k)
	}
	return p
}

// ahead is by how many s b's clock is ahead of a's at the first message.
func (p pair) ahead() float64 {
	k := p.link
	line, _ := k.Line()
	begin, end := p.s.Hosts[k.A].Begin, p.s.Hosts[k.A].End
	m := line.Map(begin, end)
	at := k.Apart.Begin
	if k.Apart.Clock != k.A {
		at = m.Local(at)
	}
	off := float64(m.Reference(at)-at) / 1e9
	if p.s.Hosts[k.A].Name != p.a {
		return -off
	}
	return off
}

func ppmOf(r *big.Rat) float64 {
	f, _ := new(big.Rat).Sub(r, big.NewRat(1, 1)).Float64()
	return 1e6 * f
}

// checkSlopes holds the extreme slopes against the band of others, in ppm, and against the rates that the clocks were set to.
func (p pair) checkSlopes(t *testing.T, rates map[string]float64, flattest, steepest, rounded float64) {
	t.Helper()
	low, high := ppmOf(p.Low), ppmOf(p.High)
	if low < flattest-rounded || high > steepest+rounded {
		t.Errorf("%s-%s: %.3f to %.3f ppm, others find %v to %v", p.a, p.b, low, high, flattest, steepest)
	}
	if truth := 1e6 * ((1+rates[p.b]*1e-6)/(1+rates[p.a]*1e-6) - 1); truth < low || truth > high {
		t.Errorf("%s-%s: the true %.3f ppm are not within %.3f and %.3f", p.a, p.b, truth, low, high)
	}
}
