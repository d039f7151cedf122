package attribution

import "synchroscope/sync/match"

// A flow is one direction of a connection. Where the addresses were not
// recorded the ports must do.
type flow struct {
	protocol                    uint8
	source, destination         [16]byte
	sourcePort, destinationPort uint16
}

// flowOf takes the ports from where the keys of TCP and UDP have them: the upper half of B.
func flowOf(e *match.Endpoint) flow {
	return flow{
		protocol: e.Key.Protocol,
		source:   e.Source, destination: e.Destination,
		sourcePort: uint16(e.Key.B >> 48), destinationPort: uint16(e.Key.B >> 32),
	}
}

func (f flow) reverse() flow {
	f.source, f.destination = f.destination, f.source
	f.sourcePort, f.destinationPort = f.destinationPort, f.sourcePort
	return f
}

// maxFlows bounds each of two generations of flows.
const maxFlows = 2048

// flows remembers who sent last on a flow. Flows that nobody used since the
// generation before last are forgotten.
type flows struct{ young, old map[flow]int32 }

func newFlows() flows {
	return flows{make(map[flow]int32), make(map[flow]int32)}
}

func (f *flows) put(k flow, tid int32) {
	if len(f.young) >= maxFlows {
		if _, ok := f.young[k]; !ok {
			f.young, f.old = make(map[flow]int32), f.young
		}
	}
	f.young[k] = tid
}

// get returns -1 where nobody sent.
func (f *flows) get(k flow) int32 {
	if tid, ok := f.young[k]; ok {
		return tid
	}
	if tid, ok := f.old[k]; ok {
		f.put(k, tid)
		return tid
	}
	return -1
}
