package ingest

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"synchroscope/ingest/turn"
)

// A set that somebody waits to see has room for the page, one slot for all sets, until the page has had its time or the import ends.
func TestLeaveRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &Engine{o: Options{Workers: 2}, slots: turn.New(2)}
		looked := func() *Set { return &Set{e: e, ctx: t.Context(), looked: time.Now()} }
		free := func() (n int) {
			t.Helper()
			synctest.Wait()
			for range 3 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
				defer cancel()
				if j := e.slots.Job(t); j.Acquire(ctx) == nil {
					defer j.Release()
					n++
				}
			}
			return n
		}
		want := func(what string, n int) {
			t.Helper()
			if got := free(); got != n {
				t.Errorf("%s: %d slots are free, want %d", what, got, n)
			}
		}

		want("before", 2)
		first := looked()
		stop := first.leaveRoom()
		second := looked().leaveRoom()
		want("two pages open", 1)
		second()
		want("one of them is over", 1)
		time.Sleep(openingTime - time.Millisecond)
		want("a moment before it has had its time", 1)
		time.Sleep(time.Millisecond)
		want("it has had its time", 2)
		stop()

		defer first.leaveRoom()()
		want("one that was looked at long ago", 2)
		defer (&Set{e: e, ctx: t.Context()}).leaveRoom()()
		want("one that nobody looks at", 2)

		stop = looked().leaveRoom()
		want("another page", 1)
		stop()
		want("its import is over", 2)

		held := []*turn.Job{e.slots.Job("a"), e.slots.Job("b")}
		for _, j := range held {
			if err := j.Acquire(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		stop = looked().leaveRoom()
		synctest.Wait()
		time.Sleep(turn.Slice)
		given := make(chan error, 1)
		go func() { given <- held[0].Offer(t.Context()) }()
		synctest.Wait()
		select {
		case <-given:
			t.Error("a job that offers its slot has it back while the page has none")
		default:
		}
		held[1].Release()
		if err := <-given; err != nil {
			t.Error(err)
		}
		stop()

		e.o.Workers = 1
		e.slots = turn.New(1)
		defer looked().leaveRoom()()
		want("of a single slot", 1)
	})
}

// An import that somebody looks at leaves room for as long as it reads, another does not.
func TestLookLeavesRoom(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{Workers: 2})
	for _, c := range []struct {
		name string
		ask  func(*Set, context.Context) error
		want bool
	}{{"Look", (*Set).Look, true}, {"Prepare", (*Set).Prepare, false}} {
		s := uploaded(t, e)
		imported := make(chan error, 1)
		go func() {
			if err := c.ask(s, t.Context()); err != nil {
				imported <- err
				return
			}
			imported <- s.Wait(t.Context())
		}()
		seen, over := false, false
		for !over {
			select {
			case err := <-imported:
				if err != nil {
					t.Fatal(err)
				}
				over = true
			case <-time.After(100 * time.Microsecond):
				seen = seen || e.room.Load()
			}
		}
		if seen != c.want {
			t.Errorf("%s: room is left: %v, want %v", c.name, seen, c.want)
		}
		if e.room.Load() {
			t.Errorf("%s: room is kept after the import", c.name)
		}
	}
}
