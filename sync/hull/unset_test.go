package hull

import "testing"

// parts are three, between which the first clock was set: forward, and back by so much that it shows 180 to 220 twice.
func parts() *Corridor {
	of := func(from, begin, end, to, y int64) part {
		return part{begin: begin, end: end, from: from, to: to, received: Point{begin, begin + y}, sent: Point{end, end + y}}
	}
	return &Corridor{parts: []part{of(-1<<63, 0, 50, 60, 0), of(59, 80, 220, 225, -30), of(175, 180, 400, 1<<63-1, 10)}}
}

// Times end where a clock was set, as far as messages do not show it themselves.
func TestUnset(t *testing.T) {
	for _, c := range []struct {
		what                 string
		from, to, begin, end Point
		shown                int
		time, once           [2]int64
		ok                   bool
	}{
		{"before all steps", Point{10, 10}, Point{40, 40}, Point{5, 5}, Point{45, 45}, 0, [2]int64{-1 << 63, 58}, [2]int64{-1 << 63, 58}, true},
		{"of the middle, in times shown once", Point{90, 60}, Point{150, 120}, Point{85, 55}, Point{160, 130}, 0, [2]int64{61, 174}, [2]int64{61, 174}, true},
		{"of the middle, to times that are shown again after the window", Point{90, 60}, Point{210, 180}, Point{85, 55}, Point{215, 185}, 0, [2]int64{61, 214}, [2]int64{61, 174}, true},
		{"after the steps", Point{230, 240}, Point{300, 310}, Point{228, 238}, Point{310, 320}, 0, [2]int64{226, 1<<63 - 1}, [2]int64{226, 1<<63 - 1}, true},
		{"over a step that they show", Point{10, 10}, Point{150, 120}, Point{5, 5}, Point{160, 130}, 1, [2]int64{-1 << 63, 174}, [2]int64{-1 << 63, 174}, true},
		{"over a step that they do not show, mostly after it", Point{10, 10}, Point{150, 120}, Point{5, 5}, Point{160, 130}, 0, [2]int64{61, 174}, [2]int64{61, 174}, true},
		{"of no part", Point{60, 55}, Point{70, 58}, Point{55, 52}, Point{75, 59}, 0, [2]int64{}, [2]int64{}, false},
	} {
		time, once, ok := parts().Unset(c.from, c.to, c.begin, c.end, c.shown)
		if time != c.time || once != c.once || ok != c.ok {
			t.Errorf("%s: the time is %d, once is %d, %v, want %d, %d, %v", c.what, time, once, ok, c.time, c.once, c.ok)
		}
	}
}
