package history

import (
	"container/list"
	"sync"
)

// DefaultCacheBytes bounds the cache of a tree that was given none.
const DefaultCacheBytes = 96 << 20

const (
	cacheBits   = 3
	cacheShards = 1 << cacheBits
)

// A Cache holds blocks that were read and verified, and decoded indexes, up to
// a number of bytes; the least recently used go first. Trees may share one. It
// is safe for use by any number of goroutines.
type Cache struct {
	bytes  int64
	shards [cacheShards]shard
}

// NewCache returns a cache that keeps about the given number of bytes.
func NewCache(bytes int) *Cache {
	c := &Cache{bytes: int64(bytes)}
	for i := range c.shards {
		c.shards[i] = shard{room: bytes / cacheShards, held: make(map[cacheKey]*list.Element)}
		c.shards[i].order.Init()
	}
	return c
}

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
	cachedWhole // all bytes of a block
)

type cacheEntry struct {
	key   cacheKey
	value any
	bytes int
}

type shard struct {
	mu    sync.Mutex
	room  int // may be negative while the only entry is larger than the shard
	held  map[cacheKey]*list.Element
	order list.List // newest first
	asked uint32    // for room
}

// shard spreads blocks however many pages lie between them.
func (c *Cache) shard(k cacheKey) *shard {
	return &c.shards[k.block*0x9e3779b1>>(32-cacheBits)]
}

func (c *Cache) get(k cacheKey) any {
	s := c.shard(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.held[k]
	if !ok {
		return nil
	}
	s.order.MoveToFront(e)
	return e.Value.(*cacheEntry).value
}

// admits tells whether something large that was not found is to be put into the cache:
// always while there is room, else once in a while. What is larger than the
// cache and looked at again and again would drive itself out otherwise.
func (c *Cache) admits(k cacheKey, bytes int) bool {
	s := c.shard(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	return s.room >= bytes || s.asked%fewAdmitted == 0
}

const fewAdmitted = 16

// put keeps a value, in place of one with the same key.
func (c *Cache) put(k cacheKey, value any, bytes int) {
	s := c.shard(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.held[k]; ok {
		s.drop(old)
	}
	s.held[k] = s.order.PushFront(&cacheEntry{k, value, bytes})
	s.room -= bytes
	for s.room < 0 && s.order.Len() > 1 {
		s.drop(s.order.Back())
	}
}

func (s *shard) drop(e *list.Element) {
	old := s.order.Remove(e).(*cacheEntry)
	delete(s.held, old.key)
	s.room += old.bytes
}

// forget drops what is held of one file.
func (c *Cache) forget(f *store) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		for k, e := range s.held {
			if k.file == f {
				s.drop(e)
			}
		}
		s.mu.Unlock()
	}
}
