package ingest

import (
	"errors"
	"io/fs"
	"os"

	"synchroscope/sync/match"
)

// declarationsFile of a set is the text of all declarations that hold for it, as they
// were when its traces were found: a restart with other options changes nothing.
const declarationsFile = "declarations"

// declarations are those of the set, nil if it has none.
func (s *Set) declarations() (*match.Declarations, error) {
	path := s.path(declarationsFile)
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return match.ParseDeclarations(path, string(text))
}
