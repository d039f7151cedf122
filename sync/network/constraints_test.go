package network

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// configs draws what a synchronization is asked for.
func configs(t *rapid.T, c *Constraints) Config {
	var config Config
	names := c.Hosts()
	if rapid.Bool().Draw(t, "pinned") {
		config.Reference = rapid.SampledFrom(names).Draw(t, "reference")
	}
	for _, l := range c.order {
		if rapid.IntRange(0, 3).Draw(t, "exclude") == 0 {
			config.Exclude = append(config.Exclude, [2]string{names[l.b], names[l.a]})
		}
	}
	if rapid.Bool().Draw(t, "windowed") {
		begin := start + rapid.Int64Range(-100, 4000).Draw(t, "begin")*second
		config.Window = &Window{begin, begin + rapid.Int64Range(1, 3600).Draw(t, "length")*second}
	}
	return config
}

// What is stored says all: a set is synchronized by it as it is by its endpoints.
func TestConstraintsAreEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := clusters(true).Draw(t, "cluster")
		feed := func(config Config) *Network {
			n := New(config)
			for i, name := range c.names {
				n.AddHost(name, "clock-"+string(rune('z'-i)))
			}
			for i := range c.names {
				for _, e := range c.endpoints[i] {
					n.Endpoint(e, nil)
				}
				n.Span(int32(i), c.begin[i], c.end[i])
				n.Done(int32(i), nil)
			}
			return n
		}
		stored, err := ParseConstraints(feed(Config{}).Constraints().AppendBinary(nil))
		if err != nil {
			t.Fatal(err)
		}
		config := configs(t, stored)
		got, err := stored.Solve(config)
		if err != nil {
			t.Fatal(err)
		}
		if want := feed(config).Solution(); text(got) != text(want) {
			t.Fatalf("%+v: by what is stored\n%s\nby the endpoints\n%s", config, text(got), text(want))
		}
		for _, k := range got.Links {
			if k.Excluded && k.InTree {
				t.Fatalf("the link %d-%d is excluded and in the tree", k.A, k.B)
			}
		}
		// Another question does not change what is stored.
		again, err := stored.Solve(config)
		if err != nil || text(again) != text(got) {
			t.Fatalf("asked twice, %v:\n%s\n%s", err, text(got), text(again))
		}
	})
}

// What is not there is named.
func TestConstraintsRefuse(t *testing.T) {
	n := New(Config{})
	var key uint64
	for _, name := range []string{"a", "b", "c"} {
		n.AddHost(name, name)
	}
	talk(n, 0, 1, 0, 50_000, 50, &key)
	for i := range int32(3) {
		n.Done(i, nil)
	}
	c := n.Constraints()
	for want, config := range map[string]Config{
		`there is no host "d"`:                             {Reference: "d"},
		`there is no host "e"`:                             {Exclude: [][2]string{{"a", "e"}}},
		`there is no link between "c" and "a"`:             {Exclude: [][2]string{{"a", "b"}, {"c", "a"}}},
		`the window begins at 10 and ends at 10, no later`: {Window: &Window{10, 10}},
	} {
		if s, err := c.Solve(config); s != nil || err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", config, err, want)
		}
	}
}

// Whatever the bytes are, they are refused or stand for constraints that can be written, read and solved, and are written the same again.
func FuzzParseConstraints(f *testing.F) {
	for hosts := range 4 {
		f.Add(full(hosts, 20).AppendBinary(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ParseConstraints(b)
		if err != nil {
			return
		}
		written := c.AppendBinary(nil)
		again, err := ParseConstraints(written)
		if err != nil {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
		if !bytes.Equal(again.AppendBinary(nil), written) {
			t.Fatal("what was read again is written otherwise")
		}
		if len(c.hosts) == 0 || len(c.hosts) > 8 {
			return
		}
		if s, err := again.Solve(Config{}); err != nil || len(s.Hosts) != len(c.hosts) {
			t.Fatalf("%v", err)
		}
	})
}

// Stored constraints whose parts do not belong together are solved somehow.
func TestConstraintsThatDisagree(t *testing.T) {
	for _, drop := range []func(*estimate){
		func(e *estimate) { e.hull = hull.Hull{} },
		func(e *estimate) { e.series = hull.Series{} },
		func(e *estimate) { e.sample = [2]sample{} },
		func(e *estimate) { // all of one direction but the sample
			e.hull, e.series = hull.Hull{}, hull.Series{}
			for _, p := range e.sample[hull.Upper].points() {
				e.hull.Add(hull.Upper, p)
				e.series.Add(hull.Upper, p)
			}
		},
		func(e *estimate) { // a hull that fails, and nothing beside it
			e.series = hull.Series{}
			e.hull.Add(hull.Upper, hull.Point{X: start, Y: start - second})
		},
	} {
		c := full(2, 40)
		drop(&c.order[0].live)
		stored, err := ParseConstraints(c.AppendBinary(nil))
		if err != nil {
			t.Error(err)
			continue
		}
		if s, err := stored.Solve(Config{}); err != nil || len(s.Hosts) != 2 {
			t.Error(err)
		}
	}
}

// full are the constraints of hosts that all talk to each other.
func full(hosts, messages int) *Constraints {
	n := New(Config{})
	for i := range hosts {
		n.AddHost(fmt.Sprint("host-", i), fmt.Sprint("clock-", hosts-i))
	}
	r := rand.New(rand.NewPCG(1, 1))
	var key uint64
	for b := range int32(hosts) {
		for a := range b {
			for i := range messages {
				at := start + int64(i)*second + r.Int64N(second)
				for _, way := range [][2]int32{{a, b}, {b, a}} {
					key++
					exchange(n, way[0], way[1], key, at, at+20_000+int64(r.ExpFloat64()*60_000), uint32(52+64*(key%4)))
				}
			}
		}
	}
	for i := range int32(hosts) {
		n.Span(i, start, start+int64(messages)*second)
		n.Done(i, nil)
	}
	return n.Constraints()
}

// BenchmarkSolveAgain is a synchronization of 60 hosts with 1770 links of what is stored, read first.
func BenchmarkSolveAgain(b *testing.B) {
	stored := full(60, 200).AppendBinary(nil)
	b.ReportAllocs()
	for b.Loop() {
		c, err := ParseConstraints(stored)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Solve(Config{Reference: "host-7", Exclude: [][2]string{{"host-1", "host-2"}}}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(stored)), "bytes")
}

// exchange is a message between hosts whose clocks are right.
func exchange(n *Network, from, to int32, key uint64, sent, received int64, bytes uint32) {
	k := match.Key{A: key}
	n.Endpoint(match.Endpoint{Time: sent, Host: from, Direction: match.Send, Bytes: bytes, Key: k}, nil)
	n.Endpoint(match.Endpoint{Time: received, Host: to, Direction: match.Receive, Bytes: bytes, Key: k}, nil)
}
