package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/sync/match"
)

// ready is a set that has been imported, of which it is counted how often its messages are read.
func ready(read *int) *fakeSet {
	set := newFake("a", "b")
	set.solve(1, 0, 0)
	set.status.State = ingest.Ready
	set.messages = func(_ context.Context, yield func(match.Message) bool) error {
		*read++
		yield(match.Message{From: 0, To: 1, Sent: int64(10 + *read), Received: 30})
		return nil
	}
	return set
}

// Who asks for what was asked before gets the same, under its own number, and nothing is read for
// it; other clocks, another range and an import are read anew.
func TestAnswersAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read := 0
		set := ready(&read)
		c := connect(t, set, Options{}, nil)
		c.all()
		ask := func(view, gen, wantRead int) received {
			t.Helper()
			c.send(fmt.Sprintf(messages, view, gen))
			r := c.one(uint16(view), wire.KindMessages)
			if r.gen != uint32(gen) || read != wantRead {
				t.Errorf("view %d got generation %d after %d readings, want %d and %d", view, r.gen, read, gen, wantRead)
			}
			c.ack(r)
			return r
		}
		first, again := ask(1, 1, 1), ask(2, 7, 1)
		if first.seq() == again.seq() || !bytes.Equal(first.body[4:], again.body[4:]) {
			t.Errorf("% x and % x", first.body, again.body)
		}
		set.change(func() { set.solution = set.solved(2, 0, 0) })
		ask(1, 2, 2)
		set.change(func() { set.status.State = ingest.Importing })
		ask(1, 3, 3)
		ask(1, 4, 4)
		set.change(func() { set.status.State, set.status.Preview = ingest.Ready, true })
		ask(1, 5, 5)
		ask(1, 6, 6)
		c.hub.Forget("s")
		if c.hub.shelf.frames.bytes != 0 || len(c.hub.shelf.frames.kept) != 0 {
			t.Errorf("of a deleted set %d bytes are kept", c.hub.shelf.frames.bytes)
		}
	})
}

// What is asked while it is computed is computed once, unless whoever began it gives up.
func TestAnswersAreMadeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(1000)
		about := topic{set: "s", request: "r"}
		always := func() bool { return true }
		made, goes := 0, make(chan error)
		produce := func() ([]byte, error) { made++; return []byte("answer"), <-goes }
		type got struct {
			frame string
			err   error
		}
		answers := make(chan got, 4)
		ask := func(ctx context.Context) {
			frame, err := s.get(ctx, about, produce, always)
			answers <- got{string(frame), err}
		}
		for range 3 {
			go ask(t.Context())
			synctest.Wait()
		}
		gone, leave := context.WithCancel(t.Context())
		go ask(gone)
		synctest.Wait()
		if made != 1 {
			t.Fatalf("computed %d times at once", made)
		}
		leave()
		if a := <-answers; !errors.Is(a.err, context.Canceled) {
			t.Errorf("who left got %v", a)
		}
		goes <- errors.New("replaced")
		if a := <-answers; a.err == nil {
			t.Errorf("who gave up got %v", a)
		}
		goes <- nil
		for range 2 {
			if a := <-answers; a != (got{"answer", nil}) {
				t.Errorf("got %v", a)
			}
		}
		go ask(t.Context())
		if a := <-answers; a != (got{"answer", nil}) || made != 2 || len(s.making) != 0 {
			t.Errorf("got %v, computed %d times, %d not done", a, made, len(s.making))
		}
	})
}

// A shelf stays within its bytes, and what was used last stays on it; what is not true any more when it is made,
// or fails, or panics, is not put on it.
func TestShelfIsBounded(t *testing.T) {
	s := newShelf(1000)
	f := s.frames
	put := func(name string, still bool, make func() ([]byte, error)) {
		defer func() { recover() }()
		s.get(t.Context(), topic{set: name}, make, func() bool { return still })
	}
	hundred := func() ([]byte, error) { return make([]byte, 100), nil }
	for i := range 100 {
		put("first", true, hundred)
		put(fmt.Sprint(i), true, hundred)
		if f.bytes > 1000 || f.bytes != 100*len(f.kept) || f.order.Len() != len(f.kept) {
			t.Fatalf("%d bytes, %d answers", f.bytes, len(f.kept))
		}
	}
	if f.kept[topic{set: "first"}] == nil || f.kept[topic{set: "5"}] != nil || f.kept[topic{set: "99"}] == nil {
		t.Error("what was not used for longest does not go first")
	}
	put("old", false, hundred)
	put("wrong", true, func() ([]byte, error) { return nil, errors.New("no") })
	put("panic", true, func() ([]byte, error) { panic("no") })
	for _, name := range []string{"old", "wrong", "panic"} {
		if f.kept[topic{set: name}] != nil || s.making[topic{set: name}] != nil {
			t.Errorf("%s is on the shelf", name)
		}
	}
}
