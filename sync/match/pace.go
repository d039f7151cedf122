package match

// A Pace says which host to read next, so that the ends of a message come close together whatever the
// clocks show: nobody needs to know how they are related. It takes the host that is least far
// by time among those that messages relate to each other, and of these groups the
// one of which the smallest part has been read. So hosts that began minutes apart are in
// step from their first messages on. The order depends on what was read alone.
type Pace struct {
	hosts []pacedHost
}

type pacedHost struct {
	part   float64 // of what there is, read
	local  int64   // ns, the newest time
	done   bool
	group  int32 // hosts that messages relate, by one of them
	offset int64 // of the clock, to that of the group
}

// NewPace returns one for n hosts, none of them read.
func NewPace(n int) *Pace {
	p := &Pace{hosts: make([]pacedHost, n)}
	for i := range p.hosts {
		p.hosts[i].group = int32(i)
	}
	return p
}

// At tells how far a host has been read: which part, from 0 to 1, and up to which local time.
func (p *Pace) At(host int32, part float64, local int64) {
	p.hosts[host].part, p.hosts[host].local = part, local
}

// Done tells that a host has been read to its end.
func (p *Pace) Done(host int32) { p.hosts[host].done = true }

// Message tells that two clocks are related; how well does not matter here.
func (p *Pace) Message(m Message) {
	from, to := &p.hosts[m.From], &p.hosts[m.To]
	if from.group == to.group || m.Retracted {
		return
	}
	// The clock of to shows Received when that of from shows about Sent.
	shift := from.offset + m.Received - m.Sent - to.offset
	old, group := to.group, from.group
	for i := range p.hosts {
		if h := &p.hosts[i]; h.group == old {
			h.group, h.offset = group, h.offset+shift
		}
	}
}

// Next is the host to read now, -1 if all are done.
func (p *Pace) Next() int32 {
	best := int32(-1)
	for i := range p.hosts {
		if p.hosts[i].done {
			continue
		}
		if best < 0 || p.before(int32(i), best) {
			best = int32(i)
		}
	}
	return best
}

// before reports whether host i is to be read before host j, which has a lower number.
func (p *Pace) before(i, j int32) bool {
	a, b := &p.hosts[i], &p.hosts[j]
	if a.group == b.group {
		return a.local-a.offset < b.local-b.offset
	}
	return p.groupPart(a.group) < p.groupPart(b.group)
}

// groupPart is the smallest part that has been read of a host of a group.
func (p *Pace) groupPart(group int32) float64 {
	least := 1.0
	for i := range p.hosts {
		if h := &p.hosts[i]; h.group == group && !h.done {
			least = min(least, h.part)
		}
	}
	return least
}
