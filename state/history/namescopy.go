package history

import "synchroscope/state/attribute"

// Names are a copy of the attributes and texts of a tree, under the same numbers, for histories in memory that are
// of the same things: quarks and values of the one are valid in the others. Histories may have one copy after another; of those
// that have it one at a time may be recorded.
type Names struct{ tree, own *names }

// Names copies what there is, also while the tree is written.
func (h *History) Names() *Names {
	n := &Names{h.names, newNames(nil)}
	n.Follow()
	return n
}

// Follow copies what has come to the tree since. Nothing else may have come to the copy.
func (n *Names) Follow() {
	for q := attribute.Quark(n.own.tree.Len()); int(q) < n.tree.tree.Len(); q++ {
		n.own.tree.Add(n.tree.tree.Parent(q), n.tree.tree.Name(q))
	}
	for i := n.own.dictionary.Len(); i < n.tree.dictionary.Len(); i++ {
		n.own.dictionary.Number([]byte(n.tree.dictionary.At(i)))
	}
}

// Len is the number of attributes and that of texts.
func (n *Names) Len() (attributes, texts int) {
	return n.own.tree.Len(), n.own.dictionary.Len()
}

// NewMemory begins a history in memory, as [NewMemory], with these names.
func (n *Names) NewMemory(start int64) *Memory {
	m := NewMemory(start)
	m.names = n.own
	return m
}
