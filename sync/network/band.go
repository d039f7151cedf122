package network

import "slices"

// Band is by how much a short time between two hosts can be off at every instant of [begin, end], reference ns, at which both were recorded: as
// [Solution.ErrorBetween] has it, in pairs of an instant and ns. The bounds on both clocks, and that of their comparison, stay as they are from one instant of their lists to the
// next. So does the band, and has two entries for each such piece: a straight line from each entry to the next is nowhere less than a bound, but for so near an entry as the maps of the two differ by. Of more
// pieces than most some are told as one, by the largest bound. It has nothing where the hosts are not related, or were not recorded at the same time.
func (s *Solution) Band(a, b int32, begin, end int64, most int) [][2]int64 {
	if !s.Related(a, b) {
		return nil
	}
	for _, host := range [2]int32{a, b} {
		h := &s.Hosts[host]
		begin, end = max(begin, h.Map.Reference(h.Begin)), min(end, h.Map.Reference(h.End))
	}
	if begin > end {
		return nil
	}
	at := []int64{begin, end}
	add := func(host int32, bounds [][2]int64) {
		for _, bound := range bounds {
			if t := s.Hosts[host].Map.Reference(bound[0]); begin < t && t < end {
				at = append(at, t)
			}
		}
	}
	for _, pair := range [2][2]int32{{a, b}, {b, a}} {
		add(pair[0], s.Hosts[pair[0]].Map.Bounds())
		if m, ok := s.pairs[pair]; ok {
			add(pair[0], m.Bounds())
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	if len(at) == 1 {
		at = append(at, end)
	}
	var band [][2]int64
	together := (len(at) - 2 + most) / most // pieces that are told as one
	for i := 0; i+1 < len(at); i += together {
		last := min(i+together, len(at)-1)
		worst, known := int64(0), false
		for k := i; k < last; k++ {
			t := at[k] + (at[k+1]-at[k])/2 // at the ends of a piece the bounds may be less
			if ns, ok := s.ErrorBetween(a, b, s.Hosts[a].Map.Local(t), s.Hosts[b].Map.Local(t)); ok {
				worst, known = max(worst, ns), true
			}
		}
		switch n := len(band); {
		case !known:
		case n > 0 && band[n-1] == [2]int64{at[i], worst}:
			band[n-1][0] = at[last]
		default:
			band = append(band, [2]int64{at[i], worst}, [2]int64{at[last], worst})
		}
	}
	return band
}
