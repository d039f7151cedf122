package handlers

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"synchroscope/ingest"
	"synchroscope/internal/natural"
	"synchroscope/state/attribute"
	"synchroscope/state/kernel"
	attributes "synchroscope/state/query"
)

const (
	listedThreads = 200  // of a host that statistics list, if nothing else is asked for
	mostThreads   = 2000 // of a host that they list at most
	mostNarrow    = 1000 // bytes of the words that narrow them
)

// longestOrder is by the longest system call, of which the statistics of threads do not tell.
const longestOrder = "longest"

// threadOrders are by what threads are listed: columns of the tables, and the states. Of numbers the largest is first, but for that of the thread.
var threadOrders = func() map[string]func(a, b *listed) int {
	orders := map[string]func(a, b *listed) int{
		"on_cpu":     func(a, b *listed) int { return cmp.Compare(b.ran, a.ran) },
		"name":       func(a, b *listed) int { return natural.Compare(a.Name, b.Name) },
		"tid":        func(a, b *listed) int { return cmp.Compare(a.TID, b.TID) },
		"state":      func(a, b *listed) int { return natural.Compare(a.mostly(), b.mostly()) },
		longestOrder: func(a, b *listed) int { return cmp.Compare(b.longest, a.longest) },
	}
	for code := kernel.Unknown; code <= kernel.Kernel; code++ {
		orders[strings.ReplaceAll(code.String(), " ", "_")] = func(a, b *listed) int { return cmp.Compare(b.in(code), a.in(code)) }
	}
	return orders
}()

// A listed thread has what it is ordered by, too.
type listed struct {
	threadStatistics
	ran     int64 // on_cpu_ns, or what its states say of that
	longest int64 // system call, ns; -1 where it has none, or another order is asked for
}

// mostly is the state that it was in longest.
func (t *listed) mostly() string {
	if len(t.Status) == 0 {
		return ""
	}
	return t.Status[0].Name
}

// in is how long it was in a state, -1 where nobody knows: without a CPU that is known it is seen at its events alone, a ns each.
func (t *listed) in(code kernel.Status) int64 {
	for _, s := range t.Status {
		if *s.Code == uint8(code) && (t.OnCPU != nil || code == kernel.Unknown || s.Time > int64(s.Count)) {
			return s.Time
		}
	}
	if t.OnCPU != nil || code == kernel.Unknown {
		return 0
	}
	return -1
}

// A listing says which threads of each host are listed: the first in an order, of those that have the words.
type listing struct {
	order  string
	less   func(a, b *listed) int
	turned bool
	words  []string // in small letters; none for all
	still  bool     // with those that never were on a CPU
	limit  int      // threads of a host
	calls  int      // system calls that are looked at of a host, for an order by them
}

func listingOf(q url.Values, hosts int) (l listing, err error) {
	l = listing{order: "on_cpu", limit: listedThreads, calls: callsOfOne(hosts)}
	if q.Has("order") {
		l.order, l.turned = strings.CutPrefix(q.Get("order"), "-")
	}
	if l.less = threadOrders[l.order]; l.less == nil {
		names := make([]string, 0, len(threadOrders))
		for name := range threadOrders {
			names = append(names, name)
		}
		slices.Sort(names)
		return l, badRequest(`"order" must be one of %s, with a "-" before it the other way round, not %.40q.`, strings.Join(names, ", "), q.Get("order"))
	}
	words := q.Get("narrow")
	if l.words = strings.Fields(strings.ToLower(words)); len(words) > mostNarrow {
		return l, badRequest(`"narrow" has at most %d bytes.`, mostNarrow)
	}
	if l.still, err = boolParam(q, "still"); err != nil {
		return l, err
	}
	if q.Has("limit") {
		if l.limit, err = strconv.Atoi(q.Get("limit")); err != nil || l.limit < 1 || l.limit > mostThreads {
			return l, badRequest(`"limit" must be from 1 to %d, not %.40q.`, mostThreads, q.Get("limit"))
		}
	}
	return l, nil
}

func (l *listing) compare(a, b listed) int {
	c := l.less(&a, &b)
	if l.turned {
		c = -c
	}
	return cmp.Or(c, cmp.Compare(a.TID, b.TID))
}

// has reports whether a thread of a host has all words in what tells it from others.
func (l *listing) has(t *threadStatistics, host string) bool {
	if len(l.words) == 0 {
		return true
	}
	told := strings.ToLower(t.Name + " " + strconv.Itoa(int(t.TID)) + " " + host)
	return !slices.ContainsFunc(l.words, func(word string) bool { return !strings.Contains(told, word) })
}

// longestCalls are ns by thread, of one host from begin until before end, local ns; nil if the order does not want them.
func (l *listing) longestCalls(ctx context.Context, host *ingest.Host, threads []kernel.Thread, begin, end int64) (map[attribute.Quark]int64, error) {
	if l.order != longestOrder {
		return nil, nil
	}
	calls, err := attributes.CallsOf(ctx, host.History(), attributes.Recording{All: host.Known().All, Lost: host.LostIn}, quarksOf(threads), begin, end, l.calls)
	if err != nil {
		return nil, err
	}
	longest := make(map[attribute.Quark]int64, len(calls.Threads))
	for _, c := range calls.Threads {
		longest[c.Thread] = c.End - c.Begin
	}
	return longest, nil
}

// foremost keeps the first threads in the order, and no more than twice as many as are wanted.
type foremost struct {
	of   *listing
	kept []listed
	all  int
}

func (f *foremost) add(t listed) {
	f.all++
	if f.kept = append(f.kept, t); len(f.kept) == 2*f.of.limit {
		f.cut()
	}
}

func (f *foremost) cut() {
	slices.SortFunc(f.kept, f.of.compare)
	f.kept = f.kept[:min(len(f.kept), f.of.limit)]
}

// threads are those that are listed, and how many others were added.
func (f *foremost) threads() (list []threadStatistics, others int) {
	f.cut()
	list = make([]threadStatistics, len(f.kept))
	for i, t := range f.kept {
		list[i] = t.threadStatistics
	}
	return list, f.all - len(list)
}

// callsOfOne is how many system calls of a host are looked at one by one.
func callsOfOne(hosts int) int { return max(mostCalls/max(hosts, 1), leastCalls) }
