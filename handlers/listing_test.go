package handlers

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"synchroscope/internal/natural"
	"synchroscope/state/kernel"
	attributes "synchroscope/state/query"
)

// Which threads are listed is what a list of all of them begins with that is sorted and narrowed here, in every order, both ways, and with words that many have
// and few.
func testListing(t *testing.T, s *site, api string) {
	id := strings.TrimPrefix(api, "/api/sets/")
	set, ok := s.engine.Set(id)
	if !ok {
		t.Fatalf("no set %s", id)
	}
	const stretch = "begin=0&end=4611686018427387904&local=1"
	longest := make(map[string]int64)
	for _, h := range decode[callsAnswer](t, s.want(200, "GET", api+"/calls?"+stretch, "")).Hosts {
		if h.Untold > 0 || h.Until != nil {
			t.Fatalf("%s: not all calls are told", h.Host)
		}
		for _, c := range h.Threads {
			longest[fmt.Sprint(h.Host, c.TID)] = int64(c.LocalEnd - c.LocalBegin)
		}
	}
	type thread struct {
		tid     int32
		name    string
		numbers map[string]int64 // the larger, the further ahead
		state   string
	}
	all, still := make(map[string][]thread), make(map[string][]thread) // that ran, and that never did
	for _, host := range set.Hosts() {
		h := host.History()
		threads, _ := host.Threads(0)
		begin, end := h.Bounds()
		did, err := attributes.Of(t.Context(), h, quarksOf(threads), begin, end)
		if err != nil {
			t.Fatal(err)
		}
		for i, th := range threads {
			n := map[string]int64{"on_cpu": 0, "tid": -int64(th.TID), "longest": -1}
			for _, c := range did[i].CPUs {
				n["on_cpu"] += c.Time
			}
			if len(did[i].Status) == 0 {
				continue
			}
			for _, st := range did[i].Status {
				n[map[uint8]string{0: "unknown", 1: "blocked", 2: "user", 3: "syscall", 4: "interrupted", 5: "wait_for_cpu", 6: "wait", 7: "forked", 8: "kernel"}[st.Status]] = st.Time
			}
			if ns, ok := longest[fmt.Sprint(host.Name(), th.TID)]; ok {
				n["longest"] = ns
			}
			to := all
			if n["on_cpu"] == 0 {
				to = still
			}
			to[host.Name()] = append(to[host.Name()], thread{th.TID, th.Name, n, kernel.Status(did[i].Status[0].Status).String()})
		}
		for _, of := range []map[string][]thread{all, still} {
			slices.SortFunc(of[host.Name()], func(a, b thread) int { return int(a.tid - b.tid) })
		}
	}
	if len(all["db"]) <= listedThreads {
		t.Fatalf("db has %d threads: all are listed anyway", len(all["db"]))
	}
	if len(still["db"]) == 0 {
		t.Fatal("all threads of db ran")
	}
	cut := 0
	for _, order := range []string{"", "on_cpu", "name", "tid", "state", "longest", "unknown", "blocked", "user", "syscall", "interrupted", "wait_for_cpu", "wait", "forked", "kernel"} {
		for _, turned := range []bool{false, true} {
			for _, words := range []string{"", " SLEEP ", "2", "db", "p 5", "db sleep", "nobody is called so"} {
				for _, limit := range []int{0, 7, 2000} { // 2000 with those that never ran
					if limit > 0 && words != "" {
						continue
					}
					q := url.Values{"narrow": {words}}
					if limit == 2000 {
						q.Set("still", "1")
					}
					if order != "" {
						q.Set("order", map[bool]string{true: "-"}[turned]+order)
						q.Set("host", "db")
					} else if turned {
						continue
					}
					most := listedThreads
					if limit > 0 {
						most = limit
						q.Set("limit", strconv.Itoa(limit))
					}
					for _, h := range decode[statisticsAnswer](t, s.want(200, "GET", api+"/statistics?"+stretch+"&"+q.Encode(), "")).Hosts {
						var want []int32
						list := slices.Clone(all[h.Host])
						if limit == 2000 {
							list = append(list, still[h.Host]...)
							slices.SortFunc(list, func(a, b thread) int { return int(a.tid - b.tid) })
						}
						slices.SortStableFunc(list, func(a, b thread) int {
							c := 0
							switch order {
							case "name":
								c = natural.Compare(a.name, b.name)
							case "state":
								c = natural.Compare(a.state, b.state)
							case "":
								c = int(b.numbers["on_cpu"] - a.numbers["on_cpu"])
							default:
								c = int(b.numbers[order] - a.numbers[order])
							}
							if turned {
								return -c
							}
							return c
						})
						for _, th := range list {
							has := true
							for _, word := range strings.Fields(words) {
								has = has && strings.Contains(strings.ToLower(fmt.Sprintf("%s %d %s", th.name, th.tid, h.Host)), strings.ToLower(word))
							}
							if has {
								want = append(want, th.tid)
							}
						}
						others := max(0, len(want)-most)
						want = want[:len(want)-others]
						cut += others
						var got []int32
						for _, th := range h.Threads {
							got = append(got, th.TID)
						}
						if h.Ran != len(all[h.Host]) || h.Still != len(still[h.Host]) || h.Others != others || !slices.Equal(got, want) {
							t.Fatalf("%s of %s: %v and %d others of %d, want %v and %d of %d; %d never ran, want %d", q.Encode(), h.Host, got, h.Others, h.Ran, want, others, len(all[h.Host]), h.Still, len(still[h.Host]))
						}
					}
				}
			}
		}
	}
	if cut == 0 {
		t.Error("nothing was left out")
	}
	for _, q := range []string{"order=blocking", "order=--name", "order=-", "limit=0", "limit=2001", "limit=x", "still=yes", "narrow=" + strings.Repeat("x", mostNarrow+1)} {
		s.want(400, "GET", api+"/statistics?"+stretch+"&"+q, "")
	}
}
