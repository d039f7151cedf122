package kernel_test

import (
	"testing"

	"synchroscope/state/kernel"
)

// A vector that the kernel has no name for has none.
func TestSoftIRQName(t *testing.T) {
	for vec, want := range map[int]string{-1: "", 0: "HI", 3: "NET_RX", 9: "RCU", 10: "", 99: ""} {
		if got := kernel.SoftIRQName(vec); got != want {
			t.Errorf("vector %d is called %q, want %q", vec, got, want)
		}
	}
}
