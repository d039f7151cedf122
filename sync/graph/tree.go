package graph

import "slices"

// A Tree is one tree of the forest, hung from any of its hosts.
type Tree struct {
	Order  []int // the hosts, each after its parent; the root first
	Parent []int // of each in Order, towards the root; -1 of the root
}

// Tree returns the tree of a host, with the host as its root. Neighbours are
// visited by number, so the order is the same every time.
func (f *Forest) Tree(root int) Tree {
	t := Tree{[]int{root}, []int{-1}}
	for i := 0; i < len(t.Order); i++ {
		begin := len(t.Order)
		f.tree.each(int32(t.Order[i]), func(next int32) bool {
			if int(next) != t.Parent[i] {
				t.Order, t.Parent = append(t.Order, int(next)), append(t.Parent, t.Order[i])
			}
			return true
		})
		slices.Sort(t.Order[begin:])
	}
	return t
}

// Components numbers the trees, by their lowest host, and returns each host's.
func (f *Forest) Components() []int {
	number := make([]int, len(f.tree.hosts))
	byRoot := make([]int, len(f.tree.hosts)) // 1 + the number
	n := 0
	for host := range number {
		root := f.tree.root(int32(host))
		if byRoot[root] == 0 {
			n++
			byRoot[root] = n
		}
		number[host] = byRoot[root] - 1
	}
	return number
}
