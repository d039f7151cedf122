package declared_test

import (
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/declared"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/trace/tracetest"
)

// A part is of which module a byte is.
type part struct {
	name   string
	base   uint64
	opened bool
}

// loadedBytes are the modules of processes, the long way: byte by byte.
type loadedBytes struct {
	of                  map[int64]map[uint64]part // process, address
	untold              map[int64]map[part]bool   // of a process of which all are being told; nil of others
	processes           []int64                   // as they were first told of
	loaded, all, atOnce int                       // modules of a process and of all, and processes, at most
}

func (l *loadedBytes) modules(pid int64) int {
	seen := make(map[part]bool)
	for _, p := range l.of[pid] {
		seen[p] = true
	}
	return len(seen)
}

func (l *loadedBytes) list(pid int64) {
	if l.of[pid] == nil {
		return
	}
	l.untold[pid] = make(map[part]bool)
	for _, p := range l.of[pid] {
		l.untold[pid][p] = true
	}
}

func (l *loadedBytes) listed(pid int64) {
	maps.DeleteFunc(l.of[pid], func(_ uint64, p part) bool { return l.untold[pid][p] })
	delete(l.untold, pid)
}

func (l *loadedBytes) lose() {
	for pid, bytes := range l.of {
		maps.DeleteFunc(bytes, func(_ uint64, p part) bool { return p.opened || l.untold[pid][p] })
	}
	clear(l.untold)
}

func (l *loadedBytes) load(pid int64, base, size uint64, name string, opened bool) {
	over := make(map[part]bool)
	for a := base; a < base+size; a++ {
		if p, ok := l.of[pid][a]; ok {
			over[p] = true
		}
	}
	if size == 0 || len(over) == 0 && l.modules(pid) >= l.loaded {
		return
	}
	if l.of[pid] == nil {
		l.of[pid] = make(map[uint64]part)
		l.processes = append(l.processes, pid)
	}
	maps.DeleteFunc(l.of[pid], func(_ uint64, p part) bool { return over[p] })
	for p := range over {
		opened = opened || p.opened
	}
	for a := base; a < base+size; a++ {
		l.of[pid][a] = part{name, base, opened}
	}
	for len(l.processes) > 1 {
		all := 0
		for _, p := range l.processes {
			all += l.modules(p)
		}
		if all <= l.all && len(l.processes) <= l.atOnce {
			return
		}
		delete(l.of, l.processes[0])
		delete(l.untold, l.processes[0])
		l.processes = l.processes[1:]
	}
}

func (l *loadedBytes) unload(pid int64, base uint64) {
	maps.DeleteFunc(l.of[pid], func(_ uint64, p part) bool { return p.base == base })
}

func (l *loadedBytes) name(pid int64, address uint64) string {
	if p, ok := l.of[pid][address]; ok && !l.untold[pid][p] {
		return fmt.Sprintf("%s+%#x", p.name, address-p.base)
	}
	return fmt.Sprintf("%#x", address)
}

// Whatever is loaded over what, in whichever processes, and gone again, with losses and restarts, a function is where all events so far say.
func TestModules(t *testing.T) {
	declared.LimitModules(t, 3, 6, 3)
	rapid.Check(t, func(rt *rapid.T) {
		var source tracetest.Source
		want := loadedBytes{of: make(map[int64]map[uint64]part), untold: make(map[int64]map[part]bool), loaded: 3, all: 6, atOnce: 3}
		h := newHost(t, nil)
		for i := range rapid.IntRange(1, 60).Draw(rt, "steps") {
			now := int64(i+1) * 1e9
			pid := rapid.Int64Range(1, 4).Draw(rt, "pid")
			base := rapid.Uint64Range(0, 40).Draw(rt, "base")
			at := fmt.Sprintf("| vtid=%d vpid=%d", pid, pid)
			step := rapid.IntRange(0, 14).Draw(rt, "step")
			var text string
			switch {
			case step == 0:
				h.restart(t)
				continue
			case step == 1:
				h.take(t, kerneltest.Step{Begin: now - 5e8, End: now - 1})
				want.lose()
				continue
			case step == 13:
				text = fmt.Sprintf("%d cpu=0 lttng_ust_statedump:start n=1 %s", i+1, at)
				want.list(pid)
			case step == 14:
				text = fmt.Sprintf("%d cpu=0 lttng_ust_statedump:end n=1 %s", i+1, at)
				want.listed(pid)
			case step < 6:
				size := rapid.Uint64Range(0, 12).Draw(rt, "size")
				name := fmt.Sprintf("m%d", i)
				event := rapid.SampledFrom([]string{"lttng_ust_statedump:bin_info", "lttng_ust_dl:dlopen", "lttng_ust_dl:dlmopen", "lttng_ust_lib:load"}).Draw(rt, "event")
				want.load(pid, base, size, name, event != "lttng_ust_statedump:bin_info")
				text = fmt.Sprintf("%d cpu=0 %s baddr=%#x memsz=%#x path=\"/a/%s\" is_pic=1 %s", i+1, event, base, size, name, at)
			case step == 6:
				want.unload(pid, base)
				text = fmt.Sprintf("%d cpu=0 lttng_ust_lib:unload baddr=%#x %s", i+1, base, at)
			default:
				text = fmt.Sprintf("%d cpu=0 lttng_ust_cyg_profile:func_entry addr=%#x %s", i+1, base, at)
			}
			ev, err := source.Event(text)
			if err != nil {
				rt.Fatal(err)
			}
			h.take(t, kerneltest.Step{Event: ev})
			if step <= 6 || step > 12 {
				continue
			}
			q := h.Writer.Attributes().Lookup("Threads", fmt.Sprint(pid), "Function")
			v, _ := h.Writer.Ongoing(q)
			if got := h.Writer.History().String(v); got != want.name(pid, base) {
				rt.Fatalf("%s: %s, not %s", text, got, want.name(pid, base))
			}
		}
	})
}
