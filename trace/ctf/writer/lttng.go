package writer

import (
	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// The types of LTTng's packets and event headers, for traces that are to look like its own. All
// integers lie at whole bytes, but for those of the compact header.

// Uint returns an unsigned integer of that many bits, aligned to bytes.
func Uint(size uint32, bigEndian bool) *trace.Type {
	return &trace.Type{Kind: trace.Integer, Size: size, Align: 8, BigEndian: bigEndian}
}

// Int returns a signed integer of that many bits, aligned to bytes.
func Int(size uint32, bigEndian bool) *trace.Type {
	t := Uint(size, bigEndian)
	t.Signed = true
	return t
}

// Chars returns an array of n characters, the form of a task's name.
func Chars(n uint64) *trace.Type {
	return trace.NewArray(&trace.Type{Kind: trace.Integer, Size: 8, Align: 8, Text: true, Signed: true}, n, nil)
}

// Text returns a string that ends with a zero byte.
func Text() *trace.Type { return &trace.Type{Kind: trace.String, Align: 8} }

// stamp returns an integer that is a value of the clock.
func stamp(size, align uint32, bigEndian bool, clock string) *trace.Type {
	return &trace.Type{Kind: trace.Integer, Size: size, Align: align, BigEndian: bigEndian, Clock: clock}
}

// PacketHeader is LTTng's: magic number, uuid of the trace, kind of stream, and which one of that kind.
func PacketHeader(bigEndian bool) *trace.Type {
	return trace.NewStruct(8, []trace.Member{
		{Name: "magic", Type: Uint(32, bigEndian), Role: trace.Magic},
		{Name: "uuid", Type: trace.NewArray(Uint(8, bigEndian), 16, nil), Role: trace.TraceID},
		{Name: "stream_id", Type: Uint(32, bigEndian), Role: trace.StreamClass},
		{Name: "stream_instance_id", Type: Uint(64, bigEndian), Role: trace.StreamInstance},
	})
}

// PacketContext is LTTng's: times, sizes, counters and the CPU.
func PacketContext(bigEndian bool, clock string) *trace.Type {
	return trace.NewStruct(8, []trace.Member{
		{Name: "timestamp_begin", Type: stamp(64, 8, bigEndian, clock), Role: trace.PacketBegin},
		{Name: "timestamp_end", Type: stamp(64, 8, bigEndian, clock), Role: trace.PacketEnd},
		{Name: "content_size", Type: Uint(64, bigEndian), Role: trace.ContentSize},
		{Name: "packet_size", Type: Uint(64, bigEndian), Role: trace.PacketSize},
		{Name: "packet_seq_num", Type: Uint(64, bigEndian), Role: trace.Sequence},
		{Name: "events_discarded", Type: Uint(64, bigEndian), Role: trace.Discarded},
		{Name: "cpu_id", Type: Uint(32, bigEndian), Role: trace.CPU},
	})
}

// CompactHeader has 5 bits of id and 27 bits of time where that suffices.
func CompactHeader(bigEndian bool, clock string) *trace.Type {
	return header(&trace.Type{Kind: trace.Integer, Size: 5, Align: 1}, stamp(27, 1, bigEndian, clock), bigEndian, clock)
}

// LargeHeader has 16 bits of id and 32 bits of time where that suffices.
func LargeHeader(bigEndian bool, clock string) *trace.Type {
	return header(Uint(16, bigEndian), stamp(32, 8, bigEndian, clock), bigEndian, clock)
}

// header is an id and its largest value, which says that the real id and all 64 bits of the time follow.
func header(id, short *trace.Type, bigEndian bool, clock string) *trace.Type {
	id.BigEndian = bigEndian
	most := int64(1)<<id.Size - 1
	id.Labels = []trace.Mapping{{Label: "compact", High: most - 1}, {Label: "extended", Low: most, High: most}}
	return trace.NewStruct(8, []trace.Member{
		{Name: "id", Type: id, Role: trace.EventClass},
		{Name: "v", Type: &trace.Type{Kind: trace.Variant, Align: 1, Ref: &trace.Ref{Path: []string{"id"}}, Members: []trace.Member{
			{Name: "compact", Type: trace.NewStruct(1, []trace.Member{{Name: "timestamp", Type: short, Role: trace.Timestamp}})},
			{Name: "extended", Type: trace.NewStruct(8, []trace.Member{
				{Name: "id", Type: Uint(32, bigEndian), Role: trace.EventClass},
				{Name: "timestamp", Type: stamp(64, 8, bigEndian, clock), Role: trace.Timestamp},
			})},
		}}},
	})
}

// LTTng returns a trace as LTTng's kernel tracer describes it, with one kind of stream and no
// events yet: a clock of 1 GHz whose zero is origin ns after the epoch.
func LTTng(hostname, traceUUID, clockUUID string, origin int64) *schema.Trace {
	const clock = "monotonic"
	return &schema.Trace{
		UUID: traceUUID,
		Env: []schema.Var{
			{Name: "hostname", Text: hostname},
			{Name: "domain", Text: "kernel"},
			{Name: "sysname", Text: "Linux"},
			{Name: "tracer_name", Text: "lttng-modules"},
			{Name: "tracer_major", Number: 2, IsNumber: true},
			{Name: "tracer_minor", Number: 13, IsNumber: true},
			{Name: "tracer_patchlevel", Number: 0, IsNumber: true},
		},
		Clocks: []schema.Clock{{
			Name: clock, UUID: clockUUID, Description: "Monotonic Clock", Frequency: 1e9, Offset: origin, Absolute: true,
		}},
		PacketHeader: PacketHeader(false),
		Streams:      []*schema.Stream{{PacketContext: PacketContext(false, clock), EventHeader: LargeHeader(false, clock)}},
	}
}
