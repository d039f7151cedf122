package ingest

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"sync"
	"weak"

	"synchroscope/internal/durable"
	"synchroscope/state/symbol"
)

// symbolsFile has what the functions of a set's programs are called, as it was when the traces were found: docs/format/symbols.md. It is too
// large for the catalogue, which knows it by its checksum.
const symbolsFile = "symbols"

// A fileSum tells whether a file is the one that was written.
type fileSum struct {
	Bytes int64  `json:"bytes"`
	CRC   uint32 `json:"crc32c"`
}

// symbolTable is read once for all hosts that need it at a time.
type symbolTable struct {
	mu    sync.Mutex
	of    fileSum
	table weak.Pointer[symbol.Table]
}

// keepSymbols makes the file of the set one of this text, none if it is empty, and returns its sum.
func (s *Set) keepSymbols(text string) (*fileSum, error) {
	path := s.path(symbolsFile)
	if err := os.RemoveAll(path); err != nil || text == "" {
		return nil, err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	return sumOfText([]byte(text)), durable.WriteFile(path, []byte(text))
}

func sumOfText(text []byte) *fileSum {
	return &fileSum{int64(len(text)), crc32.Checksum(text, castagnoli)}
}

// readSymbols reads the file of the set, nil if there is none.
func (s *Set) readSymbols() ([]byte, error) {
	b, err := readBounded(s.path(symbolsFile), symbol.MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// symbols are what functions are called, nil where it is not known.
func (s *Set) symbols() (*symbol.Table, error) {
	t, err := s.texts()
	if err != nil || t.Symbols == nil {
		return nil, err
	}
	s.names.mu.Lock()
	defer s.names.mu.Unlock()
	if table := s.names.table.Value(); table != nil && s.names.of == *t.Symbols {
		return table, nil
	}
	b, err := s.readSymbols()
	switch {
	case err != nil:
		return nil, err
	case b == nil:
		return nil, fmt.Errorf("%s is gone", s.path(symbolsFile))
	case *sumOfText(b) != *t.Symbols:
		return nil, fmt.Errorf("%s is damaged: it is not what it was when the traces were found", s.path(symbolsFile))
	}
	table, err := symbol.Parse(s.path(symbolsFile), string(b))
	if err != nil {
		return nil, err
	}
	s.names.of, s.names.table = *t.Symbols, weak.Make(table)
	return table, nil
}
