package writer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// JSON returns the metadata of a trace as CTF 2 has it (CTF2-SPEC-2.0): a
// sequence of JSON texts (RFC 7464), one for each fragment. Names lose the underscore that
// CTF 1.8 puts before them. It fails where the format has no way to say something.
func JSON(t *schema.Trace) ([]byte, error) {
	j := &jsonPrinter{verbatim: t.Verbatim}
	preamble := object{"type": "preamble", "version": 2}
	if id, ok := parseUUID(t.UUID); ok {
		preamble["uuid"] = id
	}
	j.fragment(preamble)
	class := object{"type": "trace-class"}
	if len(t.Env) > 0 {
		env := object{}
		for _, v := range t.Env {
			if v.IsNumber {
				env[v.Name] = v.Number
			} else {
				env[v.Name] = v.Text
			}
		}
		class["environment"] = env
	}
	var header roots
	if t.PacketHeader != nil {
		class["packet-header-field-class"] = j.scope(&header, trace.PacketHeader, t.PacketHeader)
	}
	j.fragment(class)
	for _, c := range t.Clocks {
		j.fragment(clockClass(c))
	}
	for _, s := range t.Streams {
		j.stream(t, s, header)
	}
	if j.err != nil {
		return nil, j.err
	}
	return j.out.Bytes(), nil
}

type object map[string]any

type jsonPrinter struct {
	out   bytes.Buffer
	roots *roots
	err   error

	verbatim bool // names are what they are in the model
}

func (j *jsonPrinter) name(s string) string {
	if j.verbatim {
		return s
	}
	return plainName(s)
}

func (j *jsonPrinter) fail(format string, args ...any) {
	if j.err == nil {
		j.err = fmt.Errorf("CTF 2: "+format, args...)
	}
}

func (j *jsonPrinter) fragment(o object) {
	b, err := json.MarshalIndent(o, "", " ")
	if err != nil {
		j.fail("%v", err)
	}
	j.out.WriteByte(0x1e)
	j.out.Write(b)
	j.out.WriteByte('\n')
}

func clockClass(c schema.Clock) object {
	o := object{"type": "clock-class", "id": c.Name, "frequency": c.Frequency}
	name, uid := c.Label, c.UID
	if c.UUID != "" && uid == "" {
		name, uid = cmp.Or(name, c.Name), c.UUID
	}
	for key, text := range map[string]string{"namespace": c.Namespace, "name": name, "uid": uid, "description": c.Description} {
		if text != "" {
			o[key] = text
		}
	}
	for key, cycles := range map[string]uint64{"precision": c.Precision, "accuracy": c.Accuracy} {
		if cycles != 0 {
			o[key] = cycles
		}
	}
	if c.Absolute {
		o["origin"] = "unix-epoch"
	}
	// Cycles are less than a second's, and not negative.
	f := int64(min(c.Frequency, 1<<63-1))
	seconds, cycles := c.Offset/f, c.Offset%f
	if cycles < 0 {
		seconds, cycles = seconds-1, cycles+f
	}
	o["offset-from-origin"] = object{"seconds": c.Seconds + seconds, "cycles": cycles}
	return o
}

func (j *jsonPrinter) stream(t *schema.Trace, s *schema.Stream, known roots) {
	o := object{"type": "data-stream-class", "id": s.ID}
	if c := defaultClock(t, s); c != "" {
		o["default-clock-class-id"] = c
	}
	scope := func(key string, r *roots, sc trace.Scope, t *trace.Type, o object) {
		if t != nil {
			o[key] = j.scope(r, sc, t)
		}
	}
	scope("packet-context-field-class", &known, trace.PacketContext, s.PacketContext, o)
	scope("event-record-header-field-class", &known, trace.EventHeader, s.EventHeader, o)
	scope("event-record-common-context-field-class", &known, trace.StreamContext, s.EventContext, o)
	j.fragment(o)
	for _, e := range s.Events {
		own := known
		o := object{"type": "event-record-class", "id": e.ID, "data-stream-class-id": s.ID, "name": e.Name}
		scope("specific-context-field-class", &own, trace.EventContext, e.Context, o)
		scope("payload-field-class", &own, trace.Payload, e.Payload, o)
		j.fragment(o)
	}
}

// defaultClock is the clock of the times in a stream.
func defaultClock(t *schema.Trace, s *schema.Stream) string {
	if s.HasClock {
		return s.Clock
	}
	for _, scope := range [...]*trace.Type{s.EventHeader, s.PacketContext} {
		if scope != nil {
			if c := clockIn(scope); c != "" {
				return c
			}
		}
	}
	if len(t.Clocks) == 1 {
		return t.Clocks[0].Name
	}
	return ""
}

func clockIn(t *trace.Type) string {
	if t.Clock != "" {
		return t.Clock
	}
	for _, m := range t.Members {
		if c := clockIn(m.Type); c != "" {
			return c
		}
	}
	if t.Elem != nil {
		return clockIn(t.Elem)
	}
	return ""
}
