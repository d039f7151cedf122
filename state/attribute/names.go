package attribute

import "strconv"

// A name is a numeral, as itself, or a text of the tree's, as its number, negative and one less. Threads are called by their ids: a
// host that has had millions of them has no text for one.
type name int32

// numeral returns the number that is written as s, if no other way of writing it is s: a numeral has no sign, no space and no zero in
// front.
func numeral(s string) (name, bool) {
	const most = 9 // digits, so that all fit
	if len(s) == 0 || len(s) > most || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n := name(0)
	for i := range len(s) {
		digit := s[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = 10*n + name(digit)
	}
	return n, true
}

// A wanted name is one that a tree may not have.
type wanted struct {
	text    string
	number  name
	numeral bool
	hash    uint32
}

func (t *Tree) wanted(s string) wanted {
	if n, ok := numeral(s); ok {
		return wanted{number: n, numeral: true, hash: hashOf(n)}
	}
	return wanted{text: s, hash: t.names.HashOf(s)}
}

// is tells whether a node's name is the wanted one.
func (t *Tree) is(n name, w wanted) bool {
	if w.numeral || n >= 0 {
		return w.numeral && n == w.number
	}
	return t.names.Is(int(^n), w.text)
}

func (t *Tree) hash(n name) uint32 {
	if n >= 0 {
		return hashOf(n)
	}
	return t.names.Hash(int(^n))
}

// hashOf a numeral differs from that of the next in all bits.
func hashOf(n name) uint32 {
	h := uint32(n) * 0x85ebca6b
	return h ^ h>>15
}

func (t *Tree) newName(s string) name {
	if n, ok := numeral(s); ok {
		return n
	}
	return ^name(t.names.Number([]byte(s)))
}

func (t *Tree) text(n name) string {
	if n >= 0 {
		return strconv.Itoa(int(n))
	}
	return t.names.At(int(^n))
}
