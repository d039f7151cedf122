package report

import (
	"cmp"
	"fmt"
	"slices"

	"synchroscope/sync/network"
)

func hostSheet(s *network.Solution, r *network.Report) Sheet {
	sheet := Sheet{Title: "Hosts", Heads: []Head{
		{Text: "Host"}, {Text: "State", Words: true},
		{Text: "Known to", Means: "The half-width of what the messages allow, at the best and at the worst instant of the recording."},
		{Text: "Rate against the reference", Means: "How much faster the host's clock runs than that of the reference, where there is a minus how much slower, over the pieces of its map."},
		{Text: "Pieces", Means: "Straight pieces of the map from the host's clock to reference time."},
		{Text: "Rests on", Words: true, Means: "What must be true of the clocks for the bound to hold."},
		{Text: "Recorded", Means: "How long the recording is, by the host's own clock."},
	}}
	for i := range s.Hosts {
		h, q := &s.Hosts[i], &r.Hosts[i]
		row := []Cell{{Text: h.Name}, hostState(s, int32(i)), {Text: none}, {Text: none}, {Text: group(int64(len(q.Map)))}, {Text: none}, {Text: about(float64(h.End - h.Begin))}}
		if q.Error != nil && int32(i) != h.Reference {
			row[2].Text = between(q.Error.Min, q.Error.Max)
		}
		if len(q.Map) > 0 && int32(i) != h.Reference {
			row[3].Text = mapRates(q.Map)
		}
		if q.Assumption != nil {
			row[5].Text = "nothing"
			if q.RateCap != nil {
				row[5].Text = "rates change by at most " + perSecond(float64(*q.RateCap))
			}
		}
		sheet.Rows = append(sheet.Rows, row)
	}
	return sheet.limit()
}

func hostState(s *network.Solution, i int32) Cell {
	h := &s.Hosts[i]
	switch {
	case i == s.Reference:
		return Cell{Text: "reference", Tone: "good"}
	case s.Unsynchronized(i) && i == h.Reference:
		return Cell{Text: "not synchronized", Tone: "none"}
	case s.Unsynchronized(i):
		return Cell{Text: "synchronized with " + s.Hosts[h.Reference].Name + " only", Tone: "medium"}
	case len(h.Map.Bounds()) == 0:
		return Cell{Text: "placed without a bound", Tone: "medium"}
	}
	return Cell{Text: "synchronized", Tone: "good"}
}

// isStep reports whether a rate is none of a crystal, which differ by far less than 1000 ppm.
func isStep(rate float64) bool { return rate < 0.999 || rate > 1.001 }

// RateRange is the least and the greatest rate of a host's clock against the reference's, over the pieces of its map, of which there is one
// at least, without those in which the clock was set if there are others. The rates of the pieces are those of the reference against the host.
func RateRange(pieces []network.Piece) (least, most float64) {
	byRate := func(p, q network.Piece) int { return cmp.Compare(p.Rate, q.Rate) }
	if rates := slices.DeleteFunc(slices.Clone(pieces), func(p network.Piece) bool { return isStep(float64(p.Rate)) }); len(rates) > 0 {
		pieces = rates
	}
	return 1 / float64(slices.MaxFunc(pieces, byRate).Rate), 1 / float64(slices.MinFunc(pieces, byRate).Rate)
}

// mapRates is that in words.
func mapRates(pieces []network.Piece) string {
	least, most := RateRange(pieces)
	if least == most {
		return ppm(least, 0)
	}
	return ppm(least, 1e-7) + " to " + ppm(most, 1e-7)
}

func linkSheet(s *network.Solution, r *network.Report) Sheet {
	sheet := Sheet{Title: "Links", Classes: true, Heads: []Head{
		{Text: "Link", Means: "The first clock is a, the second b: b = alpha · a + beta."},
		{Text: "State", Words: true},
		{Text: "Known to", Means: "How far one clock can be off the other over the time that both hosts have in common, at best and at worst: by the messages of the link alone or, where that is better, by the links in use between the two."},
		{Text: "median", Means: "The median of the same. That of the link alone is its weight, with what is open of the time that only one of them was recorded; but of links with a step, which count by more."},
		{Text: "Rate of the second against the first", Means: "alpha minus 1: how much faster b's clock runs than a's; behind it half of what the messages leave open."},
		{Text: "beta", Means: "What b's clock shows where a's shows 0, on the line. The figures of the link have all digits."},
		{Text: "Messages → / ←"},
		{Text: "Pieces", Means: "What the messages fit: one line, straight pieces, or pieces with steps."},
		{Text: "Violations", Means: "Messages that are received before they were sent in reference time."},
		{Text: "Delay → / ←", Means: "The shortest delay of either direction in reference time."},
	}}
	order := make([]int, len(s.Links))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		k, l := &s.Links[i], &s.Links[j]
		if k.InTree != l.InTree {
			return map[bool]int{true: -1, false: 1}[k.InTree]
		}
		return cmp.Compare(uint64(k.ErrorMedian), uint64(l.ErrorMedian)) // unknown last
	})
	for _, i := range order {
		sheet.Rows = append(sheet.Rows, linkRow(s, &s.Links[i], &r.Links[i]))
	}
	return sheet.limit()
}

func linkRow(s *network.Solution, k *network.Link, l *network.LinkReport) []Cell {
	c := classWord(k.Class)
	name := Cell{Text: s.Hosts[k.A].Name + " – " + s.Hosts[k.B].Name}
	if !k.InTree {
		name.Aside = unused(k)
	}
	row := []Cell{
		name, {Text: c.Term, Tone: c.Tone}, {Text: none}, {Text: none}, {Text: none}, {Text: none},
		{Text: group(int64(k.AToB)) + " / " + group(int64(k.BToA))},
		{Text: shape(k)}, {Text: group(int64(k.Violations))}, {Text: shortest(l.Latency.AToB) + " / " + shortest(l.Latency.BToA)},
	}
	if k.Violations > 0 {
		row[8].Tone = "bad"
	}
	if e, ok := knownBetween(s, k); ok {
		row[2].Text, row[3].Text = between(e.least, e.most), plusMinus(e.median)
	}
	if l.Alpha != nil {
		half := -1.
		if l.AlphaMin != nil && l.AlphaMax != nil {
			half = float64(*l.AlphaMax-*l.AlphaMin) / 2
			row[4].Aside = "± " + fixed(half*1e6, decimalsOf(half*1e6))
		}
		row[4].Text = ppm(float64(*l.Alpha), half)
	} else if rates, ok := pathRates(k); ok {
		row[4].Text = rates
	}
	if l.Beta != nil {
		row[5].Text = fixed(float64(*l.Beta)/1e9, 6) + thin + "s"
	}
	return row
}

func decimalsOf(half float64) int {
	n := 0
	for half > 0 && half < 10 && n < 6 {
		half *= 10
		n++
	}
	return n
}

// pathRates is the same of a path.
func pathRates(k *network.Link) (string, bool) {
	var least, most float64
	any := false
	for i := 1; i < len(k.Path); i++ {
		p, q := k.Path[i-1], k.Path[i]
		rate := float64(q.Y-p.Y) / float64(q.X-p.X)
		if k.Shape == network.Steps && isStep(rate) {
			continue
		}
		if !any {
			least, most, any = rate, rate, true
		}
		least, most = min(least, rate), max(most, rate)
	}
	return ppm(least, 1e-6) + " to " + ppm(most, 1e-6), any
}

func shortest(q *network.QuantilesReport) string {
	if q == nil {
		return none
	}
	return about(float64(q.Min))
}

func unused(k *network.Link) string {
	if k.Excluded {
		return "left out"
	}
	return "not in use"
}

// loopSheet says of each link that is not in use how far it is from the way through those that are.
func loopSheet(s *network.Solution) Sheet {
	sheet := Sheet{Title: "Loops", Note: "links that are not in use against the way through those that are: a check of the bounds by other messages", Heads: []Head{
		{Text: "Link"},
		{Text: "Way", Means: "How many links in use the same two clocks are compared through."},
		{Text: "Differ by", Means: "The largest difference between the link's own estimate and that of the way."},
		{Text: "Allowed", Means: "The sum of both bounds at that instant. Both estimates are within their bounds of the same truth, so they cannot differ by more."},
		{Text: "Used", Means: "The first in parts of the second."},
		{Text: "State", Words: true},
	}}
	for i := range s.Links {
		k := &s.Links[i]
		if k.Loop == nil {
			continue
		}
		state := Cell{Text: "closes within its bounds", Tone: "good"}
		if !k.Loop.Consistent {
			state = Cell{Text: "does not close: a bound is wrong", Tone: "bad"}
		}
		sheet.Rows = append(sheet.Rows, []Cell{
			{Text: s.Hosts[k.A].Name + " – " + s.Hosts[k.B].Name}, {Text: counted(k.Loop.Hops, "link")}, {Text: about(float64(k.Loop.Residual))},
			{Text: bound(k.Loop.Bound)}, {Text: fixed(100*float64(k.Loop.Residual)/float64(max(k.Loop.Bound, 1)), 0) + thin + "%"}, state,
		})
	}
	return sheet.limit()
}

func loopWords(l *network.Loop) string {
	words := "closes within its bounds"
	if !l.Consistent {
		words = "does not close"
	}
	return fmt.Sprintf("%s: %s from the way through %s, of %s allowed", words, about(float64(l.Residual)), counted(l.Hops, "link"), bound(l.Bound))
}

// loops counts those that are known, and those that do not close.
func loops(s *network.Solution) (all, open int) {
	for i := range s.Links {
		if l := s.Links[i].Loop; l != nil {
			all++
			if !l.Consistent {
				open++
			}
		}
	}
	return all, open
}

// facts are what stands beside the plot of a link.
func facts(s *network.Solution, k *network.Link, l *network.LinkReport) []Figure {
	var out []Figure
	add := func(name, value string) { out = append(out, Figure{Name: name, Value: value}) }
	a, b := s.Hosts[k.A].Name, s.Hosts[k.B].Name
	if e, ok := knownBetween(s, k); ok && !e.alone {
		add("Known to", between(e.least, e.most)+", median "+plusMinus(e.median)+", by the links in use between the two")
	}
	if k.ErrorMax >= 0 {
		name := "Known to"
		if len(out) > 0 {
			name = "By this link alone"
		}
		add(name, between(k.ErrorMin, k.ErrorMax)+", median "+plusMinus(k.ErrorMedian))
		steps := ""
		if k.Shape == network.Steps {
			steps = ", but for the steps"
		}
		add("Holds as long as", "the rate of one clock against the other changes by at most "+perSecond(k.RateCap)+steps)
	}
	if k.Alpha != nil {
		add("As a line", fmt.Sprintf("%s = alpha · %s + beta", b, a))
		add("alpha", l.AlphaExact)
		if l.AlphaMin != nil && l.AlphaMax != nil {
			add("between", fmt.Sprintf("%.16f and %.16f", float64(*l.AlphaMin), float64(*l.AlphaMax)))
		}
		if p := l.Apart; p != nil {
			add("Flattest and steepest", fmt.Sprintf("%s apart at the first message, %s half way, %s at the last that narrowed them", bound(p.First), bound(p.Middle), bound(p.Last)))
		}
		add("beta", l.BetaExact+" ns")
	}
	if len(k.Path) > 0 {
		rates, _ := pathRates(k)
		add("Pieces", fmt.Sprintf("no one line fits; %s do, at %s", counted(k.Pieces, "straight piece"), rates))
	}
	if k.Relaxed > 0 {
		add("Misses a line by", about(float64(k.Relaxed))+" at least: by so much every message would have to give way")
	}
	if k.Loop != nil {
		add("Loop", loopWords(k.Loop))
	}
	add("Messages", fmt.Sprintf("%s from %s, %s from %s; %s narrowed the estimate when they came", group(int64(k.AToB)), a, group(int64(k.BToA)), b, group(int64(k.Accurate))))
	add("On the hulls", fmt.Sprintf("%s above, %s below", group(int64(len(k.Upper))), group(int64(len(k.Lower)))))
	for i, d := range []string{a + " → " + b, b + " → " + a} {
		if q := k.Latency[i]; q.Of > 0 {
			add("Delay "+d, fmt.Sprintf("%s at least, %s median, 99%s%% within %s", about(float64(q.Min)), about(float64(q.Median)), thin, about(float64(q.P99))))
		}
	}
	return out
}
