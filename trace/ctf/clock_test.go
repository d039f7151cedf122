package ctf

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/trace/ctf/schema"
)

// The time of any value of any clock is what package schema says, also where the reader has a shorter way.
func TestClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := schema.Clock{
			Name:      "c",
			Frequency: rapid.OneOf(rapid.Just(uint64(1e9)), rapid.Uint64Range(1, math.MaxUint64)).Draw(t, "frequency"),
			Seconds:   rapid.OneOf(rapid.Int64Range(-1e10, 1e10), rapid.Int64()).Draw(t, "seconds"),
			Offset:    rapid.OneOf(rapid.Int64Range(-1e10, 1e10), rapid.Int64()).Draw(t, "offset"),
		}
		cycles := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(math.MaxInt64-1e10, math.MaxInt64+1e10)).Draw(t, "cycles")
		k, note := newClock(c)
		if _, ok := c.Origin(); ok != (note == "") {
			t.Fatalf("%+v: the note is %q", c, note)
		}
		if got, want := k.time(cycles), c.Time(cycles); got != want {
			t.Fatalf("%+v at %d: %d, want %d (%s)", c, cycles, got, want, note)
		}
	})
}

func TestClockRange(t *testing.T) {
	k, note := newClock(schema.Clock{Name: "far", Frequency: 1e9, Seconds: 1351530929945824323, Offset: 7})
	if !strings.Contains(note, `"far"`) || k.time(3) != 10 {
		t.Errorf("note %q, time %d", note, k.time(3))
	}
	for _, x := range []struct {
		seconds, offset int64
		freq            uint64
		origin          string
	}{
		{1e10, 0, 1e9, `clock "c", 10000000000 s, is beyond`},
		{0, 2e16, 1e6, `clock "c", 20000000000000000 cycles of 1000000 Hz, is beyond`},
		{9e9, 1e9, 1, `clock "c", 9000000000 s and 1000000000 cycles of 1 Hz, is beyond`},
	} {
		if _, note := newClock(schema.Clock{Name: "c", Frequency: x.freq, Seconds: x.seconds, Offset: x.offset}); !strings.Contains(note, x.origin) {
			t.Errorf("note %q, want one with %q", note, x.origin)
		}
	}
	if _, note := newClock(schema.Clock{Frequency: 1e9, Seconds: 9e9}); note != "" {
		t.Errorf("an origin in 2255: %s", note)
	}
}

func TestExtend(t *testing.T) {
	for _, test := range []struct {
		last, low uint64
		bits      uint32
		want      uint64
	}{
		{0, 5, 27, 5},
		{5, 5, 27, 5},
		{6, 5, 27, 1<<27 + 5},
		{1<<40 | 6, 7, 27, 1<<40 | 7},
		{1<<64 - 1, 0, 32, 0}, // the clock itself wraps
		{100, 7, 64, 7},
		{3, 0, 1, 4},
	} {
		if got := extend(test.last, test.low, test.bits); got != test.want {
			t.Errorf("%d low bits %#x behind %#x: %#x, want %#x", test.bits, test.low, test.last, got, test.want)
		}
	}
	p := packet{first: 100, last: 300, bounded: true}
	for _, test := range []struct{ last, low, want uint64 }{
		{200, 250, 250},              // forwards
		{200, 180, 180},              // a step back: a wrap would lead behind 300
		{200, 50, 1<<8 + 50},         // to before the packet: a wrap, to 306
		{255, 10, 1<<8 + 10},         // a wrap within the packet
		{1<<8 + 10, 5, 1<<8 + 5},     // a step back behind a wrap
		{1<<8 + 40, 200, 1<<8 + 200}, // forwards, behind the end of the packet
	} {
		if got := p.extend(test.last, test.low, 8); got != test.want {
			t.Errorf("low bits %d behind %d: %d, want %d", test.low, test.last, got, test.want)
		}
	}
	// The clock will be set back by 300 behind a wrap: a step back by 251 is less likely than a wrap after 5.
	p = packet{first: 2, last: 253, bounded: true}
	if got := p.extend(252, 1, 8); got != 257 {
		t.Errorf("low bits 1 behind 252, in a packet that ends at 253: %d, want 257", got)
	}
}

// BenchmarkClock turns cycles into times.
func BenchmarkClock(b *testing.B) {
	for _, frequency := range []uint64{1e9, 1e6, 999e6, 3_293_841_647} {
		b.Run(fmt.Sprint(frequency), func(b *testing.B) {
			k, _ := newClock(schema.Clock{Frequency: frequency, Seconds: 1641387136})
			b.ReportAllocs()
			at, sum := uint64(1e14), int64(0)
			for b.Loop() {
				at += 12345
				sum += k.time(at)
			}
			_ = sum
		})
	}
}
