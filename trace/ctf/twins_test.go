package ctf

import (
	"errors"
	"io"
	"testing"

	"synchroscope/trace"
)

// A trace in CTF 2 that was converted from one in CTF 1.8 gives the same events, of the same kinds,
// with the same times, CPUs and values of the same text form.
func TestTwins(t *testing.T) {
	for new, old := range map[string]string{
		"CTF2-7.0-lttng-crash":      "lttng-crash",
		"CTF2-7.0-trace-with-index": "trace-with-index",
	} {
		t.Run(old, func(t *testing.T) {
			t.Parallel()
			theirs, ours := openAll(t, unpack(t, old+".tar.gz")), openAll(t, unpack(t, new+".tar.gz"))
			if got := ours[0].Info().Format; got != FormatCTF2 {
				t.Fatalf("the format is %s", got)
			}
			a, b := newReader(t, theirs), newReader(t, ours)
			for n := 0; ; n++ {
				x, errX := a.Next()
				y, errY := b.Next()
				if errX != errY {
					t.Fatalf("event %d: %v in CTF 1.8, %v in CTF 2", n, errX, errY)
				}
				if errors.Is(errX, io.EOF) {
					return
				}
				if errX != nil {
					t.Fatal(errX)
				}
				if want, got := string(appendEvent(nil, x)), string(appendEvent(nil, y)); got != want {
					t.Fatalf("event %d\n%s, in CTF 1.8\n%s", n, got, want)
				}
			}
		})
	}
}

// What the converted traces say of their host and their clock is the same too.
func TestTwinsInfo(t *testing.T) {
	old := openAll(t, unpack(t, "trace-with-index.tar.gz"))[0].Info()
	new := openAll(t, unpack(t, "CTF2-7.0-trace-with-index.tar.gz"))[0].Info()
	if old.Hostname != new.Hostname || old.ClockID != new.ClockID || old.Kind != new.Kind || old.Streams != new.Streams {
		t.Errorf("CTF 1.8 says %+v, CTF 2 %+v", old, new)
	}
}

// Reading fields of the forms that only CTF 2 has allocates nothing either.
func TestNoAllocationsCTF2(t *testing.T) {
	r := newReader(t, openAll(t, unpack(t, "CTF2-vl-ints.tar.gz")))
	e, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	fields := []*trace.Field{e.Class.Field("vu10"), e.Class.Field("vi10c")}
	text := make([]byte, 0, 1<<12)
	sum := int64(0)
	if n := testing.AllocsPerRun(100, func() {
		for _, f := range fields {
			sum += e.Int(f)
		}
		text = e.AppendText(text[:0])
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if sum == 0 {
		t.Error("no field has a value")
	}
}
