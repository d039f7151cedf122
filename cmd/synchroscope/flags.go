package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
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
