package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"time"
)

// readScript reads what a page asked, as writeScript wrote it.
func readScript(path string) (asked []question, err error) {
	if path == "" {
		return nil, fs.ErrNotExist
	}
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &asked)
	}
	return asked, err
}

func writeScript(path string, asked []question) error {
	b, err := json.Marshal(asked)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o644)
}

// A question is a frame that the page sent, and when.
type question struct {
	At   time.Duration // after the page was opened
	Text string
}
