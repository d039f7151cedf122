package traffic

import (
	"math"
	"math/bits"
	"slices"
)

// A Spread is a distribution of times in ns, kept as counts of buckets: of single ns up to 64 and of
// a 32nd of their time or less from there on, on both sides of zero. It takes as much memory as the buckets
// between the least and the greatest time of each side. Quantiles of few times are exact. The order in which times are added makes no difference.
type Spread struct {
	above, below run
	count        int64
	exact        []int64 // all times, while they are few
}

// few is how many times are kept as they are.
const few = 256

// A Bucket is a part of a spread: Count times that were at least Low and less than High, ns.
type Bucket struct {
	Low, High int64
	Count     int64
}

// fineBits is of how many buckets a power of two has.
const fineBits = 5

// Add adds a time.
func (s *Spread) Add(ns int64) {
	s.count++
	if s.count <= few {
		s.exact = append(s.exact, ns)
	} else {
		s.exact = nil
	}
	if ns >= 0 {
		s.above.add(bucketOf(ns))
	} else {
		s.below.add(bucketOf(-1 - ns))
	}
}

// Count is how many times were added.
func (s *Spread) Count() int64 { return s.count }

// Quantile is the time of a rank, a share of all: the least that such a share of times does not exceed. Of
// more than few times it is the middle of the bucket that holds it; 0 without times.
func (s *Spread) Quantile(share float64) int64 {
	b := s.bucket(share)
	return b.Low + (b.last()-b.Low)/2
}

// bucket holds the time of a rank, alone where times are few.
func (s *Spread) bucket(share float64) Bucket {
	rank := max(0, int64(math.Ceil(share*float64(s.count)))-1)
	if int64(len(s.exact)) == s.count && s.count > 0 {
		ns := slices.Sorted(slices.Values(s.exact))[rank]
		return Bucket{ns, ns + 1, 1}
	}
	for b := range s.Buckets {
		if rank -= b.Count; rank < 0 {
			return b
		}
	}
	return Bucket{0, 1, 0}
}

// last is the greatest time of a bucket.
func (b Bucket) last() int64 { return b.High - 1 }

// Buckets yields the buckets that are not empty, from the least time on.
func (s *Spread) Buckets(yield func(Bucket) bool) {
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

func (s *Spread) bytes() int { return 8 * (len(s.above.counts) + len(s.below.counts)) }

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
