package handlers

import (
	"synchroscope/handlers/wire"
	"synchroscope/ingest"
)

// knownUntil is up to when what a host, which is read so far, did from begin until before end, local ns, is known, nil where all of it is. What is not is not read yet: an answer
// about it is of what is known so far.
func knownUntil(reach ingest.Reach, begin, end int64) *wire.Time {
	if reach.All || reach.Until >= end {
		return nil
	}
	t := wire.Time(max(reach.Until, begin))
	return &t
}

// going is up to when a host is read, where any of an answer is so only up to there, else nil.
func going(reach ingest.Reach, any bool) *wire.Time {
	if !any || reach.All {
		return nil
	}
	t := wire.Time(reach.Until)
	return &t
}

// ended is when something ended, local ns, as it is shown; nil where it does so only as no more is read.
func ended(reach ingest.Reach, end, shown int64) *wire.Time {
	if reach.GoesOn(end) {
		return nil
	}
	t := wire.Time(shown)
	return &t
}
