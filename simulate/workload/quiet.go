package workload

import "synchroscope/simulate/machine"

var quiet = Kind{
	Name: "quiet",
	Does: "long quiet phases with short busy ones between, in which the machines compute, write and ask each other",
	Params: []Param{
		{Name: "hosts", Type: Hosts, Default: "*", Does: "the machines"},
		{Name: "busy", Type: Duration, Default: "2s", Min: ms, Max: day, Does: "length of a busy phase, with which it begins"},
		{Name: "quiet", Type: Duration, Default: "1m", Min: 0, Max: 365 * day, Does: "mean length of a quiet phase"},
		{Name: "rate", Type: Real, Default: "50", Min: 0.001, Max: 1e5, Does: "requests per second of each machine in a busy phase"},
	},
	ports: batchPorts,
	start: func(s *site) {
		hosts := s.hostList("hosts")
		for i, p := range batchPorts(s.values) {
			h, next := p.host, &peer{host: hosts[(i+1)%len(hosts)], port: quietPort}
			s.serve(p, "batchd", s.answerBatch)
			s.at(h).Start(s.timing.From+10*ms, "batch", func(t *machine.Thread) { s.batch(t, next) })
		}
	},
}

const quietPort = 9100

func batchPorts(v values) []port {
	return each(v.hostList("hosts"), port{protocol: "tcp", number: quietPort, shared: true})
}

func (s *site) answerBatch(t *machine.Thread) {
	l := t.Listen(quietPort)
	for {
		c := t.Accept(l)
		t.Spawn("batchd", func(t *machine.Thread) {
			for {
				if _, ok := receive(t, c); !ok {
					break
				}
				t.Compute(t.Chance().LogNormal(500*us, 0.5))
				send(t, c, 2000, answered)
			}
			t.CloseConn(c)
		})
	}
}

func (s *site) batch(t *machine.Thread, next *peer) {
	dice := t.Chance()
	between := int64(1e9 / s.real("rate"))
	for t.Now() < s.timing.Until {
		for end := t.Now() + s.duration("busy"); t.Now() < end; {
			t.Compute(dice.LogNormal(between/4, 0.5))
			if next.host != t.Machine().Name() {
				next.ask(t, 500+dice.IntN(500), askRead)
			}
			if dice.Bool(0.2) {
				t.WriteDisk(32 << 10)
			}
			t.Sleep(dice.Exp(between / 2))
		}
		if q := s.duration("quiet"); q > 0 {
			t.Sleep(q/2 + dice.Exp(q/2))
		}
	}
}
