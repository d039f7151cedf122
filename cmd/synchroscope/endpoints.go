package main

import (
	"errors"
	"flag"
	"os"

	"synchroscope/ingest/declarations"
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
