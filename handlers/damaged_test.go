package handlers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/internal/raced"
)

// kept makes a data folder with a ready set of the simulation called losing, and returns that and the folder of the set.
func kept(t *testing.T) (data, set string) {
	t.Helper()
	return keptOf(t, recorded(t, "losing", losing, 3))
}

// keptOf makes one of the traces in a folder.
func keptOf(t *testing.T, traces string) (data, set string) {
	t.Helper()
	data = t.TempDir()
	e, err := ingest.Open(data, ingest.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.ImportPaths("losing", traces)
	if err == nil {
		err = s.Wait(t.Context())
	}
	if err = errors.Join(err, e.Close(context.Background())); err != nil {
		t.Fatal(err)
	}
	return data, filepath.Join(data, "sets", s.ID())
}

// damageLeaves damages each leaf of the history of a set's first host.
func damageLeaves(t *testing.T, set string) {
	t.Helper()
	path := filepath.Join(set, "hosts", "0", "history.tree")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := int(binary.LittleEndian.Uint32(b[20:]))
	for at := 4096; at < len(b); at += page * int(binary.LittleEndian.Uint32(b[at+44:])) {
		if b[at+4] == 1 { // a leaf
			b[at+page/2] ^= 1
		}
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// unharmed checks that the statistics of a host are there.
func unharmed(t *testing.T, h *hostStatistics) {
	t.Helper()
	if h.Error != "" || !h.Known || len(h.Threads) == 0 {
		t.Errorf("the statistics of %s: %q, known %v, %d threads", h.Host, h.Error, h.Known, len(h.Threads))
	}
}

// A leaf of the history of one host that is damaged is told with host, file and place wherever it is asked for, in the report and by the status; other hosts are
// answered as they were.
func TestDamagedLeaf(t *testing.T) {
	raced.Elsewhere(t, "TestRequestsHoldTheTruth", "TestLossesBetweenEvents")
	data, dir := kept(t)
	damageLeaves(t, dir)
	s := openSite(t, data, Options{})
	set := s.engine.Sets()[0]
	api := "/api/sets/" + set.ID()
	name := set.Hosts()[0].Name()
	is := func(what, sentence string) {
		t.Helper()
		if !strings.HasPrefix(sentence, "A part of the states of "+name+" cannot be read: hosts/0/history.tree: block ") || !strings.Contains(sentence, " at byte ") {
			t.Errorf("%s: %q", what, sentence)
		}
	}
	begin, end := set.Hosts()[0].History().Bounds()
	statistics := decode[statisticsAnswer](t, s.want(200, "GET", fmt.Sprintf("%s/statistics?local=1&begin=%d&end=%d", api, begin, end-1), ""))
	is("statistics", statistics.Hosts[0].Error)
	unharmed(t, &statistics.Hosts[1])
	is("calls", decode[callsAnswer](t, s.want(200, "GET", fmt.Sprintf("%s/calls?local=1&begin=%d&end=%d", api, begin, end-1), "")).Hosts[0].Error)
	state := decode[stateAnswer](t, s.want(200, "GET", fmt.Sprintf("%s/state?local=1&time=%d", api, begin+(end-begin)/2), ""))
	is("state", state.Hosts[0].Error)
	if h := state.Hosts[1]; h.Error != "" || !h.Known || len(h.Attributes) == 0 {
		t.Errorf("the state of %s: %q, known %v, %d attributes", h.Host, h.Error, h.Known, len(h.Attributes))
	}
	is("sums", s.want(500, "GET", fmt.Sprintf("%s/sums?local=1&begin=%d&end=%d", api, begin+1, end-2), "").sentence())
	is("status", set.Status().Harmed[0])
	if !slices.ContainsFunc(set.Report().Anomalies, func(o ingest.Oddity) bool { return o.Kind == "damaged-history" && o.Places[0].Host == name }) {
		t.Errorf("the report has %+v", set.Report().Anomalies)
	}

	live := s.browse(set.ID())
	live.await(func(f []byte) bool { return wire.Kind(f[0]) == wire.KindRows })
	rows := live.rowsOf()
	var ids []string
	for key, id := range rows {
		if key[1] > 0 && (len(ids) < 50 || key[0] == 1) {
			ids = append(ids, fmt.Sprint(id))
		}
	}
	live.ask(wire.KindStates, 1, `"op":"states","begin":"%d","end":"%d","columns":100,"time":"raw","rows":[%s]`, begin, end, strings.Join(ids, ","))
}

// A host whose history cannot be opened is told of wherever it is asked for, and is left out of no sum without a word.
func TestHistoryThatCannotBeOpened(t *testing.T) {
	raced.Elsewhere(t, "TestRequestsHoldTheTruth", "TestLossesBetweenEvents")
	traces := filepath.Join(t.TempDir(), "losing")
	if err := os.CopyFS(traces, os.DirFS(recorded(t, "losing", losing, 3))); err != nil {
		t.Fatal(err)
	}
	data, dir := keptOf(t, traces)
	path := filepath.Join(dir, "hosts", "0", "history.tree")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[100] ^= 1
	if err := errors.Join(os.WriteFile(path, b, 0o600), os.RemoveAll(traces)); err != nil {
		t.Fatal(err)
	}
	s := openSite(t, data, Options{})
	set := s.engine.Sets()[0]
	api := "/api/sets/" + set.ID()
	name := set.Hosts()[0].Name()
	is := func(what, sentence string) {
		t.Helper()
		if !strings.HasPrefix(sentence, "The states of "+name+" cannot be read: hosts/0/history.tree") {
			t.Errorf("%s: %q", what, sentence)
		}
	}
	begin, end := set.Hosts()[1].History().Bounds()
	stretch := fmt.Sprintf("local=1&begin=%d&end=%d", begin, end-1)
	statistics := decode[statisticsAnswer](t, s.want(200, "GET", api+"/statistics?"+stretch, ""))
	is("statistics", statistics.Hosts[0].Error)
	unharmed(t, &statistics.Hosts[1])
	is("calls", decode[callsAnswer](t, s.want(200, "GET", api+"/calls?"+stretch, "")).Hosts[0].Error)
	for _, question := range []string{"sums?" + stretch, "sums?host=" + name + "&" + stretch, "sums?thread=1&host=" + name + "&" + stretch, "states.csv?" + stretch,
		fmt.Sprintf("state/level?local=1&host=%s&time=%d", name, begin), fmt.Sprintf("state/change?local=1&host=%s&time=%d&path=Threads/1", name, begin)} {
		is(question, s.want(500, "GET", api+"/"+question, "").sentence())
	}
	other := set.Hosts()[1].Name()
	s.want(200, "GET", api+"/sums?host="+other+"&"+stretch, "")
	s.want(200, "GET", api+"/states.csv?host="+other+"&"+stretch, "")
}

// Damage that a table meets before a byte of it is sent is answered in its place, and told by the status from then on.
func TestDamagedTable(t *testing.T) {
	raced.Elsewhere(t, "TestRequestsHoldTheTruth", "TestLossesBetweenEvents")
	data, dir := kept(t)
	damageLeaves(t, dir)
	s := openSite(t, data, Options{})
	set := s.engine.Sets()[0]
	begin, end := set.Hosts()[0].History().Bounds()
	answer := s.want(500, "GET", fmt.Sprintf("/api/sets/%s/states.csv?local=1&begin=%d&end=%d", set.ID(), begin+1, end-2), "")
	if words := "A part of the states of " + set.Hosts()[0].Name() + " cannot be read: hosts/0/history.tree: block "; !strings.HasPrefix(answer.sentence(), words) {
		t.Errorf("the table: %q", answer.sentence())
	}
	if answer.header.Get("Content-Disposition") != "" {
		t.Error("what is no table is to be kept as one")
	}
	if len(set.Status().Harmed) != 1 {
		t.Errorf("the status: %q", set.Status().Harmed)
	}
}

// A damaged file of losses is said to be that, not put down to an earlier version of the program.
func TestDamagedLosses(t *testing.T) {
	raced.Elsewhere(t, "TestRequestsHoldTheTruth", "TestLossesBetweenEvents")
	data, dir := kept(t)
	s := openSite(t, data, Options{})
	set := s.engine.Sets()[0]
	lossy := slices.IndexFunc(set.Status().Hosts, func(h ingest.HostStatus) bool { return h.LostEvents > 0 })
	if err := os.Truncate(filepath.Join(dir, "hosts", fmt.Sprint(lossy), "losses"), 0); err != nil {
		t.Fatal(err)
	}
	name := set.Hosts()[lossy].Name()
	api := "/api/sets/" + set.ID()
	is := func(what, sentence string) {
		t.Helper()
		if !strings.HasPrefix(sentence, fmt.Sprintf("The file of when events were lost of %s cannot be read: hosts/%d/losses: ", name, lossy)) {
			t.Errorf("%s: %q", what, sentence)
		}
	}
	first := s.want(200, "GET", fmt.Sprintf("%s/losses?host=%s&begin=0&end=4611686018427387904", api, name), "")
	h := decode[lossesAnswer](t, first).Hosts[0]
	is("losses", h.Error)
	if h.Known {
		t.Error("when events were lost is said to be known")
	}
	a := decode[struct {
		Events          []any
		Undated, Unread []string
	}](t, s.want(200, "GET", fmt.Sprintf("%s/events?host=%s&limit=10", api, name), ""))
	if len(a.Events) == 0 || len(a.Undated) > 0 || len(a.Unread) != 1 {
		t.Fatalf("%d events, undated %q, unread %q", len(a.Events), a.Undated, a.Unread)
	}
	is("events", a.Unread[0])
	if !slices.ContainsFunc(set.Report().Anomalies, func(o ingest.Oddity) bool { return o.Kind == "damaged-losses" }) {
		t.Errorf("the report has %+v", set.Report().Anomalies)
	}
}

// Where the clocks of a ready set can be had neither from its synchronization nor of what that is made again of, they are told as unknown, with the file that is to
// blame: latencies between hosts are not told by raw clocks as if these were right.
func TestDamagedClocks(t *testing.T) {
	raced.Elsewhere(t, "TestRequestsHoldTheTruth", "TestLossesBetweenEvents")
	data, dir := kept(t)
	for _, name := range []string{"solution", "constraints", filepath.Join("hosts", "1", "endpoints")} {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err == nil {
			err = os.Truncate(path, info.Size()/2)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := openSite(t, data, Options{})
	set := s.engine.Sets()[0]
	api := "/api/sets/" + set.ID()
	for _, method := range []string{"GET", "POST"} {
		body := ""
		if method == "POST" {
			body = "{}"
		}
		if got := s.want(500, method, api+"/sync", body).sentence(); !strings.HasPrefix(got, "The ends of messages of "+set.Hosts()[1].Name()+" cannot be read: hosts/1/endpoints: ") {
			t.Errorf("%s sync answers %q", method, got)
		}
	}
	pairs := decode[messagesAnswer](t, s.want(200, "GET", api+"/messages", "")).Pairs
	if len(pairs) == 0 {
		t.Fatal("there are no messages")
	}
	for _, p := range pairs {
		if p.Median != nil || p.Error != nil {
			t.Errorf("from %s to %s the median is %v, its error %v", p.From, p.To, p.Median, p.Error)
		}
	}
	st := set.Status()
	if len(st.Harmed) != 1 || !st.Hosts[0].Unsynchronized && !st.Hosts[1].Unsynchronized {
		t.Errorf("harmed are %q, the hosts %+v", st.Harmed, st.Hosts)
	}
}
