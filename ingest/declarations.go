package ingest

import (
	"errors"
	"io/fs"
	"os"

	"synchroscope/state/declared"
	"synchroscope/sync/match"
)

// The texts of all declarations that hold for a set, of endpoints and of states, as they
// were when its traces were found: a restart with other options changes nothing.
const (
	declarationsFile = "declarations"
	statesFile       = "states"
)

// declarations are those of endpoints, nil if the set has none.
func (s *Set) declarations() (*match.Declarations, error) {
	return readDeclared(s.path(declarationsFile), match.ParseDeclarations)
}

// declaredStates are those of states, nil if the set has none.
func (s *Set) declaredStates() (*declared.Declarations, error) {
	return readDeclared(s.path(statesFile), declared.ParseTaken)
}

func readDeclared[T any](path string, parse func(name, text string) (*T, error)) (*T, error) {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return parse(path, string(text))
}
