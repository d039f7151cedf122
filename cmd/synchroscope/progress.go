package main

import (
	"fmt"
	"os"
	"time"
)

// A progress is a line on stderr that says how far long work has come. It
// shows nothing where stderr is not a terminal, and nothing for short work.
type progress struct {
	what  string
	on    bool
	drawn bool
	next  time.Time
}

const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

func newProgress(what string) *progress {
	info, err := os.Stderr.Stat()
	return &progress{
		what: what,
		on:   err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb",
		next: time.Now().Add(progressAfter),
	}
}

// show tells that done of all bytes are through.
func (p *progress) show(done, all int64) {
	if !p.on || all <= 0 {
		return
	}
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(progressEvery)
	p.drawn = true
	fmt.Fprintf(os.Stderr, "\r%s: %3.0f %%\x1b[K", p.what, 100*float64(done)/float64(all))
}

// end wipes the line.
func (p *progress) end() {
	if p.drawn {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
