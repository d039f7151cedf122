package history

import (
	"io"
	"slices"
	"sort"
)

// A chain is a stream as it stands in blocks, and what follows of it elsewhere. One block is in memory at once.
type chain struct {
	file  *store
	links []link // first to last
	rest  []byte
	size  int64 // of all

	current int // of links, the one in payload
	payload []byte
	buf     []byte
}

// A link is a block of a chain.
type link struct {
	number uint32
	end    int64 // of what it has, in the stream
}

// chainAt finds the blocks of the stream that ends in a block, noBlock for an empty one, of most bytes together. Block numbers descend along
// it, so it ends. rest follows.
func (s *store) chainAt(number uint32, kind uint8, most int, rest []byte) (*chain, error) {
	c := &chain{file: s, rest: rest, current: -1}
	size, last := 0, (*block)(nil)
	for next := number; next != noBlock; {
		k, err := s.read(next)
		if err == nil {
			err = k.expect(kind, 0)
		}
		if err != nil {
			return nil, err
		}
		if last == nil {
			last = k
		}
		if size += k.used; size > most {
			return nil, last.corrupt("ends a stream of %s that is longer than %d bytes", kindNames[kind], most)
		}
		c.links = append(c.links, link{next, int64(k.used)})
		next = k.prev
	}
	slices.Reverse(c.links)
	for i := range c.links {
		c.size += c.links[i].end
		c.links[i].end = c.size
	}
	c.size += int64(len(rest))
	return c, nil
}

// ReadAt reads of the stream.
func (c *chain) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		from := c.rest
		i := sort.Search(len(c.links), func(i int) bool { return c.links[i].end > at })
		end := c.size
		if i < len(c.links) {
			if from, err = c.block(i); err != nil {
				return n, err
			}
			end = c.links[i].end
		}
		if at >= end {
			return n, io.EOF
		}
		some := copy(p[n:], from[len(from)-int(end-at):])
		n, at = n+some, at+int64(some)
	}
	return n, nil
}

// block returns what a block of the chain has.
func (c *chain) block(i int) ([]byte, error) {
	if i == c.current {
		return c.payload, nil
	}
	k, err := c.file.read(c.links[i].number)
	if err != nil {
		return nil, err
	}
	payload := k.payload
	if payload == nil {
		if c.buf, err = k.readPages(c.buf, 0, k.pages); err != nil { // past the cache: nobody needs it again
			return nil, err
		}
		payload = c.buf[k.body : k.body+k.used]
	}
	begin := int64(0)
	if i > 0 {
		begin = c.links[i-1].end
	}
	if said := c.links[i].end - begin; int64(len(payload)) != said {
		return nil, k.corrupt("has %d bytes now, and had %d a moment ago", len(payload), said)
	}
	c.current, c.payload = i, payload
	return c.payload, nil
}

// feed decodes the stream.
func (c *chain) feed() *feed { return newFeed(c, c.size) }
