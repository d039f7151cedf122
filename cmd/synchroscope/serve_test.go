package main

import (
	"bytes"
	"net"
	"strings"
	"testing"

	"synchroscope/ingest"
)

func TestListenAddress(t *testing.T) {
	for _, c := range []struct {
		address string
		public  bool
		names   int    // the server answers to, 0 for any
		err     string // part of the sentence, "" for none
	}{
		{"127.0.0.1:0", false, 4, ""},
		{"localhost:0", false, 4, ""},
		{"127.0.0.1:0", true, 4, ""},
		{"0.0.0.0:0", true, 0, ""},
		{"0.0.0.0:0", false, 0, "there is no login"},
		{":0", false, 0, "there is no login"},
		{"example.com:80", false, 0, "there is no login"},
		{"8080", false, 0, "needs HOST:PORT"},
	} {
		var warned bytes.Buffer
		app, err := open(c.address, c.public, &warned)
		if err != nil {
			if c.err == "" || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.address, err, c.err)
			}
			continue
		}
		app.listener.Close()
		if c.err != "" || len(app.hosts) != c.names || (warned.Len() > 0) != (c.names == 0) {
			t.Errorf("%s: listens for %q, warning %q", c.address, app.hosts, warned.String())
		}
	}
}

func TestAddressInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, err = open(l.Addr().String(), false, new(bytes.Buffer))
	if want := "cannot listen on " + l.Addr().String() + ": address already in use"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestSetName(t *testing.T) {
	for file, want := range map[string]string{
		"scp.tar.gz": "scp", "web.tgz": "web", "a.b.zip": "a.b", "host.tar.zst": "host", "traces": "traces", ".zip": ".zip", "x.gz": "x", "web.synchroscope.tar.zst": "web",
	} {
		if got := ingest.NameOf(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

func TestServeUsage(t *testing.T) {
	for _, args := range [][]string{{"--memory", "3"}, {"--data", ""}, {"--nonsense"}} {
		var out, err bytes.Buffer
		if code := serveCommand(args, &out, &err); code != exitUsage || err.Len() == 0 {
			t.Errorf("%q: code %d, %s", args, code, err.String())
		}
	}
	var out, err bytes.Buffer
	if code := demoCommand([]string{"x.zip"}, &out, &err); code != exitUsage {
		t.Errorf("demo with a path: code %d, %s", code, err.String())
	}
	out.Reset()
	if code := serveCommand([]string{"-h"}, &out, &err); code != exitOK || !strings.Contains(out.String(), "-public") {
		t.Errorf("help: code %d, %s", code, out.String())
	}
}
