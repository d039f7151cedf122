package messages

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/match"
)

func message() *rapid.Generator[match.Message] {
	return rapid.Custom(func(t *rapid.T) match.Message {
		from := rapid.Int32Range(0, 2).Draw(t, "from")
		sent := rapid.Int64Range(0, 5000).Draw(t, "sent")
		return match.Message{
			From: from, To: (from + rapid.Int32Range(1, 2).Draw(t, "to")) % 3,
			Sent: sent, Received: sent + rapid.Int64Range(-50, 200).Draw(t, "way"),
			FromThread: rapid.Int32Range(-1, 3).Draw(t, "thread"), ToThread: -1, Bytes: 60, Protocol: 6,
			FromPort: uint16(rapid.IntRange(0, 2).Draw(t, "port")), ToPort: 80,
			Content: match.Content(rapid.IntRange(0, 2).Draw(t, "content")), Opens: rapid.Bool().Draw(t, "opens"),
		}
	})
}

// The store answers as a list does: with messages added and taken back, with several blocks,
// while it is written and after it was opened again, through clock maps and without.
func TestAgainstAList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "messages")
	rapid.Check(t, func(t *rapid.T) {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s, err := Create(f)
		if err != nil {
			t.Fatal(err)
		}
		var list []match.Message
		for i := range rapid.SampledFrom([]int{5, 300, 2000}).Draw(t, "messages") {
			m := message().Draw(t, "m")
			m.Sent += int64(i)
			m.Received += int64(i)
			if err := s.Add(m); err != nil {
				t.Fatal(err)
			}
			list = append(list, m)
			if i%17 == 3 {
				j := rapid.IntRange(0, len(list)-1).Draw(t, "taken back")
				m := list[j]
				m.Retracted = true
				if err := s.Add(m); err != nil {
					t.Fatal(err)
				}
				list = slices.Delete(list, j, j+1)
			}
		}
		offset := [3]int64{0, 1_000_000, -700}
		q := Query{Time: func(host int32, local int64) int64 { return local + offset[host] }}
		if rapid.Bool().Draw(t, "raw") {
			q.Time = nil
		}
		q.Begin = rapid.Int64Range(-1000, 8000).Draw(t, "begin")
		q.End = q.Begin + rapid.SampledFrom([]int64{0, 1, 500, 1 << 40}).Draw(t, "length")
		q.Ends = rapid.Bool().Draw(t, "ends")
		if rapid.Bool().Draw(t, "one way") {
			q.Wanted = func(from, to int32) bool { return from == 0 && to == 1 }
		}
		var want merge
		for _, m := range list {
			sent, received := q.time(m.From, m.Sent), q.time(m.To, m.Received)
			inside := func(at int64) bool { return at >= q.Begin && at < q.End }
			passes := min(sent, received) < q.Begin && max(sent, received) >= q.End
			if (q.Wanted == nil || q.Wanted(m.From, m.To)) && (inside(sent) || inside(received) || passes && !q.Ends) {
				want = append(want, timed{sent, m})
			}
		}
		slices.SortFunc(want, func(a, b timed) int {
			if (merge{a, b}).Less(0, 1) {
				return -1
			}
			return 1
		})
		check := func(s *Store, when string) {
			var got []match.Message
			if err := s.Select(context.Background(), q, func(m match.Message) bool { got = append(got, m); return true }); err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got, want, func(m match.Message, w timed) bool { return m == w.Message }) {
				t.Fatalf("%s: %d messages in [%d, %d), want %d", when, len(got), q.Begin, q.End, len(want))
			}
			var each merge
			err := s.Each(context.Background(), q, func(m *match.Message, sent, received int64) bool {
				if received != q.time(m.To, m.Received) {
					t.Fatalf("%s: %+v is received at %d", when, m, received)
				}
				each = append(each, timed{sent, *m})
				return true
			})
			if sort.Sort(each); err != nil || !slices.Equal(each, want) {
				t.Fatalf("%s: %d messages in no order, want %d: %v", when, len(each), len(want), err)
			}
			first, last, some := s.Sent(q)
			if some && (first < q.Begin || last >= q.End || first > last) {
				t.Fatalf("%s: messages are sent from %d to %d of [%d, %d)", when, first, last, q.Begin, q.End)
			}
			for _, w := range want {
				if q.holds(w.sent) && (!some || w.sent < first || w.sent > last) {
					t.Fatalf("%s: %+v is sent at %d, not from %d to %d", when, w.Message, w.sent, first, last)
				}
			}
			left := make(map[match.Message]int)
			for _, w := range want {
				left[w.Message]++
			}
			for from := 0; from >= 0; {
				n := 0
				next, err := s.Scan(context.Background(), q, from, 300, func(m match.Message, sent, received int64) {
					if n++; sent != q.time(m.From, m.Sent) || received != q.time(m.To, m.Received) {
						t.Fatalf("%s: %+v is scanned as sent %d, received %d", when, m, sent, received)
					}
					if left[m]--; left[m] == 0 {
						delete(left, m)
					}
				})
				if err != nil || next >= 0 && next <= from {
					t.Fatalf("%s: a scan from block %d goes on at %d: %v", when, from, next, err)
				}
				if next >= 0 && n >= 300+blockRecords {
					t.Fatalf("%s: a scan of 300 messages gave %d", when, n)
				}
				from = next
			}
			if len(left) > 0 {
				t.Fatalf("%s: scanned wrongly: %v", when, left)
			}
		}
		check(s, "while written")
		if err := s.Finish(); err != nil {
			t.Fatal(err)
		}
		check(s, "finished")
		size, _ := f.Stat()
		if s, err = Open(f, size.Size()); err != nil {
			t.Fatal(err)
		}
		check(s, "opened")
	})
}

// A store that is asked for the first few answers does not read on.
func TestStopsWhenTold(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "messages"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := Create(f)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(1000) {
		if err := s.Add(match.Message{To: 1, Sent: i, Received: i}); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	err = s.Select(context.Background(), Query{Begin: 0, End: 1000}, func(match.Message) bool { n++; return n < 10 })
	if err != nil || n != 10 {
		t.Errorf("%d answers, %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	each := 0
	if err := s.Each(t.Context(), Query{Begin: 0, End: 1000}, func(*match.Message, int64, int64) bool { each++; return each < 10 }); err != nil || each != 10 {
		t.Errorf("%d messages in no order, want 10: %v", each, err)
	}
	if err := s.Each(ctx, Query{Begin: 0, End: 1000}, func(*match.Message, int64, int64) bool { return true }); err != context.Canceled {
		t.Errorf("reading in no order after its end: %v", err)
	}
	if err := s.Select(ctx, Query{Begin: 0, End: 1000}, func(match.Message) bool { return true }); err != context.Canceled {
		t.Errorf("a cancelled query: %v", err)
	}
}

// Files from before ports were kept, and from before pieces were added up, are read as they were meant: with ports unknown, and with the bytes of the
// packets.
func TestOlderRecords(t *testing.T) {
	b := block{from: 1, to: 2, sent: span{10, 20}, received: span{11, 21}, messages: []match.Message{
		{From: 1, To: 2, Sent: 10, Received: 11, FromThread: 7, ToThread: -1, Bytes: 60, Data: 500, Protocol: 6, FromPort: 4000, ToPort: 80, Content: match.Something},
		{From: 1, To: 2, Sent: 20, Received: 21, FromThread: -1, ToThread: 9, Bytes: 1500, Data: 1500, Protocol: 17, FromPort: 1, ToPort: 2},
	}}
	payload := b.append(nil)
	for _, size := range []int{portless, dataless} {
		old := slices.Clone(payload[:headSize+size])
		old = append(old, payload[headSize+recordSize:][:size]...)
		want := slices.Clone(b.messages)
		for i := range want {
			want[i].Data = want[i].Bytes
			if size == portless {
				want[i].FromPort, want[i].ToPort = 0, 0
				copy(old[headSize+i*size+30:], []byte{0, 0})
			}
		}
		if got, err := appendMessages(nil, old, 2); err != nil || !slices.Equal(got, want) {
			t.Errorf("read %+v (%v), want %+v", got, err, want)
		}
	}
	if got, err := appendMessages(nil, payload, 2); err != nil || !slices.Equal(got, b.messages) {
		t.Errorf("read %+v (%v), want %+v", got, err, b.messages)
	}
	if _, err := appendMessages(nil, payload[:len(payload)-1], 2); err == nil {
		t.Error("records of no size are read")
	}
}
