// Package query answers what views ask of one host's history.
package query

import (
	"context"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// Special states of a Run beside kernel.Status.
const (
	Mixed   = 254
	Nothing = 255
)

// A Run is a stretch of columns of one row, from the end of the run before it to End.
type Run struct {
	End   int32
	State uint8    // kernel.Status, Mixed or Nothing
	Label string   // the system call, where the state has one
	Mix   [8]uint8 // for Mixed: the share of each status in 255ths, exact to rounding; largest remainder method
}

// States reduces thread rows to columns. rows are the quarks of Threads/<tid>; edges are
// local ns as in history.Pixels. The runs of each row cover all columns.
func States(ctx context.Context, h *history.History, rows []attribute.Quark, edges []int64) ([][]Run, error) {
	panic("unbuilt")
}

// A Detail is what is known of a thread at one instant.
type Detail struct {
	Known      bool
	Status     uint8
	Begin, End int64 // of the status interval, local ns
	Syscall    string
	CPU        int32 // -1 none
	Priority   int32
	Name       string
	Interrupt  string // what interrupts it, where interrupted
}

func At(ctx context.Context, h *history.History, thread attribute.Quark, t int64) (Detail, error) {
	panic("unbuilt")
}

// An Attribute is one line of the state at a time.
type Attribute struct {
	Path  string `json:"path"`
	Value any    `json:"value"` // null, number, string or bool
	Begin int64  `json:"-"`
	End   int64  `json:"-"`
}

// All lists the attributes whose path matches pattern ("" or "*" forms as attribute.Tree.Match) at t.
func All(ctx context.Context, h *history.History, pattern string, t int64) ([]Attribute, error) {
	panic("unbuilt")
}
