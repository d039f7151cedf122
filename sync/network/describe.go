package network

import (
	"math/big"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// Report returns the solution in its public form.
func (s *Solution) Report() Report {
	r := Report{
		Version: s.Version, Final: s.Final,
		Hosts: []HostReport{}, Links: []LinkReport{},
		Matching: MatchingReport(s.Counts),
		Options:  OptionsReport{Method: s.Options.Method, Exclude: [][2]string{}},
	}
	r.Options.Exclude = append(r.Options.Exclude, s.Options.Exclude...)
	if name := s.Options.Reference; name != "" {
		r.Options.Reference = &name
	}
	if w := s.Options.Window; w != nil {
		r.Options.Window = &[2]Time{Time(w.Begin), Time(w.End)}
	}
	if s.Reference >= 0 {
		r.Reference = s.Hosts[s.Reference].Name
	}
	if p := s.Pinned; p != nil {
		r.Pinned = &PinnedReport{Host: s.Hosts[p.Host].Name, Best: s.Hosts[p.Best].Name, Hosts: p.Hosts}
		if loss := p.Loss; loss >= 0 {
			r.Pinned.Loss = &loss
		}
	}
	candidates := s.Candidates()
	for i := range s.Hosts {
		h := s.reportHost(int32(i))
		if c := candidates[i]; c != nil {
			r := CandidateReport{c.Sum, c.Most, s.Hosts[c.Farthest].Name}
			if c.Unbounded == 0 {
				h.Candidate = &r
			}
			h.Bounded = &BoundedReport{r, c.Unbounded}
		}
		r.Hosts = append(r.Hosts, h)
	}
	for i := range s.Links {
		r.Links = append(r.Links, s.reportLink(&s.Links[i]))
	}
	return r
}

func (s *Solution) reportHost(i int32) HostReport {
	h := &s.Hosts[i]
	r := HostReport{
		Name: h.Name, ID: h.ID, Component: h.Component,
		Reference: i == h.Reference, Loss: h.Loss, Tick: h.Tick,
	}
	if w := h.Window; w != nil {
		r.Window = &[2]Time{Time(w.Begin), Time(w.End)}
	}
	r.Addresses, r.Aliases = s.reportAddresses(h)
	r.Map = pieces(h.Map, h.Begin, h.End)
	for _, k := range h.Map.Knots() {
		r.Knots = append(r.Knots, [2]Time{Time(k.Local), Time(k.Reference)})
	}
	if len(h.Map.Bounds()) > 0 {
		r.Assumption, r.RateCap = assumption(h.RateCap)
	}
	r.Bounds, r.Error = reportBounds(h.Map)
	return r
}

// pieces are those of a map from begin to end.
func pieces(m *clock.Map, begin, end int64) []Piece {
	out := []Piece{}
	knots := m.Knots()
	for i, k := range knots[1:] {
		until := min(k.Local, end)
		if i == len(knots)-2 {
			until = end
		}
		if until <= begin {
			continue
		}
		out = append(out, Piece{
			Begin: Time(begin), End: Time(until),
			ReferenceBegin: Time(m.Reference(begin)), ReferenceEnd: Time(m.Reference(until)),
			Rate: Float(m.Rate(begin)),
		})
		begin = until
	}
	return out
}

// reportBounds are the bounds of a map, and the least and the worst of them, nil where there are none.
func reportBounds(m *clock.Map) (bounds []Bound, span *RangeReport) {
	bounds = []Bound{}
	for _, b := range m.Bounds() {
		bounds = append(bounds, Bound{b[0], b[1]})
		if span == nil {
			span = &RangeReport{b[1], b[1]}
		}
		span.Min, span.Max = min(span.Min, b[1]), max(span.Max, b[1])
	}
	return bounds, span
}

func (s *Solution) reportLink(k *Link) LinkReport {
	r := LinkReport{
		A: s.Hosts[k.A].Name, B: s.Hosts[k.B].Name,
		Class: k.Class.String(), InTree: k.InTree, Excluded: k.Excluded,
		Alpha: float(k.Alpha), Beta: float(k.Beta),
		AlphaMin: float(k.AlphaMin), AlphaMax: float(k.AlphaMax),
		Messages: DirectionsReport{k.AToB, k.BToA},
		Accurate: k.Accurate,
		Hull:     SidesReport{len(k.Lower), len(k.Upper)},
		Upper:    reportPoints(k.Upper), Lower: reportPoints(k.Lower),
		Relaxed: k.Relaxed, Violations: k.Violations,
		Segments: k.Pieces, Path: reportPoints(k.Path), Cuts: []ContradictionReport{},
	}
	if k.Alpha != nil {
		r.AlphaExact, r.BetaExact = decimal(k.Alpha), decimal(k.Beta)
	}
	if p := k.Apart; p != nil {
		r.Apart = &ApartReport{
			First: p.First, Middle: p.Middle, Last: p.Last,
			Clock: s.Hosts[p.Clock].Name, Begin: Time(p.Begin), End: Time(p.End),
		}
	}
	if k.Shape != Unknown {
		name := k.Shape.String()
		r.Shape = &name
	}
	for _, c := range k.Cuts {
		r.Cuts = append(r.Cuts, ContradictionReport{reportPoints(c.Upper), reportPoints(c.Lower)})
	}
	if k.ErrorMax >= 0 {
		r.Error = &SpreadReport{k.ErrorMin, k.ErrorMedian, k.ErrorMax}
		r.Assumption, r.RateCap = assumption(k.RateCap)
	}
	r.Force = reportForce(k.Force)
	if k.Loop != nil {
		loop := LoopReport(*k.Loop)
		r.Loop = &loop
	}
	if k.Latency[0].Of > 0 {
		q := QuantilesReport(k.Latency[0])
		r.Latency.AToB = &q
	}
	if k.Latency[1].Of > 0 {
		q := QuantilesReport(k.Latency[1])
		r.Latency.BToA = &q
	}
	return r
}

func reportForce(f *Force) *ForceReport {
	if f == nil {
		return nil
	}
	r := &ForceReport{Begin: Time(f.Begin), End: Time(f.End), BBegin: Time(f.BBegin), BEnd: Time(f.BEnd), Segments: f.Pieces}
	if f.RateMax > 0 {
		r.Rate = &RatesReport{Float(f.RateMin), Float(f.RateMax)}
	}
	if f.ErrorMax >= 0 {
		r.Error = &SpreadReport{f.ErrorMin, f.ErrorMedian, f.ErrorMax}
		r.Ends = &[2]int64{f.First, f.Last}
	}
	return r
}

// assumption names what a bound rests on.
func assumption(perSecond float64) (name *string, limit *Float) {
	if perSecond == 0 {
		none := "none"
		return &none, nil
	}
	rateCap, f := "rate cap", Float(perSecond)
	return &rateCap, &f
}

func reportPoints(points []hull.Point) [][2]Time {
	r := make([][2]Time, len(points))
	for i, p := range points {
		r[i] = [2]Time{Time(p.X), Time(p.Y)}
	}
	return r
}

func float(r *big.Rat) *Float {
	if r == nil {
		return nil
	}
	v, _ := r.Float64()
	f := Float(v)
	return &f
}
