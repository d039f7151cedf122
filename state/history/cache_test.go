package history

import (
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// TestCache holds a cache against all that was ever put into it: it gives what was put last under a key or nothing, it
// keeps its bound, what fits is there, and what is asked for stays.
func TestCache(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const bytes = 4 << 10
		c := NewCache(bytes)
		files := []*store{newStore(nil, header{}, c), newStore(nil, header{}, c)}
		put := make(map[cacheKey]int)
		size := make(map[cacheKey]int)
		key := func() cacheKey {
			return cacheKey{rapid.SampledFrom(files).Draw(t, "file"), rapid.Uint32Range(0, 30).Draw(t, "block"), rapid.Uint8Range(0, 2).Draw(t, "what")}
		}
		for n := range rapid.IntRange(1, 200).Draw(t, "steps") {
			switch k := key(); rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				c.forget(k.file)
				for p := range put {
					if p.file == k.file {
						delete(put, p)
					}
				}
			case 1, 2, 3:
				if got, ok := c.get(k).(int); ok && got != put[k] {
					t.Fatalf("%v is %d, want %d", k, got, put[k])
				}
			default:
				put[k], size[k] = n+1, rapid.IntRange(0, bytes/cacheShards).Draw(t, "bytes")
				c.put(k, put[k], size[k])
				if c.get(k) != put[k] {
					t.Fatalf("%v is not there right after it was put in", k)
				}
			}
			held, there := 0, 0
			for k, n := range put {
				if got, ok := c.get(k).(int); ok {
					held += size[k]
					there++
					if got != n {
						t.Fatalf("%v is %d, want %d", k, got, n)
					}
				}
			}
			entries := 0
			for i := range c.shards {
				entries += c.shards[i].order.Len()
			}
			if held > bytes || entries != there {
				t.Fatalf("%d bytes are held of %d, in %d entries of %d", held, bytes, entries, there)
			}
		}
	})
}

// What is asked for again and again is not driven out by what is needed once.
func TestCacheKeepsWhatIsAskedFor(t *testing.T) {
	c := NewCache(cacheShards * 1000)
	f := newStore(nil, header{}, c)
	wanted := cacheKey{f, 1, cachedNode}
	c.put(wanted, "wanted", 100)
	for n := range uint32(10_000) {
		if c.get(wanted) == nil {
			t.Fatalf("it is gone after %d others", n)
		}
		c.put(cacheKey{f, 2 + n, cachedHead}, n, 100)
	}
}

// Any number of goroutines find, put and forget.
func TestCacheConcurrent(t *testing.T) {
	c := NewCache(64 << 10)
	files := []*store{newStore(nil, header{}, c), newStore(nil, header{}, c)}
	var all sync.WaitGroup
	for g := range uint32(4) {
		all.Go(func() {
			for n := range uint32(5000) {
				k := cacheKey{files[(n+g)%2], n * 7 % 97, cachedHead}
				if v, ok := c.get(k).(uint32); ok && v != k.block {
					t.Errorf("block %d is %d", k.block, v)
					return
				}
				c.put(k, k.block, 1<<10)
				if n%1000 == 999 {
					c.forget(k.file)
				}
			}
		})
	}
	all.Wait()
}
