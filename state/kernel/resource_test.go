package kernel_test

import (
	"context"
	"strings"
	"testing"

	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
)

func TestResources(t *testing.T) {
	h := kerneltest.Run(t, `
1 cpu=10 irq_handler_entry irq=24 name="ahci"
2 cpu=10 irq_handler_exit irq=24 ret=1
2 cpu=10 irq_handler_entry irq=3 name="x"
2 cpu=10 irq_softirq_raise vec=4
3 cpu=2 irq_softirq_entry vec=3
4 cpu=2 x86_irq_vectors_local_timer_entry vector=239
5 cpu=2 block_rq_issue dev=8388608 sector=1 nr_sector=8 bytes=4096 tid=10 rwbs=1 comm="w"
6 cpu=2 lttng_statedump_block_device dev=8388608 diskname="sda"
`).Writer.History()
	rows, err := kernel.Resources(context.Background(), h)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range rows {
		names = append(names, r.Name)
	}
	const want = "CPU 2, IRQ local_timer, softirq 3 NET_RX, CPU 10, IRQ 3 x, IRQ 24 ahci, softirq 4 BLOCK, " +
		"IRQ 3 x, IRQ 24 ahci, IRQ local_timer, softirq 3 NET_RX, softirq 4 BLOCK, disk 8:0 sda"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	if rows[1].CPU != 2 || rows[len(rows)-2].CPU != -1 {
		t.Errorf("a line of CPU 2 has CPU %d, one in total %d", rows[1].CPU, rows[len(rows)-2].CPU)
	}
}

// The use of CPUs and threads is what adds up from who ran where, to the nanosecond.
func TestUse(t *testing.T) {
	for _, traces := range simulated(t, "web", spared) {
		h := build(t, traces, 0).Writer.History()
		o := ask(t, traces)
		begin, end := h.Bounds()
		from := begin + (end-begin)/3
		const columns = 50
		var edges []int64
		for i := range int64(columns + 1) {
			edges = append(edges, from+(end-1e6-from)*i/columns)
		}
		ctx, tree := context.Background(), h.Attributes()
		cpus := tree.Match("CPUs/*")
		use, err := kernel.CPUUse(ctx, h, cpus, edges)
		if err != nil {
			t.Fatal(err)
		}
		// A CPU that does anything runs a thread, unless its idle thread is interrupted.
		var occupied int64
		for k, cpu := range cpus {
			for i, u := range use[k] {
				if sum := u.Idle + u.User + u.Syscall + u.Kernel + u.SoftIRQ + u.IRQ + u.Unknown; sum != edges[i+1]-edges[i] {
					t.Fatalf("%s: column %d of %d ns adds up to %d", tree.Full(cpu), i, edges[i+1]-edges[i], sum)
				}
				occupied += u.Busy()
			}
		}
		last := edges[columns]
		ran, err := kernel.Occupied(ctx, h, from, last)
		if err != nil {
			t.Fatal(err)
		}
		var total int64
		for tid, runs := range o.runs {
			var want int64
			for _, r := range runs {
				want += max(0, min(r.end, last)-max(r.begin, from))
			}
			if tid == 0 {
				continue
			}
			total += want
			if got := ran[int32(tid)]; got != want {
				t.Errorf("%s: thread %d was on CPUs for %d ns, want %d", traces.Name, tid, got, want)
			}
		}
		if total == 0 || occupied < total {
			t.Errorf("%s: CPUs were busy for %d ns, their threads for %d", traces.Name, occupied, total)
		}
	}
}
