package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"
)

// newFlags makes the flag set of a command. usage is its line of arguments,
// does one or more sentences.
func newFlags(name, usage, does string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // parse tells what went wrong
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "Usage: synchroscope %s %s\n\n%s\n", name, usage, does)
		any := false
		fs.VisitAll(func(*flag.Flag) { any = true })
		if any {
			fmt.Fprint(fs.Output(), "\nFlags:\n")
			fs.PrintDefaults()
		}
	}
	return fs
}

// parse reads flags and arguments in any order; after "--" all are arguments.
// If the command is to end at once, done is true and code what it ends with.
func parse(fs *flag.FlagSet, args []string, stdout, stderr io.Writer) (rest []string, code int, done bool) {
	for {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(stdout)
			fs.Usage()
			return nil, exitOK, true
		}
		if err != nil {
			return nil, misuse(fs.Name(), stderr, err.Error()), true
		}
		left := fs.Args()
		if n := len(args) - len(left); n > 0 && args[n-1] == "--" {
			return append(rest, left...), 0, false
		}
		if len(left) == 0 {
			return rest, 0, false
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// misuse says how a command was used wrongly.
func misuse(name string, stderr io.Writer, what string) int {
	fmt.Fprintf(stderr, "synchroscope %s: %s; synchroscope %s -h tells how it is used\n", name, what, name)
	return exitUsage
}

// fault says what is wrong with the input, on a line for each of joined errors. A reader of stdout that went away, such as head, is no fault.
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
	fmt.Fprintf(stderr, "synchroscope: %s\n", printable(err.Error()))
	return exitFault
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

func hidden(r rune) bool { return !strconv.IsPrint(r) }
