package history

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"synchroscope/state/attribute"
)

// A Recorder takes changes of state, in order of time. [Writer] makes a tree of
// them, [Memory] keeps them as they are.
type Recorder interface {
	Attributes() *attribute.Tree
	Text(s []byte) Value
	Modify(t int64, q attribute.Quark, v Value) error
	Update(q attribute.Quark, v Value) error
	Ongoing(q attribute.Quark) (v Value, since int64)
	Publish(t int64)
	Finish(end int64) error
}

// A Reader answers queries about the past, from any number of goroutines.
// [History] documents the methods.
type Reader interface {
	Attributes() *attribute.Tree
	Bounds() (start, end int64)
	String(v Value) string
	Point(ctx context.Context, q attribute.Quark, t int64) (Interval, error)
	Full(ctx context.Context, t int64, yield func(Interval) bool) error
	Range(ctx context.Context, qs []attribute.Quark, begin, end int64, yield func(Interval) bool) error
	Sampled(ctx context.Context, qs []attribute.Quark, begin, end, every int64, yield func(Interval) bool) error
	Pixels(ctx context.Context, qs []attribute.Quark, edges []int64) ([][]Run, error)
	Totals(ctx context.Context, qs []attribute.Quark, begin, end int64) ([][]Total, error)
	Alive(ctx context.Context, qs []attribute.Quark, begin, end int64) ([]attribute.Quark, error)
	NextChange(ctx context.Context, q attribute.Quark, t int64, want func(Value) bool) (Interval, bool, error)
	PreviousChange(ctx context.Context, q attribute.Quark, t int64, want func(Value) bool) (Interval, bool, error)
}

// Remove is Modify to null for q and everything below it.
func Remove(r Recorder, t int64, q attribute.Quark) error {
	if err := r.Modify(t, q, Null()); err != nil {
		return err
	}
	for _, c := range r.Attributes().Children(q) {
		if err := Remove(r, t, c); err != nil {
			return err
		}
	}
	return nil
}

// RemoveAll is Remove for all attributes that fit a pattern, as of [attribute.Tree.Match].
func RemoveAll(r Recorder, t int64, pattern string) error {
	for _, q := range r.Attributes().Match(pattern) {
		if err := Remove(r, t, q); err != nil {
			return err
		}
	}
	return nil
}

// Increment adds by to the integer q holds, from t on; null counts as 0. A sum
// beyond an int64 stays at the nearest one.
func Increment(r Recorder, t int64, q attribute.Quark, by int64) error {
	v, _ := r.Ongoing(q)
	n, ok := v.Int()
	if !ok && !v.IsNull() {
		return fmt.Errorf("history: attribute %d (%s) holds %v, which cannot be incremented", q, r.Attributes().Full(q), v)
	}
	sum := n + by
	if by > 0 && sum < n {
		sum = math.MaxInt64
	} else if by < 0 && sum > n {
		sum = math.MinInt64
	}
	return r.Modify(t, q, Int(sum))
}

// MaxStack is how many elements of a stack are kept. Deeper ones are counted:
// a trace whose pops are lost must not make attributes without end.
const MaxStack = 1024

// Push puts v on the stack q, from t on. Elements are the attributes below q
// called 1, 2, ...; q itself holds how many there are, and null where there are none.
func Push(r Recorder, t int64, q attribute.Quark, v Value) error {
	depth, err := depth(r, q)
	if err != nil {
		return err
	}
	depth++
	if depth <= MaxStack {
		if err := r.Modify(t, element(r, q, depth), v); err != nil {
			return err
		}
	}
	return r.Modify(t, q, Int(depth))
}

// Pop takes the newest element off the stack q, from t on, and returns it: null
// where it was deeper than [MaxStack]. It returns false, and changes nothing, if
// the stack is empty.
func Pop(r Recorder, t int64, q attribute.Quark) (v Value, ok bool, err error) {
	depth, err := depth(r, q)
	if err != nil || depth == 0 {
		return Value{}, false, err
	}
	if depth <= MaxStack {
		top := element(r, q, depth)
		v, _ = r.Ongoing(top)
		if err := r.Modify(t, top, Null()); err != nil {
			return Value{}, false, err
		}
	}
	left := Int(depth - 1)
	if depth == 1 {
		left = Null()
	}
	return v, true, r.Modify(t, q, left)
}

func element(r Recorder, q attribute.Quark, depth int64) attribute.Quark {
	return r.Attributes().Add(q, strconv.FormatInt(depth, 10))
}

// depth is how many elements are on the stack q.
func depth(r Recorder, q attribute.Quark) (int64, error) {
	if q < 0 || int(q) >= r.Attributes().Len() {
		return 0, fmt.Errorf("history: attribute %d does not exist", q)
	}
	v, _ := r.Ongoing(q)
	n, ok := v.Int()
	if !ok && !v.IsNull() || n < 0 || n == math.MaxInt64 {
		return 0, fmt.Errorf("history: attribute %d (%s) holds %v, which is not the depth of a stack", q, r.Attributes().Full(q), v)
	}
	return n, nil
}
