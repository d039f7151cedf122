package validate

import (
	"strings"

	"synchroscope/trace"
)

// handler is what takes the events of a class, nil if none need be looked at.
func (m *machine) handler(c *trace.Class) func(ev *trace.Event) {
	if call, ok := strings.CutPrefix(c.Name, "syscall_entry_"); ok {
		n := m.number(call)
		return func(ev *trace.Event) { m.enter(ev.CPU, n) }
	}
	if call, ok := strings.CutPrefix(c.Name, "syscall_exit_"); ok {
		n := m.number(call)
		return func(ev *trace.Event) { m.leave(ev.CPU, n) }
	}
	tid := c.Field("tid")
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
		return func(ev *trace.Event) {
			m.switches(ev.CPU, int32(ev.Int(prev)), ev.Int(state), int32(ev.Int(next)))
		}
	case "sched_waking", "sched_wakeup", "sched_wakeup_new":
		return func(ev *trace.Event) { m.wake(int32(ev.Int(tid))) }
	case "sched_process_fork":
		parent, child := c.Field("parent_tid"), c.Field("child_tid")
		return func(ev *trace.Event) { m.fork(ev.CPU, int32(ev.Int(parent)), int32(ev.Int(child))) }
	case "sched_process_exec":
		return func(ev *trace.Event) { m.runs(ev.CPU, int32(ev.Int(tid)), "executes a program") }
	case "sched_process_exit":
		return func(ev *trace.Event) { m.exit(ev.CPU, int32(ev.Int(tid))) }
	case "sched_process_free":
		return func(ev *trace.Event) { m.free(int32(ev.Int(tid))) }
	case "lttng_statedump_process_state":
		return func(ev *trace.Event) { m.dump(int32(ev.Int(tid))) }
	case "lttng_statedump_end":
		return func(ev *trace.Event) { m.dumped() }
	case "irq_handler_entry":
		return frame(interrupt, true, "irq")
	case "irq_handler_exit":
		return frame(interrupt, false, "irq")
	case "irq_softirq_entry":
		return frame(softInterrupt, true, "vec")
	case "irq_softirq_exit":
		return frame(softInterrupt, false, "vec")
	case "timer_expire_entry":
		return frame(timer, true, "timer")
	case "timer_expire_exit":
		return frame(timer, false, "timer")
	case "timer_hrtimer_expire_entry":
		return frame(hrtimer, true, "hrtimer")
	case "timer_hrtimer_expire_exit":
		return frame(hrtimer, false, "hrtimer")
	case "net_dev_queue":
		return m.packets(c, false)
	case "net_if_receive_skb":
		return m.packets(c, true)
	}
	return nil
}
