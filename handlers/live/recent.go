package live

import "container/list"

// A recent keeps what was used last, of some bytes in all. It does not lock.
type recent[K comparable, V any] struct {
	most, bytes int
	kept        map[K]*list.Element // of *recalled[K, V]
	order       *list.List          // the one used last is in front
}

type recalled[K comparable, V any] struct {
	key   K
	value V
	size  int // bytes
}

func newRecent[K comparable, V any](most int) *recent[K, V] {
	return &recent[K, V]{most: most, kept: make(map[K]*list.Element), order: list.New()}
}

// get returns what is kept under a key, which is used with that.
func (r *recent[K, V]) get(key K) (value V, ok bool) {
	e := r.kept[key]
	if e == nil {
		return value, false
	}
	r.order.MoveToFront(e)
	return e.Value.(*recalled[K, V]).value, true
}

// put keeps a value of so many bytes in place of what was kept under its key. What was not used for longest goes.
func (r *recent[K, V]) put(key K, value V, size int) {
	if e := r.kept[key]; e != nil {
		r.drop(e)
	}
	r.kept[key] = r.order.PushFront(&recalled[K, V]{key, value, size})
	for r.bytes += size; r.bytes > r.most; {
		r.drop(r.order.Back())
	}
}

func (r *recent[K, V]) drop(e *list.Element) {
	c := r.order.Remove(e).(*recalled[K, V])
	delete(r.kept, c.key)
	r.bytes -= c.size
}

// forget drops what is kept under the keys that are.
func (r *recent[K, V]) forget(are func(K) bool) {
	for key, e := range r.kept {
		if are(key) {
			r.drop(e)
		}
	}
}
