package machine

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
