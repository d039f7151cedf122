package history

import "synchroscope/state/attribute"

// Remove is [Remove] on w.
func (w *Writer) Remove(t int64, q attribute.Quark) error { return Remove(w, t, q) }

// RemoveAll is [RemoveAll] on w.
func (w *Writer) RemoveAll(t int64, pattern string) error { return RemoveAll(w, t, pattern) }

// Increment is [Increment] on w.
func (w *Writer) Increment(t int64, q attribute.Quark, by int64) error {
	return Increment(w, t, q, by)
}

// Push is [Push] on w.
func (w *Writer) Push(t int64, q attribute.Quark, v Value) error { return Push(w, t, q, v) }

// Pop is [Pop] on w.
func (w *Writer) Pop(t int64, q attribute.Quark) (v Value, ok bool, err error) { return Pop(w, t, q) }
