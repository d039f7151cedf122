// Package ctf2 reads the metadata of CTF 2 (CTF2-SPEC-2.0): a sequence of JSON texts, each behind the
// byte 0x1E (RFC 7464) and each a fragment that declares one thing.
//
// Fragments declare before they use, so one pass builds the types directly,
// as in package tsdl. What a field is for is said by its roles, never by its
// name, but for cpu_id, which no role exists for. Where a length or a selector stands
// is said by a location, which is resolved when an event is laid out, because an alias may be used in many.
//
// The JSON is read by a decoder of its own ([decode]): one that knows the line of each
// value, refuses what is said twice, and allocates no more than its bounds allow, whatever the text asks for.
//
// Properties that are not known are read over, attributes too: they are how the format grows.
// Extensions may change how bytes are read, and are refused by name.
//
// The dialects of the release candidates (SPECRC-5.0 to 7.0), which Trace Compass and early versions of
// LTTng wrote, are understood where they do not contradict the specification.
package ctf2

import (
	"strings"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// mark begins every fragment.
const mark = '\x1e'

// Parse reads plain metadata text. An error is an [*Error].
func Parse(text string) (t *schema.Trace, err error) {
	p := &parser{
		out:     &schema.Trace{Verbatim: true},
		aliases: make(map[string]class),
		streams: make(map[uint64]*stream),
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			if r.Fragment == 0 {
				r.Fragment, r.Type = p.number, p.kind
			}
			t, err = nil, r
		default:
			panic(r)
		}
	}()
	p.fragments(text)
	return p.out, nil
}

type parser struct {
	out     *schema.Trace
	number  int    // of the fragment, from 1
	kind    string // its type, as soon as it is known
	aliases map[string]class
	streams map[uint64]*stream
	begun   bool // there was a trace class
}

// A stream is a data stream class with the ids of its event record classes.
type stream struct {
	*schema.Stream
	ids map[uint64]bool
}

// A class is a field class: how the field is written, and what for.
type class struct {
	typ   *trace.Type
	roles trace.Role
}

// fragments reads all of the text.
func (p *parser) fragments(text string) {
	at := place{line: 1, column: 1}
	for text != "" {
		if text[0] != mark {
			panic(&Error{place: at, Message: "a fragment must begin with the byte 0x1E"})
		}
		at.column++
		text = text[1:]
		end := strings.IndexByte(text, mark)
		if end < 0 {
			end = len(text)
		}
		body := text[:end]
		text = text[end:]
		if strings.TrimLeft(body, space) != "" { // RFC 7464: marks may follow each other
			p.number++
			p.kind = ""
			d := decoder{rest: body, at: at}
			root := d.text()
			p.fragment(&value{node: root})
		}
		at = at.behind(body)
	}
	if p.number == 0 {
		panic(&Error{place: at, Message: "the metadata has no fragments; the first must be the preamble"})
	}
	if len(p.out.Streams) == 0 {
		p.number = 0 // it is about all of them
		panic(&Error{place: at, Message: "the metadata declares no data stream class"})
	}
}
