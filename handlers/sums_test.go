package handlers

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
)

// The sums of a selection are those of the table of all its threads, of a host, of a thread, and of two parts together.
func testSums(t *testing.T, s *site, api string, toReference func(local int64) int64) {
	ask := func(query string, args ...any) sumsAnswer {
		t.Helper()
		return decode[sumsAnswer](t, s.want(200, "GET", api+"/sums?"+fmt.Sprintf(query, args...), ""))
	}
	begin, end := toReference(slowBegin), toReference(slowEnd)
	stretch := fmt.Sprintf("begin=%d&end=%d", begin, end)
	whole := ask("%s", stretch)
	rows := rowsOfCSV(t, s.want(200, "GET", api+"/states.csv?"+stretch, ""))
	// added is what the rows that are wanted come to.
	added := func(wanted func(row []string) bool) (sum sumsAnswer) {
		const first = 4 // column of the state 0
		for code, name := range rows[0][first:] {
			part := stateSum{Code: uint8(code)}
			for _, row := range rows[1:] {
				if !wanted(row) {
					continue
				}
				ns, err := strconv.ParseInt(row[first+code], 10, 64)
				if err != nil {
					t.Fatalf("%s of %s: %v", name, row[1], err)
				}
				if part.Time += ns; ns > 0 {
					part.Threads++
				}
			}
			if part.Time > 0 {
				sum.States = append(sum.States, part)
			}
		}
		for _, row := range rows[1:] {
			if wanted(row) {
				sum.Threads++
			}
		}
		return sum
	}
	same := func(what string, got, want sumsAnswer) {
		t.Helper()
		for i := range got.States {
			got.States[i].Name = ""
		}
		if got.Threads != want.Threads || !slices.Equal(got.States, want.States) {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	if whole.Threads < 20 || len(whole.States) < 4 || whole.States[0].Name == "" {
		t.Errorf("in all %+v", whole)
	}
	same("in all", whole, added(func([]string) bool { return true }))
	same("db", ask("%s&host=db", stretch), added(func(row []string) bool { return row[0] == "db" }))
	slept := ask("%s&host=db&thread=205", stretch)
	same("dbwork", slept, added(func(row []string) bool { return row[0] == "db" && row[2] == "205" }))
	if slept.Threads != 1 {
		t.Errorf("dbwork is %d threads", slept.Threads)
	}
	same("nobody", ask("%s&host=db&thread=99999", stretch), sumsAnswer{})

	// The system calls of a thread in two parts are those of the whole, and are the ones whose times are told.
	if whole.Calls != nil {
		t.Errorf("system calls of nobody alone: %+v", whole.Calls)
	}
	of := stretch + "&host=db&thread=206"
	middle := begin + (end-begin)/3
	crunch := ask("%s", of)
	if len(crunch.Calls) < 3 || crunch.Calls[0].Name != "pwrite64" && crunch.Calls[0].Time < crunch.Calls[1].Time {
		t.Fatalf("crunch called %+v", crunch.Calls)
	}
	type times struct {
		ns    int64
		began uint64
	}
	parts := make(map[string]times)
	for _, part := range []sumsAnswer{ask("begin=%d&end=%d&host=db&thread=206", begin, middle), ask("begin=%d&end=%d&host=db&thread=206", middle, end)} {
		for _, c := range part.Calls {
			parts[c.Name] = times{parts[c.Name].ns + c.Time, parts[c.Name].began + c.Began}
		}
	}
	took := decode[callsAnswer](t, s.want(200, "GET", api+"/calls?"+of, "")).Hosts[0]
	all := uint64(0)
	for _, c := range crunch.Calls {
		if want := (times{c.Time, c.Began}); parts[c.Name] != want {
			t.Errorf("%s is %+v in two parts, want %+v", c.Name, parts[c.Name], want)
		}
		all += c.Count
	}
	if took.All != all || took.Counted+took.Unfinished != all {
		t.Errorf("crunch made %d calls, and the times of %d are told, %d unfinished", all, took.Counted, took.Unfinished)
	}
	s.want(400, "GET", api+"/calls?"+stretch+"&thread=206", "")

	// Messages as they are counted between the hosts, by either clock.
	for _, local := range []string{"", "&local=1"} {
		sums, traffic := ask("%s", stretch+local), decode[messagesAnswer](t, s.want(200, "GET", api+"/messages?"+stretch+local, ""))
		if sums.Messages != traffic.Messages || sums.Local != (local != "") {
			t.Errorf("%+v with %d messages between hosts", sums, traffic.Messages)
		}
		exchanged := int64(0)
		for _, p := range traffic.Pairs {
			if p.From == "db" || p.To == "db" {
				exchanged += p.Messages
			}
		}
		if db := ask("%s&host=db", stretch+local); db.Messages != exchanged || exchanged == 0 {
			t.Errorf("db has %d messages, by pairs %d", db.Messages, exchanged)
		}
	}
}
