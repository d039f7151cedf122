package workload

import "synchroscope/simulate/machine"

var mpi = Kind{
	Name: "mpi",
	Does: "a bulk-synchronous program: every rank computes, exchanges its border with its neighbours, and all reduce and wait for each other",
	Params: []Param{
		{Name: "hosts", Type: Hosts, Default: "*", Does: "where the ranks are"},
		{Name: "ranks", Type: Number, Default: "1", Min: 1, Max: 256, Does: "ranks on each host"},
		{Name: "step", Type: Duration, Default: "20ms", Min: 1000, Max: hour, Does: "time that a rank computes in a step"},
		{Name: "imbalance", Type: Real, Default: "0.1", Min: 0, Max: 2, Does: "spread (sigma of the logarithm) of that time between ranks and steps"},
		{Name: "halo", Type: Bytes, Default: "8KiB", Min: 1, Max: 1 << 26, Does: "bytes exchanged with each of the two neighbours in a step"},
		{Name: "reduce", Type: Word, Default: "ring", Words: []string{"ring", "tree", "none"}, Does: "how all reduce, around the ring or up and down a binomial tree"},
		{Name: "bytes", Type: Bytes, Default: "64KiB", Min: 1, Max: 1 << 28, Does: "bytes that are reduced"},
		{Name: "barrier", Type: Number, Default: "5", Min: 0, Max: 1e6, Does: "steps between two barriers, 0 for none"},
		{Name: "save", Type: Number, Default: "100", Min: 0, Max: 1e6, Does: "steps between two writings of the result to disk, 0 for none"},
		{Name: "port", Type: Number, Default: "6000", Min: 1, Max: 65000, Does: "where the first rank of a host listens"},
	},
	ports: func(v values) []port {
		var all []port
		for i := range v.int("ranks") {
			all = append(all, each(v.hostList("hosts"), port{protocol: "tcp", number: v.int("port") + i})...)
		}
		return all
	},
	start: func(s *site) {
		hosts := s.hostList("hosts")
		for rank := range len(hosts) * s.int("ranks") {
			s.at(hosts[rank%len(hosts)]).Start(s.timing.From, "solver", func(t *machine.Thread) {
				r := &process{site: s, t: t, id: rank, all: len(hosts) * s.int("ranks"), conns: make(map[int]*machine.Conn)}
				if r.join(hosts) {
					r.solve()
				}
			})
		}
	},
}

// A process is one process of the program.
type process struct {
	*site
	t     *machine.Thread
	id    int
	all   int
	conns map[int]*machine.Conn // by rank
}

// join connects a rank with the ranks at distances of powers of two around the ring,
// which are all that the collectives need. The lower one connects.
func (r *process) join(hosts []string) bool {
	l := r.t.Listen(uint16(r.int("port") + r.id/len(hosts)))
	startUp(r.t)
	lower := make(map[int]bool)
	for d := 1; d < r.all; d *= 2 {
		for _, other := range [2]int{(r.id + d) % r.all, (r.id + r.all - d) % r.all} {
			if other < r.id {
				lower[other] = true
			} else if other > r.id && r.conns[other] == nil {
				if r.conns[other] = r.connect(hosts, other); r.conns[other] == nil {
					return false
				}
			}
		}
	}
	for range lower {
		c := r.t.Accept(l)
		id, ok := receive(r.t, c)
		if !ok {
			return false
		}
		r.conns[int(id)] = c
	}
	return true
}

// connect tries for as long as it takes the other rank to begin.
func (r *process) connect(hosts []string, other int) *machine.Conn {
	for r.t.Now() < r.timing.Until {
		c, err := r.t.Connect(hosts[other%len(hosts)], uint16(r.int("port")+other/len(hosts)))
		if err == nil {
			send(r.t, c, 16, uint32(r.id))
			return c
		}
		r.t.Sleep(100 * ms)
	}
	return nil
}

// solve goes on until a neighbour is gone.
func (r *process) solve() {
	dice := r.t.Chance()
	for step := 1; r.t.Now() < r.timing.Until; step++ {
		r.t.Compute(dice.LogNormal(r.duration("step"), r.real("imbalance")))
		right, left := (r.id+1)%r.all, (r.id+r.all-1)%r.all
		ok := r.swap(right, left, r.bytes("halo")) && r.swap(left, right, r.bytes("halo"))
		switch r.word("reduce") {
		case "ring":
			ok = ok && r.reduceRing(right, left)
		case "tree":
			ok = ok && r.reduceTree()
		}
		if every := r.int("barrier"); every > 0 && step%every == 0 {
			ok = ok && r.barrier()
		}
		if every := r.int("save"); every > 0 && step%every == 0 {
			r.t.WriteDisk(1 << 20)
		}
		if !ok {
			return
		}
	}
}

// swapPiece is what is sent before something must be received, so that buffers never fill on both sides.
const swapPiece = 32 << 10

// swap sends n bytes to one rank while as many come from another.
func (r *process) swap(to, from, n int) bool {
	if r.all == 1 {
		return true
	}
	for n > 0 {
		piece := min(n, swapPiece)
		send(r.t, r.conns[to], piece, answered)
		if _, ok := receive(r.t, r.conns[from]); !ok {
			return false
		}
		n -= piece
	}
	return true
}

// reduceRing sends one share after the other around the ring, twice: once to add up,
// once to tell.
func (r *process) reduceRing(right, left int) bool {
	share := max(1, r.bytes("bytes")/r.all)
	for i := range 2 * (r.all - 1) {
		if !r.swap(right, left, share) {
			return false
		}
		if i < r.all-1 {
			r.t.Compute(int64(share) / 4)
		}
	}
	return true
}

// reduceTree adds up towards rank 0, and tells the sum the same way back. The parent
// of a rank is the one without its lowest bit.
func (r *process) reduceTree() bool {
	n := r.bytes("bytes")
	bit := 1
	for ; bit < r.all && r.id&bit == 0; bit *= 2 {
		if child := r.id | bit; child < r.all {
			if _, ok := receive(r.t, r.conns[child]); !ok {
				return false
			}
			r.t.Compute(int64(n) / 4)
		}
	}
	if r.id != 0 {
		parent := r.conns[r.id&^bit]
		send(r.t, parent, n, answered)
		if _, ok := receive(r.t, parent); !ok {
			return false
		}
	}
	for bit /= 2; bit > 0; bit /= 2 {
		if child := r.id | bit; child < r.all {
			send(r.t, r.conns[child], n, answered)
		}
	}
	return true
}

// barrier tells the rank at every distance of a power of two, and hears from the one
// on the other side.
func (r *process) barrier() bool {
	for d := 1; d < r.all; d *= 2 {
		send(r.t, r.conns[(r.id+d)%r.all], 8, answered)
		if _, ok := receive(r.t, r.conns[(r.id+r.all-d)%r.all]); !ok {
			return false
		}
	}
	return true
}
