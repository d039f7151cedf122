package ctf

import "slices"

// LTTng's clock has the uuid of the machine's boot. A virtual machine that is resumed from a snapshot more than once goes on as several, all of which booted once: they have the
// uuid in common, and count on from the same cycle, but they have no clock in common. No machine's kernel has two names at a time. So kernels of one uuid that were recorded side by side under
// several names, by their cycles or by their days, are clones. Those that were recorded one after the other are one machine that was called otherwise meanwhile, and
// applications of other names run in containers of the one there is.

// clonesOf are the names of clones, by the uuid that they have in common.
func clonesOf(traces []*Trace) map[string][]string {
	kernels := make(map[string][]*Trace)
	for _, t := range traces {
		if i := t.info; i.Kind == "kernel" && i.ClockID != "" && i.Hostname != "" && t.plan.clock != nil {
			kernels[i.ClockID] = append(kernels[i.ClockID], t)
		}
	}
	clones := make(map[string][]string)
	for id, list := range kernels {
		if !slices.ContainsFunc(list, func(t *Trace) bool {
			return slices.ContainsFunc(list, func(u *Trace) bool { return u.info.Hostname != t.info.Hostname && t.wentOnAs(u) })
		}) {
			continue
		}
		for _, t := range list {
			if !slices.Contains(clones[id], t.info.Hostname) {
				clones[id] = append(clones[id], t.info.Hostname)
			}
		}
	}
	return clones
}

// wentOnAs reports whether another trace of its clock began after the trace did, and before it ended, by their cycles or by the days that they say.
func (t *Trace) wentOnAs(u *Trace) bool {
	begun, ok := t.begun()
	other, also := u.begun()
	if !ok || !also {
		return false
	}
	k, l := t.plan.clock, u.plan.clock
	return begun <= other && other < t.ended() || k.time(begun) <= l.time(other) && l.time(other) < k.time(t.ended())
}
