package record

import "encoding/binary"

// A Task is a thread as the kernel names it. Its first thread gives a process its number.
type Task struct {
	Comm             [16]byte
	TID, PID, Parent int32 // Parent is the number of the process that made its process
	Prio             int32 // as LTTng records it: 20 for nice 0, below 0 for real time
}

// SetComm names the task; of long names 15 bytes are kept, as in the kernel.
func (t *Task) SetComm(name string) {
	t.Comm = [16]byte{}
	copy(t.Comm[:15], name)
}

// Name is the task's name as text.
func (t *Task) Name() string {
	for i, c := range t.Comm {
		if c == 0 {
			return string(t.Comm[:i])
		}
	}
	return string(t.Comm[:])
}

var le = binary.LittleEndian

func u32(b []byte, v int32) []byte  { return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24)) }
func u64(b []byte, v uint64) []byte { return le.AppendUint64(b, v) }

func text(b []byte, s string) []byte { return append(append(b, s...), 0) }

// the numbers of the kinds of events that have methods of their own
var (
	schedSwitch, schedWakeup, schedWakeupNew, schedWaking                   = id("sched_switch"), id("sched_wakeup"), id("sched_wakeup_new"), id("sched_waking")
	schedMigrate, processFork, processExec                                  = id("sched_migrate_task"), id("sched_process_fork"), id("sched_process_exec")
	processExit, processFree, processWait                                   = id("sched_process_exit"), id("sched_process_free"), id("sched_process_wait")
	irqEntry, irqExit, softRaise, softEntry, softExit                       = id("irq_handler_entry"), id("irq_handler_exit"), id("irq_softirq_raise"), id("irq_softirq_entry"), id("irq_softirq_exit")
	netQueue, netXmit, netReceive, cpuIdle                                  = id("net_dev_queue"), id("net_dev_xmit"), id("net_if_receive_skb"), id("power_cpu_idle")
	blockInsert, blockIssue, blockComplete                                  = id("block_rq_insert"), id("block_rq_issue"), id("block_rq_complete")
	faultUser                                                               = id("x86_exceptions_page_fault_user")
	timerStart, timerExpire, timerExpired, timerCancel                      = id("timer_start"), id("timer_expire_entry"), id("timer_expire_exit"), id("timer_cancel")
	hrtimerStart, hrtimerExpire, hrtimerExpired, hrtimerCancel              = id("timer_hrtimer_start"), id("timer_hrtimer_expire_entry"), id("timer_hrtimer_expire_exit"), id("timer_hrtimer_cancel")
	dumpStart, dumpEnd, dumpProcess, dumpNamespace, dumpInterface, dumpDisk = id("lttng_statedump_start"), id("lttng_statedump_end"), id("lttng_statedump_process_state"), id("lttng_statedump_process_pid_ns"), id("lttng_statedump_network_interface"), id("lttng_statedump_block_device")
	dumpIRQ                                                                 = id("lttng_statedump_interrupt")
)
