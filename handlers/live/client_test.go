package live

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"synchroscope/handlers/wire"
)

// A client is a browser: a real websocket over a pipe, in the bubble of
// testing/synctest, so that the spacing of messages is tested without waiting for it.
type client struct {
	t    *testing.T
	hub  *Hub
	conn *websocket.Conn

	silent atomic.Bool // pings are not answered

	mu     sync.Mutex
	frames []received
	end    error
}

// A received message.
type received struct {
	kind wire.Kind
	view uint16
	gen  uint32
	body []byte // after the header
	at   time.Time
}

// seq is the number that an answer is acknowledged by.
func (r received) seq() uint32 { return binary.LittleEndian.Uint32(r.body) }

// pipe is a listener that gives one end of each dialled pipe to the server.
type pipe struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipe) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipe) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p *pipe) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	p.conns <- theirs
	return ours, nil
}

// connect opens a session on a set. It must be called within a bubble.
func connect(t *testing.T, set Set, o Options, focus *Focus) *client {
	t.Helper()
	o.Log = slog.New(slog.DiscardHandler)
	c := &client{t: t, hub: NewHub(o)}
	l := &pipe{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.hub.Serve(w, r, set, focus) })}
	go server.Serve(l)
	dialer := websocket.Dialer{NetDialContext: l.dial, EnableCompression: true}
	conn, _, err := dialer.Dial("ws://set/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.conn = conn
	conn.EnableWriteCompression(false)
	pong := conn.PingHandler()
	conn.SetPingHandler(func(data string) error {
		if c.silent.Load() {
			return nil
		}
		return pong(data)
	})
	go c.read()
	t.Cleanup(func() {
		conn.Close()
		server.Close()
		c.hub.Close(context.Background())
	})
	synctest.Wait()
	return c
}

func (c *client) read() {
	for {
		kind, b, err := c.conn.ReadMessage()
		c.mu.Lock()
		if err != nil {
			c.end = err
			c.mu.Unlock()
			return
		}
		if kind != websocket.BinaryMessage || b[1] != wire.Version {
			c.t.Errorf("a frame of type %d begins with % x", kind, b[:min(8, len(b))])
		}
		c.frames = append(c.frames, received{
			kind: wire.Kind(b[0]), view: binary.LittleEndian.Uint16(b[2:]), gen: binary.LittleEndian.Uint32(b[4:]),
			body: b[wire.HeaderSize:], at: time.Now(),
		})
		c.mu.Unlock()
	}
}

func (c *client) send(request string) {
	c.t.Helper()
	if err := c.conn.WriteMessage(websocket.TextMessage, []byte(request)); err != nil {
		c.t.Fatal(err)
	}
}

// all returns what arrived since the last call, once nothing moves any more.
func (c *client) all() []received {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	frames := c.frames
	c.frames = nil
	return frames
}

// of returns what arrived since the last call for one view (0: pushes), the rest is dropped.
func (c *client) of(view uint16) (out []received) {
	for _, r := range c.all() {
		if r.view == view {
			out = append(out, r)
		}
	}
	return out
}

// one insists that exactly one message of a kind arrived for a view.
func (c *client) one(view uint16, kind wire.Kind) received {
	c.t.Helper()
	got := c.of(view)
	if len(got) != 1 || got[0].kind != kind {
		c.t.Fatalf("view %d got %v, want one message of kind %d", view, got, kind)
	}
	return got[0]
}

// none insists that nothing arrived for a view.
func (c *client) none(view uint16) {
	c.t.Helper()
	if got := c.of(view); len(got) > 0 {
		c.t.Fatalf("view %d got %v, want nothing", view, got)
	}
}

func (c *client) ack(r received) {
	b, _ := json.Marshal(map[string]any{"op": "ack", "view": r.view, "gen": r.gen, "seq": r.seq()})
	c.send(string(b))
}

// closed returns the code with which the server closed the connection, 0 if it is open.
func (c *client) closed() int {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	var farewell *websocket.CloseError
	if errors.As(c.end, &farewell) {
		return farewell.Code
	}
	return 0
}

func unmarshal[T any](t *testing.T, r received) (v T) {
	t.Helper()
	if err := json.Unmarshal(r.body, &v); err != nil {
		t.Fatalf("%s: %v", r.body, err)
	}
	return v
}
