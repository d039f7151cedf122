// Package attribute names the things that have a state: a tree of path
// elements in which every node has a small number, its quark.
//
// A node is both directory and value holder, so "Threads/42" may have a state
// and children. Quarks are dense and given in order of creation; a tree can
// therefore be written down as the list of (parent, name) in quark order and
// made again by adding them in that order. Nothing is ever removed: the
// history of what once existed keeps its name.
//
// The idea of a quark per path is Montplaisir 2011, section 3.2.2. Lookups are
// relative (parent quark and one name), so that a long path is never hashed
// twice.
//
// Readers take no lock. What a node is stands in blocks that are never moved and is written before anything leads to it;
// what leads to it (its number, the links to children and siblings, the table) is written atomically, in that order.
//
// Half a million attributes are nothing unusual, and where hosts run for weeks many millions, so a node is 16 bytes without a
// pointer, in memory that need not be at hand (package scratch). Its name is a number, since each of many threads has the same
// few below it, and only the newest child is known, which knows the one before it.
package attribute

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"

	"synchroscope/state/dictionary"
	"synchroscope/state/scratch"
)

// A Quark is the number of an attribute, dense from 0 in order of creation.
type Quark int32

// None is the quark of what does not exist; Root is the parent of the first level.
const (
	None Quark = -1
	Root Quark = -1
)

// A Tree maps paths to quarks. One goroutine adds, any number read, without waiting for it or for each other.
type Tree struct {
	blocks atomic.Pointer[[]*block] // of nodes, by quark
	count  atomic.Int32             // of nodes
	root   atomic.Int32             // newest of the first level, or none

	table atomic.Pointer[[]atomic.Uint32] // nodes by parent and name; its length is a power of two, at most two thirds of it are taken
	names *dictionary.Dictionary
	space *scratch.Space
}

// A block is some nodes. A tree has the last one to itself, however few it holds.
type block [blockSize]node

const (
	blockBits = 8
	blockSize = 1 << blockBits
)

// Numbers of other nodes are 1 more than quarks, so that 0 is none.
type node struct {
	name   name
	parent Quark
	before int32        // sibling
	newest atomic.Int32 // child
}

const leastTable = 64

// NewTree returns a tree without attributes.
func NewTree() *Tree { return NewTreeIn(nil) }

// NewTreeIn is NewTree with the memory of a space, which who adds is to take of alone.
func NewTreeIn(space *scratch.Space) *Tree {
	t := &Tree{names: dictionary.New(space), space: space}
	t.blocks.Store(new([]*block))
	t.grow(leastTable)
	return t
}

// Add returns the quark of the child of parent called name, making it if needed.
// It panics if parent does not exist.
func (t *Tree) Add(parent Quark, name string) Quark {
	if q := t.Child(parent, name); q != None {
		return q
	}
	q := Quark(t.Len())
	newest := &t.root
	if parent != Root {
		if !t.has(parent) {
			panic(fmt.Sprintf("attribute: %q is to be added below %d, which does not exist", name, parent))
		}
		newest = &t.node(parent).newest
	}
	if blocks := t.blocks.Load(); int(q>>blockBits) == len(*blocks) {
		more := append(*blocks, &scratch.Make[block](t.space, 1)[0]) // readers hold shorter slices of the same array
		t.blocks.Store(&more)
	}
	n := t.node(q)
	n.name, n.parent, n.before = t.newName(name), parent, newest.Load()
	t.count.Store(int32(q + 1))
	newest.Store(int32(q + 1))
	table := *t.table.Load()
	if 3*int(q) >= 2*len(table) {
		t.grow(2 * len(table))
	} else {
		t.enter(table, q)
	}
	return q
}

// Path adds every element of a path below Root and returns the last.
func (t *Tree) Path(elements ...string) Quark {
	q := Root
	for _, name := range elements {
		q = t.Add(q, name)
	}
	return q
}

// node returns one that exists.
func (t *Tree) node(q Quark) *node { return &(*t.blocks.Load())[q>>blockBits][q%blockSize] }

// Child returns None where parent has no such child.
func (t *Tree) Child(parent Quark, name string) Quark {
	defer runtime.KeepAlive(t.space)
	table := *t.table.Load()
	wanted := t.wanted(name)
	first, mark := place(parent, wanted.hash)
	last := uint32(len(table) - 1)
	for i := first & last; ; i = (i + 1) & last {
		e := table[i].Load()
		if e == 0 {
			return None
		}
		if (e^mark)&^last != 0 {
			continue
		}
		q := Quark(e&last) - 1
		if n := t.node(q); n.parent == parent && t.is(n.name, wanted) {
			return q
		}
	}
}

// place is where the search for a child begins. What stands in a table is the number of a node and, in the bits above those that numbers need in
// a table of that length, what mark has there: the nodes on the way, which may be far away in memory, are mostly not looked at.
func place(parent Quark, hash uint32) (first, mark uint32) {
	h := uint64(hash)*0x9e3779b97f4a7c15 ^ uint64(parent)*0xd6e8feb86659fd93
	return uint32(h>>32 ^ h), uint32(h >> 32)
}

// enter puts a node that is not there into a table.
func (t *Tree) enter(table []atomic.Uint32, q Quark) {
	n, last := t.node(q), uint32(len(table)-1)
	first, mark := place(n.parent, t.hash(n.name))
	i := first & last
	for table[i].Load() != 0 {
		i = (i + 1) & last
	}
	table[i].Store(mark&^last | uint32(q+1))
}

// grow makes the table anew with so many places.
func (t *Tree) grow(places int) {
	table := scratch.Make[atomic.Uint32](t.space, places)
	for q := range t.Len() {
		t.enter(table, Quark(q))
	}
	t.table.Store(&table)
}

// Lookup is Child along a path below Root. The empty path gives None.
func (t *Tree) Lookup(elements ...string) Quark {
	q := Root
	for _, name := range elements {
		if q = t.Child(q, name); q == None {
			return None
		}
	}
	return q
}

// Children returns a copy of the quarks below parent, in order of creation.
func (t *Tree) Children(parent Quark) []Quark {
	var children []Quark
	for q := t.newest(parent); q != None; q = t.before(q) {
		children = append(children, q)
	}
	slices.Reverse(children)
	return children
}

// Below yields the quarks and names below parent, the newest first. It is quicker than to look for many children by their names.
func (t *Tree) Below(parent Quark) iter.Seq2[Quark, string] {
	return func(yield func(Quark, string) bool) {
		for q := t.newest(parent); q != None; q = t.before(q) {
			if !yield(q, t.name(q)) {
				return
			}
		}
	}
}

// newest is the child of a node that came last, or None.
func (t *Tree) newest(parent Quark) Quark {
	defer runtime.KeepAlive(t.space)
	switch {
	case parent == Root:
		return Quark(t.root.Load()) - 1
	case t.has(parent):
		return Quark(t.node(parent).newest.Load()) - 1
	}
	return None
}

// before is the sibling that came before a node, or None.
func (t *Tree) before(q Quark) Quark {
	defer runtime.KeepAlive(t.space)
	return Quark(t.node(q).before) - 1
}

func (t *Tree) has(q Quark) bool { return q >= 0 && int(q) < t.Len() }

// Name returns the last element of q's path, "" if q does not exist.
func (t *Tree) Name(q Quark) string {
	if !t.has(q) {
		return ""
	}
	return t.name(q)
}

func (t *Tree) name(q Quark) string {
	defer runtime.KeepAlive(t.space)
	return t.text(t.node(q).name)
}

// Parent returns the quark above q: Root for the first level, None if q does not exist.
func (t *Tree) Parent(q Quark) Quark {
	if !t.has(q) {
		return None
	}
	defer runtime.KeepAlive(t.space)
	return t.node(q).parent
}

// Len is the number of attributes; quarks are 0 to Len()-1.
func (t *Tree) Len() int { return int(t.count.Load()) }
