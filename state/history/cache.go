package history

import (
	"container/list"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// A Cache holds blocks that were read and verified, decoded indexes, and where the columns of blocks stand, up to
// a number of bytes; what was not asked for of late goes first. Trees may share one. It
// is safe for use by any number of goroutines.
//
// Readers never wait. What is held is found without a lock: a bucket of the table is replaced as a whole, never changed.
// What was read from the file is put in unless another reader is putting something in just then, for
// it can be read again. So the order in which things were asked for is not kept: a mark on each says that it was, and what
// is the oldest is passed over once for it.
type Cache struct {
	bytes  int64
	room   atomic.Int64 // of all shards together, since a large entry is more than a share; negative while one is larger than all
	shards [cacheShards]shard
}

// DefaultCacheBytes bounds the cache of a tree that was given none.
const DefaultCacheBytes = 96 << 20

const (
	cacheBits   = 3
	cacheShards = 1 << cacheBits
)

// NewCache returns a cache that keeps about the given number of bytes.
func NewCache(bytes int) *Cache {
	c := &Cache{bytes: int64(bytes)}
	c.room.Store(int64(bytes))
	buckets := 1 << bits.Len(uint(max(bytes, 0)/cacheShards/bytesOfBucket))
	for i := range c.shards {
		s := &c.shards[i]
		s.table = make([]atomic.Pointer[[]*cacheEntry], buckets)
		s.order.Init()
	}
	return c
}

// bytesOfBucket are those of a few entries.
const bytesOfBucket = 8 << 10

type cacheKey struct {
	file  *store
	block uint32
	what  uint8
}

// What a cache holds under the number of a block or page.
const (
	cachedHead = iota
	cachedPage
	cachedPages
	cachedNode
	cachedWhole  // all bytes of a block
	cachedTable  // of its columns
	cachedPicked // columns of it
)

type cacheEntry struct {
	key   cacheKey
	value any
	bytes int
	asked atomic.Bool   // since it became the newest
	place *list.Element // of the shard
}

type shard struct {
	large atomic.Uint32
	table []atomic.Pointer[[]*cacheEntry] // buckets; their number is a power of two

	mu    sync.Mutex // held by who changes something
	order list.List  // of entries, newest first
}

// find returns where what has a key belongs. Blocks are spread however many pages lie between them.
func (c *Cache) find(k cacheKey) (*shard, *atomic.Pointer[[]*cacheEntry]) {
	h := (k.block + k.file.salt) * 0x9e3779b1
	s := &c.shards[h>>(32-cacheBits)]
	return s, &s.table[int(h>>8)&(len(s.table)-1)]
}

func (c *Cache) get(k cacheKey) any {
	_, bucket := c.find(k)
	if held := bucket.Load(); held != nil {
		for _, e := range *held {
			if e.key == k {
				if !e.asked.Load() {
					e.asked.Store(true)
				}
				return e.value
			}
		}
	}
	return nil
}

// admits tells whether something large that was not found is to be put into the cache:
// always while there is room, else once in a while. What is larger than the
// cache and looked at again and again would drive itself out otherwise.
func (c *Cache) admits(k cacheKey, bytes int) bool {
	s, _ := c.find(k)
	n := s.large.Add(1)
	return c.room.Load() >= int64(bytes) || n%fewAdmitted == 0
}

const fewAdmitted = 16

// put keeps a value, in place of one with the same key.
func (c *Cache) put(k cacheKey, value any, bytes int) {
	s, bucket := c.find(k)
	if !s.mu.TryLock() {
		return
	}
	defer s.mu.Unlock()
	if held := bucket.Load(); held != nil {
		if i := slices.IndexFunc(*held, func(e *cacheEntry) bool { return e.key == k }); i >= 0 {
			c.drop(s, bucket, (*held)[i])
		}
	}
	e := &cacheEntry{key: k, value: value, bytes: bytes}
	e.place = s.order.PushFront(e)
	var with []*cacheEntry
	if held := bucket.Load(); held != nil {
		with = *held
	}
	with = append(slices.Clip(with), e)
	bucket.Store(&with)
	c.room.Add(-int64(bytes))
	c.shrink(s, e)
	for i := range c.shards {
		if o := &c.shards[i]; o != s && c.room.Load() < 0 && o.mu.TryLock() {
			c.shrink(o, nil)
			o.mu.Unlock()
		}
	}
}

// shrink lets what is oldest in s go, which is locked, as long as there is too much, but for one entry.
func (c *Cache) shrink(s *shard, but *cacheEntry) {
	for turns := s.order.Len(); c.room.Load() < 0 && s.order.Len() > 0; turns-- {
		oldest := s.order.Back().Value.(*cacheEntry)
		if oldest == but && s.order.Len() == 1 {
			return
		}
		if oldest == but || turns > 0 && oldest.asked.Swap(false) {
			s.order.MoveToFront(oldest.place)
			continue
		}
		_, from := c.find(oldest.key)
		c.drop(s, from, oldest)
	}
}

// drop lets an entry of s go, which is locked.
func (c *Cache) drop(s *shard, bucket *atomic.Pointer[[]*cacheEntry], e *cacheEntry) {
	s.order.Remove(e.place)
	held := *bucket.Load()
	i := slices.Index(held, e)
	left := slices.Concat(held[:i], held[i+1:])
	bucket.Store(&left)
	c.room.Add(int64(e.bytes))
}

// forget drops what is held of one file.
func (c *Cache) forget(f *store) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		for at, next := s.order.Front(), (*list.Element)(nil); at != nil; at = next {
			next = at.Next()
			if e := at.Value.(*cacheEntry); e.key.file == f {
				_, bucket := c.find(e.key)
				c.drop(s, bucket, e)
			}
		}
		s.mu.Unlock()
	}
}
