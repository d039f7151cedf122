package hull

import "math"

// Later returns the constraints of messages that may have been received later than their times say: by y more where the
// second host received them, by x more where the first did. What it holds is a function of the points that s holds, and so of
// the set of messages: which of them any line can touch in a window does not change when all are moved alike.
func (s *Series) Later(x, y int64) *Series {
	l := s.later(x, y)
	if s.turned != nil {
		l.turned = s.turned.later(y, x)
	}
	return l
}

func (s *Series) later(x, y int64) *Series {
	l := &Series{width: s.width, messages: s.messages}
	for i := range s.windows {
		w := &s.windows[i]
		for _, p := range w.ceiling {
			l.insert(Upper, Point{p.X, After(p.Y, y)})
		}
		for _, p := range w.floor {
			p = p.mirrored()
			l.insert(Lower, Point{After(p.X, x), p.Y})
		}
	}
	return l
}

// After is a time by ns more, which are not negative, or the last time there is.
func After(time, ns int64) int64 {
	if time > math.MaxInt64-ns {
		return math.MaxInt64
	}
	return time + ns
}

// By returns the hull of the messages of a series that is h's but for the times of messages.
func (h *Hull) By(s *Series) *Hull {
	by := Of(s.Points(Upper), s.Points(Lower))
	by.messages, by.accurate = h.messages, h.accurate
	return by
}
