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
package attribute

import (
	"hash/maphash"
	"sync"
)

// A Quark is the number of an attribute, dense from 0 in order of creation.
type Quark int32

// None is the quark of what does not exist; Root is the parent of the first level.
const (
	None Quark = -1
	Root Quark = -1
)

// A Tree maps paths to quarks. One goroutine adds, any number read.
type Tree struct {
	mu    sync.RWMutex // held by readers, and by the adder only while it changes something
	nodes []node
	first Quark // of the first level
	last  Quark

	seed  maphash.Seed
	table []Quark // nodes by parent and name; its length is a power of two, at most two thirds of it are taken
}

type node struct {
	name        string
	parent      Quark
	first, last Quark // children, in order of creation
	next        Quark // sibling
}

const leastTable = 64

// NewTree returns a tree without attributes.
func NewTree() *Tree {
	t := &Tree{seed: maphash.MakeSeed(), first: None, last: None}
	t.grow(leastTable)
	return t
}

// Add returns the quark of the child of parent called name, making it if needed.
// It panics if parent does not exist.
func (t *Tree) Add(parent Quark, name string) Quark {
	// Only this goroutine changes the tree, so it may look without the lock.
	if q := t.child(parent, name); q != None {
		return q
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if 3*len(t.nodes) >= 2*len(t.table) {
		t.grow(2 * len(t.table))
	}
	q := Quark(len(t.nodes))
	first, last := &t.first, &t.last
	if parent != Root {
		first, last = &t.nodes[parent].first, &t.nodes[parent].last
	}
	if *last == None {
		*first = q
	} else {
		t.nodes[*last].next = q
	}
	*last = q
	t.nodes = append(t.nodes, node{name: name, parent: parent, first: None, last: None, next: None})
	t.table[t.place(parent, name)] = q
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

// Child returns None where parent has no such child.
func (t *Tree) Child(parent Quark, name string) Quark {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.child(parent, name)
}

func (t *Tree) child(parent Quark, name string) Quark {
	return t.table[t.place(parent, name)]
}

// place is where in the table the child of parent called name stands, or would.
func (t *Tree) place(parent Quark, name string) int {
	h := maphash.String(t.seed, name) ^ uint64(parent)*0x9e3779b97f4a7c15
	h ^= h >> 32
	last := len(t.table) - 1
	for i := int(h) & last; ; i = (i + 1) & last {
		q := t.table[i]
		if q == None || t.nodes[q].parent == parent && t.nodes[q].name == name {
			return i
		}
	}
}

// grow makes the table anew with so many places.
func (t *Tree) grow(places int) {
	t.table = make([]Quark, places)
	for i := range t.table {
		t.table[i] = None
	}
	for i := range t.nodes {
		t.table[t.place(t.nodes[i].parent, t.nodes[i].name)] = Quark(i)
	}
}

// Lookup is Child along a path below Root. The empty path gives None.
func (t *Tree) Lookup(elements ...string) Quark {
	t.mu.RLock()
	defer t.mu.RUnlock()
	q := Root
	for _, name := range elements {
		if q = t.child(q, name); q == None {
			return None
		}
	}
	return q
}

// Children returns a copy of the quarks below parent, in order of creation.
func (t *Tree) Children(parent Quark) []Quark {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var children []Quark
	for q := t.firstChild(parent); q != None; q = t.nodes[q].next {
		children = append(children, q)
	}
	return children
}

func (t *Tree) firstChild(parent Quark) Quark {
	switch {
	case parent == Root:
		return t.first
	case t.has(parent):
		return t.nodes[parent].first
	}
	return None
}

func (t *Tree) has(q Quark) bool { return q >= 0 && int(q) < len(t.nodes) }

// Name returns the last element of q's path, "" if q does not exist.
func (t *Tree) Name(q Quark) string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.has(q) {
		return ""
	}
	return t.nodes[q].name
}

// Parent returns the quark above q: Root for the first level, None if q does not exist.
func (t *Tree) Parent(q Quark) Quark {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.has(q) {
		return None
	}
	return t.nodes[q].parent
}

// Len is the number of attributes; quarks are 0 to Len()-1.
func (t *Tree) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.nodes)
}
