package ingest

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"synchroscope/catalog"
)

// A checkpoint is the side file of a host: docs/format/checkpoint.md.
type checkpoint struct {
	summary     summary
	history     []byte
	position    []byte
	model       []byte
	attribution []byte
	density     []byte
	extractor   []byte
	declared    []byte
	ticks       []byte
	gaps        []byte
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

// sections are all but the summary.
func (c *checkpoint) sections() map[uint32]*[]byte {
	return map[uint32]*[]byte{
		tagHistory:     &c.history,
		tagPosition:    &c.position,
		tagModel:       &c.model,
		tagAttribution: &c.attribution,
		tagDensity:     &c.density,
		tagExtractor:   &c.extractor,
		tagDeclared:    &c.declared,
		tagTicks:       &c.ticks,
		tagGaps:        &c.gaps,
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (c *checkpoint) append(b []byte) ([]byte, error) {
	summary, err := json.Marshal(c.summary)
	if err != nil {
		return nil, err
	}
	sections := c.sections()
	size := len(checkpointMagic) + 8 + 8 + len(summary)
	for _, p := range sections {
		size += 8 + len(*p)
	}
	b = slices.Grow(b, size) // it can be long, and several times that if it is to find out
	b = append(b, checkpointMagic...)
	b = binary.LittleEndian.AppendUint32(b, checkpointVersion)
	b = binary.LittleEndian.AppendUint32(b, uint32(1+len(sections)))
	section := func(tag uint32, p []byte) error {
		if len(p) > maxSection {
			return fmt.Errorf("section %d of a checkpoint has %d bytes", tag, len(p))
		}
		b = binary.LittleEndian.AppendUint32(b, tag)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(p)))
		b = append(b, p...)
		return nil
	}
	if err := section(tagSummary, summary); err != nil {
		return nil, err
	}
	for tag := uint32(tagHistory); tag <= tagGaps; tag++ {
		if err := section(tag, *sections[tag]); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func parseCheckpoint(b []byte) (*checkpoint, error) {
	const head = len(checkpointMagic) + 8
	if len(b) < head || string(b[:len(checkpointMagic)]) != checkpointMagic {
		return nil, fmt.Errorf("not a checkpoint")
	}
	if v := binary.LittleEndian.Uint32(b[len(checkpointMagic):]); v != checkpointVersion {
		return nil, fmt.Errorf("a checkpoint of version %d", v)
	}
	count := binary.LittleEndian.Uint32(b[len(checkpointMagic)+4:])
	b = b[head:]
	c := new(checkpoint)
	sections := c.sections()
	for range count {
		if len(b) < 8 {
			return nil, fmt.Errorf("the checkpoint ends early")
		}
		tag, size := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		if b = b[8:]; uint64(size) > uint64(len(b)) {
			return nil, fmt.Errorf("section %d of the checkpoint ends early", tag)
		}
		if tag == tagSummary {
			if err := json.Unmarshal(b[:size], &c.summary); err != nil {
				return nil, fmt.Errorf("summary of the checkpoint: %w", err)
			}
		} else if section := sections[tag]; section != nil {
			*section = b[:size:size]
		}
		b = b[size:]
	}
	return c, nil
}

func checkpointName(generation uint64) string {
	return "checkpoint-" + strconv.FormatUint(generation, 10)
}

// readCheckpoint reads the side file that a key of the catalogue points to.
func readCheckpoint(dir string, side catalog.SideFile) (*checkpoint, error) {
	path := filepath.Join(dir, checkpointName(side.Generation))
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() != side.Length {
		return nil, fmt.Errorf("%s has %d bytes, not %d", path, info.Size(), side.Length)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if sum := crc32.Checksum(b, castagnoli); sum != side.CRC {
		return nil, fmt.Errorf("%s has the checksum %08x, not %08x", path, sum, side.CRC)
	}
	c, err := parseCheckpoint(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// writeCheckpoint makes c the valid checkpoint of a host, durably, and removes the one before.
func (h *Host) writeCheckpoint(c *checkpoint, before catalog.SideFile, flags catalog.Flags) (catalog.SideFile, error) {
	b, err := c.append(nil)
	if err != nil {
		return before, err
	}
	side := catalog.SideFile{
		Generation: before.Generation + 1,
		Length:     int64(len(b)),
		CRC:        crc32.Checksum(b, castagnoli),
		Flags:      flags,
	}
	if err := writeDurably(h.path(checkpointName(side.Generation)), b); err != nil {
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

// writeDurably writes a file such that after a crash it is there whole or not at all.
func writeDurably(path string, b []byte) error {
	f, err := os.Create(path + partial)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(path+partial, path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	return err
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
