package machine_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"synchroscope/internal/peer"
	"synchroscope/simulate/machine"
)

func TestPingPong(t *testing.T) {
	c := build(t, setup{hosts: 2, cpus: 2, seed: 1, link: gigabit})
	answers := 0
	pingPong(c, 100, 64, &answers)
	events := c.run(t, 1_000_000_000)
	if answers != 100 {
		t.Errorf("%d answers", answers)
	}
	t.Log(events, "events", c.machines[0].Stats(), c.machines[0].Transport(), len(c.told))
	out := babeltrace(t, c.dir, events)
	if f := os.Getenv("LOOK"); f != "" {
		os.WriteFile(f, []byte(out), 0o644)
	}
}

// babeltrace holds traces against babeltrace2: it reads so many events and says nothing.
func babeltrace(t *testing.T, dir string, n int64) string {
	t.Helper()
	tool, ok := peer.Program(t, "babeltrace2")
	if !ok {
		return ""
	}
	var errs strings.Builder
	cmd := exec.Command(tool, dir)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if got := strings.Count(string(out), "\n"); err != nil || errs.Len() > 0 || int64(got) != n {
		t.Errorf("babeltrace2: %v, %d events for %d: %s", err, got, n, errs.String())
	}
	return string(out)
}

// Whatever programs do, what is recorded could have been: on one CPU and on many, with threads that
// are killed, locks that are fought for, and a card that is busy.
func TestConsistent(t *testing.T) {
	for seed := range uint64(6) {
		s := setup{hosts: 3, cpus: 1 + int(seed)%4, seed: seed, link: gigabit}
		s.link.Loss = float64(seed%3) * 0.02
		s.kernel.Migrate = float64(seed%2) * 0.3
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := build(t, s)
			medley(c)
			events := c.run(t, 250_000_000)
			if seed == 3 {
				babeltrace(t, c.dir, events)
			}
			for _, m := range c.machines {
				counts := check(t, c, m.Name())
				for _, name := range []string{
					"sched_switch", "sched_waking", "sched_wakeup", "sched_wakeup_new", "sched_process_fork", "sched_process_exec", "sched_process_exit",
					"sched_process_free", "sched_process_wait", "irq_handler_entry", "irq_softirq_raise", "irq_softirq_entry", "timer_hrtimer_start",
					"timer_hrtimer_expire_entry", "timer_start", "block_rq_issue", "block_rq_complete", "x86_exceptions_page_fault_user", "net_dev_queue",
					"net_if_receive_skb", "lttng_statedump_process_state",
				} {
					if counts[name] == 0 {
						t.Errorf("%s has no %s", m.Name(), name)
					}
				}
			}
		})
	}
}

// medley is something of everything, at random.
func medley(c *cluster) {
	talk(c)
	for _, m := range c.machines {
		lock, event := &machine.Mutex{}, &machine.Event{}
		m.Start(0, "medley", func(t *machine.Thread) {
			dice := t.Chance()
			var children []*machine.Thread
			for range 4 {
				t.Spawn("fighter", func(t *machine.Thread) {
					for {
						t.Lock(lock)
						t.Compute(t.Chance().Exp(100_000))
						t.Unlock(lock)
						t.Compute(t.Chance().Exp(50_000))
					}
				})
			}
			t.Spawn("patient", func(t *machine.Thread) { t.WaitOn(event) })
			for range 20 {
				children = append(children, t.Fork("sh", func(t *machine.Thread) {
					if t.Chance().Bool(0.3) {
						t.SetRealTime(10)
					} else {
						t.SetNice(t.Chance().IntN(40) - 20)
					}
					t.Spawn("beside", func(t *machine.Thread) { t.Compute(50_000_000) })
					t.ReadDisk(1 + t.Chance().IntN(1<<20))
					t.WriteDisk(4096)
					t.Compute(t.Chance().Exp(1_000_000))
					t.Ping("h0", 56, 20_000_000)
					s := t.Bind(0)
					t.SendTo(s, "h1", 9, 400)
					t.ReceiveFrom(s, 1_000_000)
				}))
				t.Sleep(dice.Exp(2_000_000))
				if dice.Bool(0.5) {
					t.Wait(children[0])
					children = children[1:]
				}
			}
			t.Set(event)
			x, err := t.Connect(m.Name(), 80)
			if err == nil {
				t.SendMessage(x, 300_000, 1)
				t.ReceiveMessage(x)
				t.Poll(3_000_000, x)
			}
		})
	}
}

// A machine that goes down and up again begins anew, and its traces are consistent.
func TestReboot(t *testing.T) {
	c := build(t, setup{hosts: 3, cpus: 2, seed: 3, link: gigabit})
	medley(c)
	c.agenda.Run(100_000_000)
	c.machines[1].Trace(nil)
	if _, err := c.recs[1].Close(100_000_000); err != nil {
		t.Fatal(err)
	}
	c.machines[1].Halt()
	check(t, c, "h1")
	c.recs = append(c.recs[:1], c.recs[2])
	c.agenda.Run(200_000_000)
	c.machines[1].Boot()
	before := c.machines[1].Stats().Switches
	c.agenda.Run(4_000_000_000)
	if c.machines[1].Stats().Switches == before {
		t.Error("nothing runs on the machine")
	}
	for _, i := range []int{0, 2} {
		c.machines[i].Trace(nil)
	}
	for _, r := range c.recs {
		if _, err := r.Close(4_000_000_000); err != nil {
			t.Fatal(err)
		}
	}
	check(t, c, "h0")
	check(t, c, "h2")
	for _, m := range c.machines {
		m.Halt()
	}
}
