package kernel_test

import (
	"strings"
	"testing"

	"synchroscope/simulate/scenario"
	"synchroscope/state/kernel"
	"synchroscope/trace"
)

// Whichever ends of calls a filter leaves out, which no metadata says, nothing is wrong in the last quarter of a recording, and something is known. So it is with
// one that leaves out the beginnings, or all but the beginnings of calls about one file.
func TestTruthFiltered(t *testing.T) {
	begins := func(prefixes ...string) func(*trace.Event) bool {
		return func(ev *trace.Event) bool {
			for _, prefix := range prefixes {
				if strings.HasPrefix(ev.Class.Name, prefix) {
					return true
				}
			}
			return false
		}
	}
	for name, out := range map[string]func(*trace.Event) bool{
		"ends": begins("syscall_exit"), "beginnings": begins("syscall_entry"),
		"ends of futex": begins("syscall_exit_futex"), "ends of recvfrom": begins("syscall_exit_recvfrom"), "ends of write": begins("syscall_exit_write"),
		"ends of sendto and read": begins("syscall_exit_sendto", "syscall_exit_read"), "ends of clone": begins("syscall_exit_clone"), "ends of sleeping": begins("syscall_exit_clock", "syscall_exit_nano"),
		"all but the beginnings about file 3": func(ev *trace.Event) bool {
			fd := ev.Class.Payload("fd")
			return begins("syscall_exit")(ev) || begins("syscall_entry")(ev) && (fd == nil || ev.Int(fd) != 3)
		},
	} {
		t.Run(name, func(t *testing.T) {
			really := make(lives)
			for _, traces := range seeded(t, "web", 3, func(s *scenario.Scenario) {
				spared(s)
				s.Duration = 8e9
			}, really) {
				h := buildBut(t, traces, 20_000, out).Writer.History()
				begin, end := h.Bounds()
				got := (&comparison{looks: lookWithin(t, h, begin+(end-begin)/4*3, end), lossy: true, alike: map[[2]kernel.Status]bool{}}).all(really[traces.Name])
				t.Logf("%s: %+v, %d wrong", traces.Name, got.tally, got.wrong)
				if got.right == 0 {
					t.Errorf("%s: nothing is known", traces.Name)
				}
			}
		})
	}
}
