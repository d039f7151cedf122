package attribution

import (
	"encoding/binary"
	"fmt"

	"synchroscope/ingest/endpoints"
	"synchroscope/sync/match"
)

// AppendState appends what a checkpoint must keep: the endpoints that wait,
// the receives among them, and the flows.
func (q *Queue) AppendState(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(q.queue)))
	for i := range q.queue {
		b = endpoints.Append(b, &q.queue[i].Endpoint, 0)
	}
	waiting := 0
	for _, all := range q.awake {
		waiting += len(all)
	}
	b = binary.AppendUvarint(b, uint64(waiting))
	for cpu, all := range q.awake {
		for _, w := range all {
			b = binary.AppendVarint(b, int64(cpu))
			b = binary.AppendUvarint(b, w.seq-q.first)
			b = binary.AppendUvarint(b, uint64(w.left))
			if w.irq {
				b = append(b, 1)
			} else {
				b = append(b, 0)
			}
		}
	}
	for _, g := range [...]map[flow]int32{q.flows.old, q.flows.young} {
		b = binary.AppendUvarint(b, uint64(len(g)))
		for k, tid := range g {
			b = append(b, k.protocol)
			b = append(b, k.source[:]...)
			b = append(b, k.destination[:]...)
			b = binary.LittleEndian.AppendUint16(b, k.sourcePort)
			b = binary.LittleEndian.AppendUint16(b, k.destinationPort)
			b = binary.LittleEndian.AppendUint32(b, uint32(tid))
		}
	}
	return b
}

const flowSize = 1 + 16 + 16 + 2 + 2 + 4

// Restore puts a new queue of a host where AppendState was called.
func (q *Queue) Restore(b []byte, host int32) error {
	bad := false
	number := func(limit uint64) uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > limit {
			bad, b = true, nil
			return 0
		}
		b = b[n:]
		return v
	}
	for range number(maxQueue) {
		var e match.Endpoint
		rest, err := endpoints.Decode(b, 0, &e)
		if err != nil {
			return err
		}
		b, e.Host = rest, host
		q.queue = append(q.queue, entry{Endpoint: e})
	}
	for range number(maxQueue) {
		cpu, n := binary.Varint(b)
		if n <= 0 {
			bad = true
			break
		}
		b = b[n:]
		w := waiter{seq: number(maxQueue), left: int(number(patience)), irq: number(1) == 1}
		if bad || w.seq >= uint64(len(q.queue)) || q.queue[w.seq].waits {
			bad = true
			break
		}
		q.awake[int32(cpu)] = append(q.awake[int32(cpu)], w)
		q.queue[w.seq].waits = true
	}
	for _, g := range [...]map[flow]int32{q.flows.old, q.flows.young} {
		for range number(maxFlows) {
			if len(b) < flowSize {
				bad = true
				break
			}
			k := flow{
				protocol: b[0],
				source:   [16]byte(b[1:]), destination: [16]byte(b[17:]),
				sourcePort: binary.LittleEndian.Uint16(b[33:]), destinationPort: binary.LittleEndian.Uint16(b[35:]),
			}
			g[k] = int32(binary.LittleEndian.Uint32(b[37:]))
			b = b[flowSize:]
		}
	}
	if bad || len(b) != 0 {
		return fmt.Errorf("the attribution of a checkpoint is damaged")
	}
	return nil
}
