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

// storeConstraints makes what the messages say of the clocks durable.
func (s *Set) storeConstraints(c *network.Constraints) error {
	b := binary.LittleEndian.AppendUint32([]byte(constraintsMagic), constraintsVersion)
	b = append(b, 0, 0, 0, 0)
	b = c.AppendBinary(b)
	binary.LittleEndian.PutUint32(b[constraintsHead-4:], crc32.Checksum(b[constraintsHead:], castagnoli))
	return durable.WriteFile(s.path("constraints"), b)
}

// constraints reads them back, or makes them again of the endpoints. The set is ready.
func (s *Set) constraints() (*network.Constraints, error) {
	c, err := readConstraints(s.path("constraints"))
	if err == nil {
		return c, nil
	}
	s.log.Warn("the stored constraints cannot be read and are made again", "error", err)
	n, err := s.replayAll(func(match.Message) {})
	if err != nil {
		return nil, err
	}
	c = n.Constraints()
	return c, s.storeConstraints(c)
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
