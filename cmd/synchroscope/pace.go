package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"

	"synchroscope/catalog"
)

// By itself the collector lets a program have as much garbage as it has in use, so that a build that needs 40 MiB takes 90. Most of what a build
// has in use is without pointers, so a collection takes some milliseconds. So it has less garbage while it takes little: as long as what is in
// use, and a tenth more, is within usually, it takes no more than that, and from much on it is left to the collector, since to collect
// more often what has very many pointers would take time.
const (
	usually      = 56 << 20
	much         = 240 << 20
	leastGarbage = 0.1 // of what is in use
)

// pace has the program try to stay below so many bytes of the machine's memory, and below usually where it can. What it returns ends that.
func pace(most int64) (stop func()) {
	was := debug.SetMemoryLimit(limitFor(0, 0, most))
	var over atomic.Bool
	var before int64
	afterEach(func() bool {
		if over.Load() {
			return false
		}
		used := inUse() // with what came while it was counted, so more is believed the second time
		limit, now := limitFor(min(used, before), besides(), most), debug.SetMemoryLimit(-1)
		before = used
		if limit-now > 1<<20 || now-limit > 1<<20 {
			debug.SetMemoryLimit(limit)
			if over.Load() { // it ended meanwhile
				debug.SetMemoryLimit(was)
			}
		}
		return true
	})
	return func() {
		over.Store(true)
		debug.SetMemoryLimit(was)
	}
}

// limitFor is the limit for a program that has so many bytes of objects in use after a collection, and so many that are no objects. What a
// catalogue sets aside is not resident, but counts.
func limitFor(objects, others, most int64) int64 {
	objects = max(objects-catalog.Aside, 0)
	garbage := leastGarbage + (1-leastGarbage)*min(max(float64(objects-usually)/(much-usually), 0), 1)
	needed := int64(float64(objects)*(1+garbage)) + others
	return min(max(needed, usually), most) + catalog.Aside
}

func inUse() int64 { return read("/gc/heap/live:bytes") }

// besides is what the collector and the parts between objects take.
func besides() int64 {
	return read("/memory/classes/total:bytes") - read("/memory/classes/heap/released:bytes") - read("/memory/classes/heap/free:bytes") - read("/memory/classes/heap/objects:bytes")
}

func read(name string) int64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return int64(min(s[0].Value.Uint64(), math.MaxInt64))
}

// afterEach calls f after each collection, as long as it returns true.
func afterEach(f func() bool) {
	type mark struct{ _ *byte } // without a pointer it could share memory with what lives longer
	runtime.SetFinalizer(&mark{}, func(*mark) {
		if f() {
			afterEach(f)
		}
	})
}
