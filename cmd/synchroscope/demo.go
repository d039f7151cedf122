package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"

	"synchroscope/handlers/live"
	"synchroscope/ingest"
)

// demoArchive is a recording of four machines: a client, a web server, a cache
// and a database behind it, each with a clock of its own.
//
//go:embed demo/shop-4hosts.tar.gz
var demoArchive string

const demoName = "shop-4hosts"

// demoFocus is the first slow query of the recording, by the database's clock: thread 205
// takes the lock of the table at .235842846 and exits at .698205226, and for most of
// that time the requests of threads 208 and 210 wait for it. A tenth more on
// both sides shows them come and go.
var demoFocus = live.Focus{
	Host:  "db",
	Begin: 1795229345_185_000_000,
	End:   1795229345_755_000_000,
	TID:   205,
	Why:   "One of the slow requests of this recording: on db, httpd · 204 answers only when crunch · 206 ends. Until then dbwork · 205, which started it, holds the lock that two others wait for.",
}

// demoCommand is serve with a set being imported, on a free port and a data directory
// that goes away with it.
func demoCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("demo", "[--listen ADDRESS]",
		"Runs the web application with a real recording of four machines, in a temporary directory.")
	listen := fs.String("listen", "127.0.0.1:0", "the `address` to listen on; port 0 takes a free one")
	public := fs.Bool("public", false, "allow an address that other machines reach; the server has no login")
	rest, code, done := parse(fs, args, stdout, stderr)
	switch {
	case done:
		return code
	case len(rest) > 0:
		return misuse("demo", stderr, "it takes no PATH; serve does")
	}
	app, err := open(*listen, *public, stderr)
	if err != nil {
		return fault(stderr, err)
	}
	data, err := os.MkdirTemp("", "synchroscope-demo-")
	if err != nil {
		return fault(stderr, err)
	}
	defer os.RemoveAll(data)
	debug.SetMemoryLimit(384 << 20)
	app.log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	app.start = func(engine *ingest.Engine) error {
		set, err := importDemo(engine)
		if err != nil {
			return err
		}
		app.focus[set.ID()] = demoFocus
		fmt.Fprintf(stdout, "Four machines, one time axis: %s/sets/%s\n", app.url(), set.ID())
		return nil
	}
	if err := app.run(data); err != nil {
		return fault(stderr, err)
	}
	return exitOK
}

func importDemo(engine *ingest.Engine) (*ingest.Set, error) {
	set, err := engine.Create(demoName)
	if err != nil {
		return nil, err
	}
	size := int64(len(demoArchive))
	if _, err := set.Upload(context.Background(), demoName+".tar.gz", 0, size, strings.NewReader(demoArchive)); err != nil {
		return nil, err
	}
	return set, set.Import()
}
