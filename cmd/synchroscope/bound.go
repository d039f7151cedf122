package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"synchroscope/trace"
)

// A bound is a time on the command line.
type bound struct {
	ns       int64
	relative bool // to the first event
}

// parseBound reads a time as [trace.ParseTime] does; behind a + also a duration with its unit. An empty one is other;
// flag is what the error speaks of.
func parseBound(flag, s string, other int64) (bound, error) {
	if s == "" {
		return bound{ns: other}, nil
	}
	distance, relative := strings.CutPrefix(s, "+")
	ns, err := trace.ParseTime(distance)
	if d, derr := time.ParseDuration(distance); err != nil && derr == nil && relative {
		ns, err = int64(d), nil
	}
	if err != nil || relative && strings.HasPrefix(distance, "-") {
		return bound{}, fmt.Errorf("%s: %.40q is no time: nanoseconds, or seconds with a decimal point; behind a + also a duration such as 20ms", flag, s)
	}
	return bound{ns, relative}, nil
}

// from is the time that b is where the first event was at first.
func (b bound) from(first int64) int64 {
	if !b.relative {
		return b.ns
	}
	if b.ns > math.MaxInt64-max(first, 0) {
		return math.MaxInt64
	}
	return first + b.ns
}
