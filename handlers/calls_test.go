package handlers

import (
	"fmt"
	"testing"
)

func TestBinned(t *testing.T) {
	if got := fmt.Sprint(binned([]int64{0, 1, 2, 4, 5, 9, 10, 19, 20, 49, 50, 99, 100, 1_999_999, 2_000_000, 1<<63 - 1})); got !=
		"[[0 1] [1 1] [2 2] [5 2] [10 2] [20 2] [50 2] [100 1] [1000000 1] [2000000 1] [2000000000000000000 1]]" {
		t.Error(got)
	}
}
