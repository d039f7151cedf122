package workload

import "synchroscope/simulate/machine"

var daemons = Kind{
	Name: "daemons",
	Does: "what runs on every machine anyway: logs, timers, monitors, things started by cron",
	Params: []Param{
		{Name: "hosts", Type: Hosts, Default: "*", Does: "where"},
		{Name: "activity", Type: Real, Default: "1", Min: 0.001, Max: 1000, Does: "how often they wake, 1 for a usual machine"},
	},
	start: func(s *site) {
		for _, h := range s.hostList("hosts") {
			for _, d := range usualDaemons {
				s.at(h).Start(s.timing.From, d.name, func(t *machine.Thread) { s.daemon(t, d) })
			}
		}
	},
}

// A daemon wakes now and then, computes, calls the kernel, and perhaps writes or starts
// a program.
type daemon struct {
	name    string
	threads int   // beside the first
	period  int64 // mean, ns
	work    int64 // median, ns
	calls   []string
	disk    float64 // chance of a write
	starts  string  // a program that it starts and waits for
}

var usualDaemons = []daemon{
	{name: "systemd-logind", period: 4 * second, work: 200 * us, calls: []string{"epoll_ctl", "read", "openat", "close"}},
	{name: "systemd-journal", period: 900 * ms, work: 150 * us, calls: []string{"recvmsg", "openat", "newfstat", "ftruncate"}, disk: 0.3},
	{name: "dbus-daemon", period: 3 * second, work: 60 * us, calls: []string{"recvmsg", "sendmsg"}},
	{name: "irqbalance", period: 10 * second, work: 700 * us, calls: []string{"openat", "read", "close", "openat", "read", "close"}},
	{name: "rsyslogd", threads: 2, period: 1300 * ms, work: 50 * us, calls: []string{"read", "write"}, disk: 0.2},
	{name: "cron", period: 12 * second, work: 80 * us, calls: []string{"newfstatat", "newfstatat"}, starts: "sh"},
	{name: "node_exporter", threads: 3, period: 2500 * ms, work: 400 * us, calls: []string{"openat", "read", "read", "close", "write"}},
	{name: "chronyd", period: 5 * second, work: 40 * us, calls: []string{"adjtimex", "clock_gettime"}},
	{name: "agetty", period: hour, work: 10 * us, calls: []string{"read"}},
	{name: "lttng-consumerd", threads: 3, period: 200 * ms, work: 30 * us, calls: []string{"ioctl", "splice", "splice", "sync_file_range"}, disk: 0.05},
}

func (s *site) daemon(t *machine.Thread, d daemon) {
	for range d.threads {
		t.Spawn(d.name, func(t *machine.Thread) { s.attend(t, d) })
	}
	s.attend(t, d)
}

func (s *site) attend(t *machine.Thread, d daemon) {
	dice := t.Chance()
	period := int64(float64(d.period) / s.real("activity"))
	for {
		t.Sleep(period/2 + dice.Exp(period/2))
		for _, call := range d.calls {
			t.Syscall(call, dice.LogNormal(2*us, 0.6))
		}
		t.Compute(dice.LogNormal(d.work, 0.6))
		if dice.Bool(d.disk) {
			t.WriteDisk(4096 * (1 + dice.IntN(8)))
		}
		if d.starts != "" {
			t.Wait(t.Fork(d.starts, func(t *machine.Thread) {
				startUp(t)
				t.ReadDisk(64 << 10)
				t.Compute(t.Chance().LogNormal(3*ms, 0.5))
			}))
		}
	}
}
