package handlers

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/internal/raced"
	"synchroscope/simulate/truth"
	"synchroscope/trace/ctf/text/texttest"
)

// imported makes a ready set of what is below a folder.
func (s *site) imported(name, dir string) *ingest.Set {
	s.t.Helper()
	set, err := s.engine.ImportPaths(name, dir)
	if err == nil {
		err = set.Wait(s.t.Context())
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return set
}

// Of web two streams lose events, the second between packets that are long over when others of the first go on; of db a whole packet is missing.
var lossy = `
-- web.trace --
` + texttest.Counted(`hostname="web"`) + `
event 1 rare
file s_0
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.100000000 e
1.200000000 rare
2.000000000 e
packet begin=2.500000000 end=3.000000000 seq=1 discarded=489 cpu=0
2.600000000 e
2.600000000 e
packet begin=3.500000000 end=4.000000000 seq=2 discarded=490 cpu=0
3.700000000 rare
packet begin=4.500000000 end=5.000000000 seq=3 discarded=500 cpu=0
file s_2
packet begin=1.000000000 end=2.600000000 seq=0 discarded=0 cpu=2
1.300000000 e
packet begin=2.700000000 end=3.800000000 seq=1 discarded=7 cpu=2
3.600000000 e
-- db.trace --
` + texttest.Counted(`hostname="db"`) + `
file s
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
packet begin=2.300000000 end=3.000000000 seq=2 discarded=0 cpu=0
2.500000000 e
`

// told is a row of a page: an event, or, before it, what was lost.
func told(a *eventsAnswer) (rows []string) {
	lost := func(list []hostLoss) {
		for _, l := range list {
			cpu := "several"
			if l.CPU != nil {
				cpu = fmt.Sprint(*l.CPU)
			}
			rows = append(rows, fmt.Sprintf("%s %s: %d, %d packets in %d from %.1f to %.1f", l.Host, cpu, l.Events, l.Packets, l.Times, float64(l.Begin)/1e9, float64(l.End)/1e9))
		}
	}
	for _, e := range a.Events {
		lost(e.Lost)
		rows = append(rows, fmt.Sprintf("%s %.1f %s", e.Host, float64(e.Time)/1e9, e.Name))
	}
	lost(a.LostBehind)
	return rows
}

// A loss stands between the events that it lies between, once, on pages of any size in both directions, also where a filter leaves out its
// neighbours; several in one place are told as one of each host.
func TestLossesBetweenEvents(t *testing.T) {
	s := newSite(t, Options{})
	api := "/api/sets/" + s.imported("lossy", texttest.Dir(t, lossy)).ID()
	all := []string{
		"web 1.1 e", "web 1.2 rare", "web 1.3 e", "db 1.5 e",
		"db 0: 0, 1 packets in 1 from 2.0 to 2.3",
		"web 2.0 e", "db 2.5 e", "web 2.6 e", "web 2.6 e",
		"web 0: 489, 0 packets in 1 from 2.0 to 3.0",
		"web 3.6 e",
		"web 2: 7, 0 packets in 1 from 2.6 to 3.8",
		"web 3.7 rare",
		"web 0: 11, 0 packets in 2 from 3.0 to 5.0", // the last packet that counts some has no events
	}
	rare := []string{
		"web 1.2 rare",
		"db 0: 0, 1 packets in 1 from 2.0 to 2.3", "web several: 496, 0 packets in 2 from 2.0 to 3.8",
		"web 3.7 rare", "web 0: 11, 0 packets in 2 from 3.0 to 5.0",
	}
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"", all},
		{"&name=rare", rare},
		{"&name=none", []string{"db 0: 0, 1 packets in 1 from 2.0 to 2.3", "web several: 507, 0 packets in 4 from 2.0 to 5.0"}},
		{"&host=db", []string{"db 1.5 e", "db 0: 0, 1 packets in 1 from 2.0 to 2.3", "db 2.5 e"}},
		// What is told before the stretch or behind it is not, wherever it reaches.
		{"&begin=2200000000&end=2600000000", []string{"db 2.5 e"}},
		{"&begin=2200000000&end=2600000001", []string{"db 2.5 e", "web 2.6 e", "web 2.6 e", "web 0: 489, 0 packets in 1 from 2.0 to 3.0"}},
	} {
		one := s.page(api+"/events?local=1&limit=100"+c.query, "", "")
		if got := told(&one.eventsAnswer); !slices.Equal(got, c.want) {
			t.Errorf("%q is\n%s\nnot\n%s", c.query, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		for limit := 1; limit < 9; limit++ {
			query := fmt.Sprintf("%s/events?local=1&limit=%d%s", api, limit, c.query)
			if strings.Contains(c.query, "begin") {
				continue // a page is turned to without it
			}
			var forth, back []eventsAnswer
			for a := s.page(query, "", ""); ; a = s.page(query, "after", a.next) {
				if forth = append(forth, a.eventsAnswer); a.next == "" {
					break
				}
			}
			for a := s.page(query, "before", "9000000000.0"); ; a = s.page(query, "before", a.previous) {
				if back = append([]eventsAnswer{a.eventsAnswer}, back...); a.previous == "" {
					break
				}
			}
			for how, pages := range map[string][]eventsAnswer{"forwards": forth, "backwards": back} {
				joined := join(pages)
				if got := told(&joined); !slices.Equal(got, c.want) {
					t.Errorf("%q, %d at once %s is\n%s\nnot\n%s", c.query, limit, how, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
				}
			}
		}
	}
}

// A pageOf has the places beside a page as they stand in an address.
type pageOf struct {
	eventsAnswer
	next, previous string
}

func (s *site) page(query, direction, at string) pageOf {
	s.t.Helper()
	if direction != "" {
		query += "&" + direction + "=" + at
	}
	a := s.want(200, "GET", query, "")
	places := decode[struct{ Next, Previous *string }](s.t, a)
	rest := decode[struct {
		Events     []eventAnswer `json:"events"`
		LostBehind []hostLoss    `json:"lost_behind"`
	}](s.t, a)
	p := pageOf{eventsAnswer: eventsAnswer{Events: rest.Events, LostBehind: rest.LostBehind}}
	if places.Next != nil {
		p.next = *places.Next
	}
	if places.Previous != nil {
		p.previous = *places.Previous
	}
	return p
}

// join makes one page of several: what was lost between two is told by both.
func join(pages []eventsAnswer) (all eventsAnswer) {
	for _, p := range pages {
		ahead := all.LostBehind
		all.LostBehind = nil
		for i, e := range p.Events {
			if i == 0 {
				e.Lost = together(ahead, e.Lost)
				ahead = nil
			}
			all.Events = append(all.Events, e)
		}
		all.LostBehind = together(ahead, p.LostBehind)
	}
	return all
}

func together(a, b []hostLoss) []hostLoss {
	out := slices.Clone(a)
	for _, l := range b {
		i := slices.IndexFunc(out, func(x hostLoss) bool { return x.Host == l.Host })
		if i < 0 {
			out = append(out, l)
			continue
		}
		x := &out[i]
		if x.CPU == nil || l.CPU == nil || *x.CPU != *l.CPU {
			x.CPU = nil
		}
		x.Times, x.Events, x.Packets = x.Times+l.Times, x.Events+l.Events, x.Packets+l.Packets
		x.Begin, x.End, x.Place, x.Last = min(x.Begin, l.Begin), max(x.End, l.End), min(x.Place, l.Place), max(x.Last, l.Last)
	}
	return inOrder(out)
}

// Losses of a stretch are listed one by one, or, where they are too many, those that are near each other together; how many reach out of it is told. The
// statistics of a stretch count those that touch it, and of how many nobody knows whether they were in it.
func TestLossesOfAStretch(t *testing.T) {
	s := newSite(t, Options{})
	api := "/api/sets/" + s.imported("lossy", texttest.Dir(t, lossy)).ID()
	web := func(begin, end float64, most int) hostLosses {
		t.Helper()
		a := decode[lossesAnswer](t, s.want(200, "GET", fmt.Sprintf("%s/losses?local=1&host=web&begin=%.0f&end=%.0f&most=%d", api, begin*1e9, end*1e9, most), ""))
		return a.Hosts[0]
	}
	stretch := func(times, events int64, begin, end, place, last float64, cpus ...int32) lossAnswer {
		l := lossAnswer{Times: times, Events: events, Begin: wire.Time(begin * 1e9), End: wire.Time(end * 1e9), Place: wire.Time(place * 1e9), Last: wire.Time(last * 1e9)}
		if len(cpus) > 0 {
			l.CPU = &cpus[0]
		}
		return l
	}
	whole := hostLosses{Host: "web", Known: true, lossAnswer: stretch(4, 507, 2, 5, 2.6, 3.7), Stretches: []lossAnswer{
		stretch(1, 489, 2, 3, 2.6, 2.6, 0), stretch(1, 7, 2.6, 3.8, 3.6, 3.6, 2), stretch(1, 1, 3, 4, 3.7, 3.7, 0), stretch(1, 10, 4, 5, 3.7, 3.7, 0),
	}}
	if got := web(0, 9, 4); !reflect.DeepEqual(got, whole) {
		t.Errorf("%+v, want %+v", got, whole)
	}
	few := whole
	few.Stretches = []lossAnswer{stretch(2, 496, 2, 3.8, 2.6, 3.6), stretch(2, 11, 3, 5, 3.7, 3.7, 0)}
	if got := web(0, 6, 3); !reflect.DeepEqual(got, few) {
		t.Errorf("%+v, want %+v", got, few)
	}
	part := hostLosses{Host: "web", Known: true, lossAnswer: stretch(3, 497, 2, 4, 2.6, 3.7), Reaching: 3, Stretches: whole.Stretches[:3]}
	if got := web(2.9, 3.2, 9); !reflect.DeepEqual(got, part) {
		t.Errorf("%+v, want %+v", got, part)
	}
	a := decode[lossesAnswer](t, s.want(200, "GET", api+"/losses?local=1&host=web&placed=1&most=1&begin=2700000000&end=3700000000", ""))
	if got, want := a.Hosts[0].lossAnswer, stretch(1, 7, 2.6, 3.8, 3.6, 3.6, 2); !reflect.DeepEqual(got, want) {
		t.Errorf("told from 2.7 to 3.7 s is %+v, want %+v", got, want)
	}
	if got := web(1, 1.9, 9); got.Times != 0 || !got.Known || len(got.Stretches) != 0 {
		t.Errorf("before all of them %+v", got)
	}
	for _, c := range []struct {
		begin, end float64
		want       lossStatistics
	}{
		{1, 1.9, lossStatistics{}},
		{1.9, 3.1, lossStatistics{Times: 3, Events: 497, ReachingEvents: 8}},
		{3.2, 3.3, lossStatistics{Times: 2, Events: 8, ReachingEvents: 8}},
		{0, 9, lossStatistics{Times: 4, Events: 507}},
		{1.05, 3.75, lossStatistics{Times: 4, Events: 507}}, // all events; the last packet goes on
		{1.15, 3.65, lossStatistics{Times: 3, Events: 497, ReachingEvents: 8}},
	} {
		a := decode[statisticsAnswer](t, s.want(200, "GET", fmt.Sprintf("%s/statistics?local=1&host=web&begin=%.0f&end=%.0f", api, c.begin*1e9, c.end*1e9), ""))
		if got := a.Hosts[0].Lost; got == nil || *got != c.want {
			t.Errorf("from %g to %g s %+v were lost, want %+v", c.begin, c.end, got, c.want)
		}
	}
	s.want(400, "GET", api+"/losses?begin=0&end=9&most=0", "")
	s.want(400, "GET", api+"/losses?begin=0&end=9&most=1025", "")
	s.want(200, "GET", fmt.Sprintf("%s/losses?begin=%d&end=%d&most=1024", api, -int64(wire.MaxTime), int64(wire.MaxTime)), "")
	if at := edgeOf(math.MinInt64, math.MaxInt64, 1023, 1024); at != math.MaxInt64-(1<<54-1) && at < 1<<62 {
		t.Errorf("the last of 1024 parts of all time begins at %d", at)
	}
}

// All that a tracer lost, and no more, stands between its events, by reference time as well.
func TestLossesHoldTheTruth(t *testing.T) {
	raced.Elsewhere(t, "TestRequestsHoldTheTruth", "TestLossesBetweenEvents")
	dir := recorded(t, "losing", losing, 3)
	real, err := truth.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]int64)
	for _, h := range real.Hosts {
		for _, x := range h.Traces {
			want[h.Name] += x.Lost
		}
	}
	if want["overflow"] == 0 {
		t.Fatal("nothing was lost")
	}
	s := newSite(t, Options{})
	api := "/api/sets/" + s.imported("losing", dir).ID()
	last := int64(math.MinInt64)
	got := make(map[string]int64)
	events := 0
	note := func(list []hostLoss, before int64) {
		for _, l := range list {
			got[l.Host] += l.Events
			if int64(l.Begin) >= before || int64(l.End) < last {
				t.Errorf("%+v stands between %d and %d", l, last, before)
			}
		}
	}
	for a := s.page(api+"/events?limit=1000", "", ""); ; a = s.page(api+"/events?limit=1000", "after", a.next) {
		for _, e := range a.Events {
			note(e.Lost, int64(e.Time))
			last = int64(e.Time)
		}
		note(a.LostBehind, math.MaxInt64)
		if events += len(a.Events); a.next == "" {
			break
		}
	}
	if got["overflow"] != want["overflow"] || got["sound"] != want["sound"] || events == 0 {
		t.Errorf("%v were lost between %d events, in truth %v", got, events, want)
	}
}
