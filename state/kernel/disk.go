package kernel

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/varint"
	"synchroscope/trace"
)

// A disk is a block device.
type disk struct {
	dev      int64
	requests map[int64]request // by first sector
	queued   int               // requests inserted and not issued
	served   int               // requests issued and not completed
	read     int64             // sectors
	written  int64

	quark struct{ served, queued, name, read, written attribute.Quark }
}

// A request waits for a disk, or is being served by it.
type request struct {
	sectors int64
	issued  bool
}

// maxDisks bounds the devices that are believed, maxRequests what one has at a time: past
// it all are forgotten.
const (
	maxDisks    = 1 << 12
	maxRequests = 1 << 12
)

// disk returns a device by its number; nil where it cannot be one.
func (m *Model) disk(dev int64) *disk {
	if d, ok := m.disks[dev]; ok {
		return d
	}
	if len(m.disks) >= maxDisks || dev < 0 || dev > 1<<32-1 {
		return nil
	}
	d := &disk{dev: dev, requests: make(map[int64]request)}
	d.quark.served = m.w.Attributes().Add(m.root.disks, d.id())
	d.quark.queued, d.quark.name, d.quark.read, d.quark.written = attribute.None, attribute.None, attribute.None, attribute.None
	m.disks[dev] = d
	return d
}

// id is a device as the kernel writes it, MAJOR:MINOR: of 12 and 20 bits.
func (d *disk) id() string { return fmt.Sprintf("%d:%d", d.dev>>20, d.dev&(1<<20-1)) }

// The flags of a request, in LTTng's numbers, that say what it moves. One that discards
// sectors, or zeroes them, has neither.
const (
	flagWrite = 1 << 0
	flagRead  = 1 << 2
)

// diskEvent makes the handler of an event about a request.
func diskEvent(c *trace.Class, do func(m *Model, d *disk, sector, sectors, flags int64)) handler {
	dev, sector, sectors, rwbs := c.Field("dev"), c.Field("sector"), c.Field("nr_sector"), c.Field("rwbs")
	return func(m *Model, ev *trace.Event) {
		n := ev.Int(sectors)
		if n <= 0 { // a flush
			return
		}
		if d := m.disk(ev.Int(dev)); d != nil {
			do(m, d, ev.Int(sector), n, ev.Int(rwbs))
			m.settleDisk(d)
		}
	}
}

func diskInsert(c *trace.Class) handler {
	return diskEvent(c, func(m *Model, d *disk, sector, sectors, _ int64) {
		if _, known := d.requests[sector]; !known && !m.anyDark() && !m.endless && !m.sieve.holds {
			d.requests[sector] = request{sectors: sectors}
			d.queued++
		}
	})
}

// diskIssue: a request is handed to the device, with all that was merged into it while it waited.
func diskIssue(c *trace.Class) handler {
	return diskEvent(c, func(m *Model, d *disk, sector, sectors, _ int64) {
		r, known := d.requests[sector]
		if m.anyDark() || known && r.issued {
			return
		}
		if known {
			d.queued--
		}
		if d.requests[sector] = (request{sectors, true}); m.endless || m.sieve.holds {
			delete(d.requests, sector)
		} else {
			d.served++
		}
		if r.sectors < sectors {
			d.merge(sector, sectors)
		}
	})
}

// merge drops the requests that wait for sectors of one that is served: they are part of it.
func (d *disk) merge(sector, sectors int64) {
	if d.queued == 0 {
		return
	}
	for s, r := range d.requests {
		if !r.issued && s >= sector && s-sector < sectors {
			delete(d.requests, s)
			d.queued--
		}
	}
}

// diskRequeue: the device does not take a request, which waits again.
func diskRequeue(c *trace.Class) handler {
	return diskEvent(c, func(_ *Model, d *disk, sector, sectors, _ int64) {
		if r, known := d.requests[sector]; known && r.issued {
			d.requests[sector] = request{sectors: sectors}
			d.served--
			d.queued++
		}
	})
}

// diskComplete: a request is done, or its first part is.
func diskComplete(c *trace.Class) handler {
	return diskEvent(c, func(m *Model, d *disk, sector, sectors, flags int64) {
		switch {
		case flags&flagWrite != 0:
			d.written += sectors
			m.under(&d.quark.written, d.quark.served, "Sectors_written", history.Int(d.written))
		case flags&flagRead != 0:
			d.read += sectors
			m.under(&d.quark.read, d.quark.served, "Sectors_read", history.Int(d.read))
		}
		r, known := d.requests[sector]
		if !known {
			return
		}
		delete(d.requests, sector)
		if _, taken := d.requests[sector+sectors]; r.issued && r.sectors > sectors && !taken {
			d.requests[sector+sectors] = request{r.sectors - sectors, true}
			return
		}
		if r.issued {
			d.served--
		} else {
			d.queued--
		}
	})
}

// settleDisk stores how many requests there are.
func (m *Model) settleDisk(d *disk) {
	if len(d.requests) > maxRequests {
		d.forget()
	}
	m.set(d.quark.served, some(d.served))
	m.under(&d.quark.queued, d.quark.served, "Queued", some(d.queued))
}

// some is n as a value, null for none.
func some(n int) history.Value {
	if n == 0 {
		return history.Null()
	}
	return history.Int(int64(n))
}

// forget drops the requests that may have been completed unseen.
func (d *disk) forget() {
	clear(d.requests)
	d.queued, d.served = 0, 0
}

// doubtDisks makes unknown what all devices do.
func (m *Model) doubtDisks() {
	for _, dev := range slices.Sorted(maps.Keys(m.disks)) {
		d := m.disks[dev]
		d.forget()
		m.settleDisk(d)
	}
}

// diskName: the state dump names the devices.
func diskName(c *trace.Class) handler {
	dev, name := c.Field("dev"), c.Field("diskname")
	return func(m *Model, ev *trace.Event) {
		d := m.disk(ev.Int(dev))
		if d == nil || d.quark.name != attribute.None || len(ev.Bytes(name)) == 0 {
			return
		}
		d.quark.name = m.w.Attributes().Add(d.quark.served, "Name")
		m.assume(d.quark.name, m.w.Text(ev.Bytes(name)))
	}
}

func (m *Model) appendDisks(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(m.disks)))
	for _, dev := range slices.Sorted(maps.Keys(m.disks)) {
		d := m.disks[dev]
		b = binary.AppendVarint(b, dev)
		b = binary.AppendVarint(b, d.read)
		b = binary.AppendVarint(b, d.written)
		b = binary.AppendUvarint(b, uint64(len(d.requests)))
		for _, sector := range slices.Sorted(maps.Keys(d.requests)) {
			r := d.requests[sector]
			b = binary.AppendVarint(b, sector)
			b = binary.AppendVarint(b, r.sectors)
			b = varint.AppendBool(b, r.issued)
		}
	}
	return b
}

func (m *Model) restoreDisks(dec *varint.Decoder) {
	for range dec.Count() {
		before := len(m.disks)
		d := m.disk(dec.Int())
		if d == nil || len(m.disks) == before {
			dec.Fail()
			return
		}
		d.quark.queued, d.quark.name = m.child(d.quark.served, "Queued"), m.child(d.quark.served, "Name")
		d.quark.read, d.quark.written = m.child(d.quark.served, "Sectors_read"), m.child(d.quark.served, "Sectors_written")
		d.read, d.written = dec.Int(), dec.Int()
		for range dec.Count() {
			sector, r := dec.Int(), request{dec.Int(), dec.Uint() != 0}
			d.requests[sector] = r
			if r.issued {
				d.served++
			} else {
				d.queued++
			}
		}
	}
}
