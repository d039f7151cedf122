package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An upload that stands still does not keep the server from stopping, and what
// arrived of it is there when it starts again.
func TestStopDuringUpload(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a request that does not end")
	}
	data := t.TempDir()
	p := start(t, nil, "serve", "--listen", "127.0.0.1:0", "--data", data)
	base := p.url()
	answer, err := http.Post(base+"/api/sets", "application/json", strings.NewReader(`{"name": "half"}`))
	if err != nil {
		t.Fatal(err)
	}
	var set struct {
		ID    string
		Files []struct{ Received int64 }
	}
	err = json.NewDecoder(answer.Body).Decode(&set)
	answer.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const sent = 3 << 20 // more than the kernel holds on its way
	if _, err := fmt.Fprintf(conn, "PUT /api/sets/%s/files/a.tar.gz HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n",
		set.ID, strings.TrimPrefix(base, "http://"), 2*sent); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write(make([]byte, sent)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // for the last of it to be read
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, p.stderr.String())
	}

	again := start(t, nil, "serve", "--listen", "127.0.0.1:0", "--data", data)
	answer, err = http.Get(again.url() + "/api/sets/" + set.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&set); err != nil {
		t.Fatal(err)
	}
	if len(set.Files) != 1 || set.Files[0].Received == 0 || set.Files[0].Received > sent {
		t.Errorf("files %+v, want one with up to %d bytes received", set.Files, sent)
	}
}
