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
	return &progress{
		what: printable(what),
		on:   isTerminal(os.Stderr) && os.Getenv("TERM") != "dumb",
		next: time.Now().Add(progressAfter),
	}
}

// besidesOutput shows nothing where stdout is a terminal too, as what is printed there shows that work goes on.
func (p *progress) besidesOutput() {
	p.on = p.on && !isTerminal(os.Stdout)
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// watch shows what done says again and again, until the function that it returns is called.
func (p *progress) watch(done func() int64, all int64) (end func()) {
	if !p.on {
		return func() {}
	}
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-over:
				return
			case <-tick.C:
				p.show(done(), all)
			}
		}
	}()
	return func() {
		close(over)
		<-gone
		p.end()
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
