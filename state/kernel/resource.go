package kernel

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// A ResourceKind is what a Resource is.
type ResourceKind uint8

const (
	CPUResource     ResourceKind = iota // its attribute has a CPUStatus
	IRQResource                         // an interrupt line, on one CPU or in total: a LineStatus
	SoftIRQResource                     // a soft interrupt, likewise
	DiskResource                        // a block device: the number of requests it serves
)

// A Resource is a row of a view of what a machine has: a CPU, an interrupt line, a disk.
type Resource struct {
	Kind  ResourceKind
	Name  string // "CPU 3", "IRQ 24 ahci", "softirq 3 NET_RX", "disk 8:0 sda"
	CPU   int32  // of an interrupt line on one CPU; -1 for totals, disks and unknown
	Quark attribute.Quark
}

// Resources lists the rows of a view of resources: CPUs by number and below each its lines, then the
// lines in total, then disks.
func Resources(ctx context.Context, h *history.History) ([]Resource, error) {
	r := resources{tree: h.Attributes(), names: reader{ctx: ctx, h: h}}
	for _, cpu := range r.children(r.tree.Lookup("CPUs")) {
		n, err := strconv.Atoi(r.tree.Name(cpu))
		if err != nil {
			continue
		}
		r.add(CPUResource, "CPU "+r.tree.Name(cpu), int32(n), cpu)
		r.lines(r.tree.Child(cpu, "IRQs"), r.tree.Child(cpu, "Soft_IRQs"), int32(n))
	}
	r.lines(r.tree.Lookup("IRQs"), r.tree.Lookup("Soft_IRQs"), -1)
	for _, disk := range r.children(r.tree.Lookup("Disks")) {
		r.add(DiskResource, strings.TrimSpace("disk "+r.tree.Name(disk)+" "+r.text(disk)), -1, disk)
	}
	return r.list, r.names.err
}

// resources collects rows.
type resources struct {
	tree  *attribute.Tree
	names reader
	list  []Resource
}

func (r *resources) add(kind ResourceKind, name string, cpu int32, q attribute.Quark) {
	r.list = append(r.list, Resource{kind, name, cpu, q})
}

// children are those of an attribute, numbers by their size.
func (r *resources) children(q attribute.Quark) []attribute.Quark {
	if q == attribute.None {
		return nil
	}
	children := r.tree.Children(q)
	slices.SortFunc(children, func(a, b attribute.Quark) int {
		x, y := r.tree.Name(a), r.tree.Name(b)
		return cmp.Or(cmp.Compare(numberIn(x), numberIn(y)), cmp.Compare(x, y))
	})
	return children
}

// numberIn is the number that a name is; names that are none come after them.
func numberIn(name string) int {
	n, err := strconv.Atoi(name)
	if err != nil {
		return maxLines
	}
	return n
}

func (r *resources) lines(irqs, softs attribute.Quark, cpu int32) {
	for _, line := range r.children(irqs) {
		number := r.tree.Name(line)
		r.add(IRQResource, strings.TrimSpace("IRQ "+number+" "+r.text(r.tree.Lookup("IRQs", number))), cpu, line)
	}
	for _, line := range r.children(softs) {
		name := r.tree.Name(line)
		if vec, err := strconv.Atoi(name); err == nil {
			name = strings.TrimSpace(name + " " + SoftIRQName(vec))
		}
		r.add(SoftIRQResource, "softirq "+name, cpu, line)
	}
}

// text is the newest name of a line or a disk.
func (r *resources) text(q attribute.Quark) string {
	if q == attribute.None {
		return ""
	}
	r.names.status = q
	begin, end := r.names.h.Bounds()
	return r.names.text("Name", max(begin, end-1))
}

// A Use is how a CPU spent a column of time, ns. What is missing to the column is outside the history.
type Use struct{ Idle, User, Syscall, Kernel, SoftIRQ, IRQ, Unknown int64 }

// Busy is the time that the CPU did anything, as far as is known.
func (u Use) Busy() int64 { return u.User + u.Syscall + u.Kernel + u.SoftIRQ + u.IRQ }

func (u *Use) add(s CPUStatus, ns int64) {
	switch s {
	case CPUIdle:
		u.Idle += ns
	case CPUUser:
		u.User += ns
	case CPUSyscall:
		u.Syscall += ns
	case CPUKernel:
		u.Kernel += ns
	case CPUSoftIRQ:
		u.SoftIRQ += ns
	case CPUIRQ:
		u.IRQ += ns
	default:
		u.Unknown += ns
	}
}

// CPUUse tells how CPUs spent the columns between edges, local ns as in history.Pixels, exactly. cpus are
// quarks of CPUs/<cpu>; use[k][i] is that of cpus[k] in column i.
func CPUUse(ctx context.Context, h *history.History, cpus []attribute.Quark, edges []int64) (use [][]Use, err error) {
	begin, end := h.Bounds()
	use = make([][]Use, len(cpus))
	for k := range cpus {
		use[k] = make([]Use, max(len(edges)-1, 0))
	}
	err = h.EachRow(ctx, cpus, edges, func(k int, runs []history.Run) {
		for _, r := range runs {
			for _, s := range r.Mix {
				use[k][r.From].add(cpuStatus(s.Value), s.Time)
			}
			for i := r.From; r.Mix == nil && i < r.To; i++ {
				use[k][i].add(cpuStatus(r.Value), max(0, min(edges[i+1], end)-max(edges[i], begin)))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return use, nil
}

func cpuStatus(v history.Value) CPUStatus {
	n, ok := v.Int()
	if !ok || n < 0 || n >= int64(len(cpuStatusNames)) {
		return CPUUnknown
	}
	return CPUStatus(n)
}

// Occupied tells how long CPUs had each thread in [begin, end) local ns, by its id; idle threads are left out. It is
// exact also of threads of which it is not known what they did there.
func Occupied(ctx context.Context, h *history.History, begin, end int64) (map[int32]int64, error) {
	totals, err := h.Totals(ctx, h.Attributes().Match("CPUs/*/Current_thread"), begin, end)
	if err != nil {
		return nil, err
	}
	ns := make(map[int32]int64)
	for _, of := range totals {
		for _, t := range of {
			if tid, ok := t.Value.Int(); ok && tid > 0 {
				ns[int32(tid)] += t.Time
			}
		}
	}
	return ns, nil
}
