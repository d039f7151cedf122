package ctf

import (
	"math"
	"slices"

	"synchroscope/trace"
)

// Two recordings of one kernel at one time have each event that both were told to record. What follows from events takes it once: from the first of those that go on.

// A rival is a recording of the kernel, beside which others are.
type rival struct {
	lanes []*lane
	begin int64 // of its first packet, local ns
}

// rivalsOf finds, for each class, the recordings ahead of its own that can have the same event; none where a host has one recording of the kernel, or packets do not say when
// and of which stream they are.
func (r *Reader) rivalsOf() [][]*rival {
	ofKernel := slices.DeleteFunc(slices.Clone(r.traces), func(t *Trace) bool { return t.info.Kind != "kernel" })
	if len(ofKernel) < 2 {
		return nil
	}
	var kernels []*rival
	number := make([]int, len(r.traces)) // of the recording of a trace, from 1
	names := []map[string]bool{nil}
	for _, parts := range Recordings(ofKernel) {
		begin, ok := BeginOf(parts)
		if !ok {
			return nil
		}
		kernels, names = append(kernels, &rival{begin: begin}), append(names, make(map[string]bool))
		for _, t := range parts {
			number[slices.Index(r.traces, t)] = len(kernels)
			for _, name := range t.info.Classes {
				names[len(kernels)][name] = true
			}
		}
	}
	if len(kernels) < 2 {
		return nil
	}
	for _, l := range r.lanes {
		if n := number[l.trace]; n > 0 {
			kernels[n-1].lanes = append(kernels[n-1].lanes, l)
		}
	}
	rivals := make([][]*rival, len(r.classes))
	class := 0
	for i, t := range r.traces {
		for _, c := range t.Classes() {
			for n := 1; n < number[i]; n++ {
				if names[n][c.Name] {
					rivals[class] = append(rivals[class], kernels[n-1])
				}
			}
			class++
		}
	}
	return rivals
}

// BeginOf is when the first packet of a recording begins, local ns; false where its packets do not say when and of which stream they are.
func BeginOf(parts []*Trace) (begin int64, ok bool) {
	begin = math.MaxInt64
	for _, t := range parts {
		for _, c := range t.streams {
			if !c.known {
				return 0, false
			}
			begin = min(begin, c.files[0].begin)
		}
	}
	return begin, true
}

// Doubled reports whether the event that Next returned is of the kernel, and another recording of it, which goes on at that time, has such events as well: what is made of
// events is made of that one's.
func (r *Reader) Doubled(ev *trace.Event) bool {
	if r.rivals == nil {
		return false
	}
	return slices.ContainsFunc(r.rivals[ev.Class.Index], func(k *rival) bool {
		return k.begin <= ev.Time && slices.ContainsFunc(k.lanes, func(l *lane) bool { return !l.over })
	})
}
