package kernel

import (
	"slices"
	"strings"

	"synchroscope/state/history"
	"synchroscope/trace"
)

// Packets. They are received in one soft interrupt, which interrupts of timers that are not recorded can interrupt. So not all that is
// woken in it waits for a packet: who does, tell the call that it sleeps in and the packets that were received before.

// netRX is the soft interrupt in which packets are received.
var netRX = lineKey{soft: true, nr: 3}

// packetText is what the attribute Wakeup says where a packet did it.
const packetText = "packet"

// netReceive: the network stack takes a packet.
func netReceive(*trace.Class) handler {
	return func(m *Model, ev *trace.Event) { m.received(ev) }
}

// socketReceive: a packet is one of this host. The network stack has taken it before, so it counts only where that is not recorded.
func socketReceive(*trace.Class) handler {
	return func(m *Model, ev *trace.Event) {
		if m.events != nil && !m.events["net_if_receive_skb"] && !m.events["netif_receive_skb"] {
			m.received(ev)
		}
	}
}

func (m *Model) received(ev *trace.Event) {
	if c := m.met(ev.CPU); c != nil && !m.isDark(c) && m.receives(c) {
		c.packets++
	}
}

// receives reports whether what a CPU serves now is the soft interrupt in which packets are received.
func (m *Model) receives(c *cpu) bool {
	n := len(c.serving)
	return n > 0 && c.timer <= n && m.lines.all[c.serving[n-1]].key == netRX
}

// takes reports whether a packet wakes t, which is woken on a CPU now: each packet wakes one. Of others that it may have woken nobody
// knows whether it did.
func (m *Model) takes(t *thread, c *cpu) bool {
	switch {
	case c == nil || m.isDark(c) || !m.mayAwaitPacket(t):
		return false
	case len(c.serving) == 0: // nothing tells whether packets are received here
		m.delivered = t.tid
		return false
	case c.packets == 0 || !m.receives(c):
		return false
	}
	c.packets--
	m.delivered = t.tid
	return true
}

// Delivered is the thread that the newest event handled woke up for a packet, or may have where soft interrupts are not recorded; -1 for none.
func (m *Model) Delivered() int32 { return m.delivered }

// mayAwaitPacket reports whether a thread can sleep for a packet, as far as is known.
func (m *Model) mayAwaitPacket(t *thread) bool {
	switch {
	case t.kernel || t.idle():
		return false
	case t.call.IsNull():
		return !t.known || m.fewCalls
	}
	may, ok := m.awaits[t.call]
	if !ok {
		name := m.w.History().String(t.call)
		may = slices.Contains(socketCalls, name) || strings.HasPrefix(name, "system call ") || strings.HasPrefix(name, "syscall ") // as earlier versions had it
		if m.awaits == nil {
			m.awaits = make(map[history.Value]bool)
		}
		m.awaits[t.call] = may
	}
	return may
}

// socketCalls are the calls in which a thread can sleep until a packet comes.
var socketCalls = []string{
	"read", "readv", "recv", "recvfrom", "recvmsg", "recvmmsg", "recvmmsg_time32", "recvmmsg_time64",
	"write", "writev", "send", "sendto", "sendmsg", "sendmmsg", "sendfile", "sendfile64", "splice", "tee",
	"accept", "accept4", "connect", "close", "socketcall", "restart_syscall",
	"poll", "ppoll", "ppoll_time32", "ppoll_time64", "select", "_newselect", "newselect", "pselect6", "pselect6_time32", "pselect6_time64",
	"epoll_wait", "epoll_wait_old", "epoll_pwait", "epoll_pwait2", "io_getevents", "io_pgetevents", "io_uring_enter",
}
