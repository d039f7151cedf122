package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"synchroscope/ingest/declarations"
	"synchroscope/trace/ctf"
)

// declarationsFile is the flag that names a file with declarations of endpoints.
type declarationsFile string

func endpointsFlag(fs *flag.FlagSet) *declarationsFile {
	path := fs.String("endpoints", "", "a `file` that declares events of applications as ends of messages")
	return (*declarationsFile)(path)
}

// read returns the text of the file, "" without one.
func (f *declarationsFile) read() (string, error) {
	if *f == "" {
		return "", nil
	}
	text, err := declarations.Endpoints.Read(string(*f))
	if call := (*os.PathError)(nil); errors.As(err, &call) {
		return "", plain(string(*f), err)
	}
	return text, err
}

// tellUnmet says what declarations of endpoints name that none of the traces has.
func tellUnmet(stderr io.Writer, text string, traces []*ctf.Trace) {
	for _, sentence := range declarations.Endpoints.Unmet(text, traces) {
		fmt.Fprintf(stderr, "synchroscope: endpoints: %s\n", printable(sentence))
	}
}
