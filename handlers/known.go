package handlers

import (
	"synchroscope/handlers/wire"
	"synchroscope/ingest"
)

// knownUntil is up to when what a host did from begin until before end, local ns, is known, nil where all of it is. What is not is not read yet: an answer
// about it is of what is known so far.
func knownUntil(host *ingest.Host, begin, end int64) *wire.Time {
	until, all := host.Known()
	if all || until >= end {
		return nil
	}
	t := wire.Time(max(until, begin))
	return &t
}
