package partial

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// The positions stand in a history tree of their own, so that nothing of them stays in
// memory, however many there are. docs/format/partial.md has its attributes. The first two have these numbers.
const (
	numberQuark = attribute.Quark(iota)
	lengthQuark
)

// Names in the tree of positions.
const (
	versionName = "Version"
	wasName     = "Was"
	sinceName   = "Since"
)

// version is that of the tree of positions. The first had none, and said nothing of values that were corrected.
const version = "2"

// maxPosition bounds a position, bytes: each eight take an attribute.
const maxPosition = 64 << 10

// positions writes them.
type positions struct {
	tree   *history.Writer
	count  int64
	newest int64 // checkpoint
	words  []byte

	version, was attribute.Quark
	corrected    []attribute.Quark // below was, since the newest checkpoint
}

// newPositions writes on in a tree of count positions.
func newPositions(tree *history.Writer, count int64) *positions {
	names := tree.Attributes()
	names.Add(attribute.Root, "Checkpoint")
	names.Add(attribute.Root, "Length")
	p := &positions{tree: tree, count: count, version: names.Add(attribute.Root, versionName), was: names.Add(attribute.Root, wasName)}
	_, p.newest = tree.Ongoing(numberQuark)
	for _, q := range names.Children(p.was) {
		if since, _ := tree.Ongoing(names.Add(q, sinceName)); !since.IsNull() {
			p.corrected = append(p.corrected, q)
		}
	}
	return p
}

// add keeps the position of a checkpoint at t.
func (p *positions) add(t int64, position []byte) error {
	if len(position) > maxPosition {
		return fmt.Errorf("partial: the position at %d ns has %d bytes, more than %d", t, len(position), maxPosition)
	}
	if err := p.tree.Modify(t, numberQuark, history.Int(p.count)); err != nil {
		return err
	}
	p.count, p.newest = p.count+1, t
	if err := p.tree.Modify(t, p.version, p.tree.Text([]byte(version))); err != nil {
		return err
	}
	if err := p.endCorrected(t); err != nil {
		return err
	}
	if err := p.tree.Modify(t, lengthQuark, history.Int(int64(len(position)))); err != nil {
		return err
	}
	p.words = append(p.words[:0], position...)
	for len(p.words)%8 > 0 {
		p.words = append(p.words, 0)
	}
	for i := 0; i < len(p.words)/8; i++ {
		q := p.tree.Attributes().Add(attribute.Root, strconv.Itoa(i))
		if err := p.tree.Modify(t, q, history.Int(int64(binary.LittleEndian.Uint64(p.words[8*i:])))); err != nil {
			return err
		}
	}
	p.tree.Publish(t)
	return nil
}

// pieceAt returns the piece that holds t: its interval, and its number or, in a history
// without events, null.
func pieceAt(ctx context.Context, points *history.History, t int64) (history.Interval, error) {
	return points.Point(ctx, numberQuark, t)
}

// A place is where a replay begins, and with what.
type place struct {
	position []byte
	was      []known
}

// placeAt returns that of the checkpoint at t.
func placeAt(ctx context.Context, points *history.History, t int64) (*place, error) {
	names := points.Attributes()
	wasQuark, versionQuark := names.Child(attribute.Root, wasName), names.Child(attribute.Root, versionName)
	length, written := int64(-1), version
	p := new(place)
	was := make(map[attribute.Quark]history.Value)
	var wrong error
	err := points.Full(ctx, t, func(iv history.Interval) bool {
		n, ok := iv.Value.Int()
		parent := names.Parent(iv.Quark)
		switch {
		case parent != attribute.Root && parent == wasQuark:
			was[iv.Quark] = iv.Value
		case parent != attribute.Root:
			if ok && n < t {
				var k known
				k, wrong = newKnown(names.Name(parent), was[parent])
				p.was = append(p.was, k)
			}
		case iv.Quark == versionQuark:
			written = points.String(iv.Value)
		case iv.Quark == lengthQuark && ok:
			length = n
		case iv.Quark != numberQuark && ok:
			p.position = binary.LittleEndian.AppendUint64(p.position, uint64(n))
		}
		return wrong == nil
	})
	switch {
	case err != nil:
		return nil, err
	case wrong != nil:
		return nil, wrong
	case written != version:
		return nil, fmt.Errorf("partial: the position at %d ns has version %s; this program knows versions 1 and %s", t, written, version)
	case length < 0 || length > int64(len(p.position)):
		return nil, fmt.Errorf("partial: the position at %d ns is damaged: %d bytes in %d", t, length, len(p.position))
	}
	p.position = p.position[:length]
	return p, nil
}
