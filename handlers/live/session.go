package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
)

// Limits of a connection.
const (
	maxViews    = 32
	writeWait   = 10 * time.Second // for one message to leave
	pongWait    = 60 * time.Second // for a sign of life
	pingEvery   = 20 * time.Second
	packedFrom  = 4 << 10   // bytes of a message that is worth compressing
	socketBytes = 128 << 10 // the kernel's buffer: what is in it can no longer be replaced
)

// closeAgain is the close code of a session whose page is to connect again at once, for what is to be seen of the set
// has been replaced. Rows of the same threads keep their ids.
const closeAgain = 4001

// A session is one websocket.
type session struct {
	hub   *Hub
	conn  *websocket.Conn
	set   Set
	rows  *table
	focus *Focus
	out   *outbox

	ctx    context.Context
	cancel context.CancelCauseFunc
	work   sync.WaitGroup // every goroutine but the reader

	views map[uint16]*view // of the reader

	mu  sync.Mutex
	seq uint32
}

// A farewell is why a session ends, as its close frame says it.
type farewell struct {
	code  int
	words string
}

func (f farewell) Error() string { return f.words }

func newSession(h *Hub, conn *websocket.Conn, set Set, rows *table, focus *Focus) *session {
	s := &session{hub: h, conn: conn, set: set, rows: rows, focus: focus, out: newOutbox(), views: make(map[uint16]*view)}
	s.ctx, s.cancel = context.WithCancelCause(h.ctx)
	return s
}

// end asks the session to say farewell and end.
func (s *session) end(code int, words string) { s.cancel(farewell{code, words}) }

func (s *session) run() {
	if tcp, ok := s.conn.NetConn().(*net.TCPConn); ok {
		tcp.SetWriteBuffer(socketBytes)
	}
	status := s.set.Status()
	s.refreshRows(status)
	if l := s.lens(false); l.suits(wire.Request{}, status) {
		s.hub.crowds.want(s, l, false) // the page asks for all messages before long
	}
	s.work.Go(s.pump)
	s.work.Go(s.push)
	s.read()
	s.cancel(farewell{websocket.CloseNormalClosure, ""})
	s.work.Wait()
}

// read takes requests until the connection ends. Nothing that can be read ends
// it: what makes no sense is answered with a sentence.
func (s *session) read() {
	s.conn.SetReadLimit(wire.MaxRequest)
	alive := func() { s.conn.SetReadDeadline(time.Now().Add(pongWait)) }
	alive()
	s.conn.SetPongHandler(func(string) error { alive(); return nil })
	for {
		kind, text, err := s.receive()
		if err != nil {
			return
		}
		alive()
		if kind != websocket.TextMessage {
			s.refuse(wire.Header{}, errors.New("a request is a text frame"))
			continue
		}
		if r, err := wire.ParseRequest(text); err != nil {
			var wrong *wire.RequestError
			errors.As(err, &wrong)
			s.refuse(wrong.Header, err)
		} else {
			s.request(r)
		}
	}
}

// receive reads one frame. The limit of the connection counts bytes as they come; what they are
// once unpacked is bounded here.
func (s *session) receive() (kind int, text []byte, err error) {
	kind, frame, err := s.conn.NextReader()
	if err != nil {
		return 0, nil, err
	}
	text, err = io.ReadAll(io.LimitReader(frame, wire.MaxRequest+1))
	if err == nil && len(text) > wire.MaxRequest {
		s.end(websocket.CloseMessageTooBig, "a request is too long")
		err = websocket.ErrReadLimit
	}
	return kind, text, err
}

func (s *session) request(r wire.Request) {
	v := s.views[r.View]
	switch {
	case r.Op == wire.OpAck:
		if v != nil && s.out.ack(r.View, r.Seq) {
			v.acked()
		}
	case r.Op == wire.OpClose:
		if v != nil {
			delete(s.views, r.View)
			v.close()
			s.out.forget(r.View)
		}
	case r.Op == wire.OpAlive: // whatever else there is to do
		s.out.put(slot{r.View, partAlive}, parcel{frame: wire.EncodeAlive(r.Header)})
	case v == nil && len(s.views) == maxViews:
		s.refuse(r.Header, fmt.Errorf("a connection has at most %d views", maxViews))
	default:
		if v == nil {
			v = newView(s, r.View)
			s.views[r.View] = v
			s.work.Go(v.run)
		}
		v.ask(r)
	}
}

// refuse answers with a sentence.
func (s *session) refuse(h wire.Header, err error) {
	s.out.put(slot{h.View, partError}, parcel{frame: wire.EncodeError(h, ingest.Sentence(err.Error()))})
}

// next is the number of an answer that is to be acknowledged.
func (s *session) next() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	return s.seq
}

// pump writes what is in the outbox. It alone owns the writing side of the connection.
func (s *session) pump() {
	defer s.conn.Close()
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		frame := s.out.take()
		if frame == nil {
			select {
			case <-s.out.ready:
			case <-ping.C:
				if s.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait)) != nil {
					s.cancel(nil)
					return
				}
			case <-s.ctx.Done():
				s.farewell()
				return
			}
			continue
		}
		if s.ctx.Err() != nil {
			s.farewell()
			return
		}
		s.conn.SetWriteDeadline(time.Now().Add(writeWait))
		s.conn.EnableWriteCompression(len(frame) >= packedFrom)
		if err := s.conn.WriteMessage(websocket.BinaryMessage, frame); err != nil {
			s.cancel(nil)
			return
		}
	}
}

func (s *session) farewell() {
	last := farewell{websocket.CloseGoingAway, "the server is stopping"}
	errors.As(context.Cause(s.ctx), &last)
	refuse(s.conn, last.code, last.words)
}

// refuse closes a connection with a reason.
func refuse(conn *websocket.Conn, code int, words string) {
	conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, words), time.Now().Add(time.Second))
	conn.Close()
}
