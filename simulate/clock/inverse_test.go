package clock

import (
	"testing"

	"pgregory.net/rapid"
)

// TestWhen: the span in which a clock showed a time has the time it was asked at, shows
// that time at both ends and, unless the clock was set back, does not show it just outside.
func TestWhen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		back := rapid.Bool().Draw(t, "back")
		s := anySpec(back).Draw(t, "spec")
		s.Reboots = nil
		c := newClock(t, s, 7)
		at := rapid.Int64Range(0, span-1).Draw(t, "at")
		local := c.Local(at)
		first, last, ok := c.When(local, 0, span)
		if !ok || first > at || last < at {
			t.Fatalf("the clock shows %d at %d; When has %d to %d, %v", local, at, first, last, ok)
		}
		if c.Local(first) != local || c.Local(last) != local {
			t.Fatalf("the clock shows %d at %d and %d at %d, not %d", c.Local(first), first, c.Local(last), last, local)
		}
		if first > 0 && !back && c.Local(first-1) == local || last < span-1 && !back && c.Local(last+1) == local {
			t.Fatalf("the clock shows %d outside of %d to %d too", local, first, last)
		}
		if _, _, ok := c.When(local, span, 2*span); ok && !back && c.Local(span) != local {
			t.Fatalf("the clock shows %d after the span too", local)
		}
	})
}

// TestWhenNever: a clock of coarse resolution never shows what is between its ticks.
func TestWhenNever(t *testing.T) {
	c := newClock(t, Spec{Resolution: 1000}, 7)
	if _, _, ok := c.When(Epoch+1500, 0, span); ok {
		t.Error("a time between two ticks was shown")
	}
	if first, last, ok := c.When(Epoch+2000, 0, span); !ok || first != 2000 || last != 2999 {
		t.Errorf("the tick of 2000 is from %d to %d, %v", first, last, ok)
	}
}
