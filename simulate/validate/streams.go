package validate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"synchroscope/simulate/clock"
	"synchroscope/simulate/truth"
	"synchroscope/trace/ctf/schema"
)

// A stream is what the headers of the packets of a CPU say by themselves. A reader need not know all of it:
// a stream that begins with a later packet than number 0 could be one of several files.
type stream struct {
	packets    int64 // that are there
	missing    int64 // before the first one, and between them
	first      int64 // events that were discarded before the end of the first one, if it is not number 0
	told       int64 // events that were discarded from there on, as far as the packets say
	firstEnd   int64 // local ns: the end of the first one,
	lastBegin  int64 // and the beginning of the last
	discarding bool  // more was discarded by the end of the last one than by the end of the one before
	over       bool  // nothing is missing behind the last one
}

// The places of what is looked at in the header of a packet, as LTTng writes it. Both formats have the same bytes.
const (
	headerSize = 84
	atBegin    = 32
	atEnd      = 40
	atSize     = 56
	atNumber   = 64
	atLost     = 72
)

// readStreams reads the headers of all packets of a trace, by CPU.
func readStreams(dir string, said *truth.Trace, cpus int, clk *clock.Clock) ([]stream, error) {
	list := make([]stream, cpus)
	for i := range list {
		if err := list[i].read(filepath.Join(dir, fmt.Sprintf("channel0_%d", i)), said, clk); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// read goes from header to header. What is no packet is the business of the reader of events, and ends it.
func (s *stream) read(path string, said *truth.Trace, clk *clock.Clock) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	var b [headerSize]byte
	number, lost := int64(-1), int64(0)
	for at := int64(0); at < info.Size(); {
		if _, err := file.ReadAt(b[:], at); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		n, discarded, size := int64(le.Uint64(b[atNumber:])), int64(le.Uint64(b[atLost:])), int64(le.Uint64(b[atSize:])/8)
		if size < headerSize {
			break
		}
		end := le.Uint64(b[atEnd:])
		if s.packets == 0 {
			s.firstEnd = stamped(clk, said.Boot, end)
			if n > 0 {
				s.first, lost = discarded, discarded
			}
		}
		s.missing += n - number - 1
		s.told += discarded - lost
		s.discarding = discarded > lost || s.packets == 0 && s.first > 0
		s.lastBegin = stamped(clk, said.Boot, le.Uint64(b[atBegin:]))
		s.packets++
		number, lost = n, discarded
		at += size
		s.over = end >= clk.Cycles(said.End)
		if said.Cut {
			s.over = at > info.Size()
		}
	}
	return nil
}

// stamped is the local time of a number of cycles, as far as it has one.
func stamped(clk *clock.Clock, boot int, cycles uint64) int64 {
	boots := clk.Boots()
	if boot >= len(boots) {
		return 0
	}
	return schema.TimeAt(boots[boot].Origin, cycles, clk.Frequency())
}
