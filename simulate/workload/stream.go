package workload

import "synchroscope/simulate/machine"

// Durations, in ns.
const (
	us     = 1000
	ms     = 1000 * us
	second = 1000 * ms
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// startUp is what a program does before its main: it is mapped, linked, and allocates.
func startUp(t *machine.Thread) {
	t.Syscall("brk", us)
	t.Syscall("openat", 3*us)
	t.Syscall("read", 2*us)
	t.Syscall("mmap", 4*us)
	t.Syscall("close", us)
	t.Compute(t.Chance().LogNormal(300*us, 0.4))
}

// A peer is a server as a client knows it: it is connected to when it is asked first, and
// again after a failure.
type peer struct {
	host string
	port uint16
	conn *machine.Conn
}

// ask sends n bytes that are of a kind, and waits for the answer.
func (p *peer) ask(t *machine.Thread, n int, kind uint32) (answer uint32, ok bool) {
	if p.conn == nil {
		c, err := t.Connect(p.host, p.port)
		if err != nil {
			return 0, false
		}
		p.conn = c
	}
	send(t, p.conn, n, kind)
	answer, ok = receive(t, p.conn)
	if !ok {
		t.CloseConn(p.conn)
		p.conn = nil
	}
	return answer, ok
}

// send sends a message of n bytes that is of a kind. That the connection broke shows when
// the answer is waited for.
func send(t *machine.Thread, c *machine.Conn, n int, kind uint32) { t.SendMessage(c, n, kind) }

// receive waits for the next message; it is not ok if there is none, because the other
// side closed the connection or it broke.
func receive(t *machine.Thread, c *machine.Conn) (kind uint32, ok bool) {
	_, kind, ok = t.ReceiveMessage(c)
	return kind, ok
}
