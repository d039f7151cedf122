package history

import (
	"encoding/binary"
	"errors"
	"fmt"

	"synchroscope/state/attribute"
	"synchroscope/state/dictionary"
	"synchroscope/state/scratch"
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

// names turns what was added to the attribute tree and the dictionary into the
// names stream, and tells how far that has gone.
type names struct {
	tree       *attribute.Tree
	dictionary *dictionary.Dictionary
	space      *scratch.Space // of both, and of the ongoing values
	attributes int            // in the stream
	strings    int
	length     uint64 // of the stream that is in blocks
	block      uint32 // the newest, or noBlock
	rest       []byte // of the stream, not in blocks yet
	err        error  // of a name that a stream cannot hold
}

// space is where the memory for what a file names comes from. In tests it comes from elsewhere.
var space = func(f File) *scratch.Space { return scratch.Beside(f) }

func newNames(space *scratch.Space) *names {
	return &names{tree: attribute.NewTreeIn(space), dictionary: dictionary.New(space), space: space, block: noBlock}
}

// text interns s. Of a text longer than 1 MiB the rest is dropped.
func (n *names) text(s []byte) Value {
	return text(uint32(n.dictionary.Number(s[:min(len(s), maxName)])))
}

// string resolves a string value. It returns "" for other values.
func (n *names) string(v Value) string {
	if number, ok := v.Text(); ok {
		return n.dictionary.At(int(number))
	}
	return ""
}

// collect appends what is new to the rest of the stream, until that has so many bytes. It reports whether that is all.
func (n *names) collect(most int) (all bool) {
	for ; n.attributes < n.tree.Len(); n.attributes++ {
		if len(n.rest) >= most {
			return false
		}
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
	for ; n.strings < n.dictionary.Len(); n.strings++ {
		if len(n.rest) >= most {
			return false
		}
		s := n.dictionary.At(n.strings)
		n.rest = append(n.rest, stringItem)
		n.rest = binary.AppendUvarint(n.rest, uint64(len(s)))
		n.rest = append(n.rest, s...)
	}
	return true
}

// restore fills the tree and the dictionary from a whole stream. It returns ""
// or what is wrong with the stream.
func (n *names) restore(d *feed) string {
	for d.remaining() > 0 && !d.bad {
		d.ahead(1 + 2*binary.MaxVarintLen64)
		switch d.uvarint() {
		case attributeItem:
			parent := attribute.Quark(d.below(uint64(n.attributes)+1)) - 1
			name := string(d.take(d.below(maxName + 1)))
			if d.bad || n.tree.Add(parent, name) != attribute.Quark(n.attributes) {
				return "an attribute is damaged or there twice"
			}
			if n.attributes++; n.attributes > mostNamed {
				return fmt.Sprintf("there are more than %d attributes", mostNamed)
			}
		case stringItem:
			s := d.take(d.below(maxName + 1))
			if d.bad || n.dictionary.Number(s) != n.strings {
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
