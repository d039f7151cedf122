package handlers

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/sync/network"
)

func rowsOfCSV(t *testing.T, a answer) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(a.body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// uploaded makes a ready set of the demonstration's archive, as its user would.
func (s *site) uploaded(name string) (id string, set *ingest.Set) {
	s.t.Helper()
	archive, err := os.ReadFile(demoArchive)
	if err != nil {
		s.t.Fatal(err)
	}
	id = s.create(name)
	s.want(200, "PUT", "/api/sets/"+id+"/files/shop.tar.gz", string(archive))
	s.want(202, "POST", "/api/sets/"+id+"/import", "")
	set, _ = s.engine.Set(id)
	if err := set.Wait(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	return id, set
}

// The tables of a stretch say what the statistics of it say, of all threads, and of each message.
func TestTables(t *testing.T) {
	s := newSite(t, Options{})
	id, _ := s.uploaded("shop: a/b")
	const stretch = "?begin=1795229355190000000&end=1795229355750000000"
	a := s.want(200, "GET", "/api/sets/"+id+"/states.csv"+stretch, "")
	if got := a.header.Get("Content-Disposition"); got != "attachment; filename=shop--a-b-states-1795229355190000000-1795229355750000000.csv" {
		t.Errorf("kept as %s", got)
	}
	rows := rowsOfCSV(t, a)
	if got := strings.Join(rows[0], " "); got != "host thread tid pid unknown_ns blocked_ns user_ns syscall_ns interrupted_ns wait_for_cpu_ns wait_ns forked_ns kernel_ns" {
		t.Errorf("columns %s", got)
	}
	stats := decode[statisticsAnswer](t, s.get("/api/sets/"+id+"/statistics"+stretch))
	compared := 0
	for _, h := range stats.Hosts {
		for _, thread := range h.Threads {
			i := slices.IndexFunc(rows, func(r []string) bool { return r[0] == h.Host && r[2] == fmt.Sprint(thread.TID) && r[1] == thread.Name })
			if i < 0 {
				t.Errorf("%s %d is missing", h.Host, thread.TID)
				continue
			}
			want := make([]string, 9)
			for k := range want {
				want[k] = "0"
			}
			for _, part := range thread.Status {
				want[*part.Code] = fmt.Sprint(part.Time)
			}
			if got := rows[i][4:]; !slices.Equal(got, want) {
				t.Errorf("%s %d: %v, want %v", h.Host, thread.TID, got, want)
			}
			compared++
		}
	}
	if compared < 20 || len(rows) <= compared {
		t.Errorf("%d threads compared, %d rows", compared, len(rows))
	}

	rows = rowsOfCSV(t, s.want(200, "GET", "/api/sets/"+id+"/messages.csv"+stretch, ""))
	if got := strings.Join(rows[0][8:], " "); got != "latency_ns latency_error_ns bytes protocol" {
		t.Errorf("the last columns are %s", got)
	}
	counted := make(map[string]int64)
	var before int64
	for _, r := range rows[1:] {
		counted[r[0]+" "+r[1]]++
		sent, _ := strconv.ParseInt(r[6], 10, 64)
		received, _ := strconv.ParseInt(r[7], 10, 64)
		if sent < before || received <= sent || fmt.Sprint(received-sent) != r[8] || max(sent, received) < 1795229355190000000 || sent >= 1795229355750000000 {
			t.Fatalf("%v after one sent at %d", r, before)
		}
		before = sent
		if bound, err := strconv.ParseInt(r[9], 10, 64); err != nil || bound <= 0 || bound > 1_000_000 || r[11] != "TCP" {
			t.Fatalf("a latency that is known to %q ns, of a message of the protocol %q", r[9], r[11])
		}
	}
	for number, want := range map[uint8]any{6: "TCP", 17: "UDP", 1: "ICMP", 58: "ICMPv6", 132: "SCTP", 89: int64(89)} {
		if got := protocolName(number); got != want {
			t.Errorf("protocol %d is called %v", number, got)
		}
	}
	for _, p := range stats.Messages {
		if counted[p.From+" "+p.To] != p.Messages {
			t.Errorf("%d messages from %s to %s, want %d", counted[p.From+" "+p.To], p.From, p.To, p.Messages)
		}
	}
	checkEventsTable(t, s, id)
	// Ten seconds behind the reference, by its own clock db did other things then.
	local, synchronized := s.get("/api/sets/"+id+"/states.csv"+stretch+"&host=db&local=1"), s.get("/api/sets/"+id+"/states.csv"+stretch+"&host=db")
	if local.body == synchronized.body || strings.Contains(local.body, "web") {
		t.Errorf("by its own clock db did:\n%.300s", local.body)
	}
	reference := decode[network.Report](t, s.get("/api/sets/"+id+"/sync")).Reference
	if same := s.get("/api/sets/" + id + "/states.csv" + stretch + "&host=" + reference + "&local=1").body; same != s.get("/api/sets/"+id+"/states.csv"+stretch+"&host="+reference).body {
		t.Errorf("the reference host by its own clock did:\n%.300s", same)
	}
	for query, sentence := range map[string]string{
		"":                            `"begin" must be a time in ns, not "".`,
		"?begin=5&end=5":              `"begin" must be before "end".`,
		"?begin=5&end=6&host=nobody":  `The trace set has no host "nobody".`,
		"?begin=5&end=6&columns=many": `There is no parameter "columns" here; there are begin, end, local, host.`,
	} {
		for _, table := range []string{"states", "messages"} {
			if got := s.want(400, "GET", "/api/sets/"+id+"/"+table+".csv"+query, "").sentence(); got != sentence {
				t.Errorf("%s%s: %s", table, query, got)
			}
		}
	}
}
