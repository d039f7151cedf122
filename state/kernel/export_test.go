package kernel

// LetGoAtOnce has m let go of threads as soon as they may be.
func (m *Model) LetGoAtOnce() { m.mostParting = 0 }

// AtHand is how many threads, and counters of how many processes, m has in memory.
func (m *Model) AtHand() (threads, processes int) { return m.threads.count, len(m.processes) }
