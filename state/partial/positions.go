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
// memory, however many there are. Its attributes change at the checkpoints only:
//
//	Checkpoint   the number of the checkpoint, from 0; its intervals are the pieces
//	Length       bytes of the position
//	0, 1, ...    the position, eight bytes each, little-endian, the last filled up with zeros
const (
	numberQuark = attribute.Quark(iota)
	lengthQuark
	wordsQuark
)

// maxPosition bounds a position, bytes: each eight take an attribute.
const maxPosition = 64 << 10

// positions writes them.
type positions struct {
	tree  *history.Writer
	count int64
	words []byte
}

func newPositions(tree *history.Writer) *positions {
	tree.Attributes().Add(attribute.Root, "Checkpoint")
	tree.Attributes().Add(attribute.Root, "Length")
	return &positions{tree: tree}
}

// add keeps the position of a checkpoint at t.
func (p *positions) add(t int64, position []byte) error {
	if len(position) > maxPosition {
		return fmt.Errorf("partial: the position at %d ns has %d bytes, more than %d", t, len(position), maxPosition)
	}
	if err := p.tree.Modify(t, numberQuark, history.Int(p.count)); err != nil {
		return err
	}
	p.count++
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

// positionAt returns the position of the checkpoint of the piece that holds t.
func positionAt(ctx context.Context, points *history.History, t int64) ([]byte, error) {
	length := int64(-1)
	var words []byte
	err := points.Full(ctx, t, func(iv history.Interval) bool {
		n, ok := iv.Value.Int()
		switch {
		case !ok:
			return false
		case iv.Quark == lengthQuark:
			length = n
		case iv.Quark >= wordsQuark:
			words = binary.LittleEndian.AppendUint64(words, uint64(n))
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	if length < 0 || length > int64(len(words)) {
		return nil, fmt.Errorf("partial: the position at %d ns is damaged: %d bytes in %d", t, length, len(words))
	}
	return words[:length], nil
}
