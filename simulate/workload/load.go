package workload

import "synchroscope/simulate/machine"

var load = Kind{
	Name: "load",
	Does: "processes that keep CPUs and disks busy",
	Params: []Param{
		{Name: "hosts", Type: Hosts, Default: "*", Does: "where"},
		{Name: "processes", Type: Number, Default: "1", Min: 0, Max: 10000, Does: "processes that compute, on each"},
		{Name: "share", Type: Real, Default: "0.5", Min: 0, Max: 1, Does: "part of the time that each of them computes"},
		{Name: "burst", Type: Duration, Default: "20ms", Min: 1000, Max: hour, Does: "mean time that it computes at once"},
		{Name: "disk", Type: Bytes, Default: "0", Min: 0, Max: 1 << 40, Does: "bytes per second that are read and written, on each"},
	},
	start: func(s *site) {
		for _, h := range s.hostList("hosts") {
			for range s.int("processes") {
				s.at(h).Start(s.timing.From, "crunch", s.crunch)
			}
			if s.bytes("disk") > 0 {
				s.at(h).Start(s.timing.From, "dd", s.stir)
			}
		}
	},
}

func (s *site) crunch(t *machine.Thread) {
	dice, share, burst := t.Chance(), s.real("share"), s.duration("burst")
	if share == 0 {
		return
	}
	for t.Now() < s.timing.Until {
		busy := dice.Exp(burst)
		t.Compute(busy)
		if share < 1 {
			t.Sleep(dice.Exp(int64(float64(burst) * (1 - share) / share)))
		}
	}
}

// stir reads and writes in turn.
func (s *site) stir(t *machine.Thread) {
	const block = 256 << 10
	pause := int64(float64(block) / s.real("disk") * 1e9)
	for t.Now() < s.timing.Until {
		t.ReadDisk(block)
		t.Sleep(t.Chance().Exp(pause))
		t.WriteDisk(block)
		t.Sleep(t.Chance().Exp(pause))
	}
}
