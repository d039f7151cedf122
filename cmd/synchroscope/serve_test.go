package main

import (
	"bytes"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/simulate/simulatetest"
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

// A set of the name that was only begun, by a process that was killed, does not keep a PATH from being imported; one of which something was uploaded does.
func TestServePathAfterAKill(t *testing.T) {
	engine, err := ingest.Open(t.TempDir(), ingest.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(t.Context())
	path := simulatetest.Shop(t, 1).File(t)
	name := ingest.NameOf(filepath.Base(path))
	for what, begin := range map[string]func(*ingest.Set) error{
		"nothing": func(*ingest.Set) error { return nil },
		"an upload": func(s *ingest.Set) error {
			_, err := s.Upload(t.Context(), "a.zip", 0, 5, strings.NewReader("PK"))
			return err
		},
		"not even it": nil,
	} {
		if begin != nil {
			s, err := engine.Create(name)
			if err == nil {
				err = begin(s)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := importPath(engine, path, slog.New(slog.DiscardHandler)); err != nil {
			t.Fatal(err)
		}
		sets := engine.Sets()
		if len(sets) != 1 || sets[0].Status().Name != name || (sets[0].Status().State == ingest.Uploading) != (what == "an upload") {
			t.Errorf("begun with %s: %d sets, the first %+v", what, len(sets), sets[0].Status())
		}
		for _, s := range sets {
			if err := engine.Delete(s.ID()); err != nil {
				t.Fatal(err)
			}
		}
	}
}
