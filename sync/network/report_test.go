package network

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// The names of the JSON are relied on by scripts: they may become more, not fewer.
func TestReportNames(t *testing.T) {
	n := New(Config{})
	n.AddHost("a", "1")
	n.AddHost("b", "2")
	var key uint64
	talk(n, 0, 1, 5*second, 50_000, 20, &key)
	n.Done(0, nil)
	n.Done(1, nil)
	s := n.Solution()
	b, err := json.Marshal(s.Report())
	if err != nil {
		t.Fatal(err)
	}
	var report map[string]any
	if err := json.Unmarshal(b, &report); err != nil {
		t.Fatal(err)
	}
	host := report["hosts"].([]any)[1].(map[string]any)
	link := report["links"].([]any)[0].(map[string]any)
	for _, c := range []struct {
		what  string
		value any
		names string
	}{
		{"report", report, "reference version final hosts links pinned matching options"},
		{"host", host, "name id component reference as_reference as_reference_bounded error_ns map knots error assumption rate_cap addresses aliases"},
		{"host's error", host["error_ns"], "min max"},
		{"piece", host["map"].([]any)[0], "begin end reference_begin reference_end rate"},
		{"link", link, "a b class in_tree excluded alpha beta alpha_min alpha_max alpha_exact beta_exact messages accurate hull upper lower segments path shape assumption rate_cap cuts error_ns in_force lines_apart_ns loop_ns relaxed_ns violations latency_ns"},
		{"link in force", link["in_force"], "begin end b_begin b_end segments rate error_ns ends_ns"},
		{"lines of a link", link["lines_apart_ns"], "first middle last clock begin end"},
		{"messages", link["messages"], "a_to_b b_to_a"},
		{"hull", link["hull"], "lower upper"},
		{"link's error", link["error_ns"], "min median max"},
		{"latency", link["latency_ns"].(map[string]any)["a_to_b"], "min median p99"},
		{"matching", report["matching"], "sent received matched retransmitted ambiguous loopback pieces unmatched_sent unmatched_received evicted"},
	} {
		has := slices.Collect(maps.Keys(c.value.(map[string]any)))
		for _, name := range strings.Fields(c.names) {
			if !slices.Contains(has, name) {
				t.Errorf("the %s has no %q, only %v", c.what, name, has)
			}
		}
	}
	if _, ok := host["map"].([]any)[0].(map[string]any)["begin"].(string); !ok {
		t.Errorf("a time is not a string: %v", host["map"])
	}
	for i, k := range s.Hosts[1].Map.Knots() {
		if got, want := fmt.Sprint(host["knots"].([]any)[i]), fmt.Sprintf("[%d %d]", k.Local, k.Reference); got != want {
			t.Errorf("knot %d is %s, want %s", i, got, want)
		}
	}
	entry := host["error"].([]any)[0].([]any)
	if _, ok := entry[0].(string); !ok || len(entry) != 2 {
		t.Errorf("an error bound is %v, want [time, ns]", entry)
	}

	var again Report
	if err := json.Unmarshal(b, &again); err != nil {
		t.Fatal(err)
	}
	if c, _ := json.Marshal(again); string(c) != string(b) {
		t.Errorf("a report that was read differs from the one written:\n%s\n%s", b, c)
	}
}

// Messages one way only, or both ways at different times, bound nothing; the
// map puts the host where the messages say it is.
func TestHalfKnownLinks(t *testing.T) {
	for _, c := range []struct {
		class hull.Class
		back  bool
	}{{hull.Incomplete, false}, {hull.Approximate, true}} {
		n := New(Config{})
		n.AddHost("a", "a")
		n.AddHost("b", "b")
		send := func(key uint64, from, to int32, sent, received int64) {
			n.Endpoint(match.Endpoint{Time: sent, Host: from, Direction: match.Send, Key: match.Key{A: key}}, nil)
			n.Endpoint(match.Endpoint{Time: received, Host: to, Direction: match.Receive, Key: match.Key{A: key}}, nil)
		}
		for i := range int64(10) {
			send(uint64(i), 0, 1, start+i*second, start+i*second+7*second+50_000)
			if c.back {
				at := start + 100*second + i*second
				send(uint64(100+i), 1, 0, at+7*second, at+50_000)
			}
		}
		n.Done(0, nil)
		n.Done(1, nil)
		s := n.Solution()
		k := s.Links[0]
		if k.Class != c.class || !k.InTree || k.ErrorMax != -1 || k.Violations != 0 {
			t.Errorf("class %v, want %v; in the tree: %v, bound %d, %d violations", k.Class, c.class, k.InTree, k.ErrorMax, k.Violations)
		}
		if (k.Alpha != nil) != c.back {
			t.Errorf("%v: alpha %v", k.Class, k.Alpha)
		}
		if _, ok := s.Hosts[1].Map.Error(start + 7*second); ok {
			t.Errorf("%v: a bound is claimed", k.Class)
		}
		if off := s.Hosts[1].Map.Reference(start+7*second) - start; off < -100_000 || off > 100_000 {
			t.Errorf("%v: the map is off by %d ns", k.Class, off)
		}
	}
}
