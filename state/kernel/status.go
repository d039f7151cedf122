package kernel

import (
	"strings"

	"synchroscope/state/history"
)

// A Status is what a thread does. The numbers are stored. A thread that does
// not live has no status: its attribute is null.
type Status uint8

const (
	Unknown     Status = iota // what it does the events do not tell
	Blocked                   // asleep until something wakes it
	User                      // on a CPU, in no system call that the events tell of
	Syscall                   // on a CPU, inside a system call
	Interrupted               // on a CPU that serves an interrupt or soft interrupt
	WaitCPU                   // runnable, not running
	Wait                      // not running, for a reason the events do not tell
	Forked                    // made, never run yet
	Kernel                    // on a CPU, a thread of the kernel's own: in the kernel, in no system call
)

// absent is the status, inside the model, of a thread whose attribute is null.
const absent Status = 255

var statusNames = [...]string{
	Unknown: "unknown", Blocked: "blocked", User: "user", Syscall: "syscall",
	Interrupted: "interrupted", WaitCPU: "wait for cpu", Wait: "wait", Forked: "forked",
	Kernel: "kernel",
}

// String names s in words.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "none"
}

// OnCPU reports whether a thread in this status occupies a CPU.
func (s Status) OnCPU() bool {
	return s == User || s == Syscall || s == Interrupted || s == Kernel
}

// Busy reports whether a thread in this status is on a CPU or wants to be: it waits for one, or was made and did not run yet.
func (s Status) Busy() bool {
	return s.OnCPU() || s == WaitCPU || s == Forked
}

func (s Status) value() history.Value {
	if s == absent {
		return history.Null()
	}
	return history.Int(int64(s))
}

// A CPUStatus is what a CPU does. The numbers are stored.
type CPUStatus uint8

const (
	CPUUnknown CPUStatus = iota
	CPUIdle              // its idle thread runs
	CPUUser              // a thread runs outside any system call, and is not known to be the kernel's own
	CPUSyscall           // a thread runs inside a system call
	CPUSoftIRQ           // a soft interrupt is served
	CPUIRQ               // an interrupt is served
	CPUKernel            // a thread of the kernel's own runs, which is not the idle one
)

var cpuStatusNames = [...]string{
	CPUUnknown: "unknown", CPUIdle: "idle", CPUUser: "user",
	CPUSyscall: "syscall", CPUSoftIRQ: "softirq", CPUIRQ: "irq", CPUKernel: "kernel",
}

// String names s in words.
func (s CPUStatus) String() string {
	if int(s) < len(cpuStatusNames) {
		return cpuStatusNames[s]
	}
	return "none"
}

// A LineStatus is the state of an interrupt or soft interrupt line, on one CPU
// or on any of them. It is a set of bits; the numbers are stored. A line that is
// neither raised nor served has no status: its attribute is null.
type LineStatus uint8

const (
	Raised LineStatus = 1 << iota // a soft interrupt waits to be served
	Served                        // a handler runs
)

var lineStatusNames = [...]string{"at rest", "raised", "served", "raised and served"}

// String names s in words.
func (s LineStatus) String() string {
	if int(s) < len(lineStatusNames) {
		return lineStatusNames[s]
	}
	return "none"
}

func (s LineStatus) value() history.Value {
	if s == 0 {
		return history.Null()
	}
	return history.Int(int64(s))
}

// Word is the word for a number that the attribute with a path holds, "" where the
// number is just that.
func Word(path string, n int64) string {
	group, name, ok := strings.Cut(path, "/")
	if !ok || n < 0 || n > 255 {
		return ""
	}
	deeper := strings.Contains(name, "/")
	switch {
	case group == "Threads" && !deeper:
		return Status(n).String()
	case group == "Threads" && strings.HasSuffix(name, "/Sleep"):
		return Sleep(n).String()
	case group == "Threads" && strings.HasSuffix(name, "/Exit"):
		return Exit(n).String()
	case group == "CPUs" && !deeper:
		return CPUStatus(n).String()
	case group == "CPUs":
		if _, line, _ := strings.Cut(name, "/"); strings.HasPrefix(line, "IRQs/") || strings.HasPrefix(line, "Soft_IRQs/") {
			return LineStatus(n).String()
		}
	case (group == "IRQs" || group == "Soft_IRQs") && !deeper:
		return LineStatus(n).String()
	}
	return ""
}

var softIRQNames = [...]string{
	"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU",
}

// SoftIRQName is the kernel's name of a soft interrupt vector, "" where it has none.
func SoftIRQName(vec int) string {
	if vec < 0 || vec >= len(softIRQNames) {
		return ""
	}
	return softIRQNames[vec]
}
