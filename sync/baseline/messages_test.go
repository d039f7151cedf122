package baseline

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/match"
)

// What is kept depends on the messages that hold, not on their order; it is
// bounded, and what is kept of a block of time is all of it.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int{0, 20, 100}).Draw(t, "limit")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var told []match.Message
		for range rapid.IntRange(0, 300).Draw(t, "messages") {
			from := int32(r.IntN(3))
			m := match.Message{From: from, To: (from + 1 + int32(r.IntN(2))) % 3, Sent: r.Int64N(100 * second)}
			m.Received = m.Sent + r.Int64N(1000)
			told = append(told, m)
		}
		add := func(s *Messages, all []match.Message) {
			for _, m := range all {
				s.Add(m)
			}
		}
		one, other := NewMessages(limit), NewMessages(limit)
		add(one, told)
		// The other way round, with some that are taken back in between.
		for i := len(told) - 1; i >= 0; i-- {
			stray := told[i]
			stray.Received += 7_000_000
			other.Add(stray)
			other.Add(told[i])
			stray.Retracted = true
			other.Add(stray)
		}
		for _, blocks := range other.links {
			for block, held := range blocks {
				if len(held) == 0 {
					t.Fatalf("block %d is kept without a message", block)
				}
			}
		}
		if limit == 0 || len(told) < limit {
			if one.Thinned() || one.Len() != len(told) || !reflect.DeepEqual(one.Links(), other.Links()) {
				t.Fatalf("%d of %d messages, %d the other way round", one.Len(), len(told), other.Len())
			}
			return
		}
		if one.Len() > limit || other.Len() > limit {
			t.Fatalf("%d and %d messages are held, the limit is %d", one.Len(), other.Len(), limit)
		}
		held := make(map[int64]int)
		for _, l := range one.Links() {
			for i, m := range l.Messages {
				held[m.At.X>>30]++
				if i > 0 && m.At.X < l.Messages[i-1].At.X {
					t.Fatal("messages are not by A's time")
				}
			}
		}
		all := NewMessages(1 << 20)
		add(all, told)
		whole := make(map[int64]int)
		for _, l := range all.Links() {
			for _, m := range l.Messages {
				whole[m.At.X>>30]++
			}
		}
		for block, n := range held {
			if n != whole[block] {
				t.Fatalf("%d of the %d messages of a block are held", n, whole[block])
			}
		}
	})
}
