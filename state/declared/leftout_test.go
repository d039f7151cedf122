package declared_test

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/declared"
	"synchroscope/state/kernel/kerneltest"
)

// What there is no row for is told, however often the import is stopped and resumed, and once for each event.
func TestLeftOut(t *testing.T) {
	declared.LimitRows(t, 4)
	d, err := declared.Parse("d", "spans s\nbegin on id=n\nend off id=n\ncalls r\nbegin in row=v\nend out row=v\n")
	if err != nil {
		t.Fatal(err)
	}
	const full = "1 cpu=0 on n=1 | vtid=1\n2 cpu=0 on n=2 | vtid=1\n3 cpu=0 off n=2 | vtid=1\n4 cpu=0 on n=3 | vtid=1\n"
	for _, c := range []struct {
		name, more string
		events     int64
	}{
		{"all have rows", "5 cpu=0 off n=3 | vtid=1\n", 0},
		{"a thread", "5 cpu=0 off n=3 | vtid=2\n6 cpu=0 off n=4 | vtid=1\n7 cpu=0 off n=5 | vtid=2\n", 2},
		{"a span", "5 cpu=0 on n=4 | vtid=1\n", 1},
		{"a value, of no kind yet, of a thread without a row", "5 cpu=0 in v=7 | vtid=2\n", 1},
		{"an event in a loss", "5 cpu=0 in v=7 | vtid=2\nlost cpu=0 6 8\n7 cpu=0 in v=7 | vtid=2\n", 2},
	} {
		steps, end := kerneltest.Parse(t, full+c.more)
		h := newHost(t, d)
		for _, s := range steps {
			h.take(t, s)
			h.restart(t)
		}
		got, ok := h.model.LeftOut()
		if ok != (c.events > 0) || got.Count != c.events {
			t.Errorf("%s: %v, %d events are left out, want %d", c.name, ok, got.Count, c.events)
		}
		if ok && (got.Kind != "too-many-rows" || !strings.Contains(got.Message, "rows of, 4,") || !strings.HasSuffix(got.Message, " 5000000000 ns")) {
			t.Errorf("%s: %+v", c.name, got)
		}
		h.finish(t, end)
	}
}

// So is a span that begins while as many of its kind have not ended as are shown.
func TestLeftOutSpans(t *testing.T) {
	d, err := declared.Parse("d", "spans s\nbegin on id=n\nend off id=n\n")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range 4098 {
		fmt.Fprintf(&text, "%d cpu=0 on n=%d\n", i+1, i)
	}
	h := run(t, d, text.String())
	if got, ok := h.model.LeftOut(); !ok || got.Count != 2 || !strings.HasSuffix(got.Message, " 4097000000000 ns") {
		t.Errorf("%v, %+v", ok, got)
	}
}

// format3 is the state of a thread with an event as format 3 has it, which did not say what was left out.
const format3 = "\x03\x01\x01\x0e\x0e\x80\xa8ֹ\a\x02\x01\x00\x01\x00\x00\x80\xa8ֹ\a\x80\xa8ֹ\a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x01\xfd\u05ec\x8e\x92\x83Ʉ\x1a\x01\x0e\x0e\x00\x00\x00\x00\x00\x00\x01\x00"

// An import goes on that a version left which did not say what was left out.
func TestRestoreFormat3(t *testing.T) {
	h := run(t, nil, "1 cpu=0 on n=1 | vtid=7 vpid=7\n")
	want := h.model.AppendState(nil)
	checkpoint, err := h.Writer.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	h.goOn(t, checkpoint, []byte(format3))
	if got := h.model.AppendState(nil); string(got) != string(want) {
		t.Errorf("%q, want %q", got, want)
	}
}
