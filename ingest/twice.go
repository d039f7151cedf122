package ingest

// A Twice is a stretch of local time that a host's clock passed twice, as where it was set back: what happened in it may have happened the first
// time or the second.
type Twice struct {
	Begin string `json:"begin"` // local ns, the earliest that is recorded behind the latest
	End   string `json:"end"`   // local ns, the latest before
}

// twice is a Twice in numbers.
type twice struct {
	Begin int64 `json:"begin"`
	End   int64 `json:"end"`
}

// twiceLimit is how many stretches are kept apart per host; what is beyond widens the last one.
const twiceLimit = 64

// passed adds that an event with the time recorded stands behind one at time; time does not decrease from call to call. The list itself is not
// changed, as others read it.
func passed(list []twice, recorded, time int64) []twice {
	if n := len(list); n > 0 && recorded >= list[n-1].Begin && time <= list[n-1].End {
		return list
	}
	begin := recorded
	n := len(list)
	for n > 0 && (begin <= list[n-1].End || n == twiceLimit) {
		n--
		begin = min(begin, list[n].Begin)
	}
	return append(append([]twice(nil), list[:n]...), twice{begin, time})
}

// twices are stretches as they are told.
func twices(list []twice) (told []Twice) {
	for _, t := range list {
		told = append(told, Twice{decimal(t.Begin), decimal(t.End)})
	}
	return told
}
