package match_test

import (
	"slices"
	"testing"

	"synchroscope/sync/match"
	"synchroscope/trace"
	"synchroscope/trace/tracetest"
)

// Events and fields that no class has are told, line by line, with the names that may be meant.
func TestUnmet(t *testing.T) {
	var classes []*trace.Class
	var source tracetest.Source
	for _, ev := range source.Parse(t, `
1 cpu=0 app:send conn=1 seq=1 | vpid=1
2 cpu=0 app:recv conn=1 seq=1 | vpid=1
`) {
		classes = append(classes, ev.Class)
	}
	for text, want := range map[string][]string{
		"": nil,
		"message m\nsend app:send key=conn,seq end=vpid\nreceive app:recv key=conn,seq": nil,
		"message m\nsend app:send key=conn\nreceive app:recv key=conn\nmessage n\nsend app:* key=seq\nreceive app:rec? key=seq": {
			"line 5: send app:*: nothing comes of it, for line 2, send app:send of message m, is before it and takes all events that fit",
			"line 6: receive app:rec?: nothing comes of it, for line 3, receive app:recv of message m, is before it and takes all events that fit",
		},
		"message m\nsend app:sent key=conn\nreceive app:recv key=connn bytes=len": {
			"send app:sent: no trace has an event with that name; is app:send meant?",
			"receive app:recv: no such event has a field connn; is conn meant?",
			"receive app:recv: no such event has a field len",
		},
	} {
		d, err := match.ParseDeclarations("endpoints", text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Unmet(classes); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
