package ctf

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Decoding ahead changes nothing: the same events, losses, anomalies and bytes at the
// same moments, and the same positions in between.
func TestAheadIsTheSame(t *testing.T) {
	for _, name := range append(resumable, "scp.tar.gz", "ctf-sequence-empty.tar.gz") {
		t.Run(name, func(t *testing.T) {
			traces := openAll(t, unpack(t, name))
			read := func(ahead int) *Reader {
				r, err := NewReader(traces, Options{Window: 4096, Ahead: ahead, Places: true})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { r.Close() })
				return r
			}
			one, two := read(-1), read(1)
			for n := 0; ; n++ {
				e, err := one.Next()
				f, err2 := two.Next()
				if err != err2 {
					t.Fatalf("event %d: %v, ahead %v", n, err, err2)
				}
				if a, b := one.Bytes(), two.Bytes(); a != b {
					t.Fatalf("event %d: %d bytes, ahead %d", n, a, b)
				}
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if a, b := appendEvent(nil, e), appendEvent(nil, f); !bytes.Equal(a, b) {
					t.Fatalf("event %d is\n%sahead it is\n%s", n, a, b)
				}
				if n%50 > 0 {
					continue
				}
				if !bytes.Equal(one.Position(), two.Position()) {
					t.Fatalf("event %d: another position ahead", n)
				}
				if a, b := fmt.Sprint(one.Losses(), one.Placed()), fmt.Sprint(two.Losses(), two.Placed()); a != b {
					t.Fatalf("event %d: losses %s, ahead %s", n, a, b)
				}
			}
			if a, b := fmt.Sprint(one.Anomalies()), fmt.Sprint(two.Anomalies()); a != b {
				t.Errorf("anomalies\n%s\nahead\n%s", a, b)
			}
		})
	}
}

// Closing a reader ends its goroutines, wherever they are.
func TestCloseWhileAhead(t *testing.T) {
	traces := openAll(t, unpack(t, "multi-domains.tar.gz"))
	before := runtime.NumGoroutine()
	for steps := range 200 {
		r, err := NewReader(traces, Options{Window: 512, Ahead: 1})
		if err != nil {
			t.Fatal(err)
		}
		for range steps {
			if _, err := r.Next(); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Next(); err == nil {
			t.Fatal("a closed reader goes on")
		}
	}
	for tries := 0; runtime.NumGoroutine() > before; tries++ { // one may be about to return
		if tries == 10_000 {
			t.Fatalf("%d goroutines are left over", runtime.NumGoroutine()-before)
		}
		time.Sleep(time.Millisecond)
	}
}

// What the goroutine of a stream panics with, the reader does.
func TestAheadPanics(t *testing.T) {
	a := &ahead{fill: &batch{}, ready: make(chan *batch, maxBatches)} // without a stream
	a.running.Add(1)
	go a.run()
	defer a.running.Wait()
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, "nil pointer") || !strings.Contains(p, "ctf.(*ahead).run") {
			t.Errorf("the reader panicked with %s", p)
		}
	}()
	t.Errorf("the reader went on: %v", a.advance())
}
