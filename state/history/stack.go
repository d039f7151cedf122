package history

import (
	"fmt"
	"math"
	"strconv"

	"synchroscope/state/attribute"
)

// MaxStack is how many elements of a stack are kept. Deeper ones are counted:
// a trace whose pops are lost must not make attributes without end.
const MaxStack = 1024

// Increment adds by to the integer q holds, from t on; null counts as 0. A sum
// beyond an int64 stays at the nearest one.
func (w *Writer) Increment(t int64, q attribute.Quark, by int64) error {
	v, _ := w.Ongoing(q)
	n, ok := v.Int()
	if !ok && !v.IsNull() {
		return fmt.Errorf("history: attribute %d (%s) holds %v, which cannot be incremented", q, w.names.tree.Full(q), v)
	}
	sum := n + by
	if by > 0 && sum < n {
		sum = math.MaxInt64
	} else if by < 0 && sum > n {
		sum = math.MinInt64
	}
	return w.Modify(t, q, Int(sum))
}

// Push puts v on the stack q, from t on. Elements are the attributes below q
// called 1, 2, ...; q itself holds how many there are, and null where there are none.
func (w *Writer) Push(t int64, q attribute.Quark, v Value) error {
	depth, err := w.depth(q)
	if err != nil {
		return err
	}
	depth++
	if depth <= MaxStack {
		if err := w.Modify(t, w.element(q, depth), v); err != nil {
			return err
		}
	}
	return w.Modify(t, q, Int(depth))
}

// Pop takes the newest element off the stack q, from t on, and returns it: null
// where it was deeper than [MaxStack]. It returns false, and changes nothing, if
// the stack is empty.
func (w *Writer) Pop(t int64, q attribute.Quark) (v Value, ok bool, err error) {
	depth, err := w.depth(q)
	if err != nil || depth == 0 {
		return Value{}, false, err
	}
	if depth <= MaxStack {
		top := w.element(q, depth)
		v, _ = w.Ongoing(top)
		if err := w.Modify(t, top, Null()); err != nil {
			return Value{}, false, err
		}
	}
	left := Int(depth - 1)
	if depth == 1 {
		left = Null()
	}
	return v, true, w.Modify(t, q, left)
}

func (w *Writer) element(q attribute.Quark, depth int64) attribute.Quark {
	return w.names.tree.Add(q, strconv.FormatInt(depth, 10))
}

// depth is how many elements are on the stack q.
func (w *Writer) depth(q attribute.Quark) (int64, error) {
	if q < 0 || int(q) >= w.names.tree.Len() {
		return 0, fmt.Errorf("history: attribute %d does not exist", q)
	}
	v, _ := w.Ongoing(q)
	n, ok := v.Int()
	if !ok && !v.IsNull() || n < 0 || n == math.MaxInt64 {
		return 0, fmt.Errorf("history: attribute %d (%s) holds %v, which is not the depth of a stack", q, w.names.tree.Full(q), v)
	}
	return n, nil
}
