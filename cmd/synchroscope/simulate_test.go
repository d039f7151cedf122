package main

import (
	"bytes"
	"encoding/json"
	"math/big"
	"sort"
	"strconv"
	"testing"

	"synchroscope/simulate/truth"
	"synchroscope/sync/network"
)

// simulated are the parts of the JSON of sync that are compared with the truth.
type simulated struct {
	Hosts []struct {
		Name      string     `json:"name"`
		Component int        `json:"component"`
		Reference bool       `json:"reference"`
		ErrorNS   *struct{}  `json:"error_ns"`
		Map       []mapPiece `json:"map"`
		Error     [][2]json.Number
	} `json:"hosts"`
	Matching network.MatchingReport `json:"matching"`
}

type mapPiece struct {
	Begin          int64 `json:"begin,string"`
	End            int64 `json:"end,string"`
	ReferenceBegin int64 `json:"reference_begin,string"`
	ReferenceEnd   int64 `json:"reference_end,string"`
}

// ask runs a command that prints JSON.
func ask(t *testing.T, v any, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(args, &out, &errs); code != exitOK {
		t.Fatalf("%v: exit %d, %s", args, code, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), v); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
}

// What check counts is what the truth says, and the true clocks lie within the bounds that
// sync gives, at every instant at which the truth has them.
func TestSimulated(t *testing.T) {
	for _, test := range []struct {
		scenario, duration string
		exact              bool // every message that was recorded at both ends is matched
		short              bool // so few show what goroutines do to each other
	}{
		{"chain-8", "3s", true, true},
		{"pair-drift", "2m", true, true},
		{"thermal-4h", "5m", true, false},
		{"outliers", "3s", true, false},
		{"asymmetric", "10s", true, false},
		{"web", "4s", false, false},
		{"loss-30", "4s", true, true},
		{"lost-events", "4s", true, false},
		{"s7", "2s", false, false},
		{"s8", "8s", false, false},
		{"s10", "8s", true, false},
	} {
		if testing.Short() && !test.short {
			continue
		}
		t.Run(test.scenario, func(t *testing.T) {
			dir, known, report := checkSimulated(t, test.scenario, test.duration, test.exact)
			var result simulated
			ask(t, &result, "sync", "--json", dir)
			if result.Matching != *report.Messages {
				t.Errorf("sync matched %+v, and check %+v", result.Matching, *report.Messages)
			}
			compareClocks(t, known, &result)
		})
	}
}

func compareClocks(t *testing.T, known *truth.Truth, result *simulated) {
	t.Helper()
	samples := make(map[string][]truth.Sample)
	for _, h := range known.Hosts {
		samples[h.Name] = h.Samples
	}
	references := make(map[int]string)
	for _, h := range result.Hosts {
		if h.Reference {
			references[h.Component] = h.Name
		}
	}
	compared := 0
	for _, h := range result.Hosts {
		if h.ErrorNS == nil {
			continue // not synchronized
		}
		right := samples[references[h.Component]]
		for i, s := range samples[h.Name] {
			got, ok := apply(h.Map, s.Local)
			if !ok || s.Down {
				continue
			}
			compared++
			limit := bounded(t, h.Error, s.Local)
			if off := got - right[i].Local; off > limit || -off > limit {
				t.Fatalf("%s: at %d the clock of %s is off by %d ns, and the bound is %d", h.Name, s.Local, references[h.Component], off, limit)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d instants were compared", compared)
	}
}

// apply is the reference time of a local one; it is not ok outside of the map.
func apply(pieces []mapPiece, local int64) (int64, bool) {
	i := sort.Search(len(pieces), func(i int) bool { return local <= pieces[i].End })
	if i == len(pieces) || local < pieces[i].Begin || pieces[i].End == pieces[i].Begin {
		return 0, false
	}
	p := pieces[i]
	d := big.NewInt(local - p.Begin)
	d.Mul(d, big.NewInt(p.ReferenceEnd-p.ReferenceBegin)).Div(d, big.NewInt(p.End-p.Begin))
	return p.ReferenceBegin + d.Int64(), true
}

// bounded is the bound at a time, and 1 ns for what is rounded: between two entries the larger one holds.
func bounded(t *testing.T, entries [][2]json.Number, local int64) int64 {
	t.Helper()
	at := func(i int) (int64, int64) {
		when, err := strconv.ParseInt(string(entries[i][0]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		bound, err := strconv.ParseFloat(string(entries[i][1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		return when, int64(bound)
	}
	i := sort.Search(len(entries), func(i int) bool { when, _ := at(i); return when > local })
	limit := int64(0)
	for _, j := range []int{i - 1, i} {
		if 0 <= j && j < len(entries) {
			_, b := at(j)
			limit = max(limit, b)
		}
	}
	return limit + 2
}
