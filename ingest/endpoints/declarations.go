package endpoints

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"synchroscope/sync/match"
)

// DeclarationsName is what a file that declares endpoints is called where it lies beside traces.
const DeclarationsName = "synchroscope-endpoints"

// ReadDeclarations reads and checks the text of one file.
func ReadDeclarations(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.Join(err, fmt.Errorf("%s is not a regular file", path))
	}
	b, err := io.ReadAll(io.LimitReader(f, match.MaxDeclarations+1))
	if err != nil {
		return "", err
	}
	_, err = match.ParseDeclarations(path, string(b))
	return string(b), err
}

// FindDeclarations adds the files of the name at or below root to text, in the order of their
// paths; links are not followed. Files that cannot be used are left out, with an error for each.
func FindDeclarations(root, text string) (string, []error) {
	var errs []error
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != DeclarationsName || !d.Type().IsRegular() {
			return err
		}
		more, err := ReadDeclarations(path)
		if err == nil {
			more, err = joined(text, more, path)
		}
		if err != nil {
			errs = append(errs, err)
			return nil
		}
		text = more
		return nil
	})
	if err != nil {
		errs = append(errs, err)
	}
	return text, errs
}

// joined is a text behind another. What is there already, for a file may lie beside each trace, is not said twice.
func joined(text, more, path string) (string, error) {
	switch {
	case text == "":
		return more, nil
	case strings.Contains(text, more):
		return text, nil
	}
	both := text + "\n" + more
	if _, err := match.ParseDeclarations(path, both); err != nil {
		return "", fmt.Errorf("%s does not go with what is declared elsewhere: %w", path, err)
	}
	return both, nil
}
