package graph

import (
	"maps"
	"slices"
)

// A Tree is one tree of the forest, rooted.
type Tree struct {
	Order  []int       // the hosts, each after its parent; the root first
	Parent map[int]int // towards the root; the root has none
}

// Contains reports whether the host is in the tree.
func (t Tree) Contains(host int) bool {
	_, ok := t.Parent[host]
	return ok || t.Order[0] == host
}

// Tree returns the tree of a host, with the host as its root. Neighbours are
// visited by number, so the order is the same every time.
func (f *Forest) Tree(root int) Tree {
	t := Tree{Order: []int{root}, Parent: make(map[int]int)}
	for i := 0; i < len(t.Order); i++ {
		host := t.Order[i]
		for _, next := range slices.Sorted(maps.Keys(f.trees[host])) {
			if !t.Contains(next) {
				t.Parent[next] = host
				t.Order = append(t.Order, next)
			}
		}
	}
	return t
}

// Components numbers the trees, by their lowest host, and returns each host's.
func (f *Forest) Components() []int {
	number := make([]int, len(f.trees))
	for i := range number {
		number[i] = -1
	}
	n := 0
	for host := range number {
		if number[host] >= 0 {
			continue
		}
		for _, h := range f.Tree(host).Order {
			number[h] = n
		}
		n++
	}
	return number
}

// Reference returns the host of a tree that minimizes the total weight of the
// paths to all others. Two neighbours can be equally good; then the present
// one stays, if it is one of them, else it is the lowest.
//
// It is the centroid of the tree, whatever the weights are (Jabbarifar 2013,
// section 4.5, lemma 1): to move the reference over a link takes the link out
// of the path of every host on that side and puts it into all others, so it
// pays just when more than half of the hosts are there.
func (f *Forest) Reference(host, present int) int {
	t := f.Tree(host)
	n := len(t.Order)
	size := make(map[int]int, n)
	heaviest := make(map[int]int, n) // the largest part that is left without the host
	for i := n - 1; i >= 0; i-- {
		h := t.Order[i]
		size[h]++
		heaviest[h] = max(heaviest[h], n-size[h])
		if up, ok := t.Parent[h]; ok {
			size[up] += size[h]
			heaviest[up] = max(heaviest[up], size[h])
		}
	}
	best := -1
	for _, h := range slices.Sorted(slices.Values(t.Order)) {
		if 2*heaviest[h] > n {
			continue
		}
		if best < 0 || h == present {
			best = h
		}
	}
	return best
}
