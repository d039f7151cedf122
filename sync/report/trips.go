package report

import (
	"fmt"
	"math"

	"synchroscope/sync/baseline"
	"synchroscope/sync/network"
)

// intervals are those of Clément's tables: which part of the round trips is kept, by the half-width in standard deviations.
var intervals = []struct {
	name string
	z    float64
}{{"100" + thin + "%", math.Inf(1)}, {"90" + thin + "%", 1.64}, {"95" + thin + "%", 1.96}, {"99" + thin + "%", 2.58}}

// tripSheets are tables in the form of Clément's 4.2 and 4.3: what round trips say of the offset of each link, and the drift by least squares.
func tripSheets(s *network.Solution, messages *baseline.Messages) (offsets, drifts Sheet) {
	offsets = Sheet{Title: "Offsets from round trips", Note: "a second opinion without a bound, in the form of Clément 2006, table 4.2", Heads: []Head{
		{Text: "Link"}, {Text: "Part"},
		{Text: "Round trips", Means: "Messages with an answer within a second."},
		{Text: "Interval", Means: "Which round trips are kept: those whose E is within 1.64, 1.96 or 2.58 standard deviations of the mean."},
		{Text: "Kept"},
		{Text: "E mean (s)", Means: "Half of what a round trip was under way: no offset is further off than its E."},
		{Text: "E max (s)"}, {Text: "E min (s)"},
	}}
	drifts = Sheet{Title: "Drift by least squares", Note: "of the same round trips, in the form of Clément 2006, table 4.3", Heads: []Head{
		{Text: "Link"}, {Text: "Part"}, {Text: "Interval"},
		{Text: "X (s/s)", Means: "By how much b's clock runs faster than a's, by the line through the offsets."},
		{Text: "E_r (s)", Means: "Standard deviation of the offsets about the line."},
		{Text: "E_X (s/s)", Means: "Standard error of X."},
		{Text: "E_D0 (s)", Means: "Standard error of the offset at the beginning of the part."},
		{Text: "Hull − X (s/s)", Means: "What the rate of the hulls is more than X; nothing where the hulls have pieces."},
	}}
	rates := make(map[[2]int32]float64)
	for i := range s.Links {
		if k := &s.Links[i]; k.Alpha != nil {
			alpha, _ := k.Alpha.Float64()
			rates[pair(k.A, k.B)] = alpha - 1
		}
	}
	for _, l := range messages.Links() {
		name := s.Hosts[l.A].Name + " – " + s.Hosts[l.B].Name
		rate, line := rates[pair(l.A, l.B)]
		for _, interval := range intervals {
			parts := baseline.RoundTrips(&l, baseline.RoundTripConfig{Z: interval.z})
			for i, part := range parts {
				n := fmt.Sprintf("%d of %d", i+1, len(parts))
				offsets.Rows = append(offsets.Rows, []Cell{
					{Text: name}, {Text: n}, {Text: group(int64(part.Points))}, {Text: interval.name}, {Text: group(int64(part.Kept))},
					{Text: scientific(part.KeptMean / 1e9)}, {Text: scientific(part.KeptMax / 1e9)}, {Text: scientific(part.KeptMin / 1e9)},
				})
				if part.Fit.ER < 0 {
					continue
				}
				against := Cell{Text: none}
				if line {
					against.Text = scientific(rate - part.Fit.X)
				}
				drifts.Rows = append(drifts.Rows, []Cell{
					{Text: name}, {Text: n}, {Text: interval.name}, {Text: scientific(part.Fit.X)},
					{Text: scientific(part.Fit.ER / 1e9)}, {Text: scientific(part.Fit.EX)}, {Text: scientific(part.Fit.ED0 / 1e9)}, against,
				})
			}
		}
	}
	if messages.Thinned() {
		note := "; of a part of the messages, chosen by time, for there are too many to hold"
		offsets.Note += note
		drifts.Note += note
	}
	return offsets.limit(), drifts.limit()
}
