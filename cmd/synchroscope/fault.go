package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"
)

// misuse says how a command was used wrongly.
func misuse(name string, stderr io.Writer, what string) int {
	fmt.Fprintf(stderr, "synchroscope %s: %s; synchroscope %s -h tells how it is used\n", name, printable(what), name)
	return exitUsage
}

// fault says what is wrong with the input, on a line for each of joined errors. A reader of stdout
// that went away, such as head, is no fault.
func fault(stderr io.Writer, err error) int {
	if errors.Is(err, syscall.EPIPE) {
		return exitOK
	}
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range all.Unwrap() {
			fault(stderr, err)
		}
		return exitFault
	}
	fmt.Fprintf(stderr, "synchroscope: %s\n", printable(worded(err)))
	return exitFault
}

// worded is the sentence of an error. Where it is one of the file system, the
// name of the call is left out: "x: permission denied".
func worded(err error) string {
	s := err.Error()
	if r, ok := err.(renamed); ok {
		return r.Error()
	}
	var call *os.PathError
	if !errors.As(err, &call) {
		return s
	}
	short := call.Path + ": " + call.Err.Error()
	s = strings.Replace(s, call.Error(), short, 1)
	return strings.Replace(s, call.Path+": "+short, short, 1)
}

// renamed is an error about something below dir that speaks of p instead.
type renamed struct {
	err    error
	dir, p string
}

func (r renamed) Error() string {
	if r.dir == r.p {
		return worded(r.err)
	}
	return strings.ReplaceAll(worded(r.err), r.dir, r.p)
}

func (r renamed) Unwrap() error { return r.err }

// plain words an error of the file system about what the user calls name: "x: no such file or directory".
func plain(name string, err error) error {
	var call *os.PathError
	if errors.As(err, &call) {
		err = call.Err
	}
	if name == "" {
		name = `""`
	}
	return fmt.Errorf("%s: %w", name, err)
}

// printable is s on one line: what would not be seen on a terminal, or change it, is written as in
// a Go string. Names in traces and archives are whatever somebody wrote.
func printable(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n <= 1 || hidden(r) {
			quoted := strconv.Quote(s[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// hidden tells whether a terminal may do something else with a rune than show it. The space between groups of digits, U+202F, it shows.
func hidden(r rune) bool { return r != '\u202f' && !strconv.IsPrint(r) }
