package ctf2

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"synchroscope/trace"
)

const (
	preamble = "\x1e{\"type\": \"preamble\", \"version\": 2}\n"
	minimal  = preamble + "\x1e{\"type\": \"data-stream-class\"}\n"
)

// Marks may follow each other, and a text need not end with a line feed (RFC 7464, section 2).
func TestMarks(t *testing.T) {
	text := "\x1e\x1e \n" + strings.TrimSpace(preamble) + "\x1e\t\n" + strings.TrimSpace(minimal[len(preamble):])
	if _, err := Parse(text); err != nil {
		t.Error(err)
	}
	_, err := Parse(text + "\n\n\x1e\x1e\n{]")
	if want := "6:2: fragment 3: expected the name of a property in quotes, found ']'"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A text that asks for much is refused without giving it much.
func TestHostileJSON(t *testing.T) {
	class := func(fc string) string {
		return minimal + "\x1e{\"type\": \"event-record-class\", \"payload-field-class\": " + fc + "}"
	}
	doubling := minimal + "\x1e{\"type\": \"field-class-alias\", \"name\": \"a0\", \"field-class\": {\"type\": \"structure\"}}"
	for i := range 60 {
		doubling += fmt.Sprintf("\x1e{\"type\": \"field-class-alias\", \"name\": \"a%d\", \"field-class\": {\"type\": \"structure\", \"member-classes\": [{\"name\": \"x\", \"field-class\": \"a%d\"}, {\"name\": \"y\", \"field-class\": \"a%d\"}]}}", i+1, i, i)
	}
	for name, test := range map[string]struct{ text, want string }{
		"nested arrays":  {preamble + "\x1e" + strings.Repeat("[", 1<<20), "nested deeper than 256"},
		"nested objects": {preamble + "\x1e" + strings.Repeat("{\"a\":", 1<<20), "nested deeper than 256"},
		"many values":    {preamble + "\x1e[" + strings.Repeat("0,", 1<<20), "a fragment has more than 131072 values"},
		"large number":   {minimal + "\x1e{\"type\": \"data-stream-class\", \"id\": " + strings.Repeat("9", 1<<20) + "}", "expected an integer"},
		"nested classes": {class(strings.Repeat(`{"type": "static-length-array", "length": 1, "element-field-class": `, 1000)), "nested deeper than 256"},
		"doubling":       {doubling + "\x1e{\"type\": \"event-record-class\", \"payload-field-class\": \"a60\"}", ""},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := Parse(test.text)
		runtime.ReadMemStats(&after)
		if test.want == "" && err == nil {
			_, err = new(trace.Layout).Class("e", 0, nil, nil, m.Streams[0].Events[0].Payload)
			test.want = "too large"
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || len(err.Error()) > 500 {
			t.Errorf("%s: error %.500v, want one that says %q", name, err, test.want)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 128<<20 {
			t.Errorf("%s: %d bytes were allocated for %d of text", name, n, len(test.text))
		}
	}
}
