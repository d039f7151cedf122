package live

import (
	"context"
	"testing"

	"synchroscope/handlers/wire"
	"synchroscope/state/kernel"
	"synchroscope/sync/match"
)

// A zoomed-out view of a million messages between the threads of four hosts.
func BenchmarkMessages(b *testing.B) {
	const n = 1_000_000
	set := newFake("a", "b", "c", "d")
	for _, h := range set.hosts {
		for tid := range int32(500) {
			h.threads = append(h.threads, kernel.Thread{TID: tid + 1, PID: tid + 1})
		}
		h.version = 1
	}
	set.solve(1, 0, 1000, -1000, 5000)
	set.messages = func(ctx context.Context, yield func(match.Message) bool) error {
		for i := range int64(n) {
			from, to := int32(i%4), int32((i/4)%4)
			if !yield(match.Message{From: from, To: to, Sent: i * 1000, Received: i*1000 + 50_000, FromThread: int32(i%499) + 1, ToThread: int32(i%7) + 1, Data: 1500}) {
				break
			}
		}
		return nil
	}
	s := newSession(NewHub(Options{}), nil, set, new(table), nil)
	s.refreshRows(set.Status())
	r := wire.Request{Op: wire.OpMessages, Begin: 0, End: n * 1000, Columns: 6000, Limit: 5000}
	b.ReportAllocs()
	for b.Loop() {
		a, err := answerMessages(context.Background(), s, r)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := a(1); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/message")
}
