package simulate_test

import (
	"slices"
	"testing"

	"synchroscope/simulate"
	"synchroscope/simulate/machine"
)

// follows are the states that a thread can be in after each.
var follows = map[machine.State][]machine.State{
	machine.Blocked:   {machine.Waking},
	machine.Waking:    {machine.Ready},
	machine.Ready:     {machine.InProgram, machine.InKernel},
	machine.InProgram: {machine.InKernel, machine.Ready},
	machine.InKernel:  {machine.InProgram, machine.Ready, machine.Blocked, machine.Ended},
	machine.Made:      {machine.Ready},
	machine.Ended:     {machine.Gone},
	machine.Gone:      {machine.Made}, // another of its number
}

// Whoever is told what threads really do changes nothing by it. Each thread does something that can follow
// what it did before, no earlier, and is in a system call only in the kernel or on its way there and back; where a machine has halted it does nothing.
func TestObserve(t *testing.T) {
	for _, name := range []string{"web", "reboot", "lost-events"} {
		t.Run(name, func(t *testing.T) {
			plain, observed := t.TempDir(), t.TempDir()
			if _, err := simulate.Run(t.Context(), load(t, name, 3), simulate.Options{Seed: 3, Out: plain}); err != nil {
				t.Fatal(err)
			}
			type thread struct {
				host string
				tid  int32
			}
			last := make(map[thread]machine.Change)
			counts := make(map[machine.State]int)
			interrupts := make(map[machine.Interrupt]int)
			wrong := 0
			_, err := simulate.Run(t.Context(), load(t, name, 3), simulate.Options{Seed: 3, Out: observed, Observe: func(host string, local int64, c *machine.Change) {
				counts[c.State]++
				interrupts[c.Interrupt]++
				who := thread{host, c.TID}
				before, ok := last[who]
				last[who] = *c
				running := c.State == machine.InProgram || c.State == machine.InKernel
				can := !ok || c.State == before.State || c.State == machine.Gone || slices.Contains(follows[before.State], c.State) ||
					before.State == machine.Gone && c.State == machine.Blocked // a thread of the kernel of the next boot
				if !can || ok && c.At < before.At || local <= 0 || c.Call != "" && c.State == machine.InProgram || c.Interrupt != 0 && !running {
					if wrong++; wrong < 10 {
						t.Errorf("%s: %+v after %+v", host, *c, before)
					}
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if digest(t, plain) != digest(t, observed) {
				t.Error("what is observed makes other bytes")
			}
			for s := machine.Blocked; s <= machine.Gone; s++ {
				if counts[s] == 0 {
					t.Errorf("no thread is ever %v", s)
				}
			}
			if len(interrupts) != 3 {
				t.Errorf("interrupts are %v", interrupts)
			}
			for who, c := range last {
				if c.State != machine.Gone {
					t.Errorf("thread %d of %s is %v at the end", who.tid, who.host, c.State)
				}
			}
		})
	}
}
