package ingest

import (
	"errors"
	"fmt"
	"os"
	"time"

	"synchroscope/catalog"
	"synchroscope/trace"
)

// save makes a checkpoint.
func (j *job) save() error {
	if j.most > 0 {
		return nil
	}
	begin := time.Now()
	c := checkpoint{position: j.reader.Position(), attribution: j.queue.AppendState(nil), extractor: j.extractor.AppendState(nil), ticks: j.ticks.AppendState(nil)}
	var err error
	if c.history.from, err = j.tree.Save(); err != nil {
		return err
	}
	if err := j.describe(&c); err != nil {
		return err
	}
	if j.side, err = j.h.writeCheckpoint(&c, j.side, 0); err != nil {
		return err
	}
	j.saved, j.savedAt = time.Now(), j.reader.Bytes()
	// Where checkpoints take long, a twentieth of the time is for them, within reason.
	j.pause = min(20*j.saved.Sub(begin), 10*j.h.set.e.o.saveEvery)
	return nil
}

// describe fills in what a checkpoint has at any time: numbers, threads, density, gaps.
func (j *job) describe(c *checkpoint) (err error) {
	if j.sum.Endpoints, err = j.log.Sync(); err != nil {
		return err
	}
	if lost := j.h.losses.Load(); lost != nil {
		if j.sum.Losses, err = lost.Sync(); err != nil {
			return err
		}
	}
	j.h.density.Add(j.times)
	j.times = j.times[:0]
	if j.models != nil {
		j.models.describe(c)
	}
	if c.density, err = j.h.density.AppendBinary(nil); err != nil {
		return err
	}
	if c.gaps, err = j.h.gaps.AppendBinary(nil); err != nil {
		return err
	}
	j.sum.Tick = j.ticks.Tick()
	c.summary = j.sum
	c.summary.End = max(j.last, j.sum.End)
	return nil
}

// end finishes history and endpoints after the last event.
func (j *job) end() error {
	if j.tree != nil {
		if err := j.queue.Close(); err != nil {
			return err
		}
		end := max(j.last, j.last+1) // there may be no later time
		if err := j.models.end(j.last, end); err != nil {
			return err
		}
		j.doubts = j.models.doubts()
		if err := j.tree.Finish(end); err != nil {
			return err
		}
		j.sum.End = end
		if err := j.warnOfCrowds(); err != nil {
			return err
		}
	}
	if a, ok := coarse(&j.ticks); ok {
		j.doubts = append(j.doubts, a)
	}
	if j.sum.Events == 0 {
		j.doubts = append(j.doubts, trace.Anomaly{Kind: "no-events", Message: noEvents(len(j.h.row.Traces)), Count: 1})
	}
	j.show()
	var c checkpoint
	if err := j.describe(&c); err != nil {
		return err
	}
	j.show() // how long the file of endpoints is, is known now
	side, err := j.h.writeCheckpoint(&c, j.side, catalog.Done)
	if err != nil {
		return err
	}
	if err := j.retire(side); err != nil {
		return err
	}
	j.h.become(done)
	return j.flush(true)
}

// warnOfCrowds names in the log the places where so many states last from node to node that looking there takes longer. A stop that
// comes meanwhile ends the looking, not the job: all is read, and would have to be read again.
func (j *job) warnOfCrowds() error {
	crowds, err := j.tree.History().Crowds(j.ctx)
	if j.ctx.Err() != nil {
		err = nil
	}
	for _, c := range crowds {
		j.h.set.log.Warn("many states last long in a history", "host", j.h.row.Name, "place", c.String())
	}
	return err
}

// noEvents says of so many traces that they are empty.
func noEvents(traces int) string {
	if traces == 1 {
		return "the trace holds no events"
	}
	return fmt.Sprintf("the %d traces hold no events", traces)
}

// retire lets the host answer without its models, which are large: by its final checkpoint.
func (j *job) retire(side catalog.SideFile) error {
	c, err := readCheckpoint(j.h.dir, side)
	if err != nil {
		return err
	}
	defer c.close()
	rows, err := rowsOf(c)
	if err != nil {
		return err
	}
	j.h.rows.Store(rows)
	j.h.models.Store(nil)
	return nil
}

// giveUp keeps what was read of a host that failed, as far as that can be.
func (j *job) giveUp(cause error) error {
	h := j.h
	j.sum.Error = h.set.relative(cause.Error())
	j.sum.Anomalies = append(j.sum.Anomalies, trace.Anomaly{Kind: hostFailed, Message: j.sum.Error, Count: 1})
	c, err := j.remains()
	if err != nil {
		h.set.log.Warn("nothing that was read of a failed host is kept", "host", h.row.Name, "error", err)
		j.sum = summary{Error: j.sum.Error, Anomalies: j.sum.Anomalies}
		c = &checkpoint{summary: j.sum, density: noDensity, gaps: noGaps}
		h.history.Store(nil)
		h.models.Store(nil)
		h.losses.Store(nil)
		err = errors.Join(h.density.UnmarshalBinary(noDensity), h.gaps.UnmarshalBinary(noGaps), os.MkdirAll(h.dir, 0o700))
	}
	if err == nil {
		_, err = h.writeCheckpoint(c, j.side, catalog.Broken)
	}
	if err != nil {
		h.set.log.Error("the failure of a host is not stored", "host", h.row.Name, "error", err)
	}
	h.mu.Lock()
	h.summary = j.sum
	h.mu.Unlock()
	h.become(broken)
	h.set.mark()
	return j.flush(true)
}

// noDensity and noGaps are those of a host without events.
var (
	noDensity = []byte{0, 0, 0}
	noGaps    = []byte{0, 0}
)

// remains finishes the history of a host that failed where it stands.
func (j *job) remains() (*checkpoint, error) {
	if j.tree == nil || j.log == nil {
		return nil, errors.New("it failed before its first event")
	}
	if err := j.tree.Finish(j.last + 1); err != nil {
		return nil, err
	}
	j.sum.End = j.last + 1
	c := new(checkpoint)
	return c, j.describe(c)
}

// closeFiles closes what only the job uses.
func (j *job) closeFiles() {
	if j.reader != nil {
		j.reader.Close()
	}
	if j.logFile != nil {
		j.logFile.Close()
	}
	j.reader, j.logFile, j.log = nil, nil, nil
}
