package live

import (
	"context"
	"math"
	"slices"

	"synchroscope/handlers/wire"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// answerPoints gives what the plot of a link shows: its messages as points
// (a's time, b's time) and the band that they allow. Clocks differ by parts per
// million, so everything is given as the residual against the link's estimate, be
// that a line or a path.
//
// Of a request with a range in a's local time only the messages of that range are shown. What they
// are held against still follows from all.
func answerPoints(ctx context.Context, s *session, r wire.Request) (answer, error) {
	part := span{r.Begin, r.End}
	link, hosts := s.link(r.A, r.B)
	if link == nil {
		return nil, refusal("There is no message between these two hosts.")
	}
	picked := sampler{most: r.Limit}
	evidence := network.NewEvidence(hosts[link.A].ID, hosts[link.B].ID)
	evidence.Tick(hosts[link.A].Tick, hosts[link.B].Tick)
	span := span{math.MaxInt64, math.MinInt64}
	err := s.set.LinkMessages(ctx, link.A, link.B, func(m match.Message) bool {
		p := constraint{hull.Point{X: m.Sent, Y: m.Received}, 0}
		if m.From != link.A {
			p = constraint{hull.Point{X: m.Received, Y: m.Sent}, 1}
		}
		if part.shows(p) {
			span.add(p.X)
			picked.add(p)
		}
		evidence.Add(hull.Side(p.direction), p.Point)
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	estimate, ok := estimateOf(link)
	vertices := slices.Concat(constraints(link.Upper, 0), constraints(link.Lower, 1))
	for _, p := range vertices {
		evidence.Add(hull.Side(p.direction), p.Point) // known by now, though it may not be stored yet
	}
	if len(estimate.knots) > 0 {
		vertices = touching(evidence)
	}
	vertices = slices.DeleteFunc(vertices, func(p constraint) bool { return !part.shows(p) })
	if len(estimate.knots) > 0 {
		vertices = evenly(vertices, r.Limit)
	}
	points := picked.with(vertices)
	for _, p := range points {
		span.add(p.X)
	}
	total := link.AToB + link.BToA
	if part.whole() {
		if len(points) == 0 {
			return nil, refusal("The messages of this link are not stored yet.")
		}
	} else {
		span, total = part, picked.seen
	}
	out := plot{estimate, span}.body(link, evidence, points)
	if !ok {
		out.Midline = &ok
	}
	out.Force = plot{estimate, span}.force(&hosts[link.A], &hosts[link.B])
	out.Total = max(picked.seen, total, len(points))
	return func(uint32) ([]byte, error) { return wire.EncodeJSON(wire.KindPoints, r.Header, out) }, nil
}

// link returns the link of two hosts in either order, nil if there is none, and the hosts of its solution.
func (s *session) link(a, b int32) (*network.Link, []network.Host) {
	solution := s.set.Solution()
	if solution == nil {
		return nil, nil
	}
	i := slices.IndexFunc(solution.Links, func(l network.Link) bool {
		return l.A == min(a, b) && l.B == max(a, b)
	})
	if i < 0 {
		return nil, nil
	}
	return &solution.Links[i], solution.Hosts
}

// A constraint is a message as the hulls see it.
type constraint struct {
	hull.Point
	direction uint8 // 0 a to b: above the line; 1 b to a: below it
}

type span struct{ begin, end int64 }

// whole tells that all time is meant.
func (s span) whole() bool { return s.begin == s.end }

func (s span) shows(p constraint) bool { return s.whole() || s.begin <= p.X && p.X < s.end }

func (s *span) add(t int64) { s.begin, s.end = min(s.begin, t), max(s.end, t) }

// A sampler keeps every 2^k-th of what is added, at most twice the limit.
type sampler struct {
	most   int
	stride int
	seen   int
	kept   []constraint
}

func (s *sampler) add(p constraint) {
	s.stride = max(s.stride, 1)
	if s.seen%s.stride == 0 {
		if s.kept = append(s.kept, p); len(s.kept) == 2*s.most {
			for i := range s.most {
				s.kept[i] = s.kept[2*i]
			}
			s.kept = s.kept[:s.most]
			s.stride *= 2
		}
	}
	s.seen++
}

// with returns the vertices and as many of the sample, evenly taken, as the limit leaves room for.
func (s *sampler) with(vertices []constraint) []constraint {
	points := slices.Clone(vertices)
	known := make(map[constraint]bool, len(points))
	for _, p := range points {
		known[p] = true
	}
	others := slices.DeleteFunc(slices.Clone(s.kept), func(p constraint) bool { return known[p] })
	return append(points, evenly(others, max(0, s.most-len(points)))...)
}

// evenly takes at most so many of the points.
func evenly(points []constraint, most int) []constraint {
	out := make([]constraint, min(most, len(points)))
	for i := range out {
		out[i] = points[i*len(points)/len(out)]
	}
	return out
}

func constraints(points []hull.Point, direction uint8) []constraint {
	out := make([]constraint, len(points))
	for i, p := range points {
		out[i] = constraint{p, direction}
	}
	return out
}
