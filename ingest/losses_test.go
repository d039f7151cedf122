package ingest

import (
	"slices"
	"testing"

	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/text/texttest"
)

// Losses add up by CPU; a list that somebody has does not change, and it does not grow without end.
func TestLossesByCPU(t *testing.T) {
	var list []CPULoss
	for _, l := range []ctf.Loss{{CPU: 3, Count: 5}, {CPU: 0, Count: 2}, {CPU: 3, Count: 4}, {CPU: 1, Packets: 7}, {CPU: -1, Count: 1}} {
		before := slices.Clone(list)
		kept := list
		list = lostOn(list, l)
		if !slices.Equal(kept, before) {
			t.Fatalf("the list before changed to %v", kept)
		}
	}
	if want := []CPULoss{{-1, 1}, {0, 2}, {3, 9}}; !slices.Equal(list, want) {
		t.Errorf("lost on %v, want %v", list, want)
	}
	for cpu := range int32(2 * mostLossy) {
		list = lostOn(list, ctf.Loss{CPU: cpu, Count: 1})
	}
	if len(list) != mostLossy || list[len(list)-1].CPU >= mostLossy {
		t.Errorf("%d CPUs, the last %d", len(list), list[len(list)-1].CPU)
	}
}

// Packets that are missing by their numbers are counted apart from the events that tracers say they lost, for the host and for
// the set; a trace that claims more than there can be makes no count overflow.
func TestLostPackets(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	for numbers, want := range map[[3]string][2]int64{
		{"0", "1", "2"}:                    {0, 3},
		{"0", "22", "24"}:                  {22, 3},
		{"0", "9000000000000000000", "24"}: {1 << 53, 3},
	} {
		text := `
ctf 1.8 le
env hostname="web"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); content_size u64; packet_size u64; packet_seq_num u64; events_discarded u64; cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
event 0 e
file s
packet begin=1.000000000 end=2.000000000 seq=` + numbers[0] + ` discarded=0 cpu=0
1.500000000 e
packet begin=2.000000000 end=3.000000000 seq=` + numbers[1] + ` discarded=0 cpu=0
2.500000000 e
packet begin=3.000000000 end=4.000000000 seq=` + numbers[2] + ` discarded=3 cpu=0
3.500000000 e
`
		st := importPath(t, e, "set", texttest.Dir(t, text)).Status()
		if got := [2]int64{st.LostPackets, st.LostEvents}; got != want {
			t.Errorf("of packets %v, %v packets and events are lost, want %v", numbers, got, want)
		}
		if h := st.Hosts[0]; h.LostPackets != want[0] || h.LostEvents != want[1] {
			t.Errorf("of packets %v, on the host %d packets and %d events are lost, want %v", numbers, h.LostPackets, h.LostEvents, want)
		}
	}
}
