package handlers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"synchroscope/internal/raced"
	"synchroscope/sync/network"
)

// A row of machines that talk to their neighbours: those at the ends are far from the reference, and know each other as well as all do.
const row = `
scenario row "Six machines in a row"
hosts 6 2
duration 4s
host node-{1..n}
  clock offset=-10s..10s rate=-150..150 walk=0.0005 uptime=1h..30d
link node-{1..n-1} node-{2..n} propagation=8us rate=1Gbps queue=512KiB jitter=3us tail=0.3% tail_least=60us tail_alpha=1.6 tail_most=5ms
workload daemons activity=0.5
workload pingpong from=node-{1..n-1} to=node-{2..n} period=40ms work=300us size=400 reply=1200
`

// What is told of the latencies between two hosts has the error that the comparison of the two has, wherever it is told: by each message, by the median and in the
// picture. Of a pair with the reference it is the other host's.
func TestErrorsOfPairs(t *testing.T) {
	raced.Elsewhere(t, "TestTables")
	s := newSite(t, Options{})
	api := "/api/sets/" + s.simulated("row", row, 2).ID()
	solution := decode[network.Report](t, s.want(200, "GET", api+"/sync", ""))
	bounds, begin, end := make(map[string]int64), int64(math.MaxInt64), int64(math.MinInt64)
	reference := ""
	for _, h := range solution.Hosts {
		bounds[h.Name] = h.Error.Max
		if h.Reference {
			reference = h.Name
			begin, end = int64(h.Map[0].ReferenceBegin), int64(h.Map[len(h.Map)-1].ReferenceEnd)
		}
	}
	byMessage := make(map[[2]string][]int64)
	for _, row := range rowsOfCSV(t, s.want(200, "GET", fmt.Sprintf("%s/messages.csv?begin=%d&end=%d", api, math.MinInt64/4, math.MaxInt64/4), ""))[1:] {
		ns, err := strconv.ParseInt(row[9], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		byMessage[[2]string{row[0], row[1]}] = append(byMessage[[2]string{row[0], row[1]}], ns)
	}
	nearer := 0
	for _, p := range decode[messagesAnswer](t, s.want(200, "GET", api+"/messages", "")).Pairs {
		begun := time.Now()
		c := decode[betweenAnswer](t, s.want(200, "GET", api+"/between?a="+p.From+"&b="+p.To, ""))
		took := time.Since(begun)
		least, most := int64(c.Error.Min), int64(c.Error.Max)
		messages := byMessage[[2]string{p.From, p.To}]
		slices.Sort(messages)
		if n := len(messages); int64(n) != p.Messages || messages[0] < least*9/10 || messages[n*9/10] > most*9/8+100 {
			t.Errorf("%s to %s: messages are told ±%d to ±%d, the comparison says %+v", p.From, p.To, messages[0], messages[n-1], *c.Error)
		}
		if *p.Error < least*9/10 || *p.Error > most*9/8+5000 {
			t.Errorf("%s to %s: the median is told ±%d, the comparison says %+v", p.From, p.To, *p.Error, *c.Error)
		}
		picture := decode[latenciesAnswer](t, s.want(200, "GET", fmt.Sprintf("%s/messages/between?a=%s&b=%s&begin=%d&end=%d", api, p.From, p.To, begin-1e9, end+1e9), ""))
		middle := picture.Band[len(picture.Band)/2][1]
		if middle < least*9/10 || middle > most*9/8+100 {
			t.Errorf("%s to %s: the band is ±%d in the middle, the comparison says %+v", p.From, p.To, middle, *c.Error)
		}
		// Each dot is one message here, and has the error that the table of messages tells of it.
		var dots []int64
		for _, dot := range picture.Dots {
			if dot[2] == 0 {
				dots = append(dots, dot[6])
			}
			before, _ := slices.BinarySearchFunc(picture.Band, dot[0], func(p [2]int64, sent int64) int { return cmp.Compare(p[0], sent) })
			if before == 0 || before == len(picture.Band) {
				t.Fatalf("%s to %s: no band %d ns after the begin, where a message was sent", p.From, p.To, dot[0])
			}
			if short := max(picture.Band[before-1][1], picture.Band[before][1]); dot[6] < short*9/10 {
				t.Errorf("%s to %s: a message is told ±%d, the band is ±%d there", p.From, p.To, dot[6], short)
			}
		}
		slices.Sort(dots)
		if !picture.Single || !slices.Equal(dots, messages) {
			t.Errorf("%s to %s: %d dots have other errors than their %d messages", p.From, p.To, len(dots), len(messages))
		}
		if told := picture.Directions[0].Error; told == nil || *told > most*9/8+5000 {
			t.Errorf("%s to %s: in the picture the median is not told within the comparison's error: %+v", p.From, p.To, picture.Directions[0].pairMessages)
		}
		if sum := bounds[p.From] + bounds[p.To]; p.From != reference && p.To != reference && 2*most < sum {
			nearer++
		}
		t.Logf("%s to %s: ±%d, %+v in %v, the sum is up to %d", p.From, p.To, *p.Error, *c.Error, took, bounds[p.From]+bounds[p.To])
	}
	if nearer < 4 {
		t.Errorf("%d ways are known better than by the sum", nearer)
	}
}
