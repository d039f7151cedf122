// Package declarations finds the texts that declare what events mean, and what functions are called, in files that lie beside traces.
package declarations

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"synchroscope/internal/durable"
	"synchroscope/state/declared"
	"synchroscope/state/symbol"
	"synchroscope/sync/match"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// A Kind is a kind of such texts.
type Kind struct {
	Name  string // of the files
	Vain  string // the kind of anomaly of what is said in vain, as no trace has what it means
	most  int64  // bytes
	apart bool   // each text means the same whatever stands beside it
	parse func(path, text string) (unmet, error)
}

const unmetDeclaration = "unmet-declaration"

// An unmet says what a text that can be used names that is not there: neither in classes of events that applications have, nor in those of
// the kernel, which are given apart.
type unmet func(classes, kernel []*trace.Class) []string

// Endpoints declare ends of messages: docs/format/declarations.md.
var Endpoints = Kind{Name: "synchroscope-endpoints", Vain: unmetDeclaration, most: match.MaxDeclarations, parse: func(path, text string) (unmet, error) {
	d, err := match.ParseDeclarations(path, text)
	return func(classes, kernel []*trace.Class) []string { return d.Unmet(slices.Concat(classes, kernel)) }, err
}}

// States declare states of applications: docs/format/states.md.
var States = Kind{Name: "synchroscope-states", Vain: unmetDeclaration, most: declared.MaxDeclarations, parse: func(path, text string) (unmet, error) {
	d, err := declared.Parse(path, text)
	return d.Unmet, err
}}

// Symbols are what functions of programs are called: docs/format/symbols.md.
var Symbols = Kind{Name: "synchroscope-symbols", Vain: "unmet-symbols", most: symbol.MaxText, apart: true, parse: func(path, text string) (unmet, error) {
	t, err := symbol.Parse(path, text)
	return func(classes, _ []*trace.Class) (vain []string) {
		if !slices.ContainsFunc(classes, declared.Loads) {
			vain = append(vain, "no trace tells where programs and libraries were loaded, so no function gets its name; record it with lttng enable-event -u '"+declared.Loading+"'")
		}
		for _, file := range t.Doubtful() {
			vain = append(vain, fmt.Sprintf("two lists of %s tell of different functions, and where they do, none of them has its name; a path before the name that ends as that which was loaded tells them apart", file))
		}
		return vain
	}, err
}}

// kinds are all of them.
var kinds = []Kind{Endpoints, States, Symbols}

// Named is the kind that a file of a name is of.
func Named(file string) (Kind, bool) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == file })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// Copy writes the text of a file into another, which is replaced. Of one that is too long as much is written as shows that it is.
func (k Kind) Copy(to, from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return durable.Write(to, func(w io.Writer) error {
		_, err := io.Copy(w, io.LimitReader(f, k.most+1))
		return err
	})
}

// Unmet says of a text of the kind that was found what it names that none of the traces has, in a sentence for each.
func (k Kind) Unmet(text string, traces []*ctf.Trace) []string {
	of, err := k.parse(k.Name, text)
	if err != nil || text == "" {
		return nil
	}
	var classes, kernel []*trace.Class
	for _, t := range traces {
		if t.Info().Kind == "kernel" {
			kernel = append(kernel, t.Classes()...)
		} else {
			classes = append(classes, t.Classes()...)
		}
	}
	return of(classes, kernel)
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
	case hasLines(text, more):
		return text, nil
	}
	both := text + "\n" + more
	if k.apart {
		both = text + "\n\n" + more
	}
	if int64(len(both)) > k.most {
		return "", fmt.Errorf("%s does not go with what is declared elsewhere: together they have more than %d bytes", path, k.most)
	}
	if k.apart {
		return both, nil
	}
	if _, err := k.parse(path, both); err != nil {
		return "", fmt.Errorf("%s does not go with what is declared elsewhere: %s", path, inFile(err.Error(), path, strings.Count(text, "\n")+1))
	}
	return both, nil
}

// hasLines reports whether the lines of a text are among those of another, one after the other.
func hasLines(text, lines string) bool {
	return strings.Contains("\n"+text+"\n", "\n"+strings.TrimSuffix(lines, "\n")+"\n")
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
