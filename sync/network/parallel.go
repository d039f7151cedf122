package network

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// few is how many links are not worth to be divided among processors.
const few = 32

// parallel calls f with 0 to n-1, on all processors if n is worth it.
func parallel(n int, f func(i int)) {
	if n < few {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}
