package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"strconv"
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

// moved is what a page asks that looks to the right, by a share of each window and whole columns.
func moved(asked []question, share float64) []question {
	out := slices.Clone(asked)
	for i, q := range out {
		var a struct {
			Begin, End string
			Columns    int64
		}
		var all map[string]any
		if json.Unmarshal([]byte(q.Text), &a) != nil || a.Columns == 0 || json.Unmarshal([]byte(q.Text), &all) != nil {
			continue
		}
		begin, _ := strconv.ParseInt(a.Begin, 10, 64)
		end, _ := strconv.ParseInt(a.End, 10, 64)
		by := max(1, int64(share*float64(a.Columns))) * ((end - begin) / a.Columns)
		all["begin"], all["end"] = strconv.FormatInt(begin+by, 10), strconv.FormatInt(end+by, 10)
		if b, err := json.Marshal(all); err == nil {
			out[i].Text = string(b)
		}
	}
	return out
}
