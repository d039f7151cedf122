package history

import (
	"math"
	"testing"
)

// What has more intervals than a total can count is read, not summed up wrongly.
func TestTotalsOverflow(t *testing.T) {
	var sum totals
	for _, many := range []int32{math.MaxInt32 - 1, 1, 1, math.MaxInt32} {
		var child totals
		c := &child.columns[child.place(5)]
		c.more(many)
		child.add(c, Int(1), 10, many)
		before := sum.columns[sum.place(5)].intervals
		sum.merge(&child)
		fits := int64(before)+int64(many) <= math.MaxInt32
		if c := sum.columns[sum.place(5)]; c.left() == fits {
			t.Errorf("%d intervals and %d: left is %t", before, many, c.left())
		}
	}
}
