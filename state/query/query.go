// Package query answers what views ask of one host's history, as the kernel
// model wrote it: columns of thread states, the state of one thread at an instant, statistics over a selection,
// all attributes at an instant.
//
// A history knows attributes and values. This package knows which of them belong
// together: that a system call names the state of its thread, that the CPU of an
// interrupted thread tells what interrupts it. Times are local ns throughout; who
// asks maps them.
package query

import (
	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// child is the quark of parent's child, None too where parent is.
func child(h *history.History, parent attribute.Quark, name string) attribute.Quark {
	if parent == attribute.None {
		return attribute.None
	}
	return h.Attributes().Child(parent, name)
}
