package ingest

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"synchroscope/catalog"
	"synchroscope/sync/match"
)

// sharedTrace is an archive of the traces that come beside the project.
func sharedTrace(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "shared", "traces", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there", path)
	}
	return path
}

func openEngine(t testing.TB, dir string, o Options) *Engine {
	t.Helper()
	if testing.Verbose() && o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	e, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeEngine(t, e) })
	return e
}

func closeEngine(t testing.TB, e *Engine) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := e.Close(ctx); err != nil {
		t.Error(err)
	}
}

// nameIn names a folder or an archive of this machine to a set that is not imported yet, as an earlier version of the program did.
func nameIn(s *Set, path string) error {
	file, err := placed(path)
	if err != nil {
		return err
	}
	return s.update(func(row *catalog.Set) { addPlaced(row, file) })
}

func importPath(t testing.TB, e *Engine, name, path string) *Set {
	t.Helper()
	s, err := e.ImportPaths(name, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// boxKernel begins the text of a kernel trace of a machine called box; its classes of events and its files follow.
const boxKernel = `ctf 1.8 le
env hostname="box"
env domain="kernel"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
`

// The two hosts of a copy over ssh: every event is counted and every packet found.
func TestCopyOverTheNetwork(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s := importPath(t, e, "scp", sharedTrace(t, "scp.tar.gz"))
	st := s.Status()
	if testing.Verbose() {
		b, _ := json.MarshalIndent(st, "", " ")
		t.Logf("%s\n%v", b, s.Stages())
	}
	if st.Events != 196500 || len(st.Hosts) != 2 || st.State != Ready || st.Progress != 1 {
		t.Errorf("%d events, %d hosts, %s, %v", st.Events, len(st.Hosts), st.State, st.Progress)
	}
	n := 0
	both := map[[2]int32]int{}
	err := s.LinkMessages(t.Context(), 0, 1, func(m match.Message) bool {
		n++
		both[[2]int32{m.From, m.To}]++
		return true
	})
	if err != nil || n != 46 || len(both) != 2 {
		t.Errorf("%d messages %v, %v", n, both, err)
	}
	threads, _ := s.Hosts()[0].Threads(0)
	if len(threads) < 70 {
		t.Errorf("%d threads", len(threads))
	}
}
