package main

import (
	"bytes"
	"strconv"

	"synchroscope/trace"
)

// appendText writes time, host, CPU, name, the payload, and the contexts behind a bar.
func (s *source) appendText(b []byte) []byte {
	b = trace.AppendTime(b, s.recorded)
	b = append(b, s.hostText...)
	if s.event.CPU >= 0 {
		b = append(b, " cpu="...)
		b = strconv.AppendInt(b, int64(s.event.CPU), 10)
	}
	b = append(b, ' ')
	b = trace.AppendName(b, s.event.Class.Name)
	b = append(b, ' ')
	b = s.event.AppendText(b)
	const bar = " | "
	n := len(b)
	b = s.event.AppendContext(append(b, bar...))
	if len(b) == n+len(bar) {
		b = bytes.TrimRight(b[:n], " ")
	}
	return b
}

// appendJSON writes one object, in the form of docs/guide/events.md.
func (s *source) appendJSON(b []byte) []byte {
	b = append(b, `{"time":"`...)
	b = strconv.AppendInt(b, s.recorded, 10)
	b = append(b, `","host":`...)
	b = append(b, s.hostJSON...)
	b = append(b, `,"cpu":`...)
	b = strconv.AppendInt(b, int64(s.event.CPU), 10)
	b = append(b, `,"name":`...)
	b = trace.AppendJSONString(b, s.event.Class.Name)
	b = append(b, `,"fields":`...)
	b = s.event.AppendJSON(b)
	b = append(b, `,"context":`...)
	b = s.event.AppendContextJSON(b)
	return append(b, '}')
}
