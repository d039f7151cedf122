package live

import (
	"context"
	"strconv"
	"strings"

	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// resourceLimit is how many rows of CPUs and interrupt lines a host has at most; the names of lines come from the
// trace, so somebody could have made them up.
const resourceLimit = 1 << 14

// resources are the rows of what a machine has: CPUs, and below each its frequency and interrupt lines; lines in
// total below the host.
type resources struct {
	history *history.History
	seen    int                        // attributes looked at
	rows    map[attribute.Quark]uint32 // by the attribute that they show
	cpus    []attribute.Quark
	unnamed []attribute.Quark // IRQs/<line>/Name that had no value yet
	names   map[string]string // of lines, by their number
}

// resources takes up the attributes that a history has got since. Attributes are numbered as they come, each after
// the one it stands below, so each is looked at once.
func (t *table) resources(host int32, h *history.History) {
	f := &t.hosts[host].found
	if h == nil {
		return
	}
	if f.history != h { // an import that goes on after a failure has a history of its own
		f.history, f.seen, f.unnamed, f.cpus = h, 0, nil, nil
		if f.rows == nil {
			f.rows, f.names = make(map[attribute.Quark]uint32), make(map[string]string)
		}
	}
	tree := h.Attributes()
	now := tree.Len()
	for ; f.seen < now; f.seen++ {
		t.resource(host, tree, attribute.Quark(f.seen))
	}
	waiting := f.unnamed[:0]
	for _, q := range f.unnamed {
		if !t.nameLine(host, h, q) {
			waiting = append(waiting, q)
		}
	}
	f.unnamed = waiting
}

// resource makes a row of an attribute if it is one of a CPU, its frequency or a line.
func (t *table) resource(host int32, tree *attribute.Tree, q attribute.Quark) {
	f := &t.hosts[host].found
	parent := tree.Parent(q)
	if parent == attribute.Root {
		return
	}
	name, group := tree.Name(q), tree.Name(parent)
	above := tree.Parent(parent)
	switch {
	case above == attribute.Root && group == "CPUs":
		if n, err := strconv.ParseInt(name, 10, 32); err == nil {
			t.lane(host, q, row{parent: t.hosts[host].id, kind: wire.RowCPU, thread: kernel.Thread{TID: int32(n)}, named: "CPU " + name})
			if _, ok := f.rows[q]; ok {
				f.cpus = append(f.cpus, q)
				t.rows[t.hosts[host].id].kept = false
			}
		}
	case above == attribute.Root && group == "IRQs":
		t.line(host, q, t.hosts[host].id, wire.RowInterrupt, name)
	case above == attribute.Root && group == "Soft_IRQs":
		t.line(host, q, t.hosts[host].id, wire.RowSoftInterrupt, name)
	case name == "Name" && above != attribute.Root && tree.Parent(above) == attribute.Root && tree.Name(above) == "IRQs":
		if _, ok := f.rows[parent]; ok {
			f.unnamed = append(f.unnamed, q)
		}
	default:
		t.ofCPU(host, tree, q)
	}
}

// ofCPU makes the rows below that of a CPU.
func (t *table) ofCPU(host int32, tree *attribute.Tree, q attribute.Quark) {
	parent := tree.Parent(q)
	if id, ok := t.cpuRow(host, parent); ok && tree.Name(q) == "Frequency" {
		t.lane(host, q, row{parent: id, kind: wire.RowFrequency, thread: kernel.Thread{TID: t.rows[id].thread.TID}, named: "Frequency"})
		return
	}
	id, ok := t.cpuRow(host, tree.Parent(parent))
	switch {
	case !ok:
	case tree.Name(parent) == "IRQs":
		t.line(host, q, id, wire.RowInterrupt, tree.Name(q))
	case tree.Name(parent) == "Soft_IRQs":
		t.line(host, q, id, wire.RowSoftInterrupt, tree.Name(q))
	}
}

func (t *table) cpuRow(host int32, q attribute.Quark) (uint32, bool) {
	if q == attribute.None {
		return 0, false
	}
	id, ok := t.hosts[host].found.rows[q]
	return id, ok && t.rows[id].kind == wire.RowCPU
}

// line makes the row of an interrupt line: those without a number are vectors of the processor, such as local_timer.
func (t *table) line(host int32, q attribute.Quark, parent uint32, kind wire.RowKind, name string) {
	number, err := strconv.ParseInt(name, 10, 32)
	if err != nil {
		number = -1
	}
	words := strings.TrimSpace("IRQ " + name + " " + t.hosts[host].found.names[name])
	if kind == wire.RowSoftInterrupt {
		words = strings.TrimSpace("Soft IRQ " + name + " " + kernel.SoftIRQName(int(number)))
	}
	t.lane(host, q, row{parent: parent, kind: kind, thread: kernel.Thread{TID: int32(number)}, named: tidy(words)})
}

// lane gives an attribute its row.
func (t *table) lane(host int32, q attribute.Quark, r row) {
	f := &t.hosts[host].found
	if _, ok := f.rows[q]; ok || len(f.rows) == resourceLimit {
		return
	}
	r.host, r.quark = host, q
	f.rows[q] = t.add(r)
}

// nameLine adds the handler's name to the rows of a line, once the history has it.
func (t *table) nameLine(host int32, h *history.History, q attribute.Quark) bool {
	begin, end := h.Bounds()
	if end <= begin {
		return false
	}
	iv, err := h.Point(context.Background(), q, end-1)
	if err != nil || !iv.Value.IsString() {
		return false
	}
	tree, f := h.Attributes(), &t.hosts[host].found
	line := tree.Name(tree.Parent(q))
	f.names[line] = h.String(iv.Value)
	words := tidy("IRQ " + line + " " + f.names[line])
	for _, quark := range append(f.linesOfCPUs(tree, line), tree.Parent(q)) {
		if id, ok := f.rows[quark]; ok {
			t.rows[id].named = words
			t.touch(&t.rows[id])
		}
	}
	return true
}

// linesOfCPUs are CPUs/*/IRQs/<line>.
func (f *resources) linesOfCPUs(tree *attribute.Tree, line string) (quarks []attribute.Quark) {
	for _, cpu := range f.cpus {
		if irqs := tree.Child(cpu, "IRQs"); irqs != attribute.None {
			if q := tree.Child(irqs, line); q != attribute.None {
				quarks = append(quarks, q)
			}
		}
	}
	return quarks
}

// machine returns the row of a host and the attributes of its CPUs: none of one that has no row yet.
func (t *table) machine(host int32) (id uint32, cpus []attribute.Quark) {
	t.mu.Lock()
	known := int(host) < len(t.hosts)
	if known {
		id = t.hosts[host].id
	}
	t.mu.Unlock()
	if !known {
		return wire.NoRow, nil
	}
	return id, t.cpusOf(host)
}

// cpusOf returns the attributes of a host's CPUs that have a row.
func (t *table) cpusOf(host int32) []attribute.Quark {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.hosts[host].found.cpus[:len(t.hosts[host].found.cpus):len(t.hosts[host].found.cpus)]
}
