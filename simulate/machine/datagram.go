package machine

import "synchroscope/simulate/transport"

// A Socket takes and sends datagrams.
type Socket struct {
	udp *transport.Socket
	fd  int
}

func (s *Socket) release() { s.udp.Close() }

// Bind is a socket at a port, any free one if it is 0. Several may take what comes to one port; each
// gets some.
func (t *Thread) Bind(port uint16) *Socket {
	u := t.m.stack.Bind(port)
	if u == nil {
		panic("simulate/machine: " + t.m.opt.Name + ": no UDP port is free")
	}
	s := &Socket{udp: u}
	t.call("socket", 2, 2, 0)
	t.work(2_000)
	s.fd = t.open(s)
	t.ret(int64(s.fd))
	t.call("bind", uint64(s.fd), stackOf(t), 16)
	t.work(700)
	t.ret(0)
	return s
}

// SendTo sends a datagram of n bytes, 1472 at most.
func (t *Thread) SendTo(s *Socket, host string, port uint16, n int) {
	ip, ok := t.hostAddress(host)
	t.call("sendto", uint64(s.fd), stackOf(t), uint64(n), 0, stackOf(t)+16, 16)
	t.work(1_500)
	if !ok {
		t.ret(-101)
		return
	}
	s.udp.Send(ip, port, n)
	t.work(400)
	t.ret(int64(n))
}

// ReceiveFrom waits for a datagram, up to a time; for ever if that is negative.
func (t *Thread) ReceiveFrom(s *Socket, timeout int64) (n int, host string, port uint16, ok bool) {
	until := int64(-1)
	if timeout >= 0 {
		until = t.cpu.now + timeout
	}
	t.call("recvfrom", uint64(s.fd), 65536, 0, 16)
	t.work(700)
	d, ok := s.udp.Receive()
	for !ok && (until < 0 || t.cpu.now < until) {
		t.wait(&s.udp.Waiters, until)
		d, ok = s.udp.Receive()
	}
	if !ok {
		t.ret(-11, stackOf(t))
		return 0, "", 0, false
	}
	t.cpu.lift(d.At)
	t.work(600)
	t.ret(int64(d.Bytes), stackOf(t))
	return d.Bytes, t.m.nameOf(d.Source), d.Port, true
}

// Ping sends an echo request with n bytes and waits for the answer, up to a time.
func (t *Thread) Ping(host string, n int, timeout int64) bool {
	ip, ok := t.hostAddress(host)
	if t.echo == nil {
		t.call("socket", 2, 2, 1)
		t.work(2_000)
		t.echo = t.m.stack.Ping()
		fd := t.open(t)
		t.echoFD = fd
		t.ret(int64(fd))
	}
	t.call("sendto", uint64(t.echoFD), stackOf(t), uint64(n+8), 0, stackOf(t)+16, 16)
	t.work(1_500)
	if !ok || t.echo == nil {
		t.ret(-101)
		return false
	}
	t.echo.Send(ip, n)
	t.work(400)
	t.ret(int64(n + 8))
	until := t.cpu.now + timeout
	t.call("recvmsg", uint64(t.echoFD), stackOf(t), 0)
	t.work(700)
	for !t.echo.Answered() && t.cpu.now < until {
		t.wait(&t.echo.Waiters, until)
	}
	t.work(500)
	if !t.echo.Answered() {
		t.ret(-11, stackOf(t))
		return false
	}
	t.ret(int64(n+8), stackOf(t))
	return true
}

func (t *Thread) release() {
	if t.echo != nil {
		t.echo.Close()
	}
}

// hostAddress finds a host. The machine's own name leads to its loopback device.
func (t *Thread) hostAddress(host string) (uint32, bool) {
	if host == t.m.opt.Name {
		return 127<<24 | 1, true
	}
	return t.m.opt.Names.Address(host)
}

// nameOf is the host with an address.
func (m *Machine) nameOf(ip uint32) string {
	if ip>>24 == 127 {
		return m.opt.Name
	}
	return m.opt.Names.Host(ip)
}
