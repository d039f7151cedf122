package ctf

import (
	"path/filepath"
	"slices"
)

// CPUs are those of which the trace has packets, in order, as the first packet of each of its files says. ok is false where one does not
// say of which CPU it is. Where the first packet of a file cannot be read the file tells of none.
func (t *Trace) CPUs() (cpus []int32, ok bool) {
	for _, c := range t.streams {
		for _, f := range c.files {
			if t.plan.inst == nil { // else it was read to know of which stream the file is
				p, _, met := t.plan.firstPacket(filepath.Join(t.dir, f.name), f.size)
				f.cpu, f.met = p.cpu, met
			}
			switch {
			case !f.met:
			case f.cpu < 0:
				return nil, false
			default:
				cpus = append(cpus, f.cpu)
			}
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), true
}
