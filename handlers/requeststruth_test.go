package handlers

import (
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/workload"
)

// Every ping of a is answered within 45 ms, but by its clock one that is under way while that is set takes half a second longer, or is answered before.
const stepping = `
scenario stepping "A clock is set while its host asks"
duration 20s
host a
  clock uptime=1h
  step at=10003ms by=500ms
  step at=15003ms by=-300ms
host b
  clock uptime=1h offset=5s
switch rack
link a rack propagation=20us rate=1Gbps jitter=5us
link b rack propagation=20ms rate=1Gbps jitter=5us
workload daemons
workload pingpong from=a to=b period=100ms
workload pingpong from=b to=a protocol=udp period=50ms
`

// Every ping is answered within 5 ms, but of overflow's many events are lost, with them ends of messages.
const losing = `
scenario losing "A tracer that loses events"
duration 8s
host overflow cpus=2
  clock offset=3s rate=51 uptime=4h
  tracing subbuffer=16KiB subbuffers=4 rate=600kB wake=20ms
host sound cpus=2
  clock rate=-3 uptime=2d
switch rack
link {overflow,sound} rack propagation=8us rate=1Gbps queue=512KiB jitter=3us
workload storm hosts=overflow call=2us between=50us burst=200ms pause=500ms
workload pingpong from={overflow,sound} to={sound,overflow} period=5ms
`

// Every ping is answered within 5 ms, but whole packets of what holes recorded are missing, and nothing counts their events.
const perforated = `
scenario perforated "A tracer whose packets do not all reach the disk"
duration 8s
host holes cpus=2
  clock offset=-3s rate=-51 uptime=9h
  tracing subbuffer=16KiB loss=5%
host sound cpus=2
  clock rate=-3 uptime=2d
switch rack
link {holes,sound} rack propagation=8us rate=1Gbps queue=512KiB jitter=3us
workload storm hosts=holes call=2us between=50us burst=200ms pause=500ms
workload pingpong from={holes,sound} to={sound,holes} period=5ms
`

// No request is told to have taken longer than any took in truth: those of which nobody knows, for a clock was set or events were lost meanwhile, alone or in whole packets, are left out
// and counted, by whichever host's time they are told.
func TestRequestsHoldTheTruth(t *testing.T) {
	s := newSite(t, Options{})
	for _, c := range []struct {
		name, text string
		seed       uint64
		references []string
		most       int64 // ns
	}{
		{"stepping", stepping, 1, []string{"a", "b"}, 45e6},
		{"losing", losing, 3, []string{"overflow", "sound"}, 5e6},
		{"perforated", perforated, 1, []string{"holes", "sound"}, 5e6},
	} {
		if testing.Short() && c.name != "losing" {
			continue
		}
		set := s.simulated(c.name, c.text, c.seed)
		api := "/api/sets/" + set.ID()
		for _, reference := range c.references {
			s.want(200, "POST", api+"/sync", `{"reference":"`+reference+`"}`)
			a := decode[requestsAnswer](t, s.want(200, "GET", api+"/messages/requests", ""))
			if a.Requests < 100 || a.Unsure == 0 || a.Unrelated != 0 || len(a.Undated) != 0 {
				t.Errorf("%s, by %s: %d requests, %d left out, %d messages between hosts that nothing relates, losses at unknown times on %v", c.name, reference, a.Requests, a.Unsure, a.Unrelated, a.Undated)
			}
			if slow := a.Slowest[0]; slow.Took > c.most {
				t.Errorf("%s, by %s: the slowest of %d requests took %d ns, none took more than %d: %+v", c.name, reference, a.Requests, slow.Took, c.most, slow)
			}
		}
		// Nothing relates the two once their link does not count, and that is said.
		s.want(200, "POST", api+"/sync", `{"exclude":[["`+c.references[0]+`","`+c.references[1]+`"]]}`)
		if a := decode[requestsAnswer](t, s.want(200, "GET", api+"/messages/requests", "")); a.Requests != 0 || a.Unrelated == 0 {
			t.Errorf("%s, without its link: %d requests, %d messages", c.name, a.Requests, a.Unrelated)
		}
	}
}

// recorded is a folder with the traces of a simulated scenario.
func recorded(t *testing.T, name, text string, seed uint64) string {
	t.Helper()
	described, err := scenario.Parse(strings.NewReader(text), name, scenario.Options{Seed: seed, Workload: workload.Check})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), name)
	if _, err := simulate.Run(t.Context(), described, simulate.Options{Seed: seed, Out: dir}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// simulated is a set of a scenario, ready.
func (s *site) simulated(name, text string, seed uint64) *ingest.Set {
	s.t.Helper()
	return s.imported(name, recorded(s.t, name, text, seed))
}
