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
// (a's time, b's time), both hulls, the steepest and the flattest line and the
// band of all lines between them. The lines differ by parts per million, so
// everything is given as the residual against the midline.
func answerPoints(ctx context.Context, s *session, r wire.Request) (answer, error) {
	link := s.link(r.A, r.B)
	if link == nil {
		return nil, refusal("There is no message between these two hosts.")
	}
	picked := sampler{most: r.Limit}
	span := span{math.MaxInt64, math.MinInt64}
	err := s.set.LinkMessages(ctx, link.A, link.B, func(m match.Message) bool {
		p := constraint{hull.Point{X: m.Sent, Y: m.Received}, 0}
		if m.From != link.A {
			p = constraint{hull.Point{X: m.Received, Y: m.Sent}, 1}
		}
		span.add(p.X)
		picked.add(p)
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	points := picked.with(link)
	for _, p := range points {
		span.add(p.X)
	}
	if len(points) == 0 {
		return nil, refusal("The messages of this link are not stored yet.")
	}
	line, midline := rulerOf(link, points)
	out := plot{line, span}.body(link, points)
	if !midline {
		out.Midline = &midline
	}
	out.Total = max(picked.seen, link.AToB+link.BToA, len(points))
	return func(uint32) ([]byte, error) { return wire.EncodeJSON(wire.KindPoints, r.Header, out) }, nil
}

// link returns the link of two hosts in either order, nil if there is none.
func (s *session) link(a, b int32) *network.Link {
	solution := s.set.Solution()
	if solution == nil {
		return nil
	}
	i := slices.IndexFunc(solution.Links, func(l network.Link) bool {
		return l.A == min(a, b) && l.B == max(a, b)
	})
	if i < 0 {
		return nil
	}
	return &solution.Links[i]
}

// A constraint is a message as the hulls see it.
type constraint struct {
	hull.Point
	direction uint8 // 0 a to b: above the line; 1 b to a: below it
}

type span struct{ begin, end int64 }

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

// with returns the vertices of the link's hulls and as many of the sample, evenly
// taken, as the limit leaves room for.
func (s *sampler) with(link *network.Link) []constraint {
	points := slices.Concat(constraints(link.Upper, 0), constraints(link.Lower, 1))
	vertices := make(map[constraint]bool, len(points))
	for _, p := range points {
		vertices[p] = true
	}
	others := slices.DeleteFunc(slices.Clone(s.kept), func(p constraint) bool { return vertices[p] })
	room := min(max(0, s.most-len(points)), len(others))
	for i := range room {
		points = append(points, others[i*len(others)/room])
	}
	return points
}

func constraints(points []hull.Point, direction uint8) []constraint {
	out := make([]constraint, len(points))
	for i, p := range points {
		out[i] = constraint{p, direction}
	}
	return out
}
