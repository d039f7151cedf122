package network_test

import (
	"testing"
	"time"

	"synchroscope/simulate/truth"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// What the messages of each pair of hosts are told to carry is what was sent, though cards cut and join most of it: all that came over,
// and besides at most what came over in part.
func TestDataIsWhatWasSent(t *testing.T) {
	type pair [2]string
	for name, duration := range map[string]time.Duration{"web": 4 * time.Second, "scp": 4 * time.Second} {
		r := simulated(t, name, 3, duration)
		told, carried := make(map[pair]int64), make(map[pair]int64)
		r.network(network.Config{}, func(m match.Message) {
			sign := int64(1)
			if m.Retracted {
				sign = -1
			}
			p := pair{r.names[m.From], r.names[m.To]}
			told[p] += sign * int64(m.Data)
			carried[p] += sign * int64(m.Bytes)
		})
		came, sent := make(map[pair]int64), make(map[pair]int64)
		cut := false
		err := truth.ReadMessages(r.dir, func(m *truth.Message) error {
			if m.To < 0 || m.To == m.From || !m.RecordedSent {
				return nil
			}
			p := pair{r.truth.Hosts[m.From].Name, r.truth.Hosts[m.To].Name}
			sent[p] += int64(m.Length)
			if m.RecordedReceived && m.Received >= 0 {
				came[p] += int64(m.Length)
				cut = cut || m.Packets > 1
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !cut {
			t.Fatalf("%s: nothing was cut of what %d pairs sent", name, len(sent))
		}
		for p, all := range sent {
			if told[p] < came[p] || told[p] > all {
				t.Errorf("%s, %s to %s: %d bytes are told, %d came whole of %d that were sent; packets that make messages have %d", name, p[0], p[1], told[p], came[p], all, carried[p])
			}
		}
	}
}
