package network

import (
	"iter"
	"math/bits"

	"synchroscope/sync/hull"
)

// sampleLen is how many messages of one direction of a link are remembered
// for latencies and violations: all of the first 4096, then a sample.
const sampleLen = 4096

// A sample is a bounded part of a set of messages that depends on the set
// alone, not on the order in which it came: those whose hash ends in level
// zero bits, for the lowest level at which they are few enough.
type sample struct {
	messages packed // with their lengths
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
	s.put(sampled{p, bytes})
	for s.messages.count > sampleLen {
		s.level++
		all := s.messages
		s.messages = packed{}
		for p, bytes := range all.all() {
			if s.takes(p) {
				s.messages.add(p, bytes)
			}
		}
	}
}

// put adds a message that is of its level.
func (s *sample) put(m sampled) { s.messages.add(m.Point, uint64(m.bytes)) }

// all yields the messages.
func (s *sample) all() iter.Seq[sampled] {
	return func(yield func(sampled) bool) {
		for p, bytes := range s.messages.all() {
			if !yield(sampled{p, uint32(bytes)}) {
				return
			}
		}
	}
}

func (s *sample) takes(p hull.Point) bool { return bits.TrailingZeros64(hash(p)) >= s.level }

func (s *sample) clone() sample { return sample{s.messages.clone(), s.level} }

// points are the messages without their lengths.
func (s *sample) points() []hull.Point {
	points := make([]hull.Point, 0, s.messages.count)
	for p := range s.messages.all() {
		points = append(points, p)
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
