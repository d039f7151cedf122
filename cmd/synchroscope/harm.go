package main

import (
	"fmt"
	"io"

	"synchroscope/trace"
)

// harmful are the kinds of anomalies with which a part of a stream is left out, as its bytes are not what the metadata says.
var harmful = map[string]bool{
	"large-event": true, "unknown-event": true, "bad-event": true, "empty-event": true,
	"bad-packet": true, "bad-magic": true, "wrong-trace": true, "unknown-stream": true, "truncated": true,
}

// harm says in a sentence that a part of what a host recorded could not be read, "" if all could.
func harm(anomalies []trace.Anomaly) string {
	var n int64
	var first *trace.Anomaly
	for i := range anomalies {
		if a := &anomalies[i]; harmful[a.Kind] {
			if first == nil {
				first = a
			}
			n += a.Count
		}
	}
	if first == nil {
		return ""
	}
	return fmt.Sprintf("not all that it recorded could be read, %s, the first in %s at byte %d: %s; synchroscope check lists them",
		plural(n, "place is left out", "places are left out"), first.Stream, first.Offset, first.Message)
}

// tellHarmed says of which hosts a part could not be read.
func tellHarmed(stderr io.Writer, o *opened) {
	for _, sentence := range o.harmed {
		fmt.Fprintf(stderr, "synchroscope: %s\n", printable(sentence))
	}
}
