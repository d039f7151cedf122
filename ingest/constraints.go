package ingest

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"

	"synchroscope/internal/durable"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// The file "constraints": docs/format/constraints.md.
const (
	constraintsMagic   = "SYNCCONS"
	constraintsVersion = 4
	constraintsHead    = len(constraintsMagic) + 8
)

// storeConstraints makes what the messages say of the clocks durable. A folder in the place of the file is put aside.
func (s *Set) storeConstraints(c *network.Constraints) error {
	b := binary.LittleEndian.AppendUint32([]byte(constraintsMagic), constraintsVersion)
	b = append(b, 0, 0, 0, 0)
	b = c.AppendBinary(b)
	binary.LittleEndian.PutUint32(b[constraintsHead-4:], crc32.Checksum(b[constraintsHead:], castagnoli))
	if err := s.aside(s.path("constraints")); err != nil {
		return err
	}
	return durable.WriteFile(s.path("constraints"), b)
}

// constraints reads them back, or makes them again of the endpoints. That these cannot be stored is no reason not to have them. The set is ready.
func (s *Set) constraints() (*network.Constraints, error) {
	c, unstored, err := s.constraintsStored()
	if unstored != nil {
		s.log.Warn("the constraints are not stored, and are made again when they are needed next", "error", unstored)
	}
	return c, err
}

// constraintsStored is constraints, and tells why those that were made again are not stored.
func (s *Set) constraintsStored() (c *network.Constraints, unstored, err error) {
	if c, err = readConstraints(s.path("constraints")); err == nil {
		return c, nil, nil
	}
	s.log.Warn("the stored constraints cannot be read and are made again", "error", err)
	n, err := s.replayAll(func(match.Message) {})
	if err != nil {
		return nil, nil, err
	}
	c = n.Constraints()
	return c, s.storeConstraints(c), nil
}

func readConstraints(path string) (*network.Constraints, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) < constraintsHead || string(b[:len(constraintsMagic)]) != constraintsMagic {
		return nil, fmt.Errorf("%s is no file of constraints", path)
	}
	if v := binary.LittleEndian.Uint32(b[len(constraintsMagic):]); v != constraintsVersion {
		return nil, fmt.Errorf("%s has version %d, this program reads version %d", path, v, constraintsVersion)
	}
	if crc32.Checksum(b[constraintsHead:], castagnoli) != binary.LittleEndian.Uint32(b[constraintsHead-4:]) {
		return nil, fmt.Errorf("%s is damaged", path)
	}
	c, err := network.ParseConstraints(b[constraintsHead:])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}
