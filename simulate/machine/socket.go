package machine

import (
	"errors"
	"slices"

	"synchroscope/simulate/transport"
)

// ErrUnreachable says that no such host is in the cluster, or none that a link leads to.
var ErrUnreachable = errors.New("network is unreachable")

// A Conn is an end of a TCP connection.
type Conn struct {
	tcp    *transport.Conn
	m      *Machine
	fd     int
	cpu    int
	number uint64
	closed bool
	armed  bool // its timer was set since it last went off
	due    bool // its timer is about to go off
}

// conn is what the machine has for a connection of its transport.
func (m *Machine) conn(tc *transport.Conn) *Conn {
	if x, ok := tc.Data.(*Conn); ok {
		return x
	}
	m.conns++
	x := &Conn{tcp: tc, m: m, cpu: m.on.id, number: m.conns}
	tc.Data = x
	return x
}

func (x *Conn) release() {
	if !x.closed {
		x.closed = true
		x.tcp.Close()
	}
}

// open makes a file of the thread's process.
func (t *Thread) open(f file) int {
	t.proc.files = append(t.proc.files, f)
	return t.proc.fd()
}

// shut forgets it.
func (t *Thread) shut(f file, fd int) {
	if i := slices.Index(t.proc.files, f); i >= 0 {
		t.proc.files = slices.Delete(t.proc.files, i, i+1)
	}
	t.proc.close(fd)
}

// wait blocks until something is ready, or up to a time if that is not negative. It returns
// false if the time came first.
func (t *Thread) wait(w *transport.Waiters, until int64) bool {
	w.List = append(w.List, t)
	ok := true
	if until < 0 {
		t.block(interruptible)
	} else {
		ok = t.nap(until, true)
	}
	t.leave(w)
	t.cpu.lift(w.At)
	return ok
}

func (t *Thread) leave(w *transport.Waiters) {
	for i, x := range w.List {
		if x == t {
			w.List = append(w.List[:i], w.List[i+1:]...)
			return
		}
	}
}

// A Listener is where connections are taken.
type Listener struct {
	tcp *transport.Listener
	fd  int
}

func (l *Listener) release() { l.tcp.Close() }

// Listen takes connections at a port. Several may take those of one port; each gets some.
func (t *Thread) Listen(port uint16) *Listener {
	l := &Listener{tcp: t.m.stack.Listen(port)}
	t.call("socket", 2, 1, 0)
	t.work(2_500)
	l.fd = t.open(l)
	t.ret(int64(l.fd))
	t.call("bind", uint64(l.fd), stackOf(t), 16)
	t.work(700)
	t.ret(0)
	t.call("listen", uint64(l.fd), 4096)
	t.work(900)
	t.ret(0)
	return l
}

// Accept is the next connection.
func (t *Thread) Accept(l *Listener) *Conn {
	t.call("accept4", uint64(l.fd), stackOf(t), 16, 0o2000000)
	t.work(1_200)
	tc := l.tcp.Accept()
	for ; tc == nil; tc = l.tcp.Accept() {
		t.wait(&l.tcp.Waiters, -1)
	}
	t.cpu.lift(l.tcp.Waiters.At)
	x := t.m.conn(tc)
	x.fd = t.open(x)
	t.work(1_500)
	ip, port := tc.Remote()
	t.ret(int64(x.fd), 16, 2, uint64(port), uint64(ip))
	return x
}

// Connect makes a connection. The machine's own name leads to its loopback device.
func (t *Thread) Connect(host string, port uint16) (*Conn, error) {
	t.call("socket", 2, 1, 6)
	t.work(2_500)
	x := &Conn{m: t.m}
	fd := t.open(x)
	t.ret(int64(fd))
	ip, ok := t.hostAddress(host)
	t.call("connect", uint64(fd), stackOf(t), 16, 2, uint64(port), uint64(ip))
	t.work(3_000)
	err := ErrUnreachable
	if ok {
		t.m.conns++
		*x = Conn{m: t.m, fd: fd, cpu: t.cpu.id, number: t.m.conns}
		var tc *transport.Conn
		if tc, err = t.m.stack.Connect(ip, port, x); err == nil {
			x.tcp = tc
			for !tc.Established() && tc.Err() == nil {
				t.wait(&tc.Readers, -1)
			}
			err = tc.Err()
		}
	}
	t.work(800)
	if err != nil {
		t.ret(code(err))
		t.shut(x, fd)
		return nil, err
	}
	t.ret(0)
	return x, nil
}

// code is an error as the kernel returns it.
func code(err error) int64 {
	switch err {
	case transport.ErrRefused:
		return -111
	case transport.ErrTimeout:
		return -110
	case transport.ErrReset:
		return -104
	case transport.ErrNoPort:
		return -99
	}
	return -101
}

// Poll waits for a connection that has something to read, or has ended, up to a time; for ever if
// that is negative. It is nil if the time came first.
func (t *Thread) Poll(timeout int64, conns ...*Conn) *Conn {
	until, ms := int64(-1), uint64(all)
	if timeout >= 0 {
		until, ms = t.cpu.now+timeout, uint64(timeout/1_000_000)
	}
	t.call("epoll_wait", 4, 64, ms)
	t.work(600)
	ready := func() *Conn {
		for _, x := range conns {
			if x.tcp.Readable() > 0 || x.tcp.Ended() {
				return x
			}
		}
		return nil
	}
	x := ready()
	for x == nil && (until < 0 || t.cpu.now < until) {
		for _, o := range conns {
			o.tcp.Readers.List = append(o.tcp.Readers.List, t)
		}
		if until < 0 {
			t.block(interruptible)
		} else {
			t.nap(until, true)
		}
		for _, o := range conns {
			t.leave(&o.tcp.Readers)
			t.cpu.lift(o.tcp.Readers.At)
		}
		x = ready()
	}
	t.work(500)
	if x == nil {
		t.ret(0)
		return nil
	}
	t.ret(1, uint64(x.fd))
	return x
}

// CloseConn ends the stream.
func (t *Thread) CloseConn(x *Conn) {
	t.call("close", uint64(x.fd))
	t.work(1_000)
	x.release()
	t.work(600)
	t.shut(x, x.fd)
	t.ret(0)
}
