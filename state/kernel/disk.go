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
	requests map[int64][]request // by first sector, in the order in which they came
	queued   int                 // requests inserted and not issued
	served   int                 // requests issued and not completed
	read     int64               // sectors
	written  int64

	quark struct{ served, queued, name, read, written attribute.Quark }
}

// A request waits for a disk, or is being served by it.
type request struct {
	sectors int64
	issued  bool
	again   bool // it was told of before, as what it is, and may be once more: one that waits as it was not taken, or the rest of one of which a part is done
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
	d := &disk{dev: dev, requests: make(map[int64][]request)}
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

// add counts one more request for a sector.
func (d *disk) add(sector int64, r request) {
	d.requests[sector] = append(d.requests[sector], r)
	d.count(r, 1)
}

// take removes one of the requests for a sector.
func (d *disk) take(sector int64, i int) {
	list := d.requests[sector]
	d.count(list[i], -1)
	if list = slices.Delete(list, i, i+1); len(list) == 0 {
		delete(d.requests, sector)
		return
	}
	d.requests[sector] = list
}

func (d *disk) count(r request, n int) {
	if r.issued {
		d.served += n
	} else {
		d.queued += n
	}
}

// find returns which of the requests for a sector waits, or is served: of several one of so many sectors, or else the first of more, or any. It is -1 if none does.
func (d *disk) find(sector, sectors int64, issued bool) int {
	list, more, other := d.requests[sector], -1, -1
	for i, r := range list {
		switch {
		case r.issued != issued:
		case r.sectors == sectors:
			return i
		case r.sectors > sectors && more < 0:
			more = i
		case other < 0:
			other = i
		}
	}
	if more >= 0 {
		return more
	}
	return other
}

// told reports whether an event tells only again of a request, which is not expected to be told of once more.
func (d *disk) told(sector int64, issued bool) bool {
	for i := range d.requests[sector] {
		if r := &d.requests[sector][i]; r.issued == issued && r.again {
			r.again = false
			return true
		}
	}
	return false
}

func diskInsert(c *trace.Class) handler {
	return diskEvent(c, func(m *Model, d *disk, sector, sectors, _ int64) {
		if !m.anyDark() && !m.endless && !m.sieve.holds && !d.told(sector, false) {
			d.add(sector, request{sectors: sectors})
		}
	})
}

// diskIssue: a request is handed to the device, with all that was merged into it while it waited.
func diskIssue(c *trace.Class) handler {
	return diskEvent(c, func(m *Model, d *disk, sector, sectors, _ int64) {
		if m.anyDark() {
			return
		}
		waited := int64(0)
		if i := d.find(sector, sectors, false); i >= 0 {
			waited = d.requests[sector][i].sectors
			d.take(sector, i)
		} else if d.told(sector, true) {
			return
		}
		if !m.endless && !m.sieve.holds {
			d.add(sector, request{sectors: sectors, issued: true})
		}
		if waited < sectors {
			d.merge(sector, sectors)
		}
	})
}

// merge drops the requests that wait for sectors of one that is served: they are part of it. Those that begin where it does are not.
func (d *disk) merge(sector, sectors int64) {
	if d.queued == 0 {
		return
	}
	for s := range d.requests {
		if s <= sector || s-sector >= sectors {
			continue
		}
		for i := len(d.requests[s]) - 1; i >= 0; i-- {
			if !d.requests[s][i].issued {
				d.take(s, i)
			}
		}
	}
}

// diskRequeue: the device does not take a request, which waits again.
func diskRequeue(c *trace.Class) handler {
	return diskEvent(c, func(_ *Model, d *disk, sector, sectors, _ int64) {
		if i := d.find(sector, sectors, true); i >= 0 {
			d.take(sector, i)
			d.add(sector, request{sectors: sectors, again: true})
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
		i := d.find(sector, sectors, true)
		if i < 0 {
			i = d.find(sector, sectors, false)
		}
		if i < 0 {
			return
		}
		r := d.requests[sector][i]
		if d.take(sector, i); r.issued && r.sectors > sectors {
			d.add(sector+sectors, request{r.sectors - sectors, true, true})
		}
	})
}

// settleDisk stores how many requests there are.
func (m *Model) settleDisk(d *disk) {
	if d.queued+d.served > maxRequests {
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
		b = binary.AppendUvarint(b, uint64(d.queued+d.served))
		for _, sector := range slices.Sorted(maps.Keys(d.requests)) {
			for _, r := range d.requests[sector] {
				b = binary.AppendVarint(b, sector)
				b = binary.AppendVarint(b, r.sectors)
				b = varint.AppendBool(b, r.issued)
				b = varint.AppendBool(b, r.again)
			}
		}
	}
	return b
}

func (m *Model) restoreDisks(dec *varint.Decoder, format uint64) {
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
			sector := dec.Int()
			r := request{sectors: dec.Int(), issued: dec.Uint() != 0}
			if format >= 9 {
				r.again = dec.Uint() != 0
			}
			d.add(sector, r)
		}
	}
}
