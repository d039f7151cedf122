package machine

import (
	"slices"

	"synchroscope/simulate/record"
)

// stateDump is the program by which a tracing session begins: it lists what there is.
func (m *Machine) stateDump(t *Thread) {
	t.call("ioctl", 12, 0xf644, 0)
	t.work(2_000)
	rec := func() *record.Stream { return t.cpu.rec }
	if at := t.cpu.mark(); rec() != nil {
		rec().DumpStart(at)
	}
	all := slices.Clone(m.threads)
	slices.SortFunc(all, func(a, b *Thread) int { return int(a.TID - b.TID) })
	for _, o := range all {
		if o.state == reaped {
			continue
		}
		t.cpu.lift(o.readyAt)
		status := int32(record.Waiting)
		switch o.state {
		case runnable, running:
			status = record.WaitingForCPU
		case ended:
			status = record.Zombie
		}
		if at := t.cpu.mark(); rec() != nil {
			rec().DumpProcess(at, &o.Task, o.kernel, status, o.cpu.id, o.files())
		}
		if at := t.cpu.mark(); rec() != nil {
			rec().DumpNamespace(at, &o.Task)
		}
		t.work(600)
	}
	if at := t.cpu.mark(); rec() != nil {
		rec().DumpDisk(at, diskDevice, "sda")
		rec().DumpInterface(at+200, record.Loopback, 127<<24|1)
		rec().DumpInterface(at+400, "eth0", m.opt.Address)
		rec().DumpIRQ(at+600, diskIRQ, "PCI-MSI", "ahci[0000:00:1f.2]")
		t.cpu.lift(at + 700)
	}
	for _, c := range m.cpus {
		if at := t.cpu.mark(); rec() != nil {
			rec().DumpIRQ(at, int32(netIRQ+c.id), "PCI-MSI", c.netName())
		}
	}
	if at := t.cpu.mark(); rec() != nil {
		rec().DumpEnd(at)
	}
	t.work(1_000)
	t.ret(0)
}
