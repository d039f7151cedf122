package workload

import "synchroscope/simulate/machine"

var storm = Kind{
	Name: "storm",
	Does: "threads that do nothing but short system calls",
	Params: []Param{
		{Name: "hosts", Type: Hosts, Default: "*", Does: "where"},
		{Name: "threads", Type: Number, Default: "2", Min: 1, Max: 10000, Does: "threads on each"},
		{Name: "call", Type: Duration, Default: "300ns", Min: 1, Max: second, Does: "median time of a call"},
		{Name: "between", Type: Duration, Default: "500ns", Min: 0, Max: second, Does: "mean time between two calls"},
		{Name: "burst", Type: Duration, Default: "100ms", Min: 1000, Max: day, Does: "mean length of a burst"},
		{Name: "pause", Type: Duration, Default: "10ms", Min: 0, Max: day, Does: "mean time between two bursts"},
	},
	start: func(s *site) {
		for _, h := range s.hostList("hosts") {
			s.at(h).Start(s.timing.From, "storm", func(t *machine.Thread) {
				for range s.int("threads") - 1 {
					t.Spawn("storm", s.callOn)
				}
				s.callOn(t)
			})
		}
	},
}

// stormCalls are called with equal chance.
var stormCalls = []string{"getpid", "read", "write", "lseek", "getppid", "gettid", "fcntl", "newfstat", "close", "dup", "sched_yield", "rt_sigprocmask", "getuid", "times", "umask", "getcwd"}

func (s *site) callOn(t *machine.Thread) {
	dice := t.Chance()
	call, between := s.duration("call"), s.duration("between")
	for t.Now() < s.timing.Until {
		for end := t.Now() + dice.Exp(s.duration("burst")); t.Now() < end; {
			t.Syscall(stormCalls[dice.IntN(len(stormCalls))], 1+dice.LogNormal(call, 0.5))
			if between > 0 {
				t.Compute(1 + dice.Exp(between))
			}
		}
		if p := s.duration("pause"); p > 0 {
			t.Sleep(dice.Exp(p))
		}
	}
}
