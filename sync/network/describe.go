package network

import (
	"math/big"

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
	for i := range s.Hosts {
		r.Hosts = append(r.Hosts, s.reportHost(int32(i)))
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
		Reference: i == h.Reference,
		Map:       []Piece{}, Bounds: []Bound{},
	}
	r.Addresses, r.Aliases = s.reportAddresses(h)
	begin := h.Begin
	for _, k := range h.Map.Knots()[1:] {
		end := min(k.Local, h.End)
		if k == h.Map.Knots()[len(h.Map.Knots())-1] {
			end = h.End
		}
		if end <= begin {
			continue
		}
		r.Map = append(r.Map, Piece{
			Begin: Time(begin), End: Time(end),
			ReferenceBegin: Time(h.Map.Reference(begin)), ReferenceEnd: Time(h.Map.Reference(end)),
			Rate: Float(h.Map.Rate(begin)),
		})
		begin = end
	}
	if len(h.Map.Bounds()) > 0 {
		r.Assumption, r.RateCap = assumption(h.RateCap)
	}
	for _, b := range h.Map.Bounds() {
		r.Bounds = append(r.Bounds, Bound{b[0], b[1]})
		if r.Error == nil {
			r.Error = &RangeReport{b[1], b[1]}
		}
		r.Error.Min, r.Error.Max = min(r.Error.Min, b[1]), max(r.Error.Max, b[1])
	}
	return r
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
	if k.Loop != nil {
		loop := LoopReport(*k.Loop)
		r.Loop = &loop
	}
	if k.AToB > 0 {
		q := QuantilesReport(k.Latency[0])
		r.Latency.AToB = &q
	}
	if k.BToA > 0 {
		q := QuantilesReport(k.Latency[1])
		r.Latency.BToA = &q
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
