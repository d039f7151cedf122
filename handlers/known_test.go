package handlers

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"synchroscope/ingest"
	"synchroscope/simulate/simulatetest"
)

// While a set is imported no answer is told as final that comes to be another when all is read, and of what is not read yet it is said that it is not known.
func TestKnownWhileImported(t *testing.T) {
	real := string(simulatetest.Shop(t, 4).Archive)
	s := newSite(t, Options{})
	begun := func() string {
		id := s.create("shop")
		s.want(200, "PUT", "/api/sets/"+id+"/files/shop.tar.gz", real)
		s.want(202, "POST", "/api/sets/"+id+"/import?until=rows", "")
		return id
	}
	finished := begun()
	set, _ := s.engine.Set(finished)
	if err := set.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	host := set.Status().Hosts[0]
	first, until := set.Hosts()[0].History().Bounds()
	path := "&local=1&host=" + host.Name
	stretch := fmt.Sprintf("begin=%d&end=%d%s", first+(until-first)/2, until, path)
	type told struct {
		Known bool
		Until *string `json:"local_known_until"`
		Hosts []told
	}
	// Messages of a stretch may come from hosts that are read later.
	body := func(what string, a answer) string {
		if what == "statistics" {
			return string(decode[struct{ Hosts json.RawMessage }](t, a).Hosts)
		}
		return a.body
	}
	questions := map[string]string{
		"change back": fmt.Sprintf("state/change?time=%d&path=CPUs/0/Current_thread&back=1%s", until-1, path),
		"change":      fmt.Sprintf("state/change?time=%d&path=CPUs/0/Current_thread%s", first+(until-first)*3/4, path),
		"sums":        "sums?" + stretch,
		"statistics":  "statistics?" + stretch,
		"calls":       "calls?" + stretch,
	}
	// Of what is read already: begin is in front of the last that is read, end that.
	newest := map[string]func(begin, end int64) string{
		"calls of what is read": func(begin, end int64) string { return fmt.Sprintf("calls?begin=%d&end=%d%s", begin, end, path) },
		"state":                 func(_, end int64) string { return fmt.Sprintf("state?time=%d%s&path=CPUs/*", end-1, path) },
		"level":                 func(_, end int64) string { return fmt.Sprintf("state/level?time=%d%s&path=CPUs/0", end-1, path) },
		"state of what is not":  func(_, end int64) string { return fmt.Sprintf("state?time=%d%s&path=CPUs/*", end+1e9, path) },
		"level of what is not":  func(_, end int64) string { return fmt.Sprintf("state/level?time=%d%s&path=CPUs/0", end+1e9, path) },
		"newest change": func(_, end int64) string {
			return fmt.Sprintf("state/change?time=%d%s&path=CPUs/0&back=1", end-1, path)
		},
	}
	final := func(what string, a answer) bool {
		d := decode[told](t, a)
		if len(d.Hosts) > 0 {
			return len(d.Hosts) == 1 && d.Hosts[0].Until == nil
		}
		return d.Known && d.Until == nil
	}
	want := make(map[string]string)
	for what, q := range questions {
		a := s.want(200, "GET", "/api/sets/"+finished+"/"+q, "")
		if want[what] = body(what, a); !final(what, a) {
			t.Errorf("%s of a set that is ready: %s", what, a.body)
		}
	}
	open := make(map[string]int)
	all := len(questions) + len(newest)
	for tries := 0; tries < 10 && len(open) < all; tries++ {
		id := begun()
		set, _ := s.engine.Set(id)
		for set.Status().State == ingest.Importing {
			for what, q := range questions {
				a := s.do("GET", "/api/sets/"+id+"/"+q, nil)
				switch {
				case a.status != http.StatusOK: // the host, or the attribute, is not known yet
				case !final(what, a):
					open[what]++
				case body(what, a) != want[what]:
					t.Fatalf("%s while the set is imported is told as final:\n%s\nand comes to be\n%s", what, a.body, want[what])
				}
			}
			for what, q := range newest {
				end := readOf(set)
				if end < first+20e6 {
					continue
				}
				q := q(end-20e6, end)
				a, want := s.do("GET", "/api/sets/"+id+"/"+q, nil), ""
				if a.status == http.StatusOK {
					want = s.want(200, "GET", "/api/sets/"+finished+"/"+q, "").body
				}
				switch {
				case a.status != http.StatusOK:
				case !final(what, a):
					open[what]++
				case a.body != want:
					t.Fatalf("%s while the set is imported is told as final:\n%s\nand comes to be\n%s", what, a.body, want)
				}
			}
			time.Sleep(time.Millisecond)
		}
	}
	if len(open) < all {
		t.Errorf("asked during imports only these were told to be not final: %v", open)
	}
}

// What hosts exchanged is not told as all there is before the import is over, also not where no host is known yet, so that every message there is so far is in the answer.
func TestMessagesKnown(t *testing.T) {
	s := newSite(t, Options{})
	id := s.create("shop")
	s.want(200, "PUT", "/api/sets/"+id+"/files/shop.tar.gz", string(simulatetest.Shop(t, 2).Archive))
	told := func(ready bool) {
		t.Helper()
		questions := []string{"", "/requests"}
		if ready { // then hosts have names
			questions = append(questions, "/between?a=client&b=web&begin=0&end=4000000000000000000&local=1")
		}
		for _, q := range questions {
			a := decode[struct{ Known, Complete *bool }](t, s.want(200, "GET", "/api/sets/"+id+"/messages"+q, ""))
			if a.Known == nil || *a.Known != ready || a.Complete == nil {
				t.Errorf("messages%s with the import over or not (%v): %+v", q, ready, a)
			}
		}
	}
	told(false)
	s.want(202, "POST", "/api/sets/"+id+"/import", "")
	set, _ := s.engine.Set(id)
	if err := set.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	told(true)
}

// readOf is up to when the first host of a set is read, its own time; the least there is while nothing is.
func readOf(set *ingest.Set) int64 {
	if hosts := set.Hosts(); len(hosts) > 0 {
		return hosts[0].Known().Until
	}
	return math.MinInt64
}
