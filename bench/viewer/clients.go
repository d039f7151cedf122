package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Answers is how long the server took with one kind of request.
type answers struct {
	times      []float64 // ms
	superseded int       // a newer request of the view came before the answer
}

type ask struct {
	Op   string `json:"op"`
	View uint16 `json:"view"`
	Gen  uint32 `json:"gen"`
}

// replay lets several browsers ask at once what one asked, at the pace it did, each a little later
// than the one before it, and times the answers. Where they are to be apart, no two of them look at the same place.
func replay(ctx context.Context, url string, asked []question, browsers int, apart bool) (map[string]*answers, error) {
	out := make(map[string]*answers)
	var mu sync.Mutex
	note := func(op string, f func(*answers)) {
		mu.Lock()
		defer mu.Unlock()
		for _, name := range []string{op, "all"} {
			if out[name] == nil {
				out[name] = new(answers)
			}
			f(out[name])
		}
	}
	var wait sync.WaitGroup
	errs := make(chan error, browsers)
	for k := range browsers {
		wait.Go(func() {
			time.Sleep(time.Duration(k) * 137 * time.Millisecond)
			own := asked
			if apart && k > 0 {
				own = moved(asked, float64(k)/float64(browsers))
			}
			if err := client(ctx, url, own, note); err != nil {
				errs <- err
			}
		})
	}
	wait.Wait()
	select {
	case err := <-errs:
		return nil, err
	default:
		return out, nil
	}
}

type pending struct {
	ask
	sent time.Time
}

// client is one of them. What it gets it acknowledges at once.
func client(ctx context.Context, url string, asked []question, note func(string, func(*answers))) error {
	dialer := websocket.Dialer{EnableCompression: true, WriteBufferSize: 64 << 10}
	conn, response, err := dialer.DialContext(ctx, url, nil)
	if err != nil {
		return err
	}
	response.Body.Close()
	defer conn.Close()
	var mu sync.Mutex // of what follows and of writing
	open := make(map[uint16]pending)
	write := func(text []byte) { conn.WriteMessage(websocket.TextMessage, text) }
	go func() {
		for {
			_, frame, err := conn.ReadMessage()
			if err != nil {
				return
			}
			if len(frame) < 12 {
				continue
			}
			now := time.Now()
			view, gen := binary.LittleEndian.Uint16(frame[2:]), binary.LittleEndian.Uint32(frame[4:])
			mu.Lock()
			if p, ok := open[view]; ok && p.Gen == gen {
				delete(open, view)
				note(p.Op, func(a *answers) { a.times = append(a.times, float64(now.Sub(p.sent).Microseconds())/1e3) })
			}
			if kind := frame[0]; kind == 4 || kind == 5 || kind == 6 {
				text, _ := json.Marshal(map[string]any{"op": "ack", "view": view, "gen": gen, "seq": binary.LittleEndian.Uint32(frame[8:])})
				write(text)
			}
			mu.Unlock()
		}
	}()
	begun := time.Now()
	for _, q := range asked {
		var a ask
		if json.Unmarshal([]byte(q.Text), &a) != nil || a.Op == "ack" {
			continue
		}
		if wait := q.At - time.Since(begun); wait > 0 {
			time.Sleep(wait)
		}
		mu.Lock()
		if p, ok := open[a.View]; ok {
			delete(open, a.View)
			note(p.Op, func(a *answers) { a.superseded++ })
		}
		if a.Op != "close" {
			open[a.View] = pending{a, time.Now()}
		}
		write([]byte(q.Text))
		mu.Unlock()
	}
	time.Sleep(2 * time.Second)
	return nil
}
