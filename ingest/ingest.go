// Package ingest takes trace sets from upload to history: one job per host,
// all of them resumable.
//
// # The way of a set
//
// Archives are uploaded, or folders named; they are extracted, traces are
// looked for and grouped into hosts, and then each host has a job that reads its
// events once, in order, and feeds the state model, the pairing of packets
// and the counts. The packets of all hosts go to the one synchronizer of the set. Everything
// is visible from the first event on: a history up to its watermark, messages
// as they are matched, the newest solution.
//
// Archives are extracted while they arrive, ahead of the import (unpack.go).
//
// # What survives a crash
//
// About once a second a job writes a checkpoint (checkpoint.go): where the
// reader stands, and what the model, the history and the counts hold that is
// not in files yet. After a crash it goes on from there. The synchronization
// has no checkpoint: its input, the endpoints, is a hundredth of a trace, and is
// fed to a new one from the beginning. A job depends on its events alone, never
// on when it was stopped, on other jobs or on a clock, so the answers
// of an import are those of an undisturbed one. A checkpoint that cannot be used, for
// whatever reason, costs time: its host is read from the beginning.
//
// # Another synchronization
//
// What the messages say of the clocks is kept with the set (constraints.go), so it can be synchronized in another
// way at any time (synchronize.go): a new version of the solution replaces the one before, and nothing else changes.
//
// # Sharing the processors
//
// Jobs hold one of a few slots while they work and offer it back all the time
// (package turn), so of many hosts in many sets all advance, and a small set is
// ready while a large one goes on.
//
// # Locks
//
// Engine.mu before Set.mu before Host.mu; none is held while waiting for a job, the disk
// or the catalogue, but for Set.mu over the change of the set's own row.
package ingest

import (
	"log/slog"
	"runtime"
	"time"

	"synchroscope/ingest/turn"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/trace/archive"
)

// Options of an engine; zero fields take the default.
type Options struct {
	Workers     int            // hosts read at once over all sets, GOMAXPROCS if 0
	Slots       *turn.Slots    // what is read holds one of them, Workers in number; made if nil. Whoever takes them all holds every import where it is
	Archive     archive.Limits // of each archive; entries and bytes also of all archives of a set together
	UploadBytes int64          // per set, all archives; 64 GiB if 0
	// UnfinishedBytes bounds what is held or announced of uploads that were not imported yet, over all sets; 256 GiB if 0.
	UnfinishedBytes int64
	Unfinished      time.Duration // how long an upload that nobody goes on with is kept; 24 h if 0
	Grace           time.Duration // how long a set that was discarded can be had back; 10 min if 0
	History         history.Options

	// Rebuild has sets that are ready read again at the start where an earlier model built their states, if their traces are still there.
	Rebuild bool

	// Declarations is the text of a file that declares endpoints (docs/format/declarations.md), for all
	// sets that are imported from now on; what lies beside their traces is added.
	Declarations string
	Log          *slog.Logger

	looked         *looked       // what a Look is at
	saveEvery      time.Duration // between two checkpoints of a host
	maxPending     int           // keys of endpoints kept by the synchronization of a set, network.Config
	unpackPatience time.Duration // for the next byte of an archive that is unpacked while it arrives

	free func(dir string) (int64, bool) // the room on a disk, [freeBytes]
}

// cacheBytes bounds what all histories of an engine keep of their files in memory.
const cacheBytes = 96 << 20

func (o Options) withDefaults() Options {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Slots == nil {
		o.Slots = turn.New(o.Workers)
	}
	if o.UploadBytes <= 0 {
		o.UploadBytes = 64 << 30
	}
	if o.UnfinishedBytes <= 0 {
		o.UnfinishedBytes = 256 << 30
	}
	if o.Unfinished <= 0 {
		o.Unfinished = 24 * time.Hour
	}
	if o.Grace <= 0 {
		o.Grace = 10 * time.Minute
	}
	o.History.Model = kernel.Version
	if o.History.Cache == nil {
		o.History.Cache = history.NewCache(cacheBytes)
	}
	if o.saveEvery <= 0 {
		o.saveEvery = time.Second
	}
	if o.unpackPatience <= 0 {
		o.unpackPatience = time.Minute
	}
	if o.free == nil {
		o.free = freeBytes
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
