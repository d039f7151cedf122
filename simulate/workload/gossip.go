package workload

import "synchroscope/simulate/machine"

var gossip = Kind{
	Name: "gossip",
	Does: "a cluster whose members tell each other by UDP what they know, each a few others by chance",
	Params: []Param{
		{Name: "hosts", Type: Hosts, Default: "*", Does: "the members"},
		{Name: "period", Type: Duration, Default: "200ms", Min: 1000, Max: hour, Does: "time between two rounds of a member"},
		{Name: "fanout", Type: Number, Default: "2", Min: 1, Max: 1000, Does: "how many others hear of it in a round"},
		{Name: "size", Type: Bytes, Default: "300", Min: 1, Max: 60000, Does: "bytes of news, at least"},
		{Name: "acknowledge", Type: Real, Default: "0.8", Min: 0, Max: 1, Does: "chance that what is heard is answered"},
		{Name: "port", Type: Number, Default: "7946", Min: 1, Max: 65535, Does: "where members listen"},
	},
	ports: func(v values) []port { return each(v.hostList("hosts"), port{protocol: "udp", number: v.int("port")}) },
	start: func(s *site) {
		for _, h := range s.hostList("hosts") {
			s.at(h).Start(s.timing.From, "gossipd", s.member)
		}
	},
}

// member is one thread that hears what comes until its next round is due.
func (s *site) member(t *machine.Thread) {
	dice := t.Chance()
	port, period := uint16(s.int("port")), s.duration("period")
	var others []string
	for _, h := range s.hostList("hosts") {
		if h != t.Machine().Name() {
			others = append(others, h)
		}
	}
	socket := t.Bind(port)
	next := t.Now() + int64(dice.Float64()*float64(period))
	for {
		if t.Now() >= next && len(others) > 0 && t.Now() < s.timing.Until {
			next = t.Now() + period/2 + dice.Exp(period/2)
			t.Compute(30 * us)
			for range s.int("fanout") {
				t.SendTo(socket, others[dice.IntN(len(others))], port, s.bytes("size")+dice.IntN(200))
			}
		}
		n, host, from, ok := t.ReceiveFrom(socket, max(next-t.Now(), us))
		if !ok {
			if len(others) == 0 || t.Now() >= s.timing.Until {
				t.Sleep(second)
			}
			continue
		}
		t.Compute(20*us + int64(n)*10)
		if n >= s.bytes("size") && dice.Bool(s.real("acknowledge")) { // not an acknowledgement itself
			t.SendTo(socket, host, from, max(1, min(40, s.bytes("size")-1)))
		}
	}
}
