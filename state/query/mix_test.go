package query

import (
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// The parts sum to 255, and none is a whole part from what is due.
func TestApportion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var time [shares + 1]uint64
		var total float64
		for i := range time {
			time[i] = rapid.OneOf(rapid.Just(uint64(0)), rapid.Uint64Range(0, 300), rapid.Uint64Range(0, 1<<59)).Draw(t, "time")
			total += float64(time[i])
		}
		if total == 0 {
			t.Skip("no time at all")
		}
		sum := 0
		for i, part := range apportion(time) {
			sum += int(part)
			due := float64(time[i]) / total * 255
			if off := float64(part) - due; off <= -1.000001 || off >= 1.000001 {
				t.Errorf("part %d is %d of %v", i, part, due)
			}
		}
		if sum != 255 {
			t.Errorf("the parts of %v sum to %d", time, sum)
		}
	})
}

// Parts left over go to the largest remainders, the first of equal ones.
func TestApportionRemainders(t *testing.T) {
	for _, c := range []struct {
		time  [shares + 1]uint64
		parts [shares + 1]uint8
	}{
		{[shares + 1]uint64{1, 1}, [shares + 1]uint8{128, 127}},
		{[shares + 1]uint64{1, 1, 1}, [shares + 1]uint8{85, 85, 85}},
		{[shares + 1]uint64{1, 0, 3}, [shares + 1]uint8{64, 0, 191}},
		{[shares + 1]uint64{0, 0, 0, 0, 0, 0, 0, 0, 7, 7}, [shares + 1]uint8{0, 0, 0, 0, 0, 0, 0, 0, 128, 127}},
		{[shares + 1]uint64{1 << 60, 1}, [shares + 1]uint8{255}},
	} {
		if parts := apportion(c.time); parts != c.parts {
			t.Errorf("%v is apportioned %v, want %v", c.time, parts, c.parts)
		}
	}
}

// What ran for less than any share is told, without one: the shares stay what they are. It is not told where another share says that the thread ran, nor of
// what is no running.
func TestBrief(t *testing.T) {
	value := func(s kernel.Status) history.Value { return history.Int(int64(s)) }
	for _, c := range []struct {
		mix  []history.Share
		want uint8
	}{
		{[]history.Share{{Value: value(kernel.Blocked), Time: 1e9}, {Value: value(kernel.User), Time: 20}, {Value: value(kernel.Syscall), Time: 30}}, uint8(kernel.Syscall)},
		{[]history.Share{{Value: value(kernel.Blocked), Time: 1e9}, {Value: value(kernel.Syscall), Time: 20}, {Value: value(kernel.User), Time: 20}}, uint8(kernel.User)},
		{[]history.Share{{Value: value(kernel.Blocked), Time: 1e9}, {Value: value(kernel.User), Time: 20}, {Value: value(kernel.Kernel), Time: 1e8}}, 0},
		{[]history.Share{{Value: value(kernel.Blocked), Time: 1e9}, {Value: value(kernel.WaitCPU), Time: 20}}, 0},
		{[]history.Share{{Value: value(kernel.User), Time: 5}}, 0},
	} {
		r := blend(1, c.mix)
		if got := brief(&r, c.mix); got != c.want {
			t.Errorf("%v: %d, want %d", c.mix, got, c.want)
		}
	}
}
