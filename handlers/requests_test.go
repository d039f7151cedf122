package handlers

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"synchroscope/handlers/wire"
)

// The slow requests of the demonstration: those that waited for the lock come first, in parts as at once, by either clock, and of a pair alone.
func testRequests(t *testing.T, s *site, api string, toReference func(local int64) int64) {
	ask := func(query string, args ...any) requestsAnswer {
		t.Helper()
		return decode[requestsAnswer](t, s.want(200, "GET", api+"/messages/requests?"+fmt.Sprintf(query, args...), ""))
	}
	whole := ask("")
	if !whole.Complete || whole.Begin != nil || whole.Requests < 650 || len(whole.Slowest) != slowestTold || whole.Median < 20e6 || whole.P95 < 300e6 {
		t.Fatalf("%d requests, the slowest %d of them, complete: %v, half within %d ns, 95 %% within %d", whole.Requests, len(whole.Slowest), whole.Complete, whole.Median, whole.P95)
	}
	slow := whole.Slowest[0]
	if slow.Client != "client" || slow.ClientThread != 208 || slow.Server != "web" || slow.ServerPort != 80 || slow.ServerThread != 227 {
		t.Errorf("the slowest is %+v", slow)
	}
	for i, r := range whole.Slowest {
		if r.Took <= r.Served || r.Served <= 0 || r.First <= 0 || r.First > r.Took || int64(r.Answered-r.Asked) != r.Took || i > 0 && r.Took > whole.Slowest[i-1].Took {
			t.Errorf("request %d is %+v", i, r)
		}
	}
	if again := ask(""); !reflect.DeepEqual(whole, again) {
		t.Error("asked again, the requests are others")
	}

	begin, end := whole.Slowest[0].Asked, whole.Slowest[0].Answered+1
	part := ask("begin=%d&end=%d", begin, end)
	if part.Requests == 0 || part.Requests > 60 || !reflect.DeepEqual(part.Slowest[0], slow) || part.Begin == nil {
		t.Errorf("from its beginning to its end there are %d requests, the slowest %+v", part.Requests, part.Slowest[:min(1, len(part.Slowest))])
	}
	// Of a stretch there are those that are under way in it, wherever they begin and end.
	for _, x := range [][2]wire.Time{{begin, end}, {begin + 200e6, begin + 300e6}, {end - 1, end}, {begin, begin + 1}, {begin - 3e9, begin}, {end, end + 20e9}} {
		var want []requestMessage
		for _, r := range whole.Slowest {
			if r.Asked < x[1] && r.Answered >= x[0] {
				want = append(want, r)
			}
		}
		got := ask("begin=%d&end=%d", x[0], x[1])
		slowest := slices.DeleteFunc(got.Slowest, func(r requestMessage) bool { return r.Took < whole.Slowest[slowestTold-1].Took })
		if !slices.Equal(slowest, want) {
			t.Errorf("from %d to %d there are of the slowest\n%+v, want\n%+v", x[0], x[1], slowest, want)
		}
	}
	pair := ask("a=db&b=web")
	for _, r := range pair.Slowest {
		if r.Client != "web" || r.Server != "db" {
			t.Errorf("between db and web there is %+v", r)
		}
	}
	if pair.Requests == 0 || pair.Requests >= whole.Requests {
		t.Errorf("%d of %d requests are between db and web", pair.Requests, whole.Requests)
	}

	// The same by the hosts' own clocks: those that were asked from a time of each client's clock on.
	local := ask("local=1")
	if own := local.Slowest[0].Took; local.Requests != whole.Requests || max(own-slow.Took, slow.Took-own) > slow.Took/8_000 || own == slow.Took || local.Slowest[0].Answered-local.Slowest[0].Asked != wire.Time(local.Slowest[0].Took) {
		t.Errorf("by the hosts' own clocks there are %d of %d requests, the slowest %+v", local.Requests, whole.Requests, local.Slowest[0])
	}
	asked := local.Slowest[0].Asked
	from := ask("local=1&begin=%d&end=%d", asked, asked+1)
	if from.Requests == 0 || from.Slowest[0].ClientThread != 208 {
		t.Errorf("asked in the ns of the slowest: %+v", from)
	}
	// And those that were served then, by the clock of the host that answered, which web asked 10 s before by its own.
	served := ask("local=1&begin=%d&end=%d", int64(slowBegin), int64(slowEnd))
	if served.Requests == 0 || served.Slowest[0].Server != "db" || served.Slowest[0].Served < slowEnd-slowBegin || max(slowBegin-served.Slowest[0].Answered, served.Slowest[0].Asked-slowEnd) < 9e9 {
		t.Errorf("served by db while its lock was held: %+v", served)
	}

	// With room for a part of the messages in an answer, the same question goes on until all are there.
	s.server.tallies.atOnce = 900
	defer func() { s.server.tallies.atOnce = talliedAtOnce }()
	wide := func() requestsAnswer {
		return ask("begin=%d&end=%d", toReference(slowBegin-3600e9), toReference(slowEnd+3600e9))
	}
	before := int64(-1)
	for n := 1; ; n++ {
		now := wide()
		if now.Requests < before || n > 20 {
			t.Fatalf("answer %d has %d requests, the one before %d", n, now.Requests, before)
		}
		if before = now.Requests; !now.Complete {
			continue
		}
		if n < 8 || now.Requests != whole.Requests || !reflect.DeepEqual(now.Slowest, whole.Slowest) {
			t.Errorf("after %d answers there are %d of %d requests", n, now.Requests, whole.Requests)
		}
		break
	}
	for i := range 2 * huntsKept {
		ask("begin=%d&end=%d", begin, end+wire.Time(i))
	}
	if n := len(s.server.hunts.kept); n != huntsKept {
		t.Errorf("%d hunts are kept", n)
	}
	for _, q := range []string{"a=db", "a=db&b=db", "a=db&b=nobody", "begin=1", "begin=2&end=1", "most=3"} {
		s.want(400, "GET", api+"/messages/requests?"+q, "")
	}
}
