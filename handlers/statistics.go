package handlers

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/internal/natural"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	attributes "synchroscope/state/query"
	"synchroscope/sync/match"
)

// statisticsAnswer is the body of GET statistics. Times spent are ns of the hosts' own clocks.
type statisticsAnswer struct {
	Begin    wire.Time        `json:"begin"` // as it was asked for
	End      wire.Time        `json:"end"`
	Local    bool             `json:"local"` // begin and end are the hosts' own
	Hosts    []hostStatistics `json:"hosts"`
	Messages []pairStatistics `json:"messages"` // by sender and receiver
}

type hostStatistics struct {
	Host       string     `json:"host"`
	LocalBegin wire.Time  `json:"local_begin"` // the part of the selection that the host recorded
	LocalEnd   wire.Time  `json:"local_end"`
	Known      bool       `json:"known"`                       // there is such a part
	Until      *wire.Time `json:"local_known_until,omitempty"` // where more of the selection is still to be read: what is told is so up to then
	Error      string     `json:"error,omitempty"`             // which file of the host is damaged: nothing of it is told

	Lost *lossStatistics `json:"lost"` // null where nobody knows when something was lost

	Unrecorded []string `json:"unrecorded"` // parts of the time of its CPUs that nothing tells apart: it counts to what went on around them

	CPUs    []cpuStatistics    `json:"cpus"`
	Ran     int                `json:"ran"`     // threads that were on a CPU, or that were seen where no CPU is known
	Still   int                `json:"still"`   // threads that were there and never were
	Threads []threadStatistics `json:"threads"` // of those that ran, and if so asked for of these, the first in the order of those that have the words
	Others  int                `json:"others"`  // that have the words, too, and are left out
	Calls   []spent            `json:"calls"`   // system calls of all threads, longest first
}

// cpuStatistics has null for the parts that the host did not record.
type cpuStatistics struct {
	CPU     string `json:"cpu"`
	User    int64  `json:"user_ns"`
	Syscall *int64 `json:"syscall_ns"`
	Kernel  int64  `json:"kernel_ns"`
	SoftIRQ *int64 `json:"softirq_ns"`
	IRQ     *int64 `json:"irq_ns"`
	Idle    int64  `json:"idle_ns"`
	Unknown int64  `json:"unknown_ns"`
}

type threadStatistics struct {
	TID    int32   `json:"tid"`
	PID    int32   `json:"pid"`
	Name   string  `json:"name"`
	OnCPU  *int64  `json:"on_cpu_ns"` // null where no CPU is known: that of user space was seen at its events alone
	Status []spent `json:"status"`    // longest first
}

// spent is a part of the selection: a state or a system call.
type spent struct {
	Name  string `json:"name"`
	Code  *uint8 `json:"code,omitempty"` // of a state
	Time  int64  `json:"ns"`
	Count uint64 `json:"count"` // of intervals that touch the selection
}

// pairStatistics is of the messages of the selection from one host to another.
type pairStatistics struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Messages int64  `json:"messages"`
	Bytes    int64  `json:"bytes"`    // as far as the traces tell
	Least    *int64 `json:"least_ns"` // latency by the clocks asked for; null of hosts that nothing relates
	Most     *int64 `json:"most_ns"`
}

func statisticsOf(r *http.Request, set *ingest.Set) (a statisticsAnswer, err error) {
	sel, err := selectionOf(r, set, "order", "narrow", "limit", "still")
	if err != nil {
		return a, err
	}
	which, err := listingOf(r.URL.Query(), len(sel.hosts))
	if err != nil {
		return a, err
	}
	a = statisticsAnswer{Begin: wire.Time(sel.begin), End: wire.Time(sel.end), Local: sel.local, Hosts: []hostStatistics{}}
	for _, host := range sel.hosts {
		from, to := sel.of(host)
		until := knownUntil(host.Known(), from, to)
		h, err := statisticsOfHost(r.Context(), host, &which, from, to)
		if err == nil {
			if h.Lost, err = lossStatisticsOf(r.Context(), host, from, to); set.Damaged(err) != nil {
				err = nil // as where nobody knows when something was lost; the status and the report say why
			}
		}
		if fault := set.Damaged(err); fault != nil {
			h = hostStatistics{Host: host.Name(), Error: fault.Sentence(), LocalBegin: wire.Time(from), LocalEnd: wire.Time(to), Unrecorded: []string{}, CPUs: []cpuStatistics{}, Threads: []threadStatistics{}, Calls: []spent{}}
			err = nil
		}
		if err != nil {
			return a, err
		}
		h.Until = until
		a.Hosts = append(a.Hosts, h)
	}
	a.Messages, err = exchanged(r.Context(), set, &sel)
	return a, err
}

// doings are the threads of a host and what each did in a stretch of local time.
func doings(ctx context.Context, host *ingest.Host, h *history.History, begin, end int64) ([]kernel.Thread, []attributes.Statistics, error) {
	threads, _ := host.Threads(0)
	all, err := attributes.Of(ctx, h, quarksOf(threads), begin, end)
	return threads, all, err
}

func statisticsOfHost(ctx context.Context, host *ingest.Host, which *listing, begin, end int64) (hostStatistics, error) {
	out := hostStatistics{Host: host.Name(), Unrecorded: []string{}, CPUs: []cpuStatistics{}, Threads: []threadStatistics{}, Calls: []spent{}}
	h, err := host.States()
	if h == nil {
		return out, err
	}
	first, last := h.Bounds()
	begin, end = max(begin, first), min(end, last)
	out.LocalBegin, out.LocalEnd = wire.Time(begin), wire.Time(max(begin, end))
	if out.Known = begin < end; !out.Known {
		return out, nil
	}
	if out.CPUs, err = cpusOf(ctx, h, begin, end); err != nil {
		return out, err
	}
	if len(out.CPUs) > 0 {
		out.forget(host.CPUParts())
	}
	threads, all, err := doings(ctx, host, h, begin, end)
	if err != nil {
		return out, err
	}
	longest, err := which.longestCalls(ctx, host, threads, begin, end)
	if err != nil {
		return out, err
	}
	list := foremost{of: which}
	calls := make(map[string]spent)
	for i, s := range all {
		for _, c := range s.Calls {
			sum := calls[c.Name]
			calls[c.Name] = spent{Name: c.Name, Time: sum.Time + c.Time, Count: sum.Count + c.Count}
		}
		t := listed{threadStatistics: threadStatistics{TID: threads[i].TID, PID: threads[i].PID, Name: threads[i].Name}, longest: -1}
		for _, part := range s.Status {
			code := part.Status
			if kernel.Status(code).OnCPU() {
				t.ran += part.Time
			}
			t.Status = append(t.Status, spent{Name: part.Name, Code: &code, Time: part.Time, Count: part.Count})
		}
		if len(out.CPUs) > 0 { // these know more than its states: who was there, also where not what it did
			t.ran = 0
			for _, cpu := range s.CPUs {
				t.ran += cpu.Time
			}
			ran := t.ran
			t.OnCPU = &ran
		}
		if len(t.Status) == 0 {
			continue
		}
		if ns, ok := longest[attribute.Quark(threads[i].Quark)]; ok {
			t.longest = ns
		}
		count := &out.Ran
		if t.ran == 0 {
			count = &out.Still
		}
		if *count++; (t.ran > 0 || which.still) && which.has(&t.threadStatistics, out.Host) {
			list.add(t)
		}
	}
	out.Threads, out.Others = list.threads()
	for _, c := range calls {
		out.Calls = append(out.Calls, c)
	}
	slices.SortFunc(out.Calls, func(a, b spent) int { return cmp.Or(cmp.Compare(b.Time, a.Time), natural.Compare(a.Name, b.Name)) })
	return out, nil
}

// forget makes unknown what was not recorded. A part that some CPU has nevertheless is kept of all.
func (h *hostStatistics) forget(syscalls, softIRQs, irqs bool) {
	for _, part := range []struct {
		name     string
		recorded bool
		of       func(*cpuStatistics) **int64
	}{
		{"system calls", syscalls, func(c *cpuStatistics) **int64 { return &c.Syscall }},
		{"soft interrupts", softIRQs, func(c *cpuStatistics) **int64 { return &c.SoftIRQ }},
		{"interrupts", irqs, func(c *cpuStatistics) **int64 { return &c.IRQ }},
	} {
		if part.recorded || slices.ContainsFunc(h.CPUs, func(c cpuStatistics) bool { return **part.of(&c) > 0 }) {
			continue
		}
		h.Unrecorded = append(h.Unrecorded, part.name)
		for i := range h.CPUs {
			*part.of(&h.CPUs[i]) = nil
		}
	}
}

// cpusOf tells how each CPU spent a selection, local ns.
func cpusOf(ctx context.Context, h *history.History, begin, end int64) ([]cpuStatistics, error) {
	resources, err := kernel.Resources(ctx, h)
	if err != nil {
		return nil, err
	}
	resources = slices.DeleteFunc(resources, func(r kernel.Resource) bool { return r.Kind != kernel.CPUResource })
	quarks := make([]attribute.Quark, len(resources))
	for i, r := range resources {
		quarks[i] = r.Quark
	}
	use, err := kernel.CPUUse(ctx, h, quarks, []int64{begin, end})
	if err != nil {
		return nil, err
	}
	cpus := []cpuStatistics{}
	for i, r := range resources {
		u := use[i][0]
		cpus = append(cpus, cpuStatistics{CPU: strings.TrimPrefix(r.Name, "CPU "), User: u.User, Syscall: &u.Syscall, Kernel: u.Kernel, SoftIRQ: &u.SoftIRQ, IRQ: &u.IRQ, Idle: u.Idle, Unknown: u.Unknown})
	}
	return cpus, nil
}

// exchanged adds up the messages of a selection by sender and receiver.
func exchanged(ctx context.Context, set *ingest.Set, sel *selection) ([]pairStatistics, error) {
	type pair struct{ from, to int32 }
	pairs := make(map[pair]*pairStatistics)
	all := set.Hosts()
	clocks := sel.clocks()
	err := sel.eachMessage(ctx, set, func(m match.Message, sent, received int64) {
		p := pairs[pair{m.From, m.To}]
		if p == nil {
			if int(max(m.From, m.To)) >= len(all) {
				return
			}
			p = &pairStatistics{From: all[m.From].Name(), To: all[m.To].Name()}
			pairs[pair{m.From, m.To}] = p
		}
		p.Messages++
		p.Bytes += int64(m.Data)
		if !sel.local && (clocks == nil || clocks.Hosts[m.From].Component != clocks.Hosts[m.To].Component) {
			return
		}
		latency := received - sent
		if p.Least == nil {
			p.Least, p.Most = new(int64), new(int64)
			*p.Least, *p.Most = latency, latency
		}
		*p.Least, *p.Most = min(*p.Least, latency), max(*p.Most, latency)
	})
	out := []pairStatistics{}
	for _, p := range pairs {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b pairStatistics) int {
		return cmp.Or(cmp.Compare(b.Messages, a.Messages), natural.Compare(a.From, b.From), natural.Compare(a.To, b.To))
	})
	return out, err
}
