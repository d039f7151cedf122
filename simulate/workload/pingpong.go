package workload

import "synchroscope/simulate/machine"

var pingpong = Kind{
	Name: "pingpong",
	Does: "a message there and one back, at any rate",
	Params: []Param{
		{Name: "from", Type: Hosts, Does: "who asks"},
		{Name: "to", Type: Hosts, Does: "who answers: each of them is asked by each of from but by itself"},
		{Name: "protocol", Type: Word, Default: "tcp", Words: []string{"tcp", "udp", "icmp"}, Does: "what carries it"},
		{Name: "period", Type: Duration, Default: "1s", Min: 0, Max: day, Does: "time between two requests; with 0 the next follows at once"},
		{Name: "jitter", Type: Real, Default: "0.1", Min: 0, Max: 1, Does: "by how much of it the period varies"},
		{Name: "size", Type: Bytes, Default: "64", Min: 1, Max: 1 << 24, Does: "bytes of the request"},
		{Name: "reply", Type: Bytes, Default: "64", Min: 1, Max: 1 << 24, Does: "bytes of the answer (icmp: as the request)"},
		{Name: "work", Type: Duration, Default: "20us", Min: 0, Max: hour, Does: "time on the CPU for an answer"},
		{Name: "port", Type: Number, Default: "7", Min: 1, Max: 65535, Does: "where answers come from"},
	},
	ports: echoPorts,
	start: func(s *site) {
		protocol := s.word("protocol")
		echo := map[string]machine.Program{"tcp": s.echoStream, "udp": s.echoDatagrams}[protocol]
		for _, p := range echoPorts(s.values) {
			s.serve(p, "echod", echo)
		}
		for _, from := range s.hostList("from") {
			for _, to := range s.hostList("to") {
				if from == to {
					continue
				}
				s.at(from).Start(s.timing.From+10*ms, "ping", func(t *machine.Thread) { s.ping(t, to, protocol) })
			}
		}
	},
}

// echoPorts are those of a workload: the kernel itself answers ICMP.
func echoPorts(v values) []port {
	if v.word("protocol") == "icmp" {
		return nil
	}
	return each(v.hostList("to"), port{protocol: v.word("protocol"), number: v.int("port")})
}

// echoStream answers on every connection, each in a thread.
func (s *site) echoStream(t *machine.Thread) {
	l := t.Listen(uint16(s.int("port")))
	for {
		c := t.Accept(l)
		t.Spawn("echod", func(t *machine.Thread) {
			for {
				if _, ok := receive(t, c); !ok {
					break
				}
				t.Compute(s.duration("work"))
				send(t, c, s.bytes("reply"), answered)
			}
			t.CloseConn(c)
		})
	}
}

func (s *site) echoDatagrams(t *machine.Thread) {
	socket := t.Bind(uint16(s.int("port")))
	for {
		_, host, port, ok := t.ReceiveFrom(socket, -1)
		if ok {
			t.Compute(s.duration("work"))
			t.SendTo(socket, host, port, s.bytes("reply"))
		}
	}
}

// ping asks again and again. The period is one of beginnings; after a late answer the
// beginnings that were missed are left out.
func (s *site) ping(t *machine.Thread, to, protocol string) {
	dice := t.Chance()
	period, jitter := s.duration("period"), s.real("jitter")
	next := t.Now()
	if period > 0 {
		next += int64(dice.Float64() * float64(period))
	}
	server := &peer{host: to, port: uint16(s.int("port"))}
	var socket *machine.Socket
	if protocol == "udp" {
		socket = t.Bind(0)
	}
	for t.Now() < s.timing.Until {
		if period > 0 {
			for next <= t.Now() {
				next += period
			}
			t.SleepUntil(next + int64((dice.Float64()-0.5)*jitter*float64(period)))
		}
		switch protocol {
		case "tcp":
			if _, ok := server.ask(t, s.bytes("size"), askRead); !ok {
				t.Sleep(100 * ms)
			}
		case "udp":
			t.SendTo(socket, to, uint16(s.int("port")), s.bytes("size"))
			t.ReceiveFrom(socket, second)
		case "icmp":
			t.Ping(to, s.bytes("size"), second)
		}
	}
}
