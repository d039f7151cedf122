package endpoints

import (
	"fmt"
	"io"

	"synchroscope/ingest/blockfile"
	"synchroscope/sync/match"
)

const magic = "SYNCENDP"

// blockSize closes a block, in bytes of payload.
const blockSize = 32 << 10

// A Writer appends endpoints. It belongs to one goroutine.
type Writer struct {
	log    *blockfile.Writer
	block  []byte
	count  int
	before int64
}

// Create empties f.
func Create(f blockfile.File) (*Writer, error) {
	log, err := blockfile.Create(f, magic)
	if err != nil {
		return nil, err
	}
	return &Writer{log: log}, nil
}

// Resume cuts f to the length that Sync returned and goes on from there.
func Resume(f blockfile.File, length int64) (*Writer, error) {
	log, err := blockfile.Append(f, magic, length)
	if err != nil {
		return nil, err
	}
	return &Writer{log: log}, nil
}

// Add appends the next endpoint of the host.
func (w *Writer) Add(e *match.Endpoint) error {
	w.block = Append(w.block, e, w.before)
	w.before = e.Time
	w.count++
	if len(w.block) < blockSize {
		return nil
	}
	return w.flush()
}

func (w *Writer) flush() error {
	if w.count == 0 {
		return nil
	}
	_, err := w.log.Write(w.block, w.count)
	w.block, w.count, w.before = w.block[:0], 0, 0
	return err
}

// Sync makes everything added durable and returns the length of the file.
func (w *Writer) Sync() (length int64, err error) {
	if err := w.flush(); err != nil {
		return 0, err
	}
	return w.log.End(), w.log.Sync()
}

// Read yields the endpoints in the first length bytes of f as those of host, in
// order, in batches that are valid during the call only.
func Read(f io.ReaderAt, length int64, host int32, yield func([]match.Endpoint) error) error {
	var batch []match.Endpoint
	return blockfile.Walk(f, magic, length, func(offset int64, b []byte, count int) error {
		batch = batch[:0]
		var before int64
		for range count {
			var e match.Endpoint
			var err error
			if b, err = Decode(b, before, &e); err != nil {
				return fmt.Errorf("block at byte %d: %w", offset, err)
			}
			before, e.Host = e.Time, host
			batch = append(batch, e)
		}
		if len(b) != 0 {
			return fmt.Errorf("block at byte %d: %d bytes behind its %d records: %w", offset, len(b), count, blockfile.ErrDamaged)
		}
		return yield(batch)
	})
}
