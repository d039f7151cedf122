package history

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// A store reads verified blocks of one file through a cache. It takes no
// locks: what it reads never changes.
type store struct {
	f     File
	head  header
	cache *Cache
	salt  uint32        // spreads the blocks of this file in the cache
	pages atomic.Uint32 // of the file
}

var stores atomic.Uint32

func newStore(f File, head header, cache *Cache) *store {
	if cache == nil {
		cache = NewCache(DefaultCacheBytes)
	}
	return &store{f: f, head: head, cache: cache, salt: stores.Add(1) * 0x85ebca6b}
}

func (s *store) pageSize() int { return int(s.head.pageSize) }

// blame puts the file's path into an error that was made just now.
func (s *store) blame(err error) error {
	var corrupt *CorruptError
	if f, ok := s.f.(interface{ Name() string }); ok && errors.As(err, &corrupt) {
		corrupt.File = f.Name()
	}
	return err
}

// small tells whether half of the cache holds the whole file, so that blocks
// that are needed in large part are kept whole.
func (s *store) small() bool {
	return int64(s.pages.Load())*int64(s.head.pageSize) <= s.cache.bytes/2
}

// offset is where a block begins in the file.
func (s *store) offset(number uint32) int64 {
	return headerPage + int64(number)*int64(s.head.pageSize)
}

// reaches says whether the file has a number of pages.
func (s *store) reaches(pages uint32) error {
	if pages == 0 {
		return nil
	}
	b := make([]byte, s.pageSize())
	off := s.offset(pages - 1)
	if n, err := s.f.ReadAt(b, off); n < len(b) {
		return s.blame(readError(fmt.Sprintf("page %d", pages-1), off, n, len(b), err))
	}
	return nil
}

// read returns the head of a block from the file, verified, past the cache.
func (s *store) read(number uint32) (*block, error) {
	b := make([]byte, s.pageSize())
	off := s.offset(number)
	if n, err := s.f.ReadAt(b, off); n < len(b) {
		return nil, s.blame(readError(fmt.Sprintf("block %d", number), off, n, len(b), err))
	}
	return parseBlock(s, b, number)
}

// whole returns a block with all of its payload, past the cache.
func (s *store) whole(number uint32) (*block, error) {
	k, err := s.read(number)
	if err != nil {
		return nil, err
	}
	return k.load(new([]byte))
}

// block returns the head of a block of a certain kind and level.
func (s *store) block(number uint32, kind uint8, level int) (*block, error) {
	key := cacheKey{s, number, cachedHead}
	if k, ok := s.cache.get(key).(*block); ok {
		return k, k.expect(kind, level)
	}
	k, err := s.read(number)
	if err != nil {
		return nil, err
	}
	if err := k.expect(kind, level); err != nil {
		return nil, err
	}
	size := len(k.first) + 250
	if k.packed != unpacked {
		if size += len(k.payload); !s.cache.admits(key, size) {
			return k, nil
		}
	}
	s.cache.put(key, k, size)
	return k, nil
}

// leaf returns the leaf that a level 1 node names.
func (s *store) leaf(c child) (*block, error) {
	k, err := s.block(c.block, leafBlock, 0)
	if err == nil && (k.start != c.start || k.end != c.end) {
		err = k.corrupt("covers %d to %d, its parent says %d to %d", k.start, k.end, c.start, c.end)
	}
	return k, err
}

// extent returns a block of intervals of an inner node.
func (s *store) extent(n *node, x *extent) (*block, error) {
	if x.held != nil {
		return x.held, nil
	}
	k, err := s.block(x.block, extentBlock, n.level)
	if err == nil && (k.start < x.start || k.end != x.end) {
		err = k.corrupt("its intervals end from %d to %d, its node says that they lie between %d and %d", k.start, k.end, x.start, x.end)
	}
	return k, err
}

// inner returns the node of a level that a child entry names.
func (s *store) inner(c child, level int) (*node, error) {
	n, err := s.node(c.block, level)
	if err == nil && (n.start != c.start || n.end != c.end) {
		err = s.blame(corruptAt(fmt.Sprintf("block %d", c.block), s.offset(c.block),
			fmt.Sprintf("covers %d to %d, its parent says %d to %d", n.start, n.end, c.start, c.end)))
	}
	return n, err
}

// node returns the inner node whose index ends in block number.
func (s *store) node(number uint32, level int) (*node, error) {
	key := cacheKey{s, number, cachedNode}
	if n, ok := s.cache.get(key).(*node); ok && n.level == level {
		return n, nil
	}
	last, err := s.whole(number)
	if err != nil {
		return nil, err
	}
	stream, err := s.stream(last, indexBlock, level, math.MaxInt)
	if err != nil {
		return nil, err
	}
	n := &node{level: level, start: last.start, end: last.end}
	d := decoder{b: stream}
	if cause := n.decodeIndex(&d, number, &s.head); cause != "" {
		return nil, last.corrupt("%s", cause)
	}
	s.cache.put(key, n, n.bytes())
	return n, nil
}

// stream joins the payloads of the chain of blocks that ends in last, of most bytes together. Block
// numbers descend along the chain, so it ends.
func (s *store) stream(last *block, kind uint8, level, most int) ([]byte, error) {
	if err := last.expect(kind, level); err != nil {
		return nil, err
	}
	chain := []*block{last}
	size := len(last.payload)
	for k := last; k.prev != noBlock && size <= most; chain = append(chain, k) {
		var err error
		if k, err = s.whole(k.prev); err != nil {
			return nil, err
		}
		if err := k.expect(kind, level); err != nil {
			return nil, err
		}
		size += len(k.payload)
	}
	if size > most {
		return nil, last.corrupt("ends a stream of %s that is longer than %d bytes", kindNames[kind], most)
	}
	if len(chain) == 1 {
		return last.payload, nil
	}
	stream := make([]byte, 0, size)
	for i := len(chain) - 1; i >= 0; i-- {
		stream = append(stream, chain[i].payload...)
	}
	return stream, nil
}
