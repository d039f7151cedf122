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

// The sizes of what is handed to the kernel at once: the buffer of programs that read, and what is
// copied while a connection is locked.
const (
	readBuffer = 256 << 10
	copyAtOnce = 64 << 10
)

// Send sends n bytes; it waits while the send buffer is full. It returns false if the connection is broken.
func (t *Thread) Send(x *Conn, n int) bool {
	t.call("sendto", uint64(x.fd), stackOf(t), uint64(n), 0x4000, 0, 0)
	t.work(1_000)
	left := n
	for left > 0 && !x.tcp.Broken() {
		room := min(x.tcp.Room(), left, copyAtOnce)
		if room <= 0 {
			t.wait(&x.tcp.Writers, -1)
			continue
		}
		t.work(300 + int64(room)/8)
		if x.tcp.Broken() {
			break
		}
		x.tcp.Put(room)
		left -= room
	}
	t.work(400)
	if left > 0 {
		t.ret(-32)
		return false
	}
	t.ret(int64(n))
	return true
}

// SendMessage is Send of n bytes that the other side can take as one with
// [Thread.ReceiveMessage], and tell by their tag.
func (t *Thread) SendMessage(x *Conn, n int, tag uint32) bool {
	x.tcp.Mark(max(n, 1), tag)
	return t.Send(x, max(n, 1))
}

// read is one call that reads up to n bytes, and waits for the first. It is 0 at the end of the stream.
func (t *Thread) read(x *Conn, most func() int) int {
	t.call("recvfrom", uint64(x.fd), readBuffer, 0, 0)
	t.work(700)
	for x.tcp.Readable() == 0 && !x.tcp.Ended() {
		t.wait(&x.tcp.Readers, -1)
	}
	t.cpu.lift(x.tcp.Readers.At)
	n := min(x.tcp.Readable(), readBuffer)
	t.work(300 + int64(n)/8)
	n = x.tcp.Take(min(n, most()))
	t.work(200)
	if n == 0 && x.tcp.Err() != nil {
		t.ret(code(x.tcp.Err()), stackOf(t))
		return 0
	}
	t.ret(int64(n), stackOf(t))
	return n
}

// Receive waits until n bytes (n <= 0: any) have come or the stream has ended, and is how many came.
func (t *Thread) Receive(x *Conn, n int) int {
	got := 0
	for {
		k := t.read(x, func() int {
			if n <= 0 {
				return readBuffer
			}
			return n - got
		})
		if got += k; k == 0 || n <= 0 || got >= n {
			return got
		}
	}
}

// ReceiveMessage waits until the next message of [Thread.SendMessage] is there as a whole: its bytes and
// tag. It returns false if the stream ends before. What was sent otherwise is a
// message without a tag, however much of it comes.
func (t *Thread) ReceiveMessage(x *Conn) (n int, tag uint32, ok bool) {
	for {
		left, framed := 0, false
		k := t.read(x, func() int {
			left, tag, framed = x.tcp.Message()
			if !framed {
				return readBuffer
			}
			return left
		})
		n += k
		switch {
		case k == 0:
			return n, 0, false
		case !framed || k == left:
			return n, tag, true
		}
	}
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
