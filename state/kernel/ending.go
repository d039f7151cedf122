package kernel

import (
	"slices"
	"strings"

	"synchroscope/state/attribute"
)

// What the call in which a thread slept tells of the end of that: a timer that is not recorded can interrupt all that a CPU
// does, so that this wakes nobody.

const (
	// TimeOver is what Waiting.How says where the call came to its end because its time was over: a timer did it, whatever its CPU was doing.
	TimeOver = "time over"
	// TimerOrSignal is what it says of a thread that was woken in a soft interrupt for others, in a call that waits for none of what these bring.
	TimerOrSignal = "timer or signal"
)

// byCall corrects what ended a waiting by the call that it was in.
func (r *reader) byCall(w *Waiting) {
	switch {
	case w.Sleep != Interruptible:
	case w.How != "timer" && r.timeOver(w):
		w.How, w.Waker = TimeOver, 0
	case slices.Contains(aloneCalls, w.Call) && strings.HasPrefix(w.How, "softirq ") && w.How != "softirq 1" && w.How != "softirq 8":
		w.How, w.Waker = TimerOrSignal, 0
	}
}

// mostStates bounds what is looked at of a call between a wake-up and its end.
const mostStates = 32

// timeOver reports whether the call of a waiting went on without another to its end, and that was because its time was over.
func (r *reader) timeOver(w *Waiting) bool {
	number, ok := timeouts[w.Call]
	call := r.h.Attributes().Child(r.status, "System_call")
	if !ok || call == attribute.None || r.err != nil {
		return false
	}
	in, err := r.h.Point(r.ctx, call, w.End)
	if err != nil {
		r.err = err
		return false
	}
	_, last := r.h.Bounds()
	if in.Value.IsNull() || in.End >= last || !r.value(call, in.End).IsNull() {
		return false // whether it ended nobody knows
	}
	at := w.End
	for range mostStates {
		iv, err := r.h.Point(r.ctx, r.status, at)
		if err != nil {
			r.err = err
			return false
		}
		s, ok := iv.Value.Int()
		switch status := Status(s); {
		case !ok || status == Unknown || status == Blocked || status == Wait:
			return false
		case at >= in.End:
			failed, _ := r.value(r.h.Attributes().Child(call, "Error"), in.End).Int()
			return status == User && failed == number
		}
		at = min(iv.End, in.End)
	}
	return false
}

// aloneCalls are the calls that wait for no file and no socket: threads end them, and out of an interrupt only a timer or a signal.
var aloneCalls = []string{
	"nanosleep", "clock_nanosleep", "clock_nanosleep_time32", "clock_nanosleep_time64",
	"pause", "sigsuspend", "rt_sigsuspend", "rt_sigtimedwait", "rt_sigtimedwait_time32", "rt_sigtimedwait_time64",
	"wait4", "waitid", "waitpid", "futex", "futex_time32", "futex_time64", "futex_wait", "futex_waitv",
	"semop", "semtimedop", "semtimedop_time32", "semtimedop_time64", "msgrcv", "msgsnd", "mq_timedreceive", "mq_timedsend",
}

// timeouts are the numbers of the errors with which calls end whose time is over; 0 for those that end without one then.
var timeouts = map[string]int64{
	"nanosleep": 0, "clock_nanosleep": 0, "clock_nanosleep_time32": 0, "clock_nanosleep_time64": 0,
	"futex": etimedout, "futex_time32": etimedout, "futex_time64": etimedout, "futex_wait": etimedout, "futex_waitv": etimedout,
	"rt_sigtimedwait": eagain, "rt_sigtimedwait_time32": eagain, "rt_sigtimedwait_time64": eagain,
	"semtimedop": eagain, "semtimedop_time32": eagain, "semtimedop_time64": eagain,
	"mq_timedreceive": etimedout, "mq_timedsend": etimedout,
}

const (
	eagain    = 11
	etimedout = 110
)
