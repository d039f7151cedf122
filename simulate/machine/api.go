package machine

import (
	"synchroscope/simulate/chance"
)

// The surface that programs see. The bodies move to the files of their subjects.

// A Program is what a thread does, as straight code: each method of Thread returns
// when, in simulated time, it is done. Returning ends the thread, and the process with it
// if it is the main thread.
type Program func(t *Thread)

type (
	Machine  struct{ name string }
	Thread   struct{ m *Machine }
	Mutex    struct{ _ int }
	Event    struct{ _ int }
	Listener struct{ _ int }
	Conn     struct{ _ int }
	Socket   struct{ _ int }
)

func (m *Machine) Name() string                                   { return m.name }
func (m *Machine) Start(at int64, name string, p Program)         { panic("soon") }
func (t *Thread) Now() int64                                      { panic("soon") }
func (t *Thread) Chance() *chance.Source                          { panic("soon") }
func (t *Thread) Machine() *Machine                               { return t.m }
func (t *Thread) Compute(d int64)                                 { panic("soon") }
func (t *Thread) Syscall(name string, d int64)                    { panic("soon") }
func (t *Thread) Sleep(d int64)                                   { panic("soon") }
func (t *Thread) SleepUntil(at int64)                             { panic("soon") }
func (t *Thread) ReadDisk(bytes int)                              { panic("soon") }
func (t *Thread) WriteDisk(bytes int)                             { panic("soon") }
func (t *Thread) Fork(name string, p Program) *Thread             { panic("soon") }
func (t *Thread) Spawn(name string, p Program) *Thread            { panic("soon") }
func (t *Thread) Wait(child *Thread)                              { panic("soon") }
func (t *Thread) SetNice(nice int)                                { panic("soon") }
func (t *Thread) SetRealTime(prio int)                            { panic("soon") } // 1 to 99, SCHED_FIFO
func (t *Thread) Lock(m *Mutex)                                   { panic("soon") }
func (t *Thread) Unlock(m *Mutex)                                 { panic("soon") }
func (t *Thread) WaitOn(e *Event)                                 { panic("soon") }
func (t *Thread) Set(e *Event)                                    { panic("soon") }
func (t *Thread) Listen(port uint16) *Listener                    { panic("soon") }
func (t *Thread) Accept(l *Listener) *Conn                        { panic("soon") }
func (t *Thread) Connect(host string, port uint16) (*Conn, error) { panic("soon") }

// Send queues n bytes; it blocks while the send buffer is full. It returns false if the
// connection is broken.
func (t *Thread) Send(c *Conn, n int) bool { panic("soon") }

// Receive blocks until n bytes (n <= 0: any) have come or the stream has ended, and is how many came.
func (t *Thread) Receive(c *Conn, n int) int { panic("soon") }

// SendMessage is Send of n bytes that the other side can take as one with ReceiveMessage, and
// tell by their tag.
func (t *Thread) SendMessage(c *Conn, n int, tag uint32) bool { panic("soon") }

// ReceiveMessage blocks until the next message of SendMessage is there as a whole. It
// returns false if the stream ends or breaks before.
func (t *Thread) ReceiveMessage(c *Conn) (n int, tag uint32, ok bool) { panic("soon") }

// Poll is epoll_wait: a connection that has something to read (or has ended), nil after timeout ns (<0: none).
func (t *Thread) Poll(timeout int64, cs ...*Conn) *Conn             { panic("soon") }
func (t *Thread) CloseConn(c *Conn)                                 { panic("soon") }
func (t *Thread) Bind(port uint16) *Socket                          { panic("soon") } // 0: any free one
func (t *Thread) SendTo(s *Socket, host string, port uint16, n int) { panic("soon") }
func (t *Thread) ReceiveFrom(s *Socket, timeout int64) (n int, host string, port uint16, ok bool) {
	panic("soon")
}
func (t *Thread) Ping(host string, n int, timeout int64) bool { panic("soon") }
