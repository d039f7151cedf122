package ingest

import (
	"cmp"
	"slices"

	"synchroscope/trace/ctf"
)

// A CPULoss is how many events of a host were lost on one of its CPUs.
type CPULoss struct {
	CPU    int32 `json:"cpu"` // -1 where the trace does not tell
	Events int64 `json:"lost_events"`
}

// mostLossy bounds the CPUs that losses are told by: their numbers come from the trace.
const mostLossy = 4096

// mostPackets bounds the lost packets of a host: their numbers come from the trace. All of JSON has it exactly.
const mostPackets = 1 << 53

// lostOn returns the list by number with a loss added. Whoever has the old list keeps it as it was.
func lostOn(list []CPULoss, l ctf.Loss) []CPULoss {
	if l.Count <= 0 {
		return list
	}
	at, found := slices.BinarySearchFunc(list, l.CPU, func(c CPULoss, cpu int32) int { return cmp.Compare(c.CPU, cpu) })
	if !found && len(list) >= mostLossy {
		return list
	}
	list = slices.Clone(list)
	if !found {
		list = slices.Insert(list, at, CPULoss{CPU: l.CPU})
	}
	list[at].Events += l.Count
	return list
}
