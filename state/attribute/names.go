package attribute

import (
	"hash/maphash"
	"sync/atomic"
)

// names numbers the different names of a tree's nodes. One goroutine adds; any reads a name whose number it has from a node.
type names struct {
	blocks atomic.Pointer[[]*nameBlock]
	count  int
	table  []int32 // numbers + 1; its length is a power of two, at most two thirds of it are taken
}

type nameBlock [blockSize]string

func (n *names) at(i int32) string { return (*n.blocks.Load())[i>>blockBits][i%blockSize] }

// number returns that of a name, which is new or not.
func (n *names) number(seed maphash.Seed, name string) int32 {
	if 3*n.count >= 2*len(n.table) {
		n.grow(seed, max(leastTable, 2*len(n.table)))
	}
	i := n.place(seed, name)
	if n.table[i] == 0 {
		n.add(name)
		n.table[i] = int32(n.count)
	}
	return n.table[i] - 1
}

func (n *names) add(name string) {
	blocks := *n.blocks.Load()
	if n.count>>blockBits == len(blocks) {
		blocks = append(blocks, new(nameBlock)) // readers hold shorter slices of the same array
		n.blocks.Store(&blocks)
	}
	blocks[n.count>>blockBits][n.count%blockSize] = name
	n.count++
}

// place is where a name stands in the table, or is to stand.
func (n *names) place(seed maphash.Seed, name string) int {
	last := len(n.table) - 1
	i := int(maphash.String(seed, name)) & last
	for n.table[i] != 0 && n.at(n.table[i]-1) != name {
		i = (i + 1) & last
	}
	return i
}

// grow makes the table anew with so many places.
func (n *names) grow(seed maphash.Seed, places int) {
	n.table = make([]int32, places)
	for i := range n.count {
		n.table[n.place(seed, n.at(int32(i)))] = int32(i + 1)
	}
}
