// Package simulatetest has archives of simulated traces, for tests.
package simulatetest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
)

// A Recording is an archive of traces and what is in it.
type Recording struct {
	Archive []byte // .tar.gz
	Events  int64
	Hosts   map[string]int64 // events by name
}

// File is the archive as a file of the test.
func (r *Recording) File(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.tar.gz")
	if err := os.WriteFile(path, r.Archive, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The three tiers of a shop, as in the library's scenario "web". Besides, the shoppers reach what is behind the web server, so
// that there are more links than a tree needs, and the clocks are less apart than the recording is long.
const scene = `
scenario shop "Shoppers, a web server, a cache and a database whose table has a lock"
duration 1s

host client cpus=2
  clock walk=0.0005 uptime=1h
host web cpus=4
  clock offset=70ms rate=100 walk=0.0005 uptime=6h
host db cpus=2
  clock offset=-30ms rate=-50 walk=0.0005 uptime=2d
host cache cpus=2
  clock offset=200ms rate=23 walk=0.0005 uptime=12d

switch office
link {client,web,db,cache} office propagation=8us rate=1Gbps queue=512KiB jitter=3us tail=0.3% tail_least=60us tail_alpha=1.6 tail_most=5ms

workload daemons
workload web
workload pingpong from=client to=db period=10ms port=7
workload pingpong from=client to=cache period=10ms port=8
`

var made struct {
	sync.Mutex
	by map[int]*Recording // seconds
}

// Shop is the shop of the demonstration, simulated for so many seconds: the machines client, web, db and cache, which
// have some 20 000 events each second. It is made once for all tests of a process.
func Shop(t testing.TB, seconds int) *Recording {
	t.Helper()
	made.Lock()
	defer made.Unlock()
	if r := made.by[seconds]; r != nil {
		return r
	}
	s, err := scenario.Parse(strings.NewReader(scene), "shop", scenario.Options{Seed: 1, Duration: int64(seconds) * 1e9})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "shop")
	sum, err := simulate.Run(t.Context(), s, simulate.Options{Seed: 1, Out: dir})
	if err != nil {
		t.Fatal(err)
	}
	r := &Recording{Events: sum.Events, Hosts: make(map[string]int64)}
	for _, h := range sum.Hosts {
		r.Hosts[h.Name] = h.Events
	}
	for _, truth := range []string{"truth.json", "messages.bin"} {
		if err := os.Remove(filepath.Join(dir, truth)); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	if err := errors.Join(w.AddFS(os.DirFS(dir)), w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	r.Archive = out.Bytes()
	if made.by == nil {
		made.by = make(map[int]*Recording)
	}
	made.by[seconds] = r
	return r
}
