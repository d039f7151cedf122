package live

import (
	"context"

	"synchroscope/ingest"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// A Set is what a session needs of a trace set; Ingested makes one of an
// *ingest.Set. The methods are those of ingest.Set and may be called from any
// goroutine.
type Set interface {
	ID() string
	Status() ingest.Status
	Changed() <-chan struct{}
	Hosts() []Host
	Report() ingest.Report
	Damaged(err error) *ingest.Fault // nil where no file of the set is to blame for an error
	Solution() *network.Solution
	EachMessage(ctx context.Context, begin, end int64, clocks *network.Solution, yield func(m *match.Message, sent, received int64) bool) error
	LinkMessages(ctx context.Context, a, b int32, yield func(match.Message) bool) error
}

// A Host is what a session needs of an ingest.Host.
type Host interface {
	Name() string
	History() *history.History // nil until there is one
	Known() ingest.Reach       // how far that goes, as of before it is asked
	Threads(since uint64) ([]kernel.Thread, uint64)
	Density(ctx context.Context, edges, local []int64, time func(local int64) int64) (events []uint32, lost []ingest.LossColumn, err error)
	CPUParts() (syscalls, softIRQs, irqs bool) // which are recorded
}

// A Passing is a Set that something else takes the place of: a session of it ends then, with the code again, and its
// page connects to what is there now.
type Passing interface {
	Set
	Over() bool
}

// Ingested is what there is to see of s now as a Set: a first look while its archives are unpacked.
func Ingested(s *ingest.Set) Set {
	if p := s.Preview(); p != nil {
		return preview{p}
	}
	return ingested{s}
}

type preview struct{ *ingest.Preview }

// Damaged is nil: of a first look nothing is kept.
func (p preview) Damaged(error) *ingest.Fault { return nil }

func (p preview) Hosts() []Host { return hostsOf(p.Preview.Hosts()) }

func (s ingested) Over() bool { return s.Preview() != nil }

type ingested struct{ *ingest.Set }

func (s ingested) Hosts() []Host { return hostsOf(s.Set.Hosts()) }

func hostsOf(hosts []*ingest.Host) []Host {
	out := make([]Host, len(hosts))
	for i, h := range hosts {
		out[i] = h
	}
	return out
}
