package network

import "math/big"

// Apart is how far the flattest and the steepest line of a link are apart, in ns of one of its clocks, at three instants of
// the other: that of the host with the lower id, which is the X of its lines. It is what others call the accuracy of a link,
// in ns instead of as a difference of slopes. It says how much of the line the messages leave open, and is no bound of the
// error: where the two lines cross it is 0, though lines between them pass above and below.
//
// The instants are that of the first message and that of the last which narrowed the lines, taken by time, and the one half
// way between. A message that came later only confirmed what was known.
type Apart struct {
	Clock               int32 // the host whose time Begin and End are
	Begin, End          int64 // local ns
	First, Middle, Last int64 // ns, rounded up
}

// apart returns nil where the slope has no limit on either side, and where no line fits.
func (l *link) apart() *Apart {
	h := &l.estimate().hull
	begin, known := l.estimate().series.First()
	end, ok := h.Last()
	if !known || !ok {
		return nil
	}
	middle := begin + int64((uint64(end)-uint64(begin))/2)
	at := func(x int64) int64 { return ceil(new(big.Rat).Abs(h.Apart(x))) }
	return &Apart{Clock: l.x(), Begin: begin, End: end, First: at(begin), Middle: at(middle), Last: at(end)}
}
