package handlers

import (
	"fmt"
	"net/url"
	"strconv"
	"testing"
)

// checkEventsTable compares the table of events that a query wants with the pages of the same query.
func checkEventsTable(t *testing.T, s *site, id string) {
	t.Helper()
	q := "host=db&name=sched_switch&where=" + url.QueryEscape("next_tid == 205") + "&where=" + url.QueryEscape("thread != 0")
	a := s.want(200, "GET", "/api/sets/"+id+"/events.csv?"+q, "")
	if got := a.header.Get("Content-Disposition"); got != "attachment; filename=shop--a-b-events.csv" {
		t.Errorf("kept as %s", got)
	}
	rows := rowsOfCSV(t, a)
	if got := fmt.Sprint(rows[0]); got != "[time_ns host_time_ns host cpu name fields]" {
		t.Errorf("columns %s", got)
	}
	list := s.pages("/api/sets/" + id + "/events?limit=1000&" + q)
	if len(list) == 0 || len(rows) != len(list)+1 {
		t.Fatalf("%d rows of %d events", len(rows)-1, len(list))
	}
	for i, e := range list {
		want := []string{strconv.FormatInt(int64(e.Time), 10), strconv.FormatInt(int64(e.LocalTime), 10), e.Host, strconv.Itoa(int(e.CPU)), e.Name, e.Fields}
		if got := rows[i+1]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("row %d is %v, want %v", i, got, want)
		}
	}
	// By the hosts' own clocks it is in order of these, and has both times.
	own := rowsOfCSV(t, s.want(200, "GET", "/api/sets/"+id+"/events.csv?local=1&"+q, ""))
	if len(own) != len(rows) || fmt.Sprint(own[1]) != fmt.Sprint(rows[1]) {
		t.Errorf("by the own clock there are %d rows, the first %v", len(own), own[1])
	}
	for query, status := range map[string]int{"limit=3": 400, "after=1.0": 400, "where=" + url.QueryEscape("tid =="): 400, "host=nobody": 400} {
		s.want(status, "GET", "/api/sets/"+id+"/events.csv?"+query, "")
	}
}
