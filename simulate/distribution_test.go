package simulate_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/truth"
)

// The first goes to and fro, so that no datagram waits for another; of the second, nobody waits for one that
// is lost.
const (
	toAndFro = "pingpong from=a to=b protocol=udp period=3ms"
	gossip   = "gossip period=2ms fanout=1 acknowledge=0"
)

// delays lets two machines send each other datagrams over a link for a minute, and is what the truth says of
// them: the delays of those that came, in ns, and how many did not.
func delays(t *testing.T, link, workload string) (came []float64, lost int) {
	t.Helper()
	text := fmt.Sprintf(`scenario link "Datagrams over a link"
duration 1m
host a
host b
link a b propagation=100us %s
workload %s
`, link, workload)
	s, err := scenario.Parse(strings.NewReader(text), "link", scenario.Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := simulate.Run(context.Background(), s, simulate.Options{Seed: 7, Out: dir}); err != nil {
		t.Fatal(err)
	}
	const udp, end = 17, 59e9 // what is sent later may be under way when all ends
	if err := truth.ReadMessages(dir, func(m *truth.Message) error {
		switch {
		case m.Protocol != udp || m.Sent > end:
		case m.Received < 0:
			lost++
		default:
			came = append(came, float64(m.Received-m.Sent))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(came) < 10_000 && lost == 0 {
		t.Fatalf("only %d datagrams came", len(came))
	}
	return came, lost
}

func mean(v []float64) (mean, variance float64) {
	for i, x := range v {
		d := x - mean
		mean += d / float64(i+1)
		variance += d * (x - mean)
	}
	return mean, variance / float64(len(v)-1)
}

// above is the part of values above a limit.
func above(v []float64, limit float64) float64 {
	n := 0
	for _, x := range v {
		if x > limit {
			n++
		}
	}
	return float64(n) / float64(len(v))
}

// sigmas is how many standard deviations the tests allow: one seed in a million has more. As the seed is
// fixed, a test that passes once always does.
const sigmas = 5

// around fails unless got is p but for the chance of n trials.
func around(t *testing.T, what string, got, p float64, n int) {
	t.Helper()
	if off := sigmas * math.Sqrt(p*(1-p)/float64(n)); math.Abs(got-p) > off {
		t.Errorf("%s are %.5f of %d, it should be %.5f ± %.5f", what, got, n, p, off)
	}
}

// TestDelays: what a link adds to delays is distributed as its parameters say. A link without
// chance shows what the machines add.
func TestDelays(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates minutes")
	}
	plain, lost := delays(t, "", toAndFro)
	base, noise := mean(plain)
	if lost > 0 || base < 100_000 || base > 200_000 {
		t.Fatalf("over a link without chance %d datagrams are lost, and the others take %.0f ns", lost, base)
	}

	const jitter = 80_000.0
	jittered, _ := delays(t, "jitter=80us", toAndFro)
	m, v := mean(jittered)
	n := float64(len(jittered))
	if off := sigmas * math.Sqrt((jitter*jitter+2*noise)/n); math.Abs(m-base-jitter) > off {
		t.Errorf("a jitter of 80 µs adds %.0f ns, it should be %.0f ± %.0f", m-base, jitter, off)
	}
	// The variance of an exponential variable is estimated with a relative error of √(8/n).
	if off := sigmas * (jitter*jitter*math.Sqrt(8/n) + noise*math.Sqrt(16/n)); math.Abs(v-noise-jitter*jitter) > off {
		t.Errorf("a jitter of 80 µs adds a variance of %.3g, it should be %.3g ± %.3g", v-noise, jitter*jitter, off)
	}

	tailed, _ := delays(t, "tail=2% tail_least=1ms tail_alpha=1.5 tail_most=10s", toAndFro)
	around(t, "delays with a tail", above(tailed, base+900_000), 0.02, len(tailed))
	around(t, "delays beyond twice the least tail", above(tailed, base+2_000_000), 0.02*math.Pow(2, -1.5), len(tailed))

	late, _ := delays(t, "outliers=1% outlier_by=20ms", toAndFro)
	around(t, "outliers", above(late, base+19_000_000), 0.01, len(late))

	m, _ = mean(first(delays(t, "rate=1Mbps", toAndFro))) // 92 bytes and a frame's 14 to 38 around them
	if bits := (m - base) / 1000; bits < 8*(92+14) || bits > 8*(92+38) {
		t.Errorf("at 1 Mbps a datagram of 92 bytes takes %.0f µs longer", bits)
	}
}

func first(v []float64, _ int) []float64 { return v }

// TestLosses: links lose as many as their parameters say.
func TestLosses(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates minutes")
	}
	for _, c := range []struct {
		link string
		p    float64
		// By how much losses in a row widen the bound: for runs of mean length b, the variance grows by 2b-1 at most.
		burst float64
	}{{"loss=1%", 0.01, 1}, {"loss=10%", 0.1, 1}, {"loss=30%", 0.3, 1}, {"loss=10% loss_burst=3", 0.1, 3}} {
		came, lost := delays(t, c.link, gossip)
		n := len(came) + lost
		got := float64(lost) / float64(n)
		if off := sigmas * math.Sqrt(c.p*(1-c.p)*(2*c.burst-1)/float64(n)); math.Abs(got-c.p) > off || n < 40_000 {
			t.Errorf("%s: %.5f of %d datagrams are lost, it should be %.5f ± %.5f", c.link, got, n, c.p, off)
		}
	}
}
