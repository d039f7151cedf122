package workload

import "synchroscope/simulate/machine"

var balancer = Kind{
	Name: "balancer",
	Does: "clients whose requests a load balancer hands to servers, over connections it keeps",
	Params: []Param{
		{Name: "clients", Type: Hosts, Does: "where requests come from"},
		{Name: "balancer", Type: Host, Does: "who hands them on"},
		{Name: "servers", Type: Hosts, Does: "who answers"},
		{Name: "policy", Type: Word, Default: "turn", Words: []string{"turn", "least", "chance"}, Does: "who is next: the next in turn, the one with the fewest open requests, or any"},
		{Name: "rate", Type: Real, Default: "50", Min: 0.001, Max: 1e6, Does: "requests per second of each client machine"},
		{Name: "connections", Type: Number, Default: "8", Min: 1, Max: 10000, Does: "connections of each client machine"},
		{Name: "work", Type: Duration, Default: "2ms", Min: 1000, Max: hour, Does: "median time of a request on a server's CPU"},
		{Name: "answer", Type: Bytes, Default: "4KiB", Min: 1, Max: 1 << 26, Does: "median size of an answer"},
	},
	ports: func(v values) []port {
		front := port{host: v.host("balancer"), protocol: "tcp", number: balancerPort}
		return append(each(v.hostList("servers"), port{protocol: "tcp", number: serverPort}), front)
	},
	start: func(s *site) {
		b := &balancing{site: s, open: make([]int, len(s.hostList("servers")))}
		for _, h := range s.hostList("servers") {
			s.at(h).Start(s.timing.From, "appserver", b.server)
		}
		s.at(s.host("balancer")).Start(s.timing.From+20*ms, "haproxy", b.balance)
		for _, h := range s.hostList("clients") {
			for range s.int("connections") {
				s.at(h).Start(s.timing.From+50*ms, "client", b.client)
			}
		}
	},
}

const (
	balancerPort = 443
	serverPort   = 8080
)

// balancing is the state that the threads of the balancer share.
type balancing struct {
	*site
	open []int // requests that each server has
	turn int
}

// client asks over one connection, at its share of the rate.
func (b *balancing) client(t *machine.Thread) {
	dice := t.Chance()
	mean := int64(1e9 * float64(b.int("connections")) / b.real("rate"))
	server := &peer{host: b.host("balancer"), port: balancerPort}
	for {
		t.Sleep(dice.Exp(mean))
		if t.Now() >= b.timing.Until {
			return
		}
		server.ask(t, 200+dice.IntN(600), askRead)
		t.Compute(dice.LogNormal(60*us, 0.5))
	}
}

// balance has a thread for each connection of a client.
func (b *balancing) balance(t *machine.Thread) {
	l := t.Listen(balancerPort)
	for {
		c := t.Accept(l)
		t.Spawn("haproxy", func(t *machine.Thread) {
			servers := make([]*peer, len(b.open))
			for i, h := range b.hostList("servers") {
				servers[i] = &peer{host: h, port: serverPort}
			}
			for {
				kind, ok := receive(t, c)
				if !ok {
					break
				}
				t.Compute(t.Chance().LogNormal(25*us, 0.4))
				i := b.choose(t)
				b.open[i]++
				servers[i].ask(t, 300, kind)
				b.open[i]--
				t.Compute(10 * us)
				send(t, c, int(t.Chance().LogNormal(int64(b.bytes("answer")), 0.7)), answered)
			}
			for _, p := range servers {
				if p.conn != nil {
					t.CloseConn(p.conn)
				}
			}
			t.CloseConn(c)
		})
	}
}

func (b *balancing) choose(t *machine.Thread) int {
	switch b.word("policy") {
	case "chance":
		return t.Chance().IntN(len(b.open))
	case "least":
		least := 0
		for i, n := range b.open {
			if n < b.open[least] {
				least = i
			}
		}
		return least
	}
	b.turn = (b.turn + 1) % len(b.open)
	return b.turn
}

// server has a thread for each connection.
func (b *balancing) server(t *machine.Thread) {
	l := t.Listen(serverPort)
	for {
		c := t.Accept(l)
		t.Spawn("appserver", func(t *machine.Thread) {
			dice := t.Chance()
			for {
				if _, ok := receive(t, c); !ok {
					break
				}
				t.Compute(dice.LogNormal(b.duration("work"), 0.5))
				if dice.Bool(0.1) {
					t.WriteDisk(4096)
				}
				send(t, c, int(dice.LogNormal(int64(b.bytes("answer")), 0.7)), answered)
			}
			t.CloseConn(c)
		})
	}
}
