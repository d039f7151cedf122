// Package declarations finds the texts that declare what events mean, in files that lie beside traces.
package declarations

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"synchroscope/state/declared"
	"synchroscope/sync/match"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// A Kind is a kind of such texts.
type Kind struct {
	Name  string // of the files
	most  int64  // bytes
	parse func(path, text string) (parsed, error)
}

// A parsed text is one that can be used.
type parsed interface {
	Unmet(classes []*trace.Class) []string
}

// Endpoints declare ends of messages: docs/format/declarations.md.
var Endpoints = Kind{"synchroscope-endpoints", match.MaxDeclarations, func(path, text string) (parsed, error) { return match.ParseDeclarations(path, text) }}

// States declare states of applications: docs/format/states.md.
var States = Kind{"synchroscope-states", declared.MaxDeclarations, func(path, text string) (parsed, error) { return declared.Parse(path, text) }}

// Unmet says of a text of the kind that was found what it names that none of the traces has, in a sentence for each.
func (k Kind) Unmet(text string, traces []*ctf.Trace) []string {
	d, err := k.parse(k.Name, text)
	if err != nil || text == "" {
		return nil
	}
	var classes []*trace.Class
	for _, t := range traces {
		classes = append(classes, t.Classes()...)
	}
	return d.Unmet(classes)
}

// Read reads and checks the text of one file.
func (k Kind) Read(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.Join(err, fmt.Errorf("%s is not a regular file", path))
	}
	b, err := io.ReadAll(io.LimitReader(f, k.most+1))
	if err != nil {
		return "", err
	}
	text := strings.TrimPrefix(string(b), byteOrderMark)
	_, err = k.parse(path, text)
	return text, err
}

// byteOrderMark is what some editors put before a text.
const byteOrderMark = "\ufeff"

// Find adds the files of the kind at or below root to text, in the order of their
// paths; links are not followed. Files that cannot be used are left out, with an error for each.
func (k Kind) Find(root, text string) (string, []error) {
	var errs []error
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != k.Name || !d.Type().IsRegular() {
			return err
		}
		more, err := k.Read(path)
		if err == nil {
			more, err = k.joined(text, more, path)
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
func (k Kind) joined(text, more, path string) (string, error) {
	switch {
	case text == "":
		return more, nil
	case strings.Contains(text, more):
		return text, nil
	}
	both := text + "\n" + more
	if int64(len(both)) > k.most {
		return "", fmt.Errorf("%s does not go with what is declared elsewhere: together they have more than %d bytes", path, k.most)
	}
	if _, err := k.parse(path, both); err != nil {
		return "", fmt.Errorf("%s does not go with what is declared elsewhere: %s", path, inFile(err.Error(), path, strings.Count(text, "\n")+1))
	}
	return both, nil
}

// inFile is an error about a file's text behind so many lines, with the line that it is in the file.
func inFile(message, path string, before int) string {
	rest, ok := strings.CutPrefix(message, path+":")
	number, cause, found := strings.Cut(rest, ": ")
	if n, err := strconv.Atoi(number); ok && found && err == nil && n > before {
		return fmt.Sprintf("line %d: %s", n-before, cause)
	}
	return message
}
