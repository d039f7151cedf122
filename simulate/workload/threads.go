package workload

import "synchroscope/simulate/machine"

var threads = Kind{
	Name: "threads",
	Does: "very many threads, which mostly sleep; some end and are followed by new ones",
	Params: []Param{
		{Name: "hosts", Type: Hosts, Default: "*", Does: "where"},
		{Name: "count", Type: Number, Default: "1000", Min: 1, Max: 1e6, Does: "threads on each host"},
		{Name: "processes", Type: Number, Default: "20", Min: 1, Max: 1e5, Does: "processes that they belong to"},
		{Name: "within", Type: Duration, Default: "2s", Min: 0, Max: day, Does: "time in which they are made"},
		{Name: "period", Type: Duration, Default: "5s", Min: 1000, Max: day, Does: "mean time that a thread sleeps"},
		{Name: "work", Type: Duration, Default: "60us", Min: 0, Max: hour, Does: "median time that it computes then"},
		{Name: "turnover", Type: Real, Default: "0.01", Min: 0, Max: 1, Does: "chance that it ends after that, and another begins"},
		{Name: "shared", Type: Real, Default: "0.1", Min: 0, Max: 1, Does: "chance that it needs the lock of its process"},
	},
	start: func(s *site) {
		count, processes := s.int("count"), s.int("processes")
		for _, h := range s.hostList("hosts") {
			for i := range min(count, processes) {
				n := count/processes + min(1, max(0, count%processes-i))
				s.at(h).Start(s.timing.From, poolNames[i%len(poolNames)], func(t *machine.Thread) { s.pool(t, n) })
			}
		}
	},
}

var poolNames = []string{"java", "mysqld", "nginx", "node", "beam.smp", "tomcat", "envoy", "etcd", "kafka", "clickhouse"}

// workerNames are what threads of a pool are called.
var workerNames = []string{"worker", "http-nio", "GC Thread", "scheduler", "pool-exec", "timer", "io-poll", "flush"}

// pool has n threads, itself included.
func (s *site) pool(t *machine.Thread, n int) {
	pool := &threadPool{site: s}
	dice := t.Chance()
	pause := s.duration("within") / int64(n)
	for range n - 1 {
		pool.spawn(t)
		if pause > 0 {
			t.Sleep(dice.Exp(pause))
		}
	}
	for {
		t.Sleep(dice.Exp(s.duration("period")))
		pool.work(t)
		for ; pool.ended > 0 && t.Now() < s.timing.Until; pool.ended-- {
			pool.spawn(t)
		}
	}
}

// A threadPool is what the threads of a process share.
type threadPool struct {
	*site
	lock  machine.Mutex
	made  int
	ended int // and not followed yet
}

func (p *threadPool) spawn(t *machine.Thread) {
	name := workerNames[p.made%len(workerNames)]
	p.made++
	t.Spawn(name, func(t *machine.Thread) {
		dice := t.Chance()
		for {
			t.Sleep(dice.Exp(p.duration("period")))
			p.work(t)
			if dice.Bool(p.real("turnover")) {
				p.ended++
				return
			}
		}
	})
}

func (p *threadPool) work(t *machine.Thread) {
	dice := t.Chance()
	t.Syscall("read", 2*us)
	if dice.Bool(p.real("shared")) {
		t.Lock(&p.lock)
		t.Compute(dice.LogNormal(1+p.duration("work"), 0.5))
		t.Unlock(&p.lock)
	} else {
		t.Compute(dice.LogNormal(1+p.duration("work"), 0.5))
	}
	t.Syscall("write", 2*us)
}
