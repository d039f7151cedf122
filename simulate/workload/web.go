package workload

import "synchroscope/simulate/machine"

// web is the shop of the demonstration.
var web = Kind{
	Name: "web",
	Does: "a shop in three tiers: shoppers ask a web server, which asks a cache and, where that misses, a database whose table has a lock that makes others wait",
	Params: []Param{
		{Name: "clients", Type: Hosts, Default: "client", Does: "where the shoppers are"},
		{Name: "server", Type: Host, Default: "web", Does: "the web server"},
		{Name: "cache", Type: Host, Default: "cache", Does: "the cache"},
		{Name: "database", Type: Host, Default: "db", Does: "the database"},
		{Name: "shoppers", Type: Number, Default: "4", Min: 1, Max: 10000, Does: "shoppers on each client machine"},
		{Name: "think", Type: Duration, Default: "150ms", Min: 0, Max: hour, Does: "mean time between two requests of a shopper"},
		{Name: "workers", Type: Number, Default: "6", Min: 1, Max: 1000, Does: "processes of the web server"},
		{Name: "page", Type: Bytes, Default: "12KiB", Min: 1, Max: 1 << 26, Does: "median size of a page"},
		{Name: "hits", Type: Real, Default: "0.7", Min: 0, Max: 1, Does: "chance that the cache knows"},
		{Name: "writes", Type: Real, Default: "0.15", Min: 0, Max: 1, Does: "chance that a request changes something, which only the database does"},
		{Name: "query", Type: Duration, Default: "3ms", Min: 1000, Max: hour, Does: "median time of a query on the CPU"},
		{Name: "slow", Type: Real, Default: "0.04", Min: 0, Max: 1, Does: "chance that a query holds the lock of the table for long"},
		{Name: "slow_query", Type: Duration, Default: "250ms", Min: 1000, Max: hour, Does: "median time of such a query"},
	},
	ports: func(v values) []port {
		return []port{
			{host: v.host("server"), protocol: "tcp", number: webPort},
			{host: v.host("database"), protocol: "tcp", number: databasePort},
			{host: v.host("cache"), protocol: "tcp", number: cachePort},
		}
	},
	start: func(s *site) {
		shop := &shop{site: s}
		s.at(s.host("server")).Start(s.timing.From+20*ms, "httpd", shop.server)
		s.at(s.host("database")).Start(s.timing.From, "postgres", shop.database)
		s.at(s.host("cache")).Start(s.timing.From, "memcached", shop.cache)
		for _, client := range s.hostList("clients") {
			for range s.int("shoppers") {
				s.at(client).Start(s.timing.From+60*ms, "shopper", shop.shopper)
			}
		}
	},
}

// The ports of the tiers, and what a request asks for.
const (
	webPort      = 80
	cachePort    = 11211
	databasePort = 5432

	askRead  = 1
	askWrite = 2
	answered = 3
	missed   = 4
)

type shop struct{ *site }

// shopper thinks, asks and reads.
func (s *shop) shopper(t *machine.Thread) {
	dice := t.Chance()
	for {
		t.Sleep(dice.Exp(s.duration("think")))
		if t.Now() >= s.timing.Until {
			return
		}
		child := t.Fork("wget", s.visit)
		t.Wait(child)
	}
}

// visit is one request, from a program of its own.
func (s *shop) visit(t *machine.Thread) {
	dice := t.Chance()
	startUp(t)
	c, err := t.Connect(s.host("server"), webPort)
	if err != nil {
		return
	}
	kind := uint32(askRead)
	if dice.Bool(s.real("writes")) {
		kind = askWrite
	}
	send(t, c, 120+dice.IntN(280), kind)
	receive(t, c)
	t.Compute(dice.LogNormal(80*us, 0.5))
	t.Syscall("write", 4*us)
	t.CloseConn(c)
}

// server forks its workers, which share the socket it listens on.
func (s *shop) server(t *machine.Thread) {
	l := t.Listen(webPort)
	for range s.int("workers") - 1 {
		t.Fork("httpd", func(t *machine.Thread) { s.work(t, l) })
	}
	s.work(t, l)
}

// work answers visitors, one at a time.
func (s *shop) work(t *machine.Thread, l *machine.Listener) {
	cache := &peer{host: s.host("cache"), port: cachePort}
	database := &peer{host: s.host("database"), port: databasePort}
	dice := t.Chance()
	for {
		c := t.Accept(l)
		kind, ok := receive(t, c)
		if ok {
			t.Compute(dice.LogNormal(150*us, 0.4))
			if !s.known(t, cache, kind) {
				database.ask(t, 200+dice.IntN(200), kind)
				t.Compute(dice.LogNormal(200*us, 0.4))
				cache.ask(t, 600, askWrite)
			}
			t.Compute(dice.LogNormal(400*us, 0.6))
			send(t, c, 200+int(dice.LogNormal(int64(s.bytes("page")), 0.7)), answered)
			t.Syscall("write", 3*us) // the log
		}
		t.CloseConn(c)
	}
}

// known asks the cache for what is read.
func (s *shop) known(t *machine.Thread, cache *peer, kind uint32) bool {
	if kind == askWrite {
		return false
	}
	answer, ok := cache.ask(t, 60, askRead)
	return ok && answer == answered
}

// cache has a thread for each connection.
func (s *shop) cache(t *machine.Thread) {
	l := t.Listen(cachePort)
	for {
		c := t.Accept(l)
		t.Spawn("memcached", func(t *machine.Thread) {
			dice := t.Chance()
			for {
				kind, ok := receive(t, c)
				if !ok {
					t.CloseConn(c)
					return
				}
				t.Compute(dice.LogNormal(15*us, 0.5))
				switch {
				case kind == askWrite:
					send(t, c, 8, answered)
				case dice.Bool(s.real("hits")):
					send(t, c, 48+int(dice.LogNormal(900, 0.6)), answered)
				default:
					send(t, c, 5, missed)
				}
			}
		})
	}
}

// database forks a process for each connection. A process writes what was changed to
// disk now and then.
func (s *shop) database(t *machine.Thread) {
	l := t.Listen(databasePort)
	table := &machine.Mutex{}
	t.Fork("checkpointer", func(t *machine.Thread) {
		for {
			t.Sleep(t.Chance().Exp(800 * ms))
			t.Compute(100 * us)
			t.WriteDisk(16<<10 + 4096*t.Chance().IntN(60))
		}
	})
	for {
		c := t.Accept(l)
		t.Fork("postgres", func(t *machine.Thread) {
			for {
				kind, ok := receive(t, c)
				if !ok {
					t.CloseConn(c)
					return
				}
				s.query(t, table, kind)
				send(t, c, 80+int(t.Chance().LogNormal(2400, 0.8)), answered)
			}
		})
	}
}

// query is what the database does for a request. Slow queries and changes have the
// lock of the table meanwhile.
func (s *shop) query(t *machine.Thread, table *machine.Mutex, kind uint32) {
	dice := t.Chance()
	t.Compute(dice.LogNormal(250*us, 0.4)) // parse and plan
	slow := dice.Bool(s.real("slow"))
	work := dice.LogNormal(s.duration("query"), 0.6)
	t.Lock(table)
	if slow {
		t.ReadDisk(256<<10 + 4096*dice.IntN(64))
		work = dice.LogNormal(s.duration("slow_query"), 0.3)
	} else if dice.Bool(0.1) {
		t.ReadDisk(8 << 10)
	}
	if slow || kind == askWrite {
		t.Compute(work)
		if kind == askWrite {
			t.WriteDisk(8 << 10)
		}
		t.Unlock(table)
		return
	}
	t.Unlock(table)
	t.Compute(work)
}
