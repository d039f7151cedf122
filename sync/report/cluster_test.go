package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

const epoch = 1_795_229_350_000_000_000

// A cluster is hosts whose clocks are k ms and 10·k ppm apart, and the messages that some of them exchanged.
type cluster struct {
	*network.Solution
	*Collector
	messages []match.Message
}

func (c *cluster) each(f func(match.Message)) error {
	for _, m := range c.messages {
		f(m)
	}
	return nil
}

// newCluster makes messages over each link, a host alone has none.
func newCluster(t *testing.T, names []string, links [][2]int, each int) *cluster {
	t.Helper()
	return synchronizedBy(t, network.Config{}, names, links, each)
}

// synchronizedBy is the same with more asked for.
func synchronizedBy(t *testing.T, config network.Config, names []string, links [][2]int, each int) *cluster {
	t.Helper()
	c := &cluster{Collector: NewCollector(names)}
	config.Settled = func(m match.Message) {
		c.messages = append(c.messages, m)
		c.Message(m)
	}
	net := network.New(config)
	local := func(host int, at int64) int64 {
		return epoch + int64(host)*1e6 + at + at*int64(host)/100_000
	}
	var ends []match.Endpoint
	r := rand.New(rand.NewPCG(1, 2))
	for i, l := range links {
		for k := range each {
			from, to := l[k%2], l[1-k%2]
			at := int64(k) * 10e9 / int64(each)
			key := match.Key{A: uint64(i), B: uint64(k)}
			delay := 20_000 + int64(r.ExpFloat64()*50_000)
			ends = append(ends, match.Endpoint{Time: local(from, at), Host: int32(from), Direction: match.Send, Key: key, Thread: -1},
				match.Endpoint{Time: local(to, at+delay), Host: int32(to), Direction: match.Receive, Key: key, Thread: 7})
		}
	}
	slices.SortStableFunc(ends, func(a, b match.Endpoint) int { return int(a.Time - b.Time) })
	for i, name := range names {
		net.AddHost(name, name)
		net.Span(int32(i), local(i, -1e9), local(i, 11e9))
	}
	for _, e := range ends {
		net.Endpoint(e, nil)
	}
	for i := range names {
		net.Done(int32(i), nil)
	}
	c.Solution = net.Solution()
	return c
}

func (c *cluster) page(t *testing.T) *Page {
	t.Helper()
	p, err := Make("a set", c.Solution, c.Collector, c.each, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func names(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("node%02d", i))
	}
	return out
}
