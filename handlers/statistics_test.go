package handlers

import (
	"fmt"
	"strconv"
	"testing"
)

// What a selection of the demonstration is made of: every CPU accounts for all of it, two parts make a
// whole, and the thread that waited for the lock waited.
func testStatistics(t *testing.T, s *site, api string, toReference func(local int64) int64) {
	ask := func(query string, args ...any) statisticsAnswer {
		t.Helper()
		return decode[statisticsAnswer](t, s.want(200, "GET", api+"/statistics?"+fmt.Sprintf(query, args...), ""))
	}
	begin, end := toReference(slowBegin), toReference(slowEnd)
	middle := begin + (end-begin)/3
	whole, one, two := ask("begin=%d&end=%d", begin, end), ask("begin=%d&end=%d", begin, middle), ask("begin=%d&end=%d", middle, end)
	if len(whole.Hosts) != 4 {
		t.Fatalf("%d hosts", len(whole.Hosts))
	}
	for i, h := range whole.Hosts {
		if !h.Known || len(h.CPUs) != 2 {
			t.Fatalf("%s: known %v, %d CPUs", h.Host, h.Known, len(h.CPUs))
		}
		for k, c := range h.CPUs {
			all := c.User + *c.Syscall + c.Kernel + *c.SoftIRQ + *c.IRQ + c.Idle + c.Unknown
			if all != int64(h.LocalEnd-h.LocalBegin) {
				t.Errorf("%s CPU %s: %d ns of %d", h.Host, c.CPU, all, h.LocalEnd-h.LocalBegin)
			}
			if a, b := one.Hosts[i].CPUs[k], two.Hosts[i].CPUs[k]; a.User+b.User != c.User || a.Idle+b.Idle != c.Idle {
				t.Errorf("%s CPU %s: %+v and %+v are not %+v", h.Host, c.CPU, a, b, c)
			}
		}
		times := make(map[string]int64)
		for _, part := range []statisticsAnswer{one, two} {
			for _, c := range part.Hosts[i].Calls {
				times[c.Name] += c.Time
			}
		}
		for _, c := range h.Calls {
			if times[c.Name] != c.Time {
				t.Errorf("%s: %s takes %d ns, in two parts %d", h.Host, c.Name, c.Time, times[c.Name])
			}
		}
	}
	db := ask("begin=%d&end=%d&local=1&host=db", int64(slowBegin), int64(slowEnd))
	if len(db.Hosts) != 1 {
		t.Fatalf("%d hosts are called db", len(db.Hosts))
	}
	found := false
	for _, th := range db.Hosts[0].Threads {
		if th.TID != 205 {
			continue
		}
		found = true
		if most := th.Status[0]; most.Name != "blocked" || most.Time < (slowEnd-slowBegin)*9/10 {
			t.Errorf("dbwork spent %d ns %s, want nearly all of %d blocked", most.Time, most.Name, slowEnd-slowBegin)
		}
	}
	if !found {
		t.Errorf("thread 205 is not among %d", len(db.Hosts[0].Threads))
	}
	for _, th := range ask("begin=0&end=%d&local=1&host=db", int64(1)<<62).Hosts[0].Threads {
		// Its switches tell when it had a CPU, also before the first of its system calls that the trace has begun in.
		if th.TID == 156 && *th.OnCPU != 42_286_655 {
			t.Errorf("thread 156 of db was on CPUs for %d ns", *th.OnCPU)
		}
	}
	messages := int64(0)
	for _, p := range ask("begin=%d&end=%d", -1<<62, int64(1)<<62).Messages {
		messages += p.Messages
		if p.Least == nil || *p.Least < 0 || *p.Most < *p.Least {
			t.Errorf("%s to %s: latency from %v to %v", p.From, p.To, p.Least, p.Most)
		}
	}
	if messages < 10_580 {
		t.Errorf("%s messages in all", strconv.FormatInt(messages, 10))
	}
}
