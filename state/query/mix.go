package query

import (
	"math/bits"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// shares is the number of statuses that a mix can hold; one more part is nothing.
const shares = 9

// blend makes the run of one column in which an attribute had several values.
func blend(end int32, mix []history.Share) Run {
	var time [shares + 1]uint64
	for _, s := range mix {
		time[part(s.Value)] += uint64(max(s.Time, 0))
	}
	return share(end, time)
}

// part is the place of a status in a sum; what is none counts as nothing.
func part(v history.Value) int {
	if s := state(v); s != Nothing {
		return int(s)
	}
	return shares
}

// share is the run of one column by the time in each status and in none.
func share(end int32, time [shares + 1]uint64) Run {
	statuses, only := 0, 0
	for i, t := range time[:shares] {
		if t > 0 {
			statuses, only = statuses+1, i
		}
	}
	switch {
	case statuses == 0:
		return Run{End: end, State: Nothing}
	case statuses == 1 && time[shares] == 0:
		return Run{End: end, State: uint8(only)}
	}
	parts := apportion(time)
	r := Run{End: end, State: Mixed}
	copy(r.Mix[:], parts[:shares])
	return r
}

// brief is the status in which a thread ran for longest in a column of which no part tells that it did, else 0.
func brief(r *Run, mix []history.Share) (status uint8) {
	if r.State != Mixed {
		return 0
	}
	longest := int64(0)
	for _, s := range mix {
		switch n := state(s.Value); kernel.Status(n) {
		case kernel.User, kernel.Syscall, kernel.Interrupted, kernel.Kernel:
			if r.Mix[n] > 0 {
				return 0
			}
			if s.Time > longest || s.Time == longest && n < status {
				status, longest = n, s.Time
			}
		}
	}
	return status
}

// apportion divides 255 parts in proportion to time by the method of the largest
// remainder: everyone gets the whole parts due, and those left over go to the
// largest remainders, the first of equal ones. So the parts sum to 255 and each is
// within one of the exact share. The sum of the times is positive and fits 63 bits.
func apportion(time [shares + 1]uint64) (parts [shares + 1]uint8) {
	var total uint64
	for _, t := range time {
		total += t
	}
	var rest [shares + 1]uint64
	left := 255
	for i, t := range time {
		hi, lo := bits.Mul64(t, 255)
		whole, remainder := bits.Div64(hi, lo, total)
		parts[i], rest[i] = uint8(whole), remainder
		left -= int(whole)
	}
	for ; left > 0; left-- {
		largest := 0
		for i := range rest {
			if rest[i] > rest[largest] {
				largest = i
			}
		}
		parts[largest]++
		rest[largest] = 0
	}
	return parts
}
