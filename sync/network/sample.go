package network

import (
	"math/bits"
	"slices"

	"synchroscope/sync/hull"
)

// sampleLen is how many messages of one direction of a link are remembered
// for latencies and violations: all of the first 4096, then a sample.
const sampleLen = 4096

// A sample is a bounded part of a set of messages that depends on the set
// alone, not on the order in which it came: those whose hash ends in level
// zero bits, for the lowest level at which they are few enough.
type sample struct {
	messages []sampled
	level    int
}

// A sampled message is one with its length.
type sampled struct {
	hull.Point
	bytes uint32 // 0 unknown
}

func (s *sample) add(p hull.Point, bytes uint32) {
	if !s.takes(p) {
		return
	}
	s.messages = append(s.messages, sampled{p, bytes})
	for len(s.messages) > sampleLen {
		s.level++
		s.messages = slices.DeleteFunc(s.messages, func(m sampled) bool { return !s.takes(m.Point) })
	}
}

func (s *sample) takes(p hull.Point) bool { return bits.TrailingZeros64(hash(p)) >= s.level }

func (s *sample) clone() sample { return sample{slices.Clone(s.messages), s.level} }

// points are the messages without their lengths.
func (s *sample) points() []hull.Point {
	points := make([]hull.Point, len(s.messages))
	for i := range s.messages {
		points[i] = s.messages[i].Point
	}
	return points
}

// hash mixes the two times of a message, by the finalizer of splitmix64.
func hash(p hull.Point) uint64 {
	h := uint64(p.X)*0x9e3779b97f4a7c15 + uint64(p.Y)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
