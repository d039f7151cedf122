// Package endpoints keeps the endpoints of one host in a file: what the
// synchronization needs to be done again without reading the trace.
// docs/format/endpoints.md describes it.
package endpoints

import (
	"encoding/binary"
	"fmt"

	"synchroscope/ingest/blockfile"
	"synchroscope/sync/match"
)

// Flags of a record.
const (
	received    = 1 << 0
	sourceShift = 1
	destShift   = 3
	hasPayload  = 1 << 5
	hasPort     = 1 << 6
	isEmpty     = 1 << 7
)

// Forms of an address.
const (
	none = iota
	ipv4
	ipv6
)

var mapped = [12]byte{10: 0xff, 11: 0xff}

func form(a *[16]byte) byte {
	switch {
	case *a == [16]byte{}:
		return none
	case [12]byte(a[:12]) == mapped:
		return ipv4
	}
	return ipv6
}

func appendAddress(b []byte, a *[16]byte) []byte {
	switch form(a) {
	case none:
		return b
	case ipv4:
		return append(b, a[12:]...)
	}
	return append(b, a[:]...)
}

// Append appends the record of e, which follows one of time before in its
// list (0 for the first). The host is not part of it.
func Append(b []byte, e *match.Endpoint, before int64) []byte {
	flags := form(&e.Source)<<sourceShift | form(&e.Destination)<<destShift
	if e.Direction == match.Receive {
		flags |= received
	}
	if e.Payload != 0 {
		flags |= hasPayload
	}
	if e.Port != 0 {
		flags |= hasPort
	}
	if e.Empty {
		flags |= isEmpty
	}
	b = append(b, flags)
	b = binary.AppendVarint(b, e.Time-before)
	b = binary.AppendUvarint(b, uint64(uint32(e.CPU+1)))
	b = binary.AppendUvarint(b, uint64(uint32(e.Thread+1)))
	b = binary.AppendUvarint(b, uint64(e.Bytes))
	b = append(b, e.Key.Protocol, e.Key.Form)
	for _, k := range [...]uint64{e.Key.A, e.Key.B, e.Key.C, e.Key.D} {
		b = binary.AppendUvarint(b, k)
	}
	b = appendAddress(b, &e.Source)
	b = appendAddress(b, &e.Destination)
	if e.Payload != 0 {
		b = binary.AppendUvarint(b, uint64(e.Payload))
	}
	if e.Port != 0 {
		b = binary.LittleEndian.AppendUint64(b, e.Port)
	}
	return b
}

// A decoder reads records off a block; after the first mistake it reads zeros.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) take(n int) []byte {
	if n > len(d.b) {
		d.bad, d.b = true, nil
		return make([]byte, n)
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) uvarint(limit uint64) uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > limit {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) address(form byte) (a [16]byte) {
	switch form {
	case none:
	case ipv4:
		copy(a[:], mapped[:])
		copy(a[12:], d.take(4))
	case ipv6:
		copy(a[:], d.take(16))
	default:
		d.bad = true
	}
	return a
}

// Decode reads the first record of b and returns what follows it.
func Decode(b []byte, before int64, e *match.Endpoint) (rest []byte, err error) {
	d := decoder{b: b}
	flags := d.take(1)[0]
	d.bad = d.bad || flags&hasPayload != 0 && flags&isEmpty != 0
	*e = match.Endpoint{Time: before + d.varint(), Empty: flags&isEmpty != 0}
	if flags&received != 0 {
		e.Direction = match.Receive
	}
	const max32, max64 = 1<<32 - 1, 1<<64 - 1
	e.CPU = int32(uint32(d.uvarint(max32))) - 1
	e.Thread = int32(uint32(d.uvarint(max32))) - 1
	e.Bytes = uint32(d.uvarint(max32))
	k := d.take(2)
	e.Key = match.Key{Protocol: k[0], Form: k[1], A: d.uvarint(max64), B: d.uvarint(max64), C: d.uvarint(max64), D: d.uvarint(max64)}
	e.Source = d.address(flags >> sourceShift & 3)
	e.Destination = d.address(flags >> destShift & 3)
	if flags&hasPayload != 0 {
		e.Payload = uint32(d.uvarint(max32))
		d.bad = d.bad || e.Payload == 0
	}
	if flags&hasPort != 0 {
		e.Port = binary.LittleEndian.Uint64(d.take(8))
		d.bad = d.bad || e.Port == 0
	}
	if d.bad {
		return nil, fmt.Errorf("a record of an endpoint is cut or malformed: %w", blockfile.ErrDamaged)
	}
	return d.b, nil
}
