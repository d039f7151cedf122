package main

import "synchroscope/trace/ctf"

// mostPackets bounds the lost packets that are counted: their numbers come from the trace. All of JSON has it exactly.
const mostPackets = 1 << 53

// addLost adds what a reader found missing to the events that tracers counted and to the whole packets, of an unknown number of events.
func addLost(events, packets *int64, found []ctf.Loss) {
	for _, l := range found {
		*events += l.Count
		*packets += min(l.Packets, mostPackets-*packets)
	}
}

// lostCell says in a table what was lost, numbers as a function writes them.
func lostCell(events, packets int64, number func(int64) string) string {
	switch {
	case packets == 0:
		return number(events)
	case events == 0:
		return packetsText(packets, number)
	}
	return number(events) + ", " + packetsText(packets, number)
}

// lostText says in a line what was lost.
func lostText(events, packets int64, number func(int64) string) string {
	switch {
	case packets == 0:
		return number(events) + " lost"
	case events == 0:
		return wholePackets(packets, number) + " lost"
	}
	return number(events) + " and " + wholePackets(packets, number) + " lost"
}

// wholePackets tells them from those of the network.
func wholePackets(n int64, number func(int64) string) string {
	if n == 1 {
		return "1 whole packet of events"
	}
	return number(n) + " whole packets of events"
}

func packetsText(n int64, number func(int64) string) string {
	if n == 1 {
		return "1 packet"
	}
	return number(n) + " packets"
}
