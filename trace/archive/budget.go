package archive

import "sync/atomic"

// A Budget is what several archives, extracted beside each other or one after another, may
// become together. What is refused gives back what it took.
type Budget struct {
	limits         Limits
	entries, total atomic.Int64
}

// NewBudget makes a budget of limits' entries and bytes.
func NewBudget(limits Limits) *Budget { return &Budget{limits: limits.withDefaults()} }

// entry takes one entry. A nil Budget has no end.
func (b *Budget) entry() error {
	if b != nil && b.entries.Add(1) > int64(b.limits.Entries) {
		return excessf("is one too many: all archives together may hold %d entries", b.limits.Entries)
	}
	return nil
}

// bytes takes n bytes.
func (b *Budget) bytes(n int64) error {
	if b != nil && b.total.Add(n) > b.limits.TotalBytes {
		return excessf("is too much: all archives together may hold %s", bytesText(b.limits.TotalBytes))
	}
	return nil
}

func (b *Budget) giveBack(entries int, total int64) {
	if b != nil {
		b.entries.Add(-int64(entries))
		b.total.Add(-total)
	}
}
