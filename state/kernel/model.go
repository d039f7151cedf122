// Package kernel turns Linux kernel events into the state of threads, CPUs
// and interrupts: a table of handlers by event name.
package kernel

import (
	"synchroscope/state/history"
	"synchroscope/trace"
)

// A Status is what a thread does. The numbers are stored.
type Status uint8

const (
	Unknown Status = iota
	Blocked        // asleep until something wakes it
	User
	Syscall
	Interrupted
	WaitCPU // runnable, not running
	Wait    // not running, for a reason the events do not tell
	Forked  // made, never run yet
)

// A Thread is what is known of one thread for the row tree.
type Thread struct {
	TID, PID, PPID int32
	Name           string // the newest name
	First, Last    int64  // local ns: first seen; end of life, or 0 while it lives
	Quark          int32  // the attribute of its status
}

// A Model feeds one host's kernel events into a history.
type Model struct{}

func New(w *history.Writer) *Model { panic("unbuilt") }

// Handle takes the next event in local time order.
func (m *Model) Handle(ev *trace.Event) error { panic("unbuilt") }

// Lost tells that events were lost on a CPU (-1: any) in [begin, end) local ns.
func (m *Model) Lost(cpu int32, begin, end int64) error { panic("unbuilt") }

// Running is the thread on a CPU now, -1 if unknown; irq says that an interrupt or
// soft interrupt is being served on it.
func (m *Model) Running(cpu int32) (tid int32, irq bool) { panic("unbuilt") }

// Woken is the thread that the newest event handled woke up, -1 if it was no wake-up.
func (m *Model) Woken() int32 { panic("unbuilt") }

// Threads returns the threads that are new or changed since a version, and the version now.
// It may be called from any goroutine.
func (m *Model) Threads(since uint64) (threads []Thread, version uint64) { panic("unbuilt") }

// AppendState and Restore carry what the model knows beyond the ongoing values of
// the history through a checkpoint.
func (m *Model) AppendState(b []byte) []byte { panic("unbuilt") }
func (m *Model) Restore(b []byte) error      { panic("unbuilt") }
