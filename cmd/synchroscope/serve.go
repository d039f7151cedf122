package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"synchroscope/handlers"
	"synchroscope/handlers/live"
	"synchroscope/ingest"
	"synchroscope/state/history"
)

// How long a server that stops waits for requests to end, and then for imports.
const (
	requestTime = 3 * time.Second
	stopTime    = 10 * time.Second
)

// serveCommand runs the web application.
func serveCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("serve", "[--listen ADDRESS] [--data DIR] [--endpoints FILE] [--compress] [--rebuild] [PATH...]",
		"Runs the web application. Each PATH is imported as one trace set, unless there is already one of its name.")
	listen := fs.String("listen", "127.0.0.1:8080", "the `address` to listen on")
	public := fs.Bool("public", false, "allow an address that other machines reach; the server has no login")
	data := fs.String("data", dataDir(), "the `directory` for uploads and what is built from them")
	memory := memoryFlag(fs)
	verbose := fs.Bool("verbose", false, "log every request")
	compress := compressFlag(fs)
	rebuild := fs.Bool("rebuild", false, "build the states of sets anew that an earlier version of the program built")
	declarations := endpointsFlag(fs)
	paths, code, done := parse(fs, args, stdout, stderr)
	switch {
	case done:
		return code
	case *data == "":
		return misuse("serve", stderr, "there is no home directory for the data, so --data is needed")
	case *memory < leastMemory:
		return misuse("serve", stderr, tooLittleMemory)
	}
	declared, err := declarations.read()
	if err != nil {
		return fault(stderr, err)
	}
	app, err := open(*listen, *public, stderr)
	if err != nil {
		return fault(stderr, err)
	}
	app.declared, app.compress, app.rebuild = declared, *compress, *rebuild
	debug.SetMemoryLimit(int64(*memory) << 20)
	app.log = logger(stderr, *verbose)
	app.start = func(engine *ingest.Engine) error {
		for _, p := range paths {
			if err := importPath(engine, p, app.log); err != nil {
				return err
			}
		}
		fmt.Fprintf(stdout, "Synchroscope listens on %s\n", app.url())
		return nil
	}
	if err := app.run(*data); err != nil {
		return fault(stderr, err)
	}
	return exitOK
}

// leastMemory is what may be asked of a program that imports or serves, MiB.
const leastMemory = 64

var tooLittleMemory = fmt.Sprintf("--memory needs at least %d", leastMemory)

func memoryFlag(fs *flag.FlagSet) *int {
	return fs.Int("memory", 384, "`MiB` of memory that the program tries to stay below")
}

func compressFlag(fs *flag.FlagSet) *bool {
	return fs.Bool("compress", false, "compress the histories of sets imported from now on: less of the disk, slower to look at")
}

// dataDir is where data goes by default: the place the system has for it, "" if none.
func dataDir() string {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "synchroscope")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "share", "synchroscope")
}

func logger(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// importPath makes a trace set of what is at p.
func importPath(engine *ingest.Engine, p string, log *slog.Logger) error {
	absolute, err := filepath.Abs(p)
	if err != nil {
		return err
	}
	name := ingest.NameOf(filepath.Base(absolute))
	for _, set := range engine.Sets() {
		switch {
		case set.Status().Name != name:
		case set.Unbegun():
			if err := engine.Delete(set.ID()); err != nil {
				return err
			}
		default:
			log.Info("the trace set is there already", "name", name, "path", p)
			return nil
		}
	}
	_, err = engine.ImportPaths(name, absolute)
	return err
}

// An application is a server on its way from a socket to its end.
type application struct {
	listener net.Listener
	log      *slog.Logger
	hosts    []string // names it answers to, any if empty
	focus    map[string]live.Focus
	declared string                     // endpoints, for all sets
	compress bool                       // histories of sets imported from now on
	rebuild  bool                       // states that an earlier model built
	start    func(*ingest.Engine) error // called before the first request is answered
}

// open takes the address first: an address in use is found out before
// anything is written, and nobody can connect before run.
func open(address string, public bool, stderr io.Writer) (*application, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen needs HOST:PORT, not %q", address)
	}
	loopback := host == "localhost"
	if ip := net.ParseIP(host); ip != nil {
		loopback = ip.IsLoopback()
	}
	if !loopback && !public {
		return nil, fmt.Errorf("%s can be reached by other machines, and there is no login: whoever reaches it sees and deletes all trace sets; --public allows it", address)
	}
	app := &application{focus: make(map[string]live.Focus)}
	if loopback {
		app.hosts = []string{"localhost", "127.0.0.1", "::1", strings.ToLower(host)}
	} else {
		fmt.Fprintf(stderr, "synchroscope: warning: %s can be reached by other machines, and there is no login: whoever reaches it sees and deletes all trace sets\n", address)
	}
	app.listener, err = net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", address, plainNet(err))
	}
	return app, nil
}

// plainNet words an error of the network: "address already in use".
func plainNet(err error) error {
	var call *os.SyscallError
	if errors.As(err, &call) {
		return call.Err
	}
	return err
}

func (a *application) url() string {
	address := a.listener.Addr().(*net.TCPAddr)
	host := address.IP.String()
	if address.IP.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, fmt.Sprint(address.Port))
}

// run serves a data directory until SIGINT or SIGTERM.
func (a *application) run(data string) error {
	defer a.listener.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	engine, err := ingest.Open(data, ingest.Options{Declarations: a.declared, History: history.Options{Compress: a.compress}, Rebuild: a.rebuild, Log: a.log})
	if err != nil {
		return err
	}
	app := handlers.New(engine, handlers.Options{Log: a.log, Hosts: a.hosts, Focus: a.focus})
	server := &http.Server{
		Handler:           app,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelDebug),
	}
	if err = a.start(engine); err == nil {
		err = serveUntil(ctx, server, a.listener)
	}
	stop() // a second signal kills
	return errors.Join(err, shutdown(server, app, engine))
}

func serveUntil(ctx context.Context, server *http.Server, l net.Listener) error {
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return nil
	}
}

// shutdown stops in order: no more requests, the websockets, the imports at
// their next checkpoint. Each has its own time: an upload that does not end
// by itself is broken off, and what arrived of it is kept.
func shutdown(server *http.Server, app *handlers.Server, engine *ingest.Engine) error {
	requests, cancel := context.WithTimeout(context.Background(), requestTime)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- app.Close(requests) }()
	if server.Shutdown(requests) != nil {
		server.Close()
	}
	<-closed
	imports, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	return engine.Close(imports)
}
