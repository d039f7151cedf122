package validate

import (
	"strings"

	"synchroscope/trace"
)

// handler is what takes the events of a class, nil if none need be looked at.
func (m *machine) handler(c *trace.Class) func(ev *trace.Event) {
	if call, ok := strings.CutPrefix(c.Name, "syscall_entry_"); ok {
		n, changes, executes := m.number(call), changing[call], call == "execve"
		file := c.Field("filename")
		return func(ev *trace.Event) {
			m.enter(ev.CPU, n)
			if changes {
				m.renamed(ev.CPU)
			}
			if executes {
				m.requested(ev.CPU, ev.Bytes(file))
			}
		}
	}
	if call, ok := strings.CutPrefix(c.Name, "syscall_exit_"); ok {
		n, changes, forks, executes := m.number(call), changing[call], call == "clone", call == "execve"
		ret := c.Field("ret")
		return func(ev *trace.Event) {
			switch {
			case forks:
				m.forked(ev.CPU, n, ev.Int(ret))
			case executes:
				m.executed(ev.CPU, ev.Int(ret))
			}
			m.leave(ev.CPU, n)
			if changes {
				m.renamed(ev.CPU)
			}
		}
	}
	tid, vec, timer := c.Field("tid"), c.Field("vec"), c.Field("timer")
	frame := func(kind frameKind, entry bool, key string) func(*trace.Event) {
		f := c.Field(key)
		return func(ev *trace.Event) {
			if entry {
				m.push(ev.CPU, kind, ev.Int(f))
			} else {
				m.pop(ev.CPU, kind, ev.Int(f))
			}
		}
	}
	switch c.Name {
	case "sched_switch":
		prev, state, next := c.Field("prev_tid"), c.Field("prev_state"), c.Field("next_tid")
		namesPrev, namesNext := m.named(c, "prev_comm", "prev_tid", "prev_prio"), m.named(c, "next_comm", "next_tid", "next_prio")
		return func(ev *trace.Event) {
			namesPrev(ev)
			m.switches(ev.CPU, int32(ev.Int(prev)), ev.Int(state), int32(ev.Int(next)))
			namesNext(ev)
		}
	case "sched_waking":
		return m.wake(c, wakeBegins, &m.recorded.wakings)
	case "sched_wakeup":
		return m.wake(c, wakeEnds, &m.recorded.wakeups)
	case "sched_wakeup_new":
		return m.wake(c, wakeFirst, new(bool))
	case "sched_migrate_task":
		return m.migrate(c)
	case "sched_process_fork":
		parent, child := c.Field("parent_tid"), c.Field("child_tid")
		namesParent, namesChild := m.named(c, "parent_comm", "parent_tid", ""), m.named(c, "child_comm", "child_tid", "")
		processes := m.processes(c)
		return func(ev *trace.Event) {
			namesParent(ev)
			m.fork(ev.CPU, int32(ev.Int(parent)), int32(ev.Int(child)))
			namesChild(ev)
			processes(ev)
		}
	case "sched_process_exec":
		return m.execution(c)
	case "sched_process_exit":
		named := m.named(c, "comm", "tid", "prio")
		return func(ev *trace.Event) {
			named(ev)
			m.exit(ev.CPU, int32(ev.Int(tid)))
		}
	case "sched_process_free":
		named := m.named(c, "comm", "tid", "prio")
		return func(ev *trace.Event) {
			named(ev)
			m.free(int32(ev.Int(tid)))
		}
	case "lttng_statedump_process_state":
		pid := c.Field("pid")
		return func(ev *trace.Event) { m.dump(int32(ev.Int(tid)), int32(ev.Int(pid))) }
	case "lttng_statedump_end":
		return func(ev *trace.Event) { m.dumped() }
	case "block_rq_insert":
		return m.requests(c, m.insert)
	case "block_rq_issue":
		return m.requests(c, m.issue)
	case "block_rq_complete":
		return m.requests(c, m.done)
	case "irq_handler_entry":
		return m.device(c)
	case "irq_handler_exit":
		irq := c.Field("irq")
		return func(ev *trace.Event) { m.undevice(ev.CPU, ev.Int(irq)) }
	case "irq_softirq_raise":
		return func(ev *trace.Event) { m.raise(ev.CPU, ev.Int(vec)) }
	case "irq_softirq_entry":
		return func(ev *trace.Event) {
			m.push(ev.CPU, softInterrupt, ev.Int(vec))
			m.soften(ev.CPU, ev.Int(vec))
		}
	case "irq_softirq_exit":
		return func(ev *trace.Event) {
			m.pop(ev.CPU, softInterrupt, ev.Int(vec))
			m.settled(ev.CPU)
		}
	case "timer_start":
		return func(ev *trace.Event) { m.set(ev.Int(timer), true) }
	case "timer_cancel":
		return func(ev *trace.Event) { m.set(ev.Int(timer), false) }
	case "timer_expire_entry":
		return func(ev *trace.Event) { m.off(ev.CPU, ev.Int(timer)) }
	case "timer_expire_exit":
		return frame(wheelTimer, false, "timer")
	case "timer_hrtimer_expire_entry":
		return frame(hrtimer, true, "hrtimer")
	case "timer_hrtimer_expire_exit":
		return frame(hrtimer, false, "hrtimer")
	case "net_dev_queue":
		return m.packets(c, false)
	case "net_dev_xmit":
		buffer := c.Field("skbaddr")
		return func(ev *trace.Event) { m.transmit(ev.CPU, ev.Int(buffer)) }
	case "net_if_receive_skb":
		return m.packets(c, true)
	}
	return nil
}
