package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"synchroscope/state/attribute"
)

// The items of the names stream.
const (
	attributeItem = 1
	stringItem    = 2
)

// What a reader holds of names, for it holds all of them; docs/format/history.md has how they come about.
var (
	mostNames = 256 << 20 // bytes of the stream
	mostNamed = 1 << 24   // attributes, and strings
)

var errTooManyNames = errors.New("history: the names of all attributes and the texts are more than a tree can hold")

// A dictionary numbers strings. The writer adds; any goroutine resolves.
type dictionary struct {
	numbers map[string]uint32
	strings atomic.Pointer[[]string]
}

func newDictionary() *dictionary {
	d := &dictionary{numbers: make(map[string]uint32)}
	d.strings.Store(new([]string))
	return d
}

func (d *dictionary) intern(s []byte) uint32 {
	if n, ok := d.numbers[string(s)]; ok {
		return n
	}
	return d.add(string(s))
}

func (d *dictionary) add(s string) uint32 {
	list := *d.strings.Load()
	n := uint32(len(list))
	list = append(list, s) // readers hold shorter slices of the same array
	d.strings.Store(&list)
	d.numbers[s] = n
	return n
}

func (d *dictionary) list() []string { return *d.strings.Load() }

func (d *dictionary) string(v Value) string {
	list := d.list()
	if n, ok := v.Text(); ok && int(n) < len(list) {
		return list[n]
	}
	return ""
}

// names turns what was added to the attribute tree and the dictionary into the
// names stream, and tells how far that has gone.
type names struct {
	tree       *attribute.Tree
	dictionary *dictionary
	attributes int // in the stream
	strings    int
	length     uint64 // of the stream that is in blocks
	block      uint32 // the newest, or noBlock
	rest       []byte // of the stream, not in blocks yet
	err        error  // of a name that a stream cannot hold
}

func newNames() *names {
	return &names{tree: attribute.NewTree(), dictionary: newDictionary(), block: noBlock}
}

// collect appends what is new to the rest of the stream.
func (n *names) collect() {
	for ; n.attributes < n.tree.Len(); n.attributes++ {
		q := attribute.Quark(n.attributes)
		name := n.tree.Name(q)
		if len(name) > maxName && n.err == nil {
			n.err = fmt.Errorf("history: the name of attribute %d, %.40q..., has %d bytes; at most %d are allowed", q, name, len(name), maxName)
		}
		n.rest = append(n.rest, attributeItem)
		n.rest = binary.AppendUvarint(n.rest, uint64(n.tree.Parent(q)+1))
		n.rest = binary.AppendUvarint(n.rest, uint64(len(name)))
		n.rest = append(n.rest, name...)
	}
	list := n.dictionary.list()
	for ; n.strings < len(list); n.strings++ {
		n.rest = append(n.rest, stringItem)
		n.rest = binary.AppendUvarint(n.rest, uint64(len(list[n.strings])))
		n.rest = append(n.rest, list[n.strings]...)
	}
}

// restore fills the tree and the dictionary from a whole stream. It returns ""
// or what is wrong with the stream.
func (n *names) restore(stream []byte) string {
	d := decoder{b: stream}
	for d.more() {
		switch d.uvarint() {
		case attributeItem:
			parent := attribute.Quark(d.below(uint64(n.attributes)+1)) - 1
			name := string(d.bytes(d.below(maxName + 1)))
			if d.bad || n.tree.Add(parent, name) != attribute.Quark(n.attributes) {
				return "an attribute is damaged or there twice"
			}
			if n.attributes++; n.attributes > mostNamed {
				return fmt.Sprintf("there are more than %d attributes", mostNamed)
			}
		case stringItem:
			s := d.bytes(d.below(maxName + 1))
			if d.bad || n.dictionary.intern(s) != uint32(n.strings) {
				return "a string is damaged or there twice"
			}
			if n.strings++; n.strings > mostNamed {
				return fmt.Sprintf("there are more than %d texts", mostNamed)
			}
		default:
			return "an item is of unknown type"
		}
	}
	return ""
}
