package validate

// A heap has the tape with the earliest event first; of several, that of the host with the lowest number.
type heap []*tape

func (h heap) less(i, j int) bool {
	a, b := h[i], h[j]
	return a.about < b.about || a.about == b.about && a.host < b.host
}

func (h *heap) push(p *tape) {
	*h = append(*h, p)
	for i := len(*h) - 1; i > 0 && h.less(i, (i-1)/2); i = (i - 1) / 2 {
		(*h)[i], (*h)[(i-1)/2] = (*h)[(i-1)/2], (*h)[i]
	}
}

// replace puts the first tape, which has another event now, or none, where it belongs.
func (h *heap) replace(p *tape, more bool) {
	if !more {
		last := len(*h) - 1
		(*h)[0] = (*h)[last]
		*h = (*h)[:last]
	}
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(*h); child++ {
			if h.less(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		(*h)[i], (*h)[least] = (*h)[least], (*h)[i]
		i = least
	}
}
