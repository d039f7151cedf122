package ingest

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"synchroscope/catalog"
	"synchroscope/internal/durable"
)

// A checkpoint is the side file of a host: docs/format/checkpoint.md.
type checkpoint struct {
	summary     summary
	history     section
	position    []byte
	model       section
	attribution []byte
	density     []byte
	extractor   []byte
	declared    section
	ticks       []byte
	gaps        []byte

	file *os.File // of one that was read
}

// A section is a part of a checkpoint that is never in memory as a whole: it grows with what a trace ever had.
type section struct {
	from io.WriterTo       // what writes it, the same each time; of one that is to be written
	read *io.SectionReader // of one that was read, from its front
}

// close closes the file that sections are read from.
func (c *checkpoint) close() {
	if c.file != nil {
		c.file.Close()
	}
}

const (
	checkpointMagic   = "SYNCCHKP"
	checkpointVersion = 1
	maxSection        = 1 << 30
)

// Tags of sections.
const (
	tagSummary = 1 + iota
	tagHistory
	tagPosition
	tagModel
	tagAttribution
	tagDensity
	tagExtractor
	tagDeclared
	tagTicks
	tagGaps
)

// small are the sections that are in memory.
func (c *checkpoint) small() map[uint32]*[]byte {
	return map[uint32]*[]byte{
		tagPosition:    &c.position,
		tagAttribution: &c.attribution,
		tagDensity:     &c.density,
		tagExtractor:   &c.extractor,
		tagTicks:       &c.ticks,
		tagGaps:        &c.gaps,
	}
}

// long are the others.
func (c *checkpoint) long() map[uint32]*section {
	return map[uint32]*section{tagHistory: &c.history, tagModel: &c.model, tagDeclared: &c.declared}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// write writes a checkpoint. What is long is written twice, as its length stands before it.
func (c *checkpoint) write(to io.Writer) error {
	summary, err := json.Marshal(c.summary)
	if err != nil {
		return err
	}
	small, long := c.small(), c.long()
	head := []byte(checkpointMagic)
	head = binary.LittleEndian.AppendUint32(head, checkpointVersion)
	head = binary.LittleEndian.AppendUint32(head, uint32(1+len(small)+len(long)))
	if _, err := to.Write(head); err != nil {
		return err
	}
	if err := writeBytes(to, tagSummary, summary); err != nil {
		return err
	}
	for tag := uint32(tagHistory); tag <= tagGaps; tag++ {
		var err error
		if s := long[tag]; s != nil {
			err = s.write(to, tag)
		} else {
			err = writeBytes(to, tag, *small[tag])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func writeBytes(to io.Writer, tag uint32, p []byte) error {
	if err := writeHead(to, tag, int64(len(p))); err != nil {
		return err
	}
	_, err := to.Write(p)
	return err
}

func writeHead(to io.Writer, tag uint32, size int64) error {
	if size > maxSection {
		return fmt.Errorf("section %d of a checkpoint has %d bytes", tag, size)
	}
	_, err := to.Write(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, tag), uint32(size)))
	return err
}

// write writes the section twice, the first time to see how long it is.
func (s *section) write(to io.Writer, tag uint32) error {
	if s.from == nil {
		return writeHead(to, tag, 0)
	}
	size, err := s.from.WriteTo(io.Discard)
	if err != nil {
		return err
	}
	if err := writeHead(to, tag, size); err != nil {
		return err
	}
	written, err := s.from.WriteTo(to)
	if err == nil && written != size {
		err = fmt.Errorf("section %d of a checkpoint has %d bytes, not %d", tag, written, size)
	}
	return err
}

// open returns a reader of what was read, which is empty where there is none.
func (s *section) open() *io.SectionReader {
	if s.read == nil {
		return io.NewSectionReader(strings.NewReader(""), 0, 0)
	}
	return io.NewSectionReader(s.read, 0, s.read.Size())
}

// parse finds the sections of a file of so many bytes, and reads those that are in memory.
func (c *checkpoint) parse(f io.ReaderAt, size int64) error {
	const head = len(checkpointMagic) + 8
	r := io.NewSectionReader(f, 0, size)
	b := make([]byte, head)
	if _, err := io.ReadFull(r, b); err != nil || string(b[:len(checkpointMagic)]) != checkpointMagic {
		return errors.New("not a checkpoint")
	}
	if v := binary.LittleEndian.Uint32(b[len(checkpointMagic):]); v != checkpointVersion {
		return fmt.Errorf("a checkpoint of version %d", v)
	}
	small, long := c.small(), c.long()
	var summary []byte
	small[tagSummary] = &summary
	at := int64(head)
	for range binary.LittleEndian.Uint32(b[len(checkpointMagic)+4:]) {
		if _, err := r.ReadAt(b[:8], at); err != nil {
			return errors.New("the checkpoint ends early")
		}
		tag, length := binary.LittleEndian.Uint32(b), int64(binary.LittleEndian.Uint32(b[4:]))
		if at += 8; length > size-at {
			return fmt.Errorf("section %d of the checkpoint ends early", tag)
		}
		if s := long[tag]; s != nil {
			s.read = io.NewSectionReader(f, at, length)
		} else if p := small[tag]; p != nil {
			*p = make([]byte, length)
			if _, err := r.ReadAt(*p, at); err != nil && length > 0 {
				return fmt.Errorf("section %d of the checkpoint: %w", tag, err)
			}
		}
		at += length
	}
	if err := json.Unmarshal(summary, &c.summary); err != nil {
		return fmt.Errorf("summary of the checkpoint: %w", err)
	}
	return nil
}

func checkpointName(generation uint64) string {
	return "checkpoint-" + strconv.FormatUint(generation, 10)
}

// readCheckpoint reads the side file that a key of the catalogue points to. The caller closes it.
func readCheckpoint(dir string, side catalog.SideFile) (*checkpoint, error) {
	path := filepath.Join(dir, checkpointName(side.Generation))
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	c := &checkpoint{file: f}
	if err := c.readFrom(side); err != nil {
		f.Close()
		return nil, err
	}
	return c, nil
}

func (c *checkpoint) readFrom(side catalog.SideFile) error {
	path := c.file.Name()
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != side.Length {
		return fmt.Errorf("%s has %d bytes, not %d", path, info.Size(), side.Length)
	}
	sum := crc32.New(castagnoli)
	if _, err := io.Copy(sum, io.NewSectionReader(c.file, 0, side.Length)); err != nil {
		return err
	}
	if sum := sum.Sum32(); sum != side.CRC {
		return fmt.Errorf("%s has the checksum %08x, not %08x", path, sum, side.CRC)
	}
	if err := c.parse(c.file, side.Length); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// writeCheckpoint makes c the valid checkpoint of a host, durably, and removes the one before.
func (h *Host) writeCheckpoint(c *checkpoint, before catalog.SideFile, flags catalog.Flags) (catalog.SideFile, error) {
	side := catalog.SideFile{Generation: before.Generation + 1, Flags: flags}
	err := durable.Write(h.path(checkpointName(side.Generation)), func(to io.Writer) (err error) {
		sum := crc32.New(castagnoli)
		out := &counting{to: io.MultiWriter(to, sum)}
		err = c.write(out)
		side.Length, side.CRC = out.n, sum.Sum32()
		return err
	})
	if err != nil {
		return before, err
	}
	if err := h.set.e.catalog.PutCheckpoint(h.set.id, h.index, side); err != nil {
		return before, err
	}
	if before.Generation > 0 {
		os.Remove(h.path(checkpointName(before.Generation)))
	}
	return side, nil
}

// sweep removes all checkpoints but the valid one: the process may have ended
// before it had removed another.
func (h *Host) sweep() error {
	side, err := h.set.e.catalog.Checkpoint(h.set.id, h.index)
	if errors.Is(err, catalog.ErrNotFound) {
		return nil // the folder is emptied before the host is read
	}
	if err != nil {
		return err
	}
	found, err := os.ReadDir(h.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range found {
		if !strings.HasPrefix(f.Name(), "checkpoint-") || f.Name() == checkpointName(side.Generation) {
			continue
		}
		if err := os.Remove(h.path(f.Name())); err != nil {
			return err
		}
	}
	return nil
}

// counting counts what is written to another.
type counting struct {
	to io.Writer
	n  int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}
