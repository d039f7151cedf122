package handlers

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/simulate/simulatetest"
	"synchroscope/sync/network"
)

// What the hosts of the demonstration sent each other: two halves make a whole, no message comes before it was sent
// but by the hosts' own clocks, a pair's histogram and dots hold its messages, and the error holds the least latency above 0.
func testMessages(t *testing.T, s *site, api string, toReference func(local int64) int64) {
	ask := func(query string, args ...any) messagesAnswer {
		t.Helper()
		return decode[messagesAnswer](t, s.want(200, "GET", api+"/messages?"+fmt.Sprintf(query, args...), ""))
	}
	whole := ask("")
	if !whole.Complete || whole.Begin != nil || whole.Messages < 10_580 || len(whole.Pairs) < 6 {
		t.Fatalf("%d messages of %d pairs, complete: %v", whole.Messages, len(whole.Pairs), whole.Complete)
	}
	if again := ask(""); !reflect.DeepEqual(whole, again) {
		t.Error("asked again, the sums are others")
	}
	synchronized := decode[network.Report](t, s.want(200, "GET", api+"/sync", ""))
	all, many := int64(0), 0
	for i, p := range whole.Pairs {
		all += p.Messages
		if told := usual(&synchronized, p.From, p.To); told == nil || int64(told.Of) != p.Messages || p.Median == nil || *p.Median != told.Median {
			t.Errorf("%s to %s: %+v, the synchronization says %+v", p.From, p.To, p, told)
		}
		if p.Messages > 256 {
			many++
		}
		if p.BeforeSent != 0 || p.Median == nil || p.Error == nil || *p.Least > *p.Median || *p.Median > *p.Most || *p.Least < 0 || *p.Error <= 0 || p.Bytes <= 0 {
			t.Errorf("%s to %s: %+v", p.From, p.To, p)
		}
		if i > 0 && p.Messages > whole.Pairs[i-1].Messages {
			t.Errorf("pair %d has more messages than the one before it", i)
		}
	}
	if all != whole.Messages {
		t.Errorf("%d messages in pairs, %d in all", all, whole.Messages)
	}
	if many < 4 {
		t.Errorf("%d pairs have more messages than are kept of each", many)
	}
	backward := int64(0)
	for _, p := range ask("local=1").Pairs {
		backward += p.BeforeSent
		if p.Error == nil {
			t.Fatalf("%s to %s: by the hosts' own clocks it is not told how the median is rounded", p.From, p.To)
		}
		if *p.Error > (*p.Most-*p.Least)/256 {
			t.Errorf("%s to %s: by the hosts' own clocks, that have no error, the median is %d ± %d in %d to %d", p.From, p.To, *p.Median, *p.Error, *p.Least, *p.Most)
		}
	}
	if backward < 1000 {
		t.Errorf("%d messages are received before they are sent by the hosts' own clocks", backward)
	}
	begin, end := toReference(slowBegin), toReference(slowEnd)
	middle := begin + (end-begin)/3
	one, two := ask("begin=%d&end=%d", begin, middle), ask("begin=%d&end=%d", middle, end)
	if part, seam := ask("begin=%d&end=%d", begin, end), ask("begin=%d&end=%d", middle-1, middle+1); one.Messages+two.Messages < part.Messages || one.Messages+two.Messages > part.Messages+seam.Messages || part.Messages == 0 {
		t.Errorf("%d and %d messages, with %d where they meet, are not %d", one.Messages, two.Messages, seam.Messages, part.Messages)
	}

	// With room for a part of the messages in an answer, the same question goes on until all are there, and then stays.
	s.server.tallies.atOnce = 2000
	before := int64(0)
	for n := 1; ; n++ {
		part := ask("begin=%d&end=%d", math.MinInt64/4, math.MaxInt64/4)
		if part.Messages <= before && !part.Complete || part.Messages > before+2000+256 || n > 20 {
			t.Fatalf("answer %d has %d messages, the one before %d", n, part.Messages, before)
		}
		if before = part.Messages; !part.Complete {
			continue
		}
		if !reflect.DeepEqual(part.Pairs, whole.Pairs) || n < 5 {
			t.Errorf("after %d answers the sums are others", n)
		}
		break
	}
	s.server.tallies.atOnce = talliedAtOnce
	for i := range 2 * talliesKept {
		ask("begin=%d&end=%d", begin, middle+int64(i))
	}
	if n := len(s.server.tallies.kept); n != talliesKept {
		t.Errorf("%d sums are kept", n)
	}

	// Sums beyond the room for them are refused, and nothing is kept of them; those asked for before make room for others.
	s.server.tallies.most = 1000
	s.want(400, "GET", fmt.Sprintf("%s/messages?begin=%d&end=%d", api, begin, middle-1), "")
	if n := len(s.server.tallies.kept); n != talliesKept-1 {
		t.Errorf("%d sums are kept after one was refused", n)
	}
	bytes := 0
	for _, k := range s.server.tallies.kept {
		bytes = max(bytes, k.matrix.Bytes())
	}
	s.server.tallies.most = 3 * bytes
	ask("begin=%d&end=%d", begin, middle-2)
	if n := len(s.server.tallies.kept); n < 2 || n > 4 {
		t.Errorf("%d sums are kept where there is room for three", n)
	}
	s.server.tallies.most = tallyBytes

	first := whole.Pairs[0]
	between := func(a, b string, begin, end int64) latenciesAnswer {
		t.Helper()
		return decode[latenciesAnswer](t, s.want(200, "GET", fmt.Sprintf("%s/messages/between?a=%s&b=%s&begin=%d&end=%d", api, a, b, begin, end), ""))
	}
	long := begin - 60e9
	wide := between(first.From, first.To, long, end+60e9)
	if !reflect.DeepEqual(wide.Directions[0].pairMessages, first) {
		t.Errorf("the pair is %+v by itself and %+v among all", wide.Directions[0].pairMessages, first)
	}
	for i, d := range wide.Directions {
		inBuckets, inDots := int64(0), int64(0)
		for _, b := range d.Histogram {
			inBuckets += b[2]
		}
		for _, dot := range wide.Dots {
			if dot[2] == int64(i) {
				inDots += dot[3]
			}
		}
		if inBuckets != d.Messages || inDots != d.Messages {
			t.Errorf("%s to %s: %d messages, %d in the histogram, %d in dots", d.From, d.To, d.Messages, inBuckets, inDots)
		}
	}
	if wide.Single || len(wide.Dots) > mostDots {
		t.Errorf("%d dots, single: %v", len(wide.Dots), wide.Single)
	}
	// The band is of all the time at which both were recorded, and of no other.
	if n := len(wide.Band); n < 8 || n%2 != 0 || wide.Band[0][0] > wide.Cells[0] || wide.Band[0][0] < wide.Cells[0]-5e9 || wide.Band[n-1][0] < wide.Cells[1] || wide.Band[n-1][0] > wide.Cells[1]+5e9 {
		t.Errorf("a band of %d points: %v, of messages from %d to %d", n, wide.Band, wide.Cells[0], wide.Cells[1])
	}
	// However long the range is, cells are parts of the stretch in which the pair sent messages, which in this one is a small part.
	if from, to := wide.Cells[0], wide.Cells[1]; wide.Dots[0][0] < from || from < 50e9 || wide.Dots[len(wide.Dots)-1][0] >= to || wide.Cells[2]*20 > to-from {
		t.Errorf("dots from %d to %d, in cells %v", wide.Dots[0][0], wide.Dots[len(wide.Dots)-1][0], wide.Cells)
	}
	// By the hosts' own clocks, of which some are an hour off, as well.
	local := decode[latenciesAnswer](t, s.want(200, "GET", fmt.Sprintf("%s/messages/between?a=%s&b=%s&begin=%d&end=%d&local=1", api, first.From, first.To, math.MinInt64/4, math.MaxInt64/4), ""))
	if n := len(local.Dots); local.Single || n < 300 || local.Cells[2]*16 > local.Dots[n-1][0]-local.Dots[0][0] {
		t.Errorf("by the hosts' own clocks there are %d dots, in cells %v", n, local.Cells)
	}
	few := between(first.From, first.To, begin, begin+int64(100e6))
	atBegin := between(first.From, first.To, begin-1, begin+1)
	if n := few.Directions[0].Messages + few.Directions[1].Messages; !few.Single || int64(len(few.Dots)) != n-atBegin.Directions[0].Messages-atBegin.Directions[1].Messages {
		t.Errorf("of %d and %d messages there are %d dots, single: %v", few.Directions[0].Messages, few.Directions[1].Messages, len(few.Dots), few.Single)
	}
	// What is on its way all of a range is in it, without a dot.
	dot := few.Dots[len(few.Dots)/2]
	from := begin + dot[0] + dot[1]/3
	if passing := between(first.From, first.To, from, from+dot[1]/3); passing.Directions[dot[2]].Messages == 0 || len(passing.Dots) != 0 {
		t.Errorf("of %+v on its way from %d to %d there are %d dots", passing.Directions, from, from+dot[1]/3, len(passing.Dots))
	}
	countedAlike(t, s, api, from, from+dot[1]/3, "")
	countedAlike(t, s, api, begin, begin+int64(100e6), "")
	countedAlike(t, s, api, begin, begin+int64(100e6), "&local=1")
	countedAlike(t, s, api, math.MinInt64/4, math.MaxInt64/4, "")
	countedAlike(t, s, api, math.MinInt64/4, math.MaxInt64/4, "&local=1")
	for _, query := range []string{
		"?begin=1", "?begin=5&end=5", "?local=2", "?host=db", "/between?a=db&b=db&begin=1&end=2", "/between?a=db&b=nobody&begin=1&end=2",
		"/between?a=db&b=web", "/between?a=db&b=web&begin=1&end=2&columns=0", "/between?a=db&b=web&begin=1&end=2&columns=9999",
	} {
		s.want(400, "GET", api+"/messages"+query, "")
	}
}

// countedAlike insists that a stretch has the same messages wherever they are counted: those of all that were sent or received in it, and,
// in synchronized time, those that were on their way all of it; and that the median of their latencies is told as near as its error says.
func countedAlike(t *testing.T, s *site, api string, begin, end int64, local string) {
	t.Helper()
	sent, received := 6, 7 // columns by the clocks of the synchronization
	if local != "" {
		sent, received = 4, 5
	}
	want, backward, latencies := make(map[[2]string]int64), make(map[[2]string]int64), make(map[[2]string][]int64)
	for _, row := range rowsOfCSV(t, s.want(200, "GET", fmt.Sprintf("%s/messages.csv?begin=%d&end=%d%s", api, math.MinInt64/4, math.MaxInt64/4, local), ""))[1:] {
		var at [2]int64
		for i, column := range []int{sent, received} {
			var err error
			if at[i], err = strconv.ParseInt(row[column], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		inside := func(x int64) bool { return begin <= x && x < end }
		if inside(at[0]) || inside(at[1]) || local == "" && at[0] < begin && at[1] >= end {
			want[[2]string{row[0], row[1]}]++
			latencies[[2]string{row[0], row[1]}] = append(latencies[[2]string{row[0], row[1]}], at[1]-at[0])
			if at[1] < at[0] {
				backward[[2]string{row[0], row[1]}]++
			}
		}
	}
	stretch := fmt.Sprintf("?begin=%d&end=%d%s", begin, end, local)
	tell := func(where string, got map[[2]string]int64) {
		t.Helper()
		if !maps.Equal(got, want) || len(want) == 0 {
			t.Errorf("%s has %v in %s, want %v", where, got, stretch, want)
		}
	}
	matrix, table, listed := make(map[[2]string]int64), make(map[[2]string]int64), make(map[[2]string]int64)
	all := int64(0)
	for _, p := range decode[messagesAnswer](t, s.want(200, "GET", api+"/messages"+stretch, "")).Pairs {
		matrix[[2]string{p.From, p.To}] = p.Messages
		all += p.Messages
		list := slices.Sorted(slices.Values(latencies[[2]string{p.From, p.To}]))
		if p.Median == nil || p.Error == nil {
			t.Fatalf("%s: from %s to %s there is no median, or no error of it", stretch, p.From, p.To)
		}
		if middle := network.Median(list); middle < *p.Median-*p.Error || middle > *p.Median+*p.Error || *p.Least != list[0] || *p.Most != list[len(list)-1] || *p.Median < *p.Least || *p.Median > *p.Most {
			t.Errorf("%s: the latencies from %s to %s are %d ± %d in %d to %d, the true median is %d in %d to %d", stretch, p.From, p.To, *p.Median, *p.Error, *p.Least, *p.Most, middle, list[0], list[len(list)-1])
		}
		if p.BeforeSent != backward[[2]string{p.From, p.To}] {
			t.Errorf("%s: %d from %s to %s are received before sent, want %d", stretch, p.BeforeSent, p.From, p.To, backward[[2]string{p.From, p.To}])
		}
	}
	tell("the matrix", matrix)
	for _, p := range decode[statisticsAnswer](t, s.want(200, "GET", api+"/statistics"+stretch, "")).Messages {
		table[[2]string{p.From, p.To}] = p.Messages
	}
	tell("the statistics", table)
	for _, row := range rowsOfCSV(t, s.want(200, "GET", api+"/messages.csv"+stretch, ""))[1:] {
		listed[[2]string{row[0], row[1]}]++
	}
	tell("the table of messages", listed)
	if sums := decode[sumsAnswer](t, s.want(200, "GET", api+"/sums"+stretch, "")); sums.Messages != all {
		t.Errorf("the sums of %s have %d messages, want %d", stretch, sums.Messages, all)
	}
}

// usual is what a report says of the latencies from one host to another, nil for nothing.
func usual(r *network.Report, from, to string) *network.QuantilesReport {
	for _, l := range r.Links {
		switch {
		case l.A == from && l.B == to:
			return l.Latency.AToB
		case l.A == to && l.B == from:
			return l.Latency.BToA
		}
	}
	return nil
}

// Where a clock is set back messages are received before they are sent, but by no more than the error there, and none is a violation; by the hosts' own
// clocks, which have no error, all are beyond it.
func TestBeforeSentWithinTheError(t *testing.T) {
	raced.Elsewhere(t, "TestTables")
	s := newSite(t, Options{})
	api := "/api/sets/" + s.simulated("setback", simulatetest.Setback, 3).ID()
	sum := func(query string) (before, beyond int64) {
		for _, p := range decode[messagesAnswer](t, s.want(200, "GET", api+"/messages"+query, "")).Pairs {
			before, beyond = before+p.BeforeSent, beyond+p.Beyond
		}
		return before, beyond
	}
	if before, beyond := sum(""); before == 0 || beyond != 0 {
		t.Errorf("%d messages are received before they are sent, %d by more than the error", before, beyond)
	}
	if before, beyond := sum("?local=1"); before == 0 || beyond != before {
		t.Errorf("by the hosts' own clocks %d messages are received before they are sent, %d by more than the error", before, beyond)
	}
	for _, l := range decode[network.Report](t, s.want(200, "GET", api+"/sync", "")).Links {
		if l.Violations != 0 {
			t.Errorf("%s and %s have %d violations", l.A, l.B, l.Violations)
		}
	}
}
