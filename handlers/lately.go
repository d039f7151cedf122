package handlers

import (
	"slices"
	"sync"
)

// lately keeps what was made for the questions that were asked last, so that whoever asks one again finds it.
type lately[T any] struct {
	mu   sync.Mutex
	kept []*T // what was asked for last is the last
}

// of returns what is kept for a question, or, where nothing is, what is made for it now. No more than most are kept.
func (l *lately[T]) of(is func(*T) bool, make func() *T, most int) *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	var t *T
	if i := slices.IndexFunc(l.kept, is); i >= 0 {
		t = l.kept[i]
		l.kept = slices.Delete(l.kept, i, i+1)
	} else {
		t = make()
	}
	l.kept = append(l.kept, t)
	if len(l.kept) > most {
		l.kept = slices.Delete(l.kept, 0, 1)
	}
	return t
}

// forget drops what was made for a question, which will have another answer.
func (l *lately[T]) forget(t *T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = slices.DeleteFunc(l.kept, func(k *T) bool { return k == t })
}
