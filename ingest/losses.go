package ingest

import (
	"cmp"
	"context"
	"math"
	"os"
	"slices"
	"sort"

	"synchroscope/ingest/blockfile"
	"synchroscope/ingest/losses"
	"synchroscope/trace/ctf"
)

// A CPULoss is how many events of a host were lost on one of its CPUs.
type CPULoss struct {
	CPU    int32 `json:"cpu"` // -1 where the trace does not tell
	Events int64 `json:"lost_events"`
}

// When and where something was lost, and the questions about it, are those of the files.
type (
	Loss      = losses.Loss
	LossQuery = losses.Query
	LossPart  = losses.Part
	LossSum   = losses.Sum
	// A LossColumn is what was lost in a part of an axis.
	LossColumn = losses.Column
)

// LossSumOf is the sum of one loss.
func LossSumOf(l Loss) LossSum { return losses.SumOf(l) }

// SeveralCPUs is the CPU of a [LossSum] of more than one.
const SeveralCPUs = losses.Several

// mostLossy bounds the CPUs that losses are told by: their numbers come from the trace.
const mostLossy = 4096

// mostPackets bounds the lost packets of a host: their numbers come from the trace. All of JSON has it exactly.
const mostPackets = 1 << 53

// lostOn returns the list by number with a loss added. Whoever has the old list keeps it as it was.
func lostOn(list []CPULoss, l ctf.Loss) []CPULoss {
	if l.Count <= 0 {
		return list
	}
	at, found := slices.BinarySearchFunc(list, l.CPU, func(c CPULoss, cpu int32) int { return cmp.Compare(c.CPU, cpu) })
	if !found && len(list) >= mostLossy {
		return list
	}
	list = slices.Clone(list)
	if !found {
		list = slices.Insert(list, at, CPULoss{CPU: l.CPU})
	}
	list[at].Events += l.Count
	return list
}

// note keeps when and on which CPU something was lost, and where that is told.
func (j *job) note(l ctf.Loss) error {
	log := j.h.losses.Load()
	if log == nil {
		return nil
	}
	return log.Add(losses.Loss{CPU: l.CPU, Begin: l.Begin, End: l.End, At: l.At, Events: l.Count, Packets: l.Packets})
}

// createLosses begins the host's file of losses.
func (h *Host) createLosses() error {
	return h.openLosses(os.O_RDWR|os.O_CREATE, losses.Create)
}

// resumeLosses goes on with the first bytes of the file. Where there are none an earlier version of the program began to read the host: what it
// lost before is not told, so nothing is.
func (h *Host) resumeLosses(length int64) error {
	if length == 0 {
		h.losses.Store(nil)
		return nil
	}
	return h.openLosses(os.O_RDWR, func(f blockfile.File) (*losses.Log, error) { return losses.Resume(f, length) })
}

// takeLosses makes a host that is read to its end tell of its losses. h.mu is held.
func (h *Host) takeLosses(length int64) error {
	h.losses.Store(nil)
	if length == 0 {
		return nil
	}
	f, err := os.Open(h.path(lossesFile))
	if err != nil {
		return err
	}
	h.files = append(h.files, f)
	log, err := losses.Open(f, length)
	if err != nil {
		return h.losing(err)
	}
	h.losses.Store(log)
	return nil
}

func (h *Host) openLosses(flag int, as func(blockfile.File) (*losses.Log, error)) error {
	f, err := os.OpenFile(h.path(lossesFile), flag, 0o600)
	if err != nil {
		return err
	}
	h.keep(f)
	log, err := as(f)
	if err != nil {
		return h.losing(err)
	}
	h.losses.Store(log)
	return nil
}

// losing says which file cannot be read.
func (h *Host) losing(err error) error { return &FileError{h.path(lossesFile), err} }

// Losses answers what was lost and when, in parts as [losses.Log.Ask] has them; nil where nobody knows when, for an earlier version of the
// program read the host.
func (h *Host) Losses(ctx context.Context, q LossQuery) ([]LossPart, error) {
	h.load()
	log := h.losses.Load()
	if log == nil {
		return nil, nil
	}
	q.Final = h.lastRead()
	parts, err := log.Ask(ctx, q)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, h.losing(err)
	}
	return parts, nil
}

// lastRead is the last time, local ns, up to which the host is read.
func (h *Host) lastRead() int64 { return h.figures().End - 1 }

// Undated tells whether something was lost and nobody knows when, for an earlier version of the program read the host, or, as [Host.LossesDamaged] says, its file cannot be read.
func (h *Host) Undated() bool {
	sum := h.figures()
	return sum.Lost+sum.Packets > 0 && h.losses.Load() == nil
}

// LossesDamaged says, in a sentence that names file, place and cause, why it is not known when something was lost of a host that it was noted of; "" where that can be read, as far as it was.
func (h *Host) LossesDamaged() string {
	h.load()
	for _, a := range h.harmsMet() {
		if a.Stream == lossesFile {
			return Sentence(a.Message)
		}
	}
	return ""
}

// EachLoss returns the losses that a query asks for one by one, at most so many, as [losses.Log.List] does.
func (h *Host) EachLoss(ctx context.Context, q LossQuery, most int) ([]Loss, error) {
	h.load()
	log := h.losses.Load()
	if log == nil {
		return nil, nil
	}
	q.Final = h.lastRead()
	list, err := log.List(ctx, q, most)
	if err != nil {
		return nil, h.losing(err)
	}
	return list, nil
}

// mostAsked bounds the losses that are looked at one by one for a question about many times: beyond, any time may be one of a loss.
const mostAsked = 1 << 20

// LostIn tells of the times of [begin, end), local ns, whether something was lost at them, or may have been: alone, with whole packets, or, as far as messages
// are made of what is missing, before or behind what there is of a stream. Where nobody knows when something was lost it may have been at any.
func (h *Host) LostIn(ctx context.Context, begin, end int64) (at func(t int64) bool, err error) {
	any := func(int64) bool { return true }
	if h.Undated() {
		return any, nil
	}
	list, err := h.EachLoss(ctx, LossQuery{Begin: begin, End: end}, mostAsked)
	switch {
	case err != nil && h.set.Damaged(err) != nil, len(list) == mostAsked:
		return any, nil
	case err != nil:
		return nil, err
	}
	until := int64(math.MinInt64)
	for i := range list { // by begin: until when one of these or of those before them goes on
		until = max(until, list[i].End)
		list[i].End = until
	}
	return func(t int64) bool {
		i := sort.Search(len(list), func(i int) bool { return list[i].Begin > t })
		return i > 0 && list[i-1].End >= t || h.gaps.Known() && h.gaps.Any(t, t+1)
	}, nil
}
