package main

import (
	"io"
	"net"
	"strings"
	"sync/atomic"
)

// A traffic is a wire between browser and server that counts what comes from the server, as it
// is on the network: frames of a websocket may be compressed there.
type traffic struct {
	listener net.Listener
	received atomic.Int64
}

// tap opens a wire to a server.
func tap(server string) (*traffic, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t := &traffic{listener: listener}
	go t.accept(strings.TrimPrefix(server, "http://"))
	return t, nil
}

func (t *traffic) url() string { return "http://" + t.listener.Addr().String() }

func (t *traffic) accept(server string) {
	for {
		near, err := t.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", server)
		if err != nil {
			near.Close()
			continue
		}
		go carry(far, near, nil)
		go carry(near, far, &t.received)
	}
}

func carry(to, from net.Conn, count *atomic.Int64) {
	defer to.Close()
	var w io.Writer = to
	if count != nil {
		w = counter{to, count}
	}
	io.Copy(w, from)
}

type counter struct {
	to net.Conn
	n  *atomic.Int64
}

func (c counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n.Add(int64(n))
	return n, err
}
