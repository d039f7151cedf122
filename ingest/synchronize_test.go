package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"synchroscope/sync/baseline"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// report is a solution without its version.
func report(t *testing.T, s *network.Solution) string {
	t.Helper()
	r := s.Report()
	r.Version = 0
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A set that is synchronized in another way is as one whose endpoints are all fed to a network
// that was told so from the beginning. It stays so after a restart, and the stored constraints are made again if need be.
func TestSynchronizeAgain(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	begin, end := number(s.Status().Begin), number(s.Status().End)
	middle := &network.Window{Begin: begin + (end-begin)/4, End: end - (end-begin)/4}
	links := s.Solution().Links
	name := func(host int32) string { return s.Solution().Hosts[host].Name }
	version := s.Solution().Version
	pair := [2]string{name(links[0].B), name(links[0].A)}
	asked := []network.Options{
		{Reference: "db"},
		{Exclude: [][2]string{pair}},
		{Window: middle},
		{Reference: "web", Exclude: [][2]string{pair}, Window: middle},
		{},
	}
	for _, o := range asked {
		got, err := s.Synchronize(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if version++; got.Version != version || s.Solution() != got {
			t.Errorf("version %d, want %d", got.Version, version)
		}
		n := network.New(network.Config{Reference: o.Reference, Exclude: o.Exclude, Window: o.Window})
		for _, h := range s.Hosts() {
			n.AddHost(h.row.Name, h.row.ID)
			if sum := h.figures(); sum.Events > 0 {
				n.Span(h.index, sum.Begin, sum.End-1)
				n.Tick(h.index, sum.Tick)
				n.Rising(h.index, h.rising(&sum))
			}
		}
		for _, h := range s.Hosts() {
			if err := h.eachEndpoint(h.figures(), func(list []match.Endpoint) error {
				for i := range list {
					n.Endpoint(list[i], nil)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		for _, h := range s.Hosts() {
			n.Done(h.index, nil)
		}
		equal(t, "synchronized again", report(t, got), report(t, n.Solution()))
	}

	want, err := s.Synchronize(t.Context(), asked[3])
	if err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	for _, h := range s.Status().Hosts {
		if h.Reference != (h.Name == "web") {
			t.Errorf("after a restart %s is a reference: %v", h.Name, h.Reference)
		}
	}
	equal(t, "after a restart", report(t, s.Solution()), report(t, want))
	stored, err := os.ReadFile(s.path("constraints"))
	if err != nil {
		t.Fatal(err)
	}
	for how, damage := range map[string]func() error{
		"missing": func() error { return os.Remove(s.path("constraints")) },
		"short":   func() error { return os.WriteFile(s.path("constraints"), stored[:len(stored)/2], 0o600) },
		"other":   func() error { return os.WriteFile(s.path("constraints"), []byte("something else altogether"), 0o600) },
		"folder": func() error {
			return errors.Join(os.Remove(s.path("constraints")), os.MkdirAll(filepath.Join(s.path("constraints"), "within"), 0o700))
		},
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		got, err := s.Synchronize(t.Context(), asked[3])
		if err != nil {
			t.Fatal(err)
		}
		equal(t, how, report(t, got), report(t, want))
		if now, err := os.ReadFile(s.path("constraints")); err != nil || !bytes.Equal(now, stored) {
			t.Errorf("%s: made again there are %d bytes, not %d: %v", how, len(now), len(stored), err)
		}
	}
	if err := errors.Join(os.Remove(s.path("constraints")), os.Mkdir(s.path("constraints.part"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Synchronize(t.Context(), asked[3]); err != nil {
		t.Errorf("where constraints cannot be stored: %v", err)
	} else {
		equal(t, "not stored", report(t, got), report(t, want))
	}
	if err := s.Export(t.Context(), io.Discard); err == nil {
		t.Error("a set is exported without its constraints")
	}
	if err := os.Remove(s.path("constraints.part")); err != nil {
		t.Fatal(err)
	}

	for _, o := range []network.Options{{Reference: "nobody"}, {Method: "magic"}, {Exclude: [][2]string{{"db", "db"}}}, {Window: &network.Window{}}} {
		var fault *Fault
		if _, err := s.Synchronize(t.Context(), o); !errors.As(err, &fault) || fault.Kind != Invalid {
			t.Errorf("%+v: %v", o, err)
		}
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	before := s.Solution()
	if _, err := s.Synchronize(gone, network.Options{}); !errors.Is(err, context.Canceled) || s.Solution() != before {
		t.Errorf("for somebody who has left: %v", err)
	}
	for _, method := range baseline.Names() {
		got, err := s.Synchronize(t.Context(), network.Options{Method: method, Window: middle, Exclude: [][2]string{pair}})
		if err != nil {
			t.Fatal(err)
		}
		if got.Options.Method != method || len(got.Hosts) != 4 {
			t.Errorf("by %s: %+v", method, got.Options)
		}
	}
	closeEngine(t, e)
}
