package browser

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// Clocks are those of a set as they are synchronized. When what a host recorded was by the reference is asked of them and known by no test: a
// better estimate moves it.
type clocks struct {
	t     *testing.T
	set   *ingest.Set
	hosts map[string]*network.Host
	begin int64 // of the set
}

func clocksOf(t *testing.T, set *ingest.Set) clocks {
	t.Helper()
	c := clocks{t: t, set: set, hosts: make(map[string]*network.Host)}
	hosts := set.Solution().Hosts
	for i := range hosts {
		c.hosts[hosts[i].Name] = &hosts[i]
	}
	var err error
	if c.begin, err = strconv.ParseInt(set.Status().Begin, 10, 64); err != nil {
		t.Fatal(err)
	}
	return c
}

// number is that of a host.
func (c clocks) number(host string) int32 {
	hosts := c.set.Solution().Hosts
	return int32(slices.IndexFunc(hosts, func(h network.Host) bool { return h.Name == host }))
}

// at is when a host's own clock showed a time.
func (c clocks) at(host string, local int64) int64 { return c.hosts[host].Map.Reference(local) }

// beginOf is when a host's recording begins, by its own clock.
func (c clocks) beginOf(host string) int64 {
	c.t.Helper()
	hosts := c.set.Status().Hosts
	begin, err := strconv.ParseInt(hosts[c.number(host)].LocalBegin, 10, 64)
	if err != nil || hosts[c.number(host)].Name != host {
		c.t.Fatal(host, err)
	}
	return begin
}

// since is that as the page tells it, from the beginning of the set.
func (c clocks) since(host string, local int64) string { return told(c.at(host, local) - c.begin) }

// near is a pattern of since where a map back from the reference may have rounded it away by a ns.
func (c clocks) near(host string, local int64) string {
	ns := c.at(host, local) - c.begin
	return fmt.Sprintf("(%s|%s|%s)", regexp.QuoteMeta(told(ns-1)), regexp.QuoteMeta(told(ns)), regexp.QuoteMeta(told(ns+1)))
}

// known is how well a host's clock is known when it showed a time, as the page tells it.
func (c clocks) known(host string, local int64) string {
	c.t.Helper()
	ns, ok := c.hosts[host].Map.Error(local)
	if !ok {
		c.t.Fatalf("nothing bounds the clock of %s", host)
	}
	return micros(ns)
}

// knownAt is how well a host's clock is known at a time of the reference that the page tells with few digits, a pattern; and in ns.
func (c clocks) knownAt(host, since string) (pattern string, ns int64) {
	c.t.Helper()
	s, err := strconv.ParseFloat(since, 64)
	if err != nil {
		c.t.Fatal(err)
	}
	_, digits, _ := strings.Cut(since, ".")
	last := math.Pow(10, -float64(len(digits)))
	m := c.hosts[host].Map
	local := func(s float64) int64 { return m.Local(c.begin + int64(math.Round(s*1e9))) }
	ns, _ = m.Error(local(s))
	return fmt.Sprintf("(%s|%s|%s)", c.known(host, local(s-last)), c.known(host, local(s)), c.known(host, local(s+last))), ns
}

// everKnown is how well a host's clock is known at best and at worst.
func (c clocks) everKnown(host string) string {
	for _, h := range c.set.Solution().Report().Hosts {
		if h.Name == host && h.Error != nil {
			return fmt.Sprintf("± %s to %s", micros(h.Error.Min), micros(h.Error.Max))
		}
	}
	c.t.Fatalf("nothing bounds the clock of %s", host)
	return ""
}

// worstFirst are the hosts, by how badly their clocks are known at worst; what nothing bounds, and the reference, come last.
func (c clocks) worstFirst() (names []string) {
	hosts := c.set.Solution().Report().Hosts
	worst := func(h network.HostReport) (ns int64) {
		if h.Error != nil {
			ns = h.Error.Max
		}
		return ns
	}
	slices.SortStableFunc(hosts, func(a, b network.HostReport) int { return cmp.Compare(worst(b), worst(a)) })
	for _, h := range hosts {
		names = append(names, h.Name)
	}
	return names
}

// ppm is how much faster a host's clock runs than the reference's, if it is one line, as the page tells it.
func (c clocks) ppm(host string) string {
	c.t.Helper()
	knots := c.hosts[host].Map.Knots()
	if len(knots) != 2 {
		c.t.Fatalf("the clock of %s has %d pieces", host, len(knots)-1)
	}
	local, reference := knots[1].Local-knots[0].Local, knots[1].Reference-knots[0].Reference
	return strings.Replace(fmt.Sprintf("%.1f", float64(local-reference)/float64(reference)*1e6), "-", "−", 1)
}

// A sending is a message as the clocks have it.
type sending struct {
	match.Message
	sent, received int64
}

// messages are those between two hosts, either way, that were sent from a time of the reference on and received until another, in the order in which they were sent.
func (c clocks) messages(a, b string, begin, end int64) (list []sending) {
	c.t.Helper()
	solution := c.set.Solution()
	err := c.set.EachMessage(c.t.Context(), begin, end, solution, func(m *match.Message, sent, received int64) bool {
		from, to := solution.Hosts[m.From].Name, solution.Hosts[m.To].Name
		if (from == a && to == b || from == b && to == a) && sent >= begin && received < end {
			list = append(list, sending{*m, sent, received})
		}
		return true
	})
	if err != nil {
		c.t.Fatal(err)
	}
	slices.SortFunc(list, func(x, y sending) int { return cmp.Compare(x.sent, y.sent) })
	return list
}

// shortest is what the shortest message from one host to another takes, as the page tells it: in three digits.
func (c clocks) shortest(from, to string) string {
	c.t.Helper()
	least, number := int64(math.MaxInt64), c.number(from)
	for _, m := range c.messages(from, to, math.MinInt64, math.MaxInt64) {
		if m.From == number {
			least = min(least, m.received-m.sent)
		}
	}
	digits := 0
	if least < 100_000 {
		digits = 1
	}
	return fmt.Sprintf("%.*f µs", digits, float64(least)/1000)
}

// told is ns in s, in groups of three digits.
func told(ns int64) string {
	return fmt.Sprintf("%d.%03d %03d %03d s", ns/1e9, ns/1e6%1000, ns/1e3%1000, ns%1000)
}

// inMillis is ns in ms, in groups of three digits.
func inMillis(ns int64) string {
	return fmt.Sprintf("%d.%03d %03d ms", ns/1e6, ns/1e3%1000, ns%1000)
}

// micros is a bound of 100 µs or more, rounded up as bounds are.
func micros(ns int64) string { return fmt.Sprintf("%.0f µs", math.Ceil(float64(ns)/1000)) }
