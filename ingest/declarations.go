package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"synchroscope/catalog"
	"synchroscope/internal/durable"
	"synchroscope/state/declared"
	"synchroscope/sync/match"
)

// The texts of all declarations that hold for a set, of endpoints and of states, as they
// were when its traces were found: a restart with other options changes nothing. They are in the result of the set in the
// catalogue, and in these files for versions of the program that look there.
const (
	declarationsFile = "declarations"
	statesFile       = "states"
)

// texts are what is declared for a set, empty where nothing is.
type texts struct {
	Endpoints []byte `json:"endpoints,omitempty"`
	States    []byte `json:"states,omitempty"`

	// Symbols are what functions are called: the sum of the file, nil if there is none.
	Symbols *fileSum `json:"symbols,omitempty"`
}

// files are the texts by the names of their files.
func (t *texts) files() map[string][]byte {
	return map[string][]byte{declarationsFile: t.Endpoints, statesFile: t.States}
}

// declarations are those of endpoints, nil if the set has none.
func (s *Set) declarations() (*match.Declarations, error) {
	return parsed(s, declarationsFile, match.ParseDeclarations)
}

// declaredStates are those of states, nil if the set has none.
func (s *Set) declaredStates() (*declared.Declarations, error) {
	return parsed(s, statesFile, declared.ParseTaken)
}

func parsed[T any](s *Set, name string, parse func(name, text string) (*T, error)) (*T, error) {
	t, err := s.texts()
	if err != nil {
		return nil, err
	}
	text := t.files()[name]
	if len(text) == 0 {
		return nil, nil
	}
	return parse(s.path(name), string(text))
}

// texts are what is declared for the set. Of one that a program imported which had them in files alone, these tell.
func (s *Set) texts() (*texts, error) {
	s.mu.Lock()
	t := s.declared
	s.mu.Unlock()
	if t != nil {
		return t, nil
	}
	return s.readTexts()
}

// readTexts reads the files of what is declared.
func (s *Set) readTexts() (*texts, error) {
	t := new(texts)
	for name, into := range map[string]*[]byte{declarationsFile: &t.Endpoints, statesFile: &t.States} {
		b, err := readBounded(s.path(name), max(match.MaxDeclarations, declared.MaxDeclarations))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case len(b) == 0: // where nothing is declared there is no file
			return nil, fmt.Errorf("%s is damaged: it is empty", s.path(name))
		default:
			*into = b
		}
	}
	b, err := s.readSymbols()
	if err == nil && len(b) > 0 {
		t.Symbols = sumOfText(b)
	}
	return t, err
}

// keepTexts makes the files of what is declared those of t, as far as they are not.
func (s *Set) keepTexts(t *texts) error {
	for name, text := range t.files() {
		path := s.path(name)
		b, err := os.ReadFile(path)
		switch {
		case err == nil && len(text) > 0 && bytes.Equal(b, text), errors.Is(err, fs.ErrNotExist) && len(text) == 0:
			continue
		case len(text) == 0:
			err = os.RemoveAll(path)
		default:
			if err = os.MkdirAll(s.dir, 0o700); err == nil && isFolder(path) {
				err = os.RemoveAll(path)
			}
			if err == nil {
				err = durable.WriteFile(path, text)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// goOnDeclared makes the files of what is declared agree with the catalogue, for a set that goes on with reading. One of which the catalogue does not have it takes it from
// them, as far as they can be read: its hosts say if they cannot, and its traces are kept then.
func (s *Set) goOnDeclared() error {
	t, err := s.texts()
	if err == nil {
		_, err = s.symbols()
	}
	if err != nil {
		s.log.Warn("what is declared for a set cannot be read", "error", err)
		return s.update(func(row *catalog.Set) { row.Again = true })
	}
	s.mu.Lock()
	s.declared = t
	s.mu.Unlock()
	return s.keepTexts(t)
}
