package partial

import (
	"fmt"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// correct notes, before an attribute of the full history is corrected, what it was until now and since when, for replays from
// checkpoints that lie between. Readers see it at once, so that they never see the correction without it.
func (w *Writer) correct(q attribute.Quark, was history.Value, since int64) error {
	p := w.points
	if since >= p.newest {
		return nil
	}
	names := p.tree.Attributes()
	of := names.Add(p.was, strconv.Itoa(int(q)))
	sinceQuark := names.Add(of, sinceName)
	if known, _ := p.tree.Ongoing(sinceQuark); !known.IsNull() {
		return nil // what it is now is known to no checkpoint
	}
	if was.IsString() {
		was = p.tree.Text([]byte(w.tree.History().String(was)))
	}
	if err := p.tree.Update(of, was); err != nil {
		return err
	}
	if err := p.tree.Update(sinceQuark, history.Int(since)); err != nil {
		return err
	}
	p.corrected = append(p.corrected, of)
	p.tree.Publish(p.newest)
	return nil
}

// endCorrected says, at a checkpoint, that nothing is corrected from there on.
func (p *positions) endCorrected(t int64) error {
	for _, of := range p.corrected {
		if err := p.tree.Modify(t, p.tree.Attributes().Add(of, sinceName), history.Null()); err != nil {
			return err
		}
		// What is null now and will be next must be two intervals, or the latter would reach back over the former.
		nothing := history.Null()
		if was, _ := p.tree.Ongoing(of); was.IsNull() {
			nothing = history.Bool(false)
		}
		if err := p.tree.Modify(t, of, nothing); err != nil {
			return err
		}
	}
	p.corrected = p.corrected[:0]
	return nil
}

// A known is what was known of an attribute of the full history at a checkpoint.
type known struct {
	quark attribute.Quark
	value history.Value // a text is one of the tree of positions
}

func newKnown(name string, value history.Value) (known, error) {
	n, err := strconv.ParseInt(name, 10, 32)
	if err != nil || n < 0 {
		return known{}, fmt.Errorf("partial: the positions are damaged: %q is no attribute's number", name)
	}
	return known{attribute.Quark(n), value}, nil
}
