package validate

import (
	"fmt"
	"slices"

	"synchroscope/trace"
)

// A request is what a disk is asked, as far as all events about it say it.
type request struct{ device, sector, sectors, flags int64 }

func (q request) String() string {
	return fmt.Sprintf("%d sectors from %d of device %d:%d, flags %#x", q.sectors, q.sector, q.device>>20, q.device&(1<<20-1), q.flags)
}

// asking is what a CPU has asked disks for. Disks tell the CPU that asked, and each does one request after the other.
type asking struct {
	known, waiting bool // is a request in the queue that was not handed to the disk?
	queued         request
	issued         []request // handed to the disk and not done, in order
	sure           bool      // nothing else is
}

// maxRequests is how many requests of a CPU are remembered. When there are more, all are forgotten.
const maxRequests = 1 << 12

// requests is the handler of a class of events about disks; does takes each.
func (m *machine) requests(c *trace.Class, does func(on int32, q request)) func(*trace.Event) {
	device, sector, sectors, flags := c.Field("dev"), c.Field("sector"), c.Field("nr_sector"), c.Field("rwbs")
	tid, bytes, fault := c.Field("tid"), c.Field("bytes"), c.Field("error")
	named := m.named(c, "comm", "tid", "")
	return func(ev *trace.Event) {
		m.disks.Done++
		q := request{ev.Int(device), ev.Int(sector), ev.Int(sectors), ev.Int(flags)}
		if tid != nil {
			m.runs(ev.CPU, int32(ev.Int(tid)), "asks a disk")
			named(ev)
		}
		if n := ev.Int(bytes); bytes != nil && n != q.sectors*512 {
			m.fail(m.disks, "a request is of %d bytes: %s", n, q)
		}
		if n := ev.Int(fault); n != 0 {
			m.fail(m.disks, "a request ends with error %d, but disks do not fail: %s", n, q)
		}
		does(ev.CPU, q)
	}
}

// insert is a request put into the queue of a disk. It is handed to the disk at once.
func (m *machine) insert(on int32, q request) {
	m.issued(on)
	a := &m.cpu(on).disk
	a.known, a.waiting, a.queued = true, true, q
}

func (m *machine) issue(on int32, q request) {
	m.recorded.issues = true
	a := &m.cpu(on).disk
	switch {
	case a.waiting && a.queued != q:
		m.fail(m.disks, "CPU %d hands a request to a disk, %s, but has queued another, %s", on, q, a.queued)
	case a.known && !a.waiting:
		m.fail(m.disks, "CPU %d hands a request to a disk that it has not queued: %s", on, q)
	}
	a.waiting = false
	if len(a.issued) >= maxRequests {
		a.issued, a.sure = a.issued[:0], false
	}
	a.issued = append(a.issued, q)
}

// done is a disk being done with a request.
func (m *machine) done(on int32, q request) {
	a := &m.cpu(on).disk
	i := slices.Index(a.issued, q)
	switch {
	case i > 0:
		m.fail(m.disks, "a disk tells CPU %d that a request is done, %s, but not of one before it, %s", on, q, a.issued[0])
	case i < 0 && a.sure:
		m.fail(m.disks, "a disk tells CPU %d that a request is done that it was not handed: %s", on, q)
	}
	if i >= 0 {
		a.issued, a.sure = slices.Delete(a.issued, 0, i+1), true
	}
}

// issued is a CPU going on to something that it does only once the disk was handed what was queued.
func (m *machine) issued(on int32) {
	if a := &m.cpu(on).disk; a.waiting && m.recorded.issues {
		a.waiting = false
		m.fail(m.disks, "CPU %d has queued a request that no disk was handed: %s", on, a.queued)
	}
}
