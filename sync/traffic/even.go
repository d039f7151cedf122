package traffic

// An even is counts of times in buckets that are all as wide, of which those are kept that have any. They are a ns wide at first, and twice as wide
// each time that there would be more of them than is allowed: so what they tell apart is a share of how far the times spread, however far all of them
// are from zero, and far ones between which there is nothing cost nothing. The order in which times are added makes no difference.
type even struct {
	shift   uint // a bucket is 1<<shift ns wide
	buckets []evenBucket
}

// An evenBucket has the times from at<<shift on, by time.
type evenBucket struct{ at, count int64 }

func (e *even) bytes() int { return 16 * cap(e.buckets) }

// add adds a time; most is how many buckets are allowed.
func (e *even) add(ns int64, most int) {
	at := ns >> e.shift
	// Halves are taken without a branch, which no processor could foresee.
	i := 0
	for n := len(e.buckets); n > 0; {
		half := (n + 1) >> 1
		next := i
		if e.buckets[i+half-1].at < at {
			next = i + half
		}
		i = next
		n -= half
	}
	if i < len(e.buckets) && e.buckets[i].at == at {
		e.buckets[i].count++
		return
	}
	if n := len(e.buckets); n == cap(e.buckets) {
		e.buckets = append(make([]evenBucket, 0, min(max(4, 2*n), most+1)), e.buckets...)
	}
	e.buckets = append(e.buckets, evenBucket{})
	copy(e.buckets[i+1:], e.buckets[i:])
	e.buckets[i] = evenBucket{at, 1}
	e.limit(most)
}

// limit widens buckets until there are no more than so many, at least 4.
func (e *even) limit(most int) {
	for len(e.buckets) > most {
		e.shift++
		kept := e.buckets[:0]
		for _, b := range e.buckets {
			b.at >>= 1
			if n := len(kept); n > 0 && kept[n-1].at == b.at {
				kept[n-1].count += b.count
			} else {
				kept = append(kept, b)
			}
		}
		e.buckets = kept
	}
	if cap(e.buckets) > most+1 {
		e.buckets = append(make([]evenBucket, 0, most+1), e.buckets...)
	}
}

// all yields the buckets from the least time on.
func (e *even) all(yield func(Bucket) bool) {
	for _, b := range e.buckets {
		low := b.at << e.shift
		high := low + 1<<e.shift
		if high < low {
			high = 1<<63 - 1
		}
		if !yield(Bucket{low, high, b.count}) {
			return
		}
	}
}
