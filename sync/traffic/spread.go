package traffic

import (
	"iter"
	"math"
	"math/bits"
)

// A Spread is a distribution of times in ns, kept as counts of buckets in two ways: in buckets of single ns up to 64 and of
// a 32nd of their time or less from there on, on both sides of zero, and in a bounded number of equally wide ones, which tell apart times that are all far
// from zero. A time of a rank is in a bucket of each, so it is known as well as where both overlap. It takes as much memory as the buckets
// between the least and the greatest time of each side. Quantiles of few different times are exact. The order in which times are added makes no difference.
type Spread struct {
	above, below run
	even         even
	most         int // equally wide buckets; 0 stands for fine
	count        int64
}

// fine is how many equally wide buckets a spread has at most, unless it is limited to fewer: of so many different times each is kept.
const fine = 1024

// A Bucket is a part of a spread: Count times that were at least Low and less than High, ns.
type Bucket struct {
	Low, High int64
	Count     int64
}

// fineBits is of how many buckets a power of two has.
const fineBits = 5

// Add adds a time.
func (s *Spread) Add(ns int64) {
	if s.most == 0 {
		s.most = fine
	}
	s.count++
	s.even.add(ns, s.most)
	if ns >= 0 {
		s.above.add(bucketOf(ns))
	} else {
		s.below.add(bucketOf(-1 - ns))
	}
}

// limit has the spread keep no more than so many equally wide buckets from now on.
func (s *Spread) limit(most int) {
	s.most = most
	s.even.limit(most)
}

// Count is how many times were added.
func (s *Spread) Count() int64 { return s.count }

// Quantile is the time of a rank, a share of all: the least that such a share of times does not exceed. Of
// more than fine different times it is the middle of what holds it; 0 without times.
func (s *Spread) Quantile(share float64) int64 {
	b := s.ranked(max(0, int64(math.Ceil(share*float64(s.count)))-1))
	return b.Low + (b.last()-b.Low)/2
}

// middle is between which times the median is: the time in the middle or, of an even number, the mean of the two there, rounded down to a ns.
func (s *Spread) middle() (low, high int64) {
	a := s.ranked(max(0, s.count-1) / 2)
	b := a
	if s.count%2 == 0 {
		b = s.ranked(s.count / 2)
	}
	return mean(a.Low, b.Low), mean(a.last(), b.last())
}

// mean is that of two times, rounded down.
func mean(a, b int64) int64 { return a&b + (a^b)>>1 }

// ranked holds the time of a rank from 0 on, as narrowly as that is known.
func (s *Spread) ranked(rank int64) Bucket {
	a, b := holding(s.uneven, rank), holding(s.even.all, rank)
	return Bucket{max(a.Low, b.Low), min(a.High, b.High), min(a.Count, b.Count)}
}

func holding(buckets iter.Seq[Bucket], rank int64) Bucket {
	for b := range buckets {
		if rank -= b.Count; rank < 0 {
			return b
		}
	}
	return Bucket{0, 1, 0}
}

// last is the greatest time of a bucket.
func (b Bucket) last() int64 { return b.High - 1 }

// Buckets yields those that are not empty, from the least time on: equally wide ones where these are narrower wherever there is a time, or where
// there are times below zero, which have no logarithm to be drawn over; else those of a share of their time.
func (s *Spread) Buckets(yield func(Bucket) bool) {
	if len(s.below.counts) == 0 && len(s.above.counts) > 0 {
		if first := s.above.first; least(first+1)-least(first) < 1<<s.even.shift {
			s.uneven(yield)
			return
		}
	}
	s.even.all(yield)
}

// uneven yields the buckets that are a share of their time.
func (s *Spread) uneven(yield func(Bucket) bool) {
	for i := len(s.below.counts) - 1; i >= 0; i-- {
		b := s.below.first + i
		if n := s.below.counts[i]; n > 0 && !yield(Bucket{-least(b + 1), -least(b), n}) {
			return
		}
	}
	for i, n := range s.above.counts {
		b := s.above.first + i
		if n > 0 && !yield(Bucket{least(b), least(b + 1), n}) {
			return
		}
	}
}

func (s *Spread) bytes() int {
	return 8*(len(s.above.counts)+len(s.below.counts)) + s.even.bytes()
}

// bucketOf is the bucket of a time that is not negative.
func bucketOf(ns int64) int {
	shift := max(0, bits.Len64(uint64(ns))-1-fineBits)
	return shift<<fineBits + int(ns>>shift)
}

// least is the least time of a bucket; of the one behind the last, the greatest time there is.
func least(bucket int) int64 {
	shift := max(0, bucket>>fineBits-1)
	if shift+fineBits+1 > 63 {
		return 1<<63 - 1
	}
	return int64(bucket-shift<<fineBits) << shift
}

// A run is counts of consecutive buckets from first on.
type run struct {
	first  int
	counts []int64
}

func (r *run) add(bucket int) {
	switch {
	case len(r.counts) == 0:
		r.first = bucket
	case bucket < r.first:
		counts := make([]int64, len(r.counts)+r.first-bucket)
		copy(counts[r.first-bucket:], r.counts)
		r.first, r.counts = bucket, counts
	}
	for len(r.counts) <= bucket-r.first {
		r.counts = append(r.counts, 0)
	}
	r.counts[bucket-r.first]++
}
