package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"synchroscope/sync/match"
)

// A spool is a file of messages that goes away with the process. They are read only when all are there.
type spool struct {
	file *os.File
	w    *bufio.Writer
}

// spoolRecord is the length of a message in a spool: all fields but Retracted, little-endian.
const spoolRecord = 8 + 8 + 4 + 4 + 4 + 4 + 4 + 1

func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "synchroscope-messages-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // where an open file can be removed nothing stays behind, however the process ends
	return &spool{f, bufio.NewWriterSize(f, 1<<16)}, nil
}

func (s *spool) add(m match.Message) error {
	b := s.w.AvailableBuffer()
	b = binary.LittleEndian.AppendUint64(b, uint64(m.Sent))
	b = binary.LittleEndian.AppendUint64(b, uint64(m.Received))
	for _, v := range []uint32{uint32(m.From), uint32(m.To), uint32(m.FromThread), uint32(m.ToThread), m.Bytes} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	_, err := s.w.Write(append(b, m.Protocol))
	return err
}

// each goes through all messages in the order in which they were added.
func (s *spool) each(f func(match.Message)) error {
	if err := s.w.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReaderSize(s.file, 1<<16)
	var b [spoolRecord]byte
	for {
		if _, err := io.ReadFull(r, b[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", s.file.Name(), err)
		}
		at := func(i int) int32 { return int32(binary.LittleEndian.Uint32(b[16+4*i:])) }
		f(match.Message{
			Sent: int64(binary.LittleEndian.Uint64(b[:])), Received: int64(binary.LittleEndian.Uint64(b[8:])),
			From: at(0), To: at(1), FromThread: at(2), ToThread: at(3), Bytes: uint32(at(4)), Protocol: b[36],
		})
	}
}

func (s *spool) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}
